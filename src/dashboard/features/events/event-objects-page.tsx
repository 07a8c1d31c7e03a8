/** All events, callbacks or relations: list, make, look at one, delete. */
import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { Client } from '../../../client/create-client.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { type ListColumn, ListTable, Pager } from '../../ui/list-table.tsx';
import { formatCount } from '../../ui/numbers.ts';
import { PageHead } from '../../ui/page-head.tsx';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';
import { QueryProblem } from '../../ui/query-problem.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { useCanDelete, useDelete } from '../../ui/use-delete.ts';
import { type EntryOf, objectListQueryOptions, pageSize } from '../live/object-list.ts';
import { CreateForm } from './create-form.tsx';
import { ObjectPanel } from './object-panel.tsx';
import { type EventKind, pathOfId } from './queries.ts';

export interface EventObjectsPageProps {
  readonly client: Client;
  readonly kind: EventKind;
  /** `id`: the one that is looked at; empty: none. */
  readonly search: { readonly page: number; readonly id: string };
  readonly onSearchChange: (change: { page?: number; id?: string }) => void;
}

const words: Readonly<Record<EventKind, { title: string; about: string }>> = {
  event: {
    title: 'Events',
    about: 'An event is a name that can be fired; what relations join it with is called then.',
  },
  callback: {
    title: 'Callbacks',
    about: 'A callback is a small program that an event calls with its parameters.',
  },
  relation: {
    title: 'Relations',
    about: 'A relation joins an event with the callback or function that it calls.',
  },
};

type Row = EntryOf<EventKind>;

const nameOf = (row: Row) => (row.object_type === 'event' ? row.name : row.short_id);

function whatOf(row: Row): ReactNode {
  switch (row.object_type) {
    case 'event':
      return row.tags?.includes('builtin') ? 'Fired by this server' : 'Fired by you';
    case 'callback':
      return `${row.lang}, ${row.code.split('\n')[0].slice(0, 60)}`;
    case 'relation':
      return (
        <>
          <Link to={pathOfId(row.object1_id)}>{row.object1_id}</Link> calls{' '}
          <Link to={pathOfId(row.object2_id)}>{row.object2_id}</Link>
        </>
      );
  }
}

const columns: readonly ListColumn<Row>[] = [
  {
    key: 'name',
    title: 'Name',
    phone: 'title',
    grow: true,
    cell: (row) => <Link to={pathOfId(row.short_id)}>{nameOf(row)}</Link>,
  },
  { key: 'what', title: 'What', phone: 'below', grow: true, cell: whatOf },
  {
    key: 'created',
    title: 'Created',
    phone: 'aside',
    align: 'right',
    cell: (row) => <RelativeTime date={row.created_at} />,
  },
];

export function EventObjectsPage({ client, kind, search, onSearchChange }: EventObjectsPageProps) {
  const queryClient = useQueryClient();
  const list = useQuery(objectListQueryOptions(client, kind, { page_no: search.page }));
  const remove = useDelete(client);
  const canDelete = useCanDelete(client);
  const [isMaking, setIsMaking] = useState(false);
  const { title, about } = words[kind];
  const rows: readonly Row[] = list.data?.objects ?? [];
  const queryKeys = [['events'], ['callbacks'], ['relations']];
  return (
    <>
      <PageHead
        title={title}
        count={list.isSuccess ? formatCount(list.data.total) : undefined}
        actions={
          <Button
            leftSection={<IconPlus size={16} stroke={1.6} />}
            aria-expanded={isMaking}
            onClick={() => setIsMaking(!isMaking)}
          >
            New {kind}
          </Button>
        }
      />
      {isMaking && (
        <CreateForm
          client={client}
          kind={kind}
          onMade={(id) => {
            setIsMaking(false);
            void Promise.all(
              queryKeys.map((queryKey) => queryClient.invalidateQueries({ queryKey })),
            );
            onSearchChange({ id, page: 1 });
          }}
        />
      )}
      {search.id !== '' && (
        <ObjectPanel key={search.id} client={client} kind={kind} id={search.id} />
      )}
      {list.isPending && <PageSkeleton />}
      {list.isError && <QueryProblem query={list} what="The list" />}
      {list.isSuccess && rows.length === 0 && (
        <EmptyState title={`No ${kind}s yet`}>{about}</EmptyState>
      )}
      {rows.length > 0 && (
        <>
          <ListTable
            label={title}
            rows={rows}
            columns={columns}
            idOf={(row) => row.short_id}
            nameOf={nameOf}
            onOpen={(row) => onSearchChange({ id: row.short_id })}
            canSelect={canDelete}
            selectionActions={(chosen, done) => (
              <Button
                size="xs"
                variant="subtle"
                color="red"
                onClick={() =>
                  void remove({
                    ids: chosen.map((row) => row.short_id),
                    words: `Deleted ${chosen.length} ${chosen.length === 1 ? kind : `${kind}s`}.`,
                    queryKeys,
                    onDone: () => {
                      done();
                      onSearchChange({ id: '' });
                    },
                  })
                }
              >
                Delete
              </Button>
            )}
          />
          <Pager
            page={search.page}
            pageSize={pageSize}
            total={list.data?.total ?? 0}
            onPage={(page) => onSearchChange({ page })}
          />
        </>
      )}
    </>
  );
}
