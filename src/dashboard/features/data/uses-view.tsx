/** What uses a data object: workflows that read it, experiments that have read it. */
import { Button } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { Data } from '../../../contract/data.ts';
import type { Experiment } from '../../../contract/experiment.ts';
import type { Workflow } from '../../../contract/workflow.ts';
import { pageSize } from '../../objects/object-queries.ts';
import { configQueryOptions, hasCapability } from '../../objects/server.ts';
import { useClient } from '../../objects/use-client.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { type ListColumn, ListTable } from '../../ui/list-table.tsx';
import { Note } from '../../ui/note.tsx';
import { formatCount } from '../../ui/numbers.ts';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';
import { QueryProblem } from '../../ui/query-problem.tsx';
import { modelColumn, nameColumn, updatedColumn } from '../lists/list-columns.tsx';
import { statusColumn } from '../status/run-columns.tsx';
import classes from './data.module.css';
import { dataUsesQueryOptions, lookedPageSize } from './queries.ts';

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

export default function UsesView({ data }: { data: Data }) {
  const client = useClient();
  const config = useQuery(configQueryOptions(client));
  if (config.isPending) return <PageSkeleton />;
  return <Uses id={data.short_id} isExact={hasCapability(config.data, 'search')} />;
}

function Uses({ id, isExact }: { id: string; isExact: boolean }) {
  const workflows = useUses(id, { kind: 'workflow', isExact });
  const experiments = useUses(id, { kind: 'experiment', isExact });
  const lists = [workflows, experiments];
  if (lists.some((list) => list.isPending)) return <PageSkeleton />;
  const failed = lists.find((list) => list.isError);
  if (failed !== undefined && !failed.hasPages)
    return <QueryProblem query={failed} what="The list of uses" />;
  const hasMore = lists.some((list) => list.hasMore);
  const isEmpty = lists.every((list) => list.rows.length === 0);
  return (
    <div className={classes.uses}>
      {isEmpty && !hasMore && (
        <EmptyState title="Nothing uses these data">
          Choose them when you run a model; its workflow and experiments will be listed here.
        </EmptyState>
      )}
      {workflows.rows.length > 0 && (
        <ListTable
          label="Workflows that use these data"
          rows={workflows.rows}
          columns={workflowColumns}
          idOf={(row) => row.short_id}
          nameOf={(row) => row.name || row.short_id}
        />
      )}
      {experiments.rows.length > 0 && (
        <ListTable
          label="Experiments that use these data"
          rows={experiments.rows}
          columns={experimentColumns}
          idOf={(row) => row.short_id}
          nameOf={(row) => row.name || row.short_id}
        />
      )}
      {lists.some((list) => list.total > (isExact ? pageSize : lookedPageSize)) && (
        <Note gap="around" role="status">
          {isEmpty && hasMore && 'None yet. '}
          {isExact ? 'Showing' : 'Searched'} {howMany(workflows, 'workflow')} and{' '}
          {howMany(experiments, 'experiment')}.
        </Note>
      )}
      {failed !== undefined && <QueryProblem query={failed} what="The next page" />}
      {failed === undefined && hasMore && (
        <Button
          loading={lists.some((list) => list.isLoadingMore)}
          onClick={() => {
            for (const list of lists) if (list.hasMore) void list.refetch();
          }}
        >
          {isExact ? 'Show more' : `Search the next ${formatCount(lookedPageSize)}`}
        </Button>
      )}
    </div>
  );
}

/** The pages so far, as one list. */
function useUses<K extends 'workflow' | 'experiment'>(
  id: string,
  which: { readonly kind: K; readonly isExact: boolean },
) {
  const client = useClient();
  const query = useInfiniteQuery(dataUsesQueryOptions(client, id, which));
  const pages = query.data?.pages ?? [];
  // New objects move others from one page to the next.
  const rows = new Map(pages.flatMap(({ using }) => using.map((row) => [row.short_id, row])));
  return {
    isPending: query.isPending,
    isError: query.isError,
    error: query.error,
    hasPages: pages.length > 0,
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    rows: [...rows.values()],
    numLooked: pages.reduce((sum, page) => sum + page.numLooked, 0),
    total: pages.at(-1)?.total ?? 0,
    /** The first page again, or the page after the last. */
    refetch: () => (pages.length === 0 ? query.refetch() : query.fetchNextPage()),
  };
}

/** "the newest 1 000 of 5 300 workflows", "all 212 experiments", "no workflow". */
function howMany(list: { hasMore: boolean; numLooked: number; total: number }, noun: string) {
  if (list.total < 2) return list.total === 0 ? `no ${noun}` : `1 ${noun}`;
  return list.hasMore
    ? `the newest ${formatCount(list.numLooked)} of ${formatCount(list.total)} ${noun}s`
    : `all ${formatCount(list.total)} ${noun}s`;
}
