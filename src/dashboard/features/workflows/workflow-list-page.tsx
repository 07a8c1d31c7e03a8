/** All workflows of this person. */
import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import type { Workflow } from '../../../contract/workflow.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { lazyPart } from '../../ui/lazy-part.ts';
import type { ListColumn } from '../../ui/list-table.tsx';
import {
  createdColumn,
  modelColumn,
  nameColumn,
  textColumn,
  updatedColumn,
} from '../lists/list-columns.tsx';
import type { ListPageProps } from '../lists/list-props.ts';
import { ObjectListPage } from '../lists/object-list-page.tsx';

const columns: readonly ListColumn<Workflow>[] = [
  nameColumn('/workflows'),
  modelColumn,
  textColumn({
    key: 'data',
    title: 'Data',
    grow: true,
    sortKey: 'data',
    sortsUp: true,
    text: (row) => row.data_name,
  }),
  textColumn({
    key: 'run',
    title: 'Last run',
    grow: true,
    text: (row) => row.experiment_name || row.experiment_id,
  }),
  createdColumn,
  updatedColumn,
];

export interface WorkflowListPageProps extends ListPageProps {
  /** Opens the dialog for sharing workflows. */
  readonly onShare: (workflows: readonly Workflow[]) => void;
}

const NewWorkflow = lazyPart(() => import('./new-workflow.tsx'), 'NewWorkflow');

export function WorkflowListPage(props: WorkflowListPageProps) {
  const [isMaking, setMaking] = useState(false);
  return (
    <>
      <ObjectListPage
        {...props}
        kind="workflow"
        title="Workflows"
        noun={['workflow', 'workflows']}
        columns={columns}
        actions={(total) => (
          <Button
            variant={total === 0 ? 'default' : 'filled'}
            leftSection={<IconPlus size={16} />}
            onClick={() => setMaking(true)}
            data-floating
          >
            New workflow
          </Button>
        )}
        empty={
          <EmptyState title="No workflows yet">
            A workflow combines a model with its data, settings and analysis. Running a model
            creates one, which later runs reuse; New workflow makes one without running it.
          </EmptyState>
        }
      />
      {isMaking && <NewWorkflow onMade={props.onOpen} onClose={() => setMaking(false)} />}
    </>
  );
}
