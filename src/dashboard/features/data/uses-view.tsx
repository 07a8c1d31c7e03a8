/** What a data object is used by: workflows that read it, experiments that did. */
import { useQuery } from '@tanstack/react-query';
import type { Client } from '../../../client/create-client.ts';
import type { Data } from '../../../contract/data.ts';
import type { Experiment } from '../../../contract/experiment.ts';
import type { Workflow } from '../../../contract/workflow.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { type ListColumn, ListTable } from '../../ui/list-table.tsx';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';
import { QueryProblem } from '../../ui/query-problem.tsx';
import { modelColumn, nameColumn, updatedColumn } from '../live/list-columns.tsx';
import { statusColumn } from '../status/run-columns.tsx';
import classes from './data.module.css';
import { dataUsesQueryOptions } from './queries.ts';

const workflowColumns: readonly ListColumn<Workflow>[] = [
  nameColumn('/workflows', 'Workflow'),
  modelColumn,
  updatedColumn,
];

const experimentColumns: readonly ListColumn<Experiment>[] = [
  statusColumn,
  nameColumn('/experiments', 'Experiment'),
  modelColumn,
  { ...updatedColumn, phone: 'below' },
];

export default function UsesView({ client, data }: { client: Client; data: Data }) {
  const uses = useQuery(dataUsesQueryOptions(client, data.short_id));
  if (uses.isPending) return <PageSkeleton />;
  if (uses.isError) return <QueryProblem query={uses} what="The list of uses" />;
  const { workflows, experiments, isCut } = uses.data;
  if (workflows.length + experiments.length === 0)
    return (
      <EmptyState title="Nothing reads these data">
        Choose them where a model is run, and the workflow and its experiments stand here.
      </EmptyState>
    );
  return (
    <div className={classes.uses}>
      {workflows.length > 0 && (
        <ListTable
          label="Workflows that read these data"
          rows={workflows}
          columns={workflowColumns}
          idOf={(row) => row.short_id}
          nameOf={(row) => row.name || row.short_id}
        />
      )}
      {experiments.length > 0 && (
        <ListTable
          label="Experiments that read these data"
          rows={experiments}
          columns={experimentColumns}
          idOf={(row) => row.short_id}
          nameOf={(row) => row.name || row.short_id}
        />
      )}
      {isCut && (
        <p className={classes.description}>Looked for among the newest 1 000 of each kind.</p>
      )}
    </div>
  );
}
