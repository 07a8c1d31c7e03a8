/** All runs: status, verdict, numbers; filters and page in the address. */
import { Button, Select } from '@mantine/core';
import { IconPlayerPlay, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Client } from '../../../client/create-client.ts';
import type { Experiment } from '../../../contract/experiment.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { type ListColumn, ListTable, Pager } from '../../ui/list-table.tsx';
import { ListTools } from '../../ui/list-tools.tsx';
import { formatCount } from '../../ui/numbers.ts';
import { PageHead } from '../../ui/page-head.tsx';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';
import { QueryProblem } from '../../ui/query-problem.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { useDelete } from '../../ui/use-delete.ts';
import { objectListQueryOptions, pageSize } from '../live/object-list.ts';
import { StatusBadge } from '../status/status-badge.tsx';
import { VerdictMark } from '../status/verdict-mark.tsx';

export interface ExperimentListSearch {
  readonly q: string;
  readonly status: string;
  readonly page: number;
  readonly model: string;
  readonly workflow: string;
}

export interface ExperimentListPageProps {
  readonly client: Client;
  readonly search: ExperimentListSearch;
  readonly onSearchChange: (change: Partial<ExperimentListSearch>) => void;
  readonly canSearch: boolean;
}

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
      <Link
        to="/experiments/$experimentId"
        params={{ experimentId: row.short_id }}
        title={row.name}
      >
        {row.name || row.short_id}
      </Link>
    ),
  },
  {
    key: 'model',
    title: 'Model',
    phone: 'hidden',
    grow: true,
    cell: (row) => row.model_name || '–',
  },
  {
    key: 'verdict',
    title: 'Verdict',
    phone: 'below',
    grow: true,
    cell: (row) => <VerdictMark experiment={row} />,
  },
  {
    key: 'rhat',
    title: 'R-hat max',
    phone: 'hidden',
    align: 'right',
    cell: (row) => row.meta?.verdict?.rhat_max?.toFixed(3) ?? '–',
  },
  {
    key: 'ess',
    title: 'ESS min',
    phone: 'hidden',
    align: 'right',
    cell: (row) => formatCount(essMin(row)),
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

function essMin({ meta }: Experiment): number | null {
  const values = [meta?.verdict?.ess_bulk_min, meta?.verdict?.ess_tail_min].filter(
    (value) => typeof value === 'number',
  );
  return values.length === 0 ? null : Math.min(...values);
}

const statuses = [
  { value: '', label: 'Any status' },
  { value: 'NEW', label: 'New' },
  { value: 'RUN', label: 'Running' },
  { value: 'FIN', label: 'Finished' },
  { value: 'ERR', label: 'Error' },
];

export function ExperimentListPage({
  client,
  search,
  onSearchChange,
  canSearch,
}: ExperimentListPageProps) {
  const filters = {
    q: search.q,
    status: search.status as 'RUN' | '',
    page_no: search.page,
    model_ids: search.model === '' ? undefined : [search.model],
    workflow_id: search.workflow === '' ? undefined : [search.workflow],
  };
  const list = useQuery(objectListQueryOptions(client, 'experiment', filters));
  const remove = useDelete(client);
  const isFiltered =
    search.q !== '' || search.status !== '' || search.model !== '' || search.workflow !== '';
  const clear = () => onSearchChange({ q: '', status: '', model: '', workflow: '', page: 1 });
  return (
    <>
      <PageHead
        title="Experiments"
        actions={
          <Button
            component={Link}
            to="/experiments/new"
            leftSection={<IconPlayerPlay size={16} stroke={1.6} />}
          >
            New experiment
          </Button>
        }
      />
      {(isFiltered || (list.data?.total ?? 0) > 0) && (
        <ListTools
          label={canSearch ? 'Search names and ids' : 'Search this page'}
          search={search.q}
          onSearch={(q) => onSearchChange({ q, page: 1 })}
        >
          <Select
            aria-label="Status"
            w={140}
            data={statuses}
            value={search.status}
            allowDeselect={false}
            onChange={(status) => onSearchChange({ status: status ?? '', page: 1 })}
          />
          {isFiltered && (
            <Button variant="subtle" onClick={clear}>
              Clear the filter
            </Button>
          )}
        </ListTools>
      )}
      {list.isPending && <PageSkeleton />}
      {list.isError && <QueryProblem query={list} what="The list" />}
      {list.data?.total === 0 &&
        (isFiltered ? (
          <EmptyState
            title="Nothing matches the filter"
            action={
              <Button variant="default" onClick={clear}>
                Clear the filter
              </Button>
            }
          >
            No experiment {search.q === '' ? 'is like that' : `is called “${search.q}”`}.
          </EmptyState>
        ) : (
          <EmptyState
            title="No experiment yet"
            action={
              <Button variant="default" component={Link} to="/experiments/new">
                New experiment
              </Button>
            }
          >
            An experiment is one sampling run of a model: its chains, draws and verdict.
          </EmptyState>
        ))}
      {list.data !== undefined && list.data.objects.length > 0 && (
        <>
          <ListTable
            label="Experiments"
            rows={list.data.objects}
            columns={columns}
            idOf={(row) => row.short_id}
            nameOf={(row) => row.name || row.short_id}
            selectionActions={(rows, done) => (
              <Button
                size="xs"
                variant="default"
                leftSection={<IconTrash size={14} stroke={1.6} />}
                onClick={() =>
                  void remove({
                    ids: rows.map((row) => row.short_id),
                    words:
                      rows.length === 1
                        ? `${rows[0].name || rows[0].short_id} deleted.`
                        : `${rows.length} experiments deleted.`,
                    queryKeys: [['experiments']],
                    then: done,
                  })
                }
              >
                Delete
              </Button>
            )}
          />
          <Pager
            page={search.page}
            pageSize={pageSize}
            total={list.data.total}
            onPage={(page) => onSearchChange({ page })}
          />
        </>
      )}
    </>
  );
}
