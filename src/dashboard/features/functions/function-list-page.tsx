/** Cloud functions: models that are tagged as code, and those the server brings. */
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Client } from '../../../client/create-client.ts';
import type { Model } from '../../../contract/model.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import type { ListColumn } from '../../ui/list-table.tsx';
import { missing } from '../../ui/numbers.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { functionTags } from '../live/joinable.ts';
import { ObjectListPage, type ObjectListSearch } from '../live/object-list-page.tsx';

export interface FunctionListPageProps {
  readonly client: Client;
  readonly search: ObjectListSearch;
  readonly onSearchChange: (change: Partial<ObjectListSearch>) => void;
  readonly onOpen: (modelId: string) => void;
}

const columns: readonly ListColumn<Model>[] = [
  {
    key: 'name',
    title: 'Name',
    phone: 'title',
    grow: true,
    sortKey: 'name',
    cell: (row) => (
      <Link to="/functions/$modelId" params={{ modelId: row.short_id }} title={row.name}>
        {row.name || row.short_id}
      </Link>
    ),
  },
  {
    key: 'does',
    title: 'Does',
    phone: 'below',
    grow: true,
    cell: (row) => row.description || missing,
  },
  {
    key: 'from',
    title: 'From',
    phone: 'below',
    cell: (row) => (row.tags.includes('builtin') ? 'This server' : 'You'),
  },
  {
    key: 'id',
    title: 'Id',
    phone: 'hidden',
    wideOnly: true,
    cell: (row) => <code>{row.short_id}</code>,
  },
  {
    key: 'updated',
    title: 'Updated',
    phone: 'aside',
    align: 'right',
    sortKey: 'updated',
    cell: (row) =>
      row.tags.includes('builtin') ? missing : <RelativeTime date={row.updated_at} />,
  },
];

export function FunctionListPage(props: FunctionListPageProps) {
  return (
    <ObjectListPage
      {...props}
      kind="model"
      title="Functions"
      noun={['function', 'functions']}
      columns={columns}
      filters={{ tags: functionTags }}
      empty={
        <EmptyState
          title="No functions yet"
          action={
            <Button variant="default" component={Link} to="/models/new">
              New model
            </Button>
          }
        >
          A function is a model tagged “code”: its entrance file computes an answer from parameters,
          with the draws of a run at hand.
        </EmptyState>
      }
    />
  );
}
