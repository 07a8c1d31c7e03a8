/** The experiments of a model. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Client } from '../../../client/create-client.ts';
import type { Experiment } from '../../../contract/experiment.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { type ListColumn, ListTable } from '../../ui/list-table.tsx';
import { formatCount } from '../../ui/numbers.ts';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';
import { QueryProblem } from '../../ui/query-problem.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { objectListQueryOptions } from '../live/object-list.ts';
import { StatusBadge } from '../status/status-badge.tsx';
import { VerdictMark } from '../status/verdict-mark.tsx';

const columns: readonly ListColumn<Experiment>[] = [
  {
    key: 'status',
    title: 'Status',
    phone: 'aside',
    cell: (row) => <StatusBadge experiment={row} />,
  },
  {
    key: 'name',
    title: 'Name',
    phone: 'title',
    grow: true,
    cell: (row) => (
      <Link to="/experiments/$experimentId" params={{ experimentId: row.short_id }}>
        {row.name || row.short_id}
      </Link>
    ),
  },
  {
    key: 'version',
    title: 'Version',
    phone: 'hidden',
    align: 'right',
    cell: (row) => (row.meta?.model_version ? `v${row.meta.model_version}` : '–'),
  },
  {
    key: 'data',
    title: 'Data',
    phone: 'hidden',
    grow: true,
    cell: (row) => row.meta?.data_name || '–',
  },
  {
    key: 'verdict',
    title: 'Verdict',
    phone: 'below',
    grow: true,
    cell: (row) => <VerdictMark experiment={row} />,
  },
  {
    key: 'draws',
    title: 'Draws',
    phone: 'hidden',
    align: 'right',
    cell: (row) => (row.n_samples === 0 ? '–' : `${row.n_chains} × ${formatCount(row.n_samples)}`),
  },
  {
    key: 'updated',
    title: 'Updated',
    phone: 'below',
    align: 'right',
    cell: (row) => <RelativeTime date={row.updated_at ?? row.sample_update_time} />,
  },
];

export default function RunsTab({ client, modelId }: { client: Client; modelId: string }) {
  const list = useQuery(
    objectListQueryOptions(client, 'experiment', { model_ids: [modelId], page_size: 100 }),
  );
  if (list.isPending) return <PageSkeleton />;
  if (list.isError) return <QueryProblem query={list} what="The list" />;
  const { objects, total } = list.data;
  if (total === 0) {
    return (
      <EmptyState title="This model has not been run">
        Run it from the panel beside its files, and its experiments stand here.
      </EmptyState>
    );
  }
  return (
    <>
      <ListTable
        label="Experiments of this model"
        rows={objects}
        columns={columns}
        idOf={(row) => row.short_id}
        nameOf={(row) => row.name || row.short_id}
      />
      {total > objects.length && (
        <p>
          <Link
            to="/experiments"
            search={{ q: '', status: '', page: 1, model: modelId, workflow: '' }}
          >
            All {formatCount(total)}
          </Link>
        </p>
      )}
    </>
  );
}
