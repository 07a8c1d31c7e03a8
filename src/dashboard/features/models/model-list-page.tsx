/** All models of this person. */
import { Button } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Client } from '../../../client/create-client.ts';
import type { Model } from '../../../contract/model.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { type ListColumn, ListTable, Pager } from '../../ui/list-table.tsx';
import { ListTools } from '../../ui/list-tools.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';
import { QueryProblem } from '../../ui/query-problem.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { useCanDelete, useDelete } from '../../ui/use-delete.ts';
import { objectListQueryOptions, pageSize } from '../live/object-list.ts';

export interface ListSearch {
  readonly q: string;
  readonly page: number;
}

export interface ModelListPageProps {
  readonly client: Client;
  readonly search: ListSearch;
  readonly onSearchChange: (change: Partial<ListSearch>) => void;
}

const columns: readonly ListColumn<Model>[] = [
  {
    key: 'name',
    title: 'Name',
    phone: 'title',
    grow: true,
    cell: (row) => (
      <Link to="/models/$modelId" params={{ modelId: row.short_id }} title={row.name}>
        {row.name || row.short_id}
      </Link>
    ),
  },
  { key: 'env', title: 'Runtime', phone: 'aside', cell: (row) => runtimeWord(row.env) },
  {
    key: 'version',
    title: 'Version',
    phone: 'hidden',
    align: 'right',
    cell: (row) => (row.version === undefined ? '–' : `v${row.version}`),
  },
  { key: 'tags', title: 'Tags', phone: 'hidden', grow: true, cell: (row) => row.tags.join(', ') },
  { key: 'id', title: 'Id', phone: 'hidden', cell: (row) => <code>{row.short_id}</code> },
  {
    key: 'updated',
    title: 'Updated',
    phone: 'below',
    align: 'right',
    cell: (row) => <RelativeTime date={row.updated_at} />,
  },
];

/** "Stan" for `stan`; a dash when the server does not tell. */
export function runtimeWord(env: string | null | undefined): string {
  const words: Record<string, string> = {
    stan: 'Stan',
    cmdstan: 'CmdStan',
    jags: 'JAGS',
    javascript: 'JavaScript',
    julia: 'Julia',
    python: 'Python',
    r: 'R',
  };
  return env ? (words[env] ?? env) : '–';
}

export function ModelListPage({ client, search, onSearchChange }: ModelListPageProps) {
  const list = useQuery(
    objectListQueryOptions(client, 'model', { q: search.q, page_no: search.page }),
  );
  const remove = useDelete(client);
  const canDelete = useCanDelete(client);
  const clear = () => onSearchChange({ q: '', page: 1 });
  return (
    <>
      <PageHead
        title="Models"
        actions={
          <Button
            component={Link}
            to="/models/new"
            leftSection={<IconPlus size={16} stroke={1.6} />}
          >
            New model
          </Button>
        }
      />
      {(search.q !== '' || (list.data?.total ?? 0) > 0) && (
        <ListTools
          label="Search names and ids"
          search={search.q}
          onSearch={(q) => onSearchChange({ q, page: 1 })}
        />
      )}
      {list.isPending && <PageSkeleton />}
      {list.isError && <QueryProblem query={list} what="The list" />}
      {list.data?.total === 0 &&
        (search.q !== '' ? (
          <EmptyState
            title="Nothing matches the filter"
            action={
              <Button variant="default" onClick={clear}>
                Clear the filter
              </Button>
            }
          >
            No model is called “{search.q}”.
          </EmptyState>
        ) : (
          <EmptyState
            title="No model yet"
            action={
              <Button variant="default" component={Link} to="/models/new">
                Open the gallery
              </Button>
            }
          >
            A model is a folder of files with a Stan program as its entrance. The gallery has some
            with their data.
          </EmptyState>
        ))}
      {list.data !== undefined && list.data.objects.length > 0 && (
        <>
          <ListTable
            label="Models"
            rows={list.data.objects}
            columns={columns}
            idOf={(row) => row.short_id}
            nameOf={(row) => row.name || row.short_id}
            canSelect={canDelete}
            selectionActions={(rows, done) => (
              <Button
                size="xs"
                variant="default"
                leftSection={<IconTrash size={14} stroke={1.6} />}
                onClick={() =>
                  void remove({
                    ids: rows.map((row) => row.short_id),
                    words:
                      rows.length === 1
                        ? `${rows[0].name || rows[0].short_id} deleted.`
                        : `${rows.length} models deleted.`,
                    queryKeys: [['models']],
                    then: done,
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
            total={list.data.total}
            onPage={(page) => onSearchChange({ page })}
          />
        </>
      )}
    </>
  );
}
