/** All workflows of this person. */
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Client } from '../../../client/create-client.ts';
import type { Workflow } from '../../../contract/workflow.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import type { ListColumn } from '../../ui/list-table.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { ObjectListPage, type ObjectListSearch } from '../live/object-list-page.tsx';

export interface WorkflowListPageProps {
  readonly client: Client;
  readonly search: ObjectListSearch;
  readonly onSearchChange: (change: Partial<ObjectListSearch>) => void;
  readonly onOpen: (workflowId: string) => void;
}

const columns: readonly ListColumn<Workflow>[] = [
  {
    key: 'name',
    title: 'Name',
    phone: 'title',
    grow: true,
    sortKey: 'name',
    cell: (row) => (
      <Link to="/workflows/$workflowId" params={{ workflowId: row.short_id }} title={row.name}>
        {row.name || row.short_id}
      </Link>
    ),
  },
  {
    key: 'model',
    title: 'Model',
    phone: 'below',
    grow: true,
    cell: (row) => row.model_name || '–',
  },
  { key: 'data', title: 'Data', phone: 'hidden', grow: true, cell: (row) => row.data_name || '–' },
  {
    key: 'run',
    title: 'Last run',
    phone: 'hidden',
    grow: true,
    cell: (row) => row.experiment_name || row.experiment_id || '–',
  },
  {
    key: 'updated',
    title: 'Updated',
    phone: 'aside',
    align: 'right',
    sortKey: 'updated',
    cell: (row) => <RelativeTime date={row.updated_at} />,
  },
];

export function WorkflowListPage(props: WorkflowListPageProps) {
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
          A workflow keeps a model with its data and settings. Running a model makes one; it is used
          again next time.
        </EmptyState>
      }
    />
  );
}
