/** All workflows of this person. */
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Workflow } from '../../../contract/workflow.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import type { ListColumn } from '../../ui/list-table.tsx';
import { modelColumn, nameColumn, textColumn, updatedColumn } from '../lists/list-columns.tsx';
import { type ListPageProps, ObjectListPage } from '../lists/object-list-page.tsx';

const columns: readonly ListColumn<Workflow>[] = [
  nameColumn('/workflows'),
  modelColumn,
  textColumn({ key: 'data', title: 'Data', grow: true, text: (row) => row.data_name }),
  textColumn({
    key: 'run',
    title: 'Last run',
    grow: true,
    text: (row) => row.experiment_name || row.experiment_id,
  }),
  updatedColumn,
];

export function WorkflowListPage(props: ListPageProps) {
  return (
    <ObjectListPage
      {...props}
      kind="workflow"
      title="Workflows"
      noun={['workflow', 'workflows']}
      columns={columns}
      empty={
        <EmptyState
          title="No workflows yet"
          action={
            <Button variant="default" component={Link} to="/experiments/new">
              New experiment
            </Button>
          }
        >
          A workflow combines a model with its data and settings. Running a model creates one, which
          later runs reuse.
        </EmptyState>
      }
    />
  );
}
