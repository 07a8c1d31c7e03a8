/** What a data object is used by: workflows that read it, experiments that did. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Client } from '../../../client/create-client.ts';
import type { Data } from '../../../contract/data.ts';
import type { Experiment } from '../../../contract/experiment.ts';
import type { Workflow } from '../../../contract/workflow.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { type ListColumn, ListTable } from '../../ui/list-table.tsx';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';
import { QueryProblem } from '../../ui/query-problem.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { StatusBadge } from '../status/status-badge.tsx';
import classes from './data.module.css';
import { dataUsesQueryOptions } from './queries.ts';

const workflowColumns: readonly ListColumn<Workflow>[] = [
  {
    key: 'name',
    title: 'Workflow',
    phone: 'title',
    grow: true,
    cell: (row) => (
      <Link to="/workflows/$workflowId" params={{ workflowId: row.short_id }}>
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
  {
    key: 'updated',
    title: 'Updated',
    phone: 'aside',
    align: 'right',
    cell: (row) => <RelativeTime date={row.updated_at} />,
  },
];

const experimentColumns: readonly ListColumn<Experiment>[] = [
  {
    key: 'status',
    title: 'Status',
    phone: 'aside',
    cell: (row) => <StatusBadge experiment={row} />,
  },
  {
    key: 'name',
    title: 'Experiment',
    phone: 'title',
    grow: true,
    cell: (row) => (
      <Link to="/experiments/$experimentId" params={{ experimentId: row.short_id }}>
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
  {
    key: 'updated',
    title: 'Updated',
    phone: 'below',
    align: 'right',
    cell: (row) => <RelativeTime date={row.updated_at ?? row.sample_update_time} />,
  },
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
