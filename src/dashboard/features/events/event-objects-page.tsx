/** All events, callbacks or relations: list, create, view one, delete. */
import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { EntryOf } from '../../objects/object-queries.ts';
import { objectKeys } from '../../objects/query-keys.ts';
import { useConfig } from '../../objects/use-config.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import type { ListColumn } from '../../ui/list-table.tsx';
import { formatCount } from '../../ui/numbers.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { idColumn } from '../lists/list-columns.tsx';
import type { ObjectListSearch } from '../lists/list-props.ts';
import { ObjectListPage } from '../lists/object-list-page.tsx';
import { joinableName, useJoinables } from '../relations/joinable.ts';
import { pathOfId } from '../relations/joined-paths.ts';
import { builtinText } from './builtin-events.ts';
import { CreateForm } from './create-form.tsx';
import classes from './events.module.css';
import { ObjectPanel } from './object-panel.tsx';
import type { EventKind } from './queries.ts';

export interface EventSearch extends ObjectListSearch {
  /** The one being viewed; empty: none. */
  readonly id: string;
  /** The form for a new one is open. */
  readonly make: boolean;
  /** Preselected ends of a new relation. */
  readonly from: string;
  readonly to: string;
}

export interface EventObjectsPageProps {
  readonly kind: EventKind;
  readonly search: EventSearch;
  readonly onSearchChange: (change: Partial<EventSearch>) => void;
}

const texts: Readonly<Record<EventKind, { title: string; about: string; lacks: string }>> = {
  event: {
    title: 'Events',
    about:
      'An event is a name that can be fired. Firing it calls everything that a relation joins it with.',
    lacks: 'This server fires no events by itself and does not report what an event called.',
  },
  callback: {
    title: 'Callbacks',
    about: 'A callback is a small program that an event calls with its parameters.',
    lacks:
      'This server runs only Julia and Python callbacks and does not report how their calls went.',
  },
  relation: {
    title: 'Relations',
    about: 'A relation joins an event with the callback or function that it calls.',
    lacks:
      'This server fires no events by itself, so a relation takes effect only when you fire its event.',
  },
};

/** A deletion here changes what the others show. */
const changedKeys = (['event', 'callback', 'relation'] as const).map(
  (kind) => objectKeys(kind).all,
);

type Row = EntryOf<EventKind>;

export function EventObjectsPage({ kind, search, onSearchChange }: EventObjectsPageProps) {
  const queryClient = useQueryClient();
  const isDocumented = useConfig() === null;
  const { nameOf } = useJoinables();
  const { title, about, lacks } = texts[kind];
  const close = { make: false, from: '', to: '' };
  const rename = (row: Row) =>
    row.object_type === 'relation'
      ? `${nameOf(row.object1_id)} calls ${nameOf(row.object2_id)}`
      : joinableName(row);
  return (
    <ObjectListPage<EventKind>
      kind={kind}
      title={title}
      noun={[kind, `${kind}s`]}
      columns={columnsOf(kind, rename)}
      search={search}
      onSearchChange={onSearchChange}
      onOpen={(id) => onSearchChange({ id })}
      nameOf={rename}
      searchLabel={kind === 'event' ? 'Name or id' : 'Id'}
      changedKeys={changedKeys}
      onDeleted={() => onSearchChange({ id: '' })}
      actions={() => (
        <Button
          variant="filled"
          leftSection={<IconPlus size={16} />}
          aria-expanded={search.make}
          onClick={() => onSearchChange(search.make ? close : { make: true })}
        >
          New {kind}
        </Button>
      )}
      above={
        <>
          {isDocumented && <p className={classes.note}>{lacks}</p>}
          {search.make && (
            <CreateForm
              key={`${kind} ${search.from} ${search.to}`}
              kind={kind}
              from={search.from}
              to={search.to}
              onCancel={() => onSearchChange(close)}
              onMade={(id) => {
                for (const queryKey of changedKeys) {
                  void queryClient.invalidateQueries({ queryKey });
                }
                onSearchChange({ ...close, id, q: '', page: 1 });
              }}
            />
          )}
          {search.id !== '' && !search.make && (
            <ObjectPanel key={search.id} kind={kind} id={search.id} />
          )}
        </>
      }
      empty={<EmptyState title={`No ${kind}s yet`}>{about}</EmptyState>}
    />
  );
}

function columnsOf(kind: EventKind, nameOf: (row: Row) => string): readonly ListColumn<Row>[] {
  return [
    {
      key: 'name',
      title: kind === 'relation' ? 'Joins' : 'Name',
      phone: 'title',
      grow: kind === 'relation' ? undefined : true,
      sortKey: kind === 'event' ? 'name' : undefined,
      cell: (row) => (
        <Link to={pathOfId(row.short_id)} title={nameOf(row)}>
          {nameOf(row)}
        </Link>
      ),
    },
    {
      key: 'what',
      title: { event: 'Fired by', callback: 'Language', relation: 'When' }[kind],
      phone: 'below',
      cell: whatOf,
    },
    idColumn,
    {
      key: 'created',
      title: 'Created',
      phone: 'aside',
      align: 'right',
      sortKey: 'created',
      cell: (row) => <RelativeTime date={row.created_at} />,
    },
  ];
}

function whatOf(row: Row): string {
  switch (row.object_type) {
    case 'event':
      return builtinText(row) === null ? 'you' : 'this server';
    case 'callback':
      return row.lang;
    case 'relation':
      return row.params?.n === undefined ? 'each time' : `every ${formatCount(row.params.n)} draws`;
  }
}
