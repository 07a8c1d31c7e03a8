/** The experiments of a model. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Experiment } from '../../../contract/experiment.ts';
import { objectListQueryOptions } from '../../objects/object-queries.ts';
import { useClient } from '../../objects/use-client.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { type ListColumn, ListTable } from '../../ui/list-table.tsx';
import { Note } from '../../ui/note.tsx';
import { formatCount } from '../../ui/numbers.ts';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';
import { QueryProblem } from '../../ui/query-problem.tsx';
import { nameColumn, textColumn, updatedColumn } from '../lists/list-columns.tsx';
import { drawsColumn, statusColumn, verdictColumn } from '../status/run-columns.tsx';

const columns: readonly ListColumn<Experiment>[] = [
  statusColumn,
  nameColumn('/experiments'),
  textColumn({
    key: 'version',
    title: 'Version',
    align: 'right',
    text: ({ meta }) => meta?.model_version && `v${meta.model_version}`,
  }),
  textColumn({ key: 'data', title: 'Data', grow: true, text: (row) => row.meta?.data_name }),
  verdictColumn,
  { ...drawsColumn, wideOnly: false },
  { ...updatedColumn, phone: 'below' },
];

export default function RunsTab({ modelId }: { modelId: string }) {
  const client = useClient();
  const list = useQuery(
    objectListQueryOptions(client, 'experiment', { model_ids: [modelId], page_size: 100 }),
  );
  if (list.isPending) return <PageSkeleton />;
  if (list.isError) return <QueryProblem query={list} what="The list" />;
  const { objects, total } = list.data;
  if (total === 0) {
    return (
      <EmptyState title="This model has not been run">
        Run it from the panel next to its files; its experiments will be listed here.
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
        <Note gap="around">
          <Link
            to="/experiments"
            search={{ q: '', status: '', page: 1, model: modelId, workflow: '' }}
          >
            All {formatCount(total)}
          </Link>
        </Note>
      )}
    </>
  );
}
