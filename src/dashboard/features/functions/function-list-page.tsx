/** Cloud functions: models tagged as code, and the server's own. */
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Model } from '../../../contract/model.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import type { ListColumn } from '../../ui/list-table.tsx';
import { missing } from '../../ui/numbers.ts';
import { idColumn, nameColumn, textColumn, updatedColumn } from '../lists/list-columns.tsx';
import type { ListPageProps } from '../lists/list-props.ts';
import { ObjectListPage } from '../lists/object-list-page.tsx';
import { functionTags } from '../relations/joinable.ts';

const columns: readonly ListColumn<Model>[] = [
  nameColumn('/functions'),
  textColumn({
    key: 'does',
    title: 'Does',
    phone: 'below',
    grow: 'sentence',
    text: (row) => row.description,
  }),
  {
    key: 'from',
    title: 'From',
    phone: 'below',
    cell: (row) => (isBuiltin(row) ? 'This server' : 'You'),
  },
  idColumn,
  { ...updatedColumn, cell: (row) => (isBuiltin(row) ? missing : updatedColumn.cell(row)) },
];

function isBuiltin({ tags }: Model): boolean {
  return tags.includes('builtin');
}

export function FunctionListPage(props: ListPageProps) {
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
            <Button component={Link} to="/models/new">
              New model
            </Button>
          }
        >
          A function is a model tagged “code”: its entrance file computes a result from parameters
          and can read the draws of a run.
        </EmptyState>
      }
    />
  );
}
