/** All runs: status, verdict, numbers; filters, order and page in the address. */
import { Button, SegmentedControl } from '@mantine/core';
import { IconDownload, IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ApiError } from '../../../client/api-error.ts';
import type { Client } from '../../../client/create-client.ts';
import type { Experiment } from '../../../contract/experiment.ts';
import { maxPageSize } from '../../../contract/common.ts';
import { FilterChip } from '../../ui/chip.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FilteredEmpty } from '../../ui/filtered-empty.tsx';
import { ListTable, Pager } from '../../ui/list-table.tsx';
import { ListTools } from '../../ui/list-tools.tsx';
import { formatCount } from '../../ui/numbers.ts';
import { PageHead } from '../../ui/page-head.tsx';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';
import { QueryProblem } from '../../ui/query-problem.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { showToast } from '../../ui/toasts.tsx';
import { useCanDelete, useDelete } from '../../ui/use-delete.ts';
import { objectListQueryOptions, pageSize } from '../live/object-list.ts';
import { runningCountQueryOptions } from '../live/running-count.ts';
import { experimentColumns } from './experiment-columns.tsx';
import { experimentsCsv } from './export-list.ts';

export interface ExperimentListSearch {
  readonly q: string;
  readonly status: string;
  readonly page: number;
  readonly model: string;
  readonly workflow: string;
  readonly sort: string;
}

export interface ExperimentListPageProps {
  readonly client: Client;
  readonly search: ExperimentListSearch;
  readonly onSearchChange: (change: Partial<ExperimentListSearch>) => void;
  readonly onOpen: (experimentId: string) => void;
  /** The server searches and sorts; else the box searches what is loaded. */
  readonly canSearch: boolean;
}

export function ExperimentListPage(props: ExperimentListPageProps) {
  const { client, search, onSearchChange, onOpen, canSearch } = props;
  const filters = filtersOf(search, canSearch);
  const list = useQuery(objectListQueryOptions(client, 'experiment', filters));
  const remove = useDelete(client);
  const canDelete = useCanDelete(client);
  const isFiltered = [search.q, search.status, search.model, search.workflow].some(
    (filter) => filter !== '',
  );
  const clear = () => onSearchChange({ q: '', status: '', model: '', workflow: '', page: 1 });
  const total = list.data?.total ?? 0;
  const rows = canSearch ? (list.data?.objects ?? []) : matching(list.data?.objects, search.q);
  return (
    <>
      <PageHead
        title="Experiments"
        count={list.data === undefined ? undefined : formatCount(total)}
        actions={
          <>
            {total > 0 && <ExportButton client={client} search={search} canSearch={canSearch} />}
            <Button
              variant={total === 0 ? 'default' : 'filled'}
              component={Link}
              to="/experiments/new"
              leftSection={<IconPlus size={16} stroke={1.6} />}
              data-floating
            >
              New experiment
            </Button>
          </>
        }
      />
      {(isFiltered || total > 0) && (
        <Tools client={client} search={search} onSearchChange={onSearchChange} total={total} />
      )}
      {list.isPending && <PageSkeleton />}
      {list.isError && <QueryProblem query={list} what="The list" />}
      {list.isSuccess &&
        rows.length === 0 &&
        (isFiltered ? (
          <FilteredEmpty onClear={clear}>{askedWords(search, canSearch)}</FilteredEmpty>
        ) : (
          <NoExperiments />
        ))}
      {rows.length > 0 && (
        <>
          <ListTable
            label="Experiments"
            rows={rows}
            columns={experimentColumns}
            idOf={(row) => row.short_id}
            nameOf={(row) => row.name || row.short_id}
            onOpen={(row) => onOpen(row.short_id)}
            sort={search.sort}
            onSort={canSearch ? (sort) => onSearchChange({ sort, page: 1 }) : undefined}
            canSelect={canDelete}
            selectionActions={(chosen, done) => (
              <Button
                size="xs"
                variant="subtle"
                color="red"
                leftSection={<IconTrash size={16} stroke={1.6} />}
                onClick={() => void remove({ ...deletionOf(chosen), then: done })}
              >
                Delete
              </Button>
            )}
          />
          <Pager
            page={search.page}
            pageSize={pageSize}
            total={total}
            onPage={(page) => onSearchChange({ page })}
          />
        </>
      )}
    </>
  );
}

function filtersOf(search: ExperimentListSearch, canSearch: boolean) {
  return {
    ...(canSearch && { q: search.q, sort: search.sort }),
    status: search.status,
    page_no: search.page,
    model_ids: search.model === '' ? undefined : [search.model],
    workflow_id: search.workflow === '' ? undefined : [search.workflow],
  };
}

/** What a server without search would have found on this page. */
function matching(rows: readonly Experiment[] | undefined, q: string): readonly Experiment[] {
  const word = q.trim().toLowerCase();
  return (rows ?? []).filter(
    (row) => row.name.toLowerCase().includes(word) || row.short_id.startsWith(q.trim()),
  );
}

function deletionOf(rows: readonly Experiment[]) {
  const name = rows[0].name || rows[0].short_id;
  return {
    ids: rows.map((row) => row.short_id),
    words: rows.length === 1 ? `Deleted ${name}.` : `Deleted ${rows.length} experiments.`,
    queryKeys: [['experiments']],
  };
}

function askedWords(search: ExperimentListSearch, canSearch: boolean): string {
  const named = search.q === '' ? '' : ` called “${search.q}”`;
  const status = statuses.find(({ value }) => value === search.status && value !== '');
  const kind = status === undefined ? '' : `${status.label.toLowerCase()} `;
  const where = search.model === '' && search.workflow === '' ? '' : ' of this model or workflow';
  return `There is no ${kind}experiment${named}${where}${canSearch ? '' : ' on this page'}.`;
}

const statuses = [
  { value: '', label: 'All' },
  { value: 'RUN', label: 'Running' },
  { value: 'FIN', label: 'Finished' },
  { value: 'ERR', label: 'Error' },
  { value: 'NEW', label: 'New' },
];

interface ToolsProps {
  readonly client: Client;
  readonly search: ExperimentListSearch;
  readonly onSearchChange: (change: Partial<ExperimentListSearch>) => void;
  readonly total: number;
}

function Tools({ client, search, onSearchChange, total }: ToolsProps) {
  const running = useQuery(runningCountQueryOptions(client)).data;
  const counts: Record<string, number | undefined> = { RUN: running, [search.status]: total };
  return (
    <ListTools
      label="Name or id"
      search={search.q}
      onSearch={(q) => onSearchChange({ q, page: 1 })}
    >
      <SegmentedControl
        aria-label="Status"
        value={search.status}
        onChange={(status) => onSearchChange({ status, page: 1 })}
        data={statuses.map(({ value, label }) => ({
          value,
          label: counts[value] === undefined ? label : `${label} ${formatCount(counts[value])}`,
        }))}
      />
      {search.model !== '' && (
        <FilterChip onRemove={() => onSearchChange({ model: '', page: 1 })}>
          Model {search.model}
        </FilterChip>
      )}
      {search.workflow !== '' && (
        <FilterChip onRemove={() => onSearchChange({ workflow: '', page: 1 })}>
          Workflow {search.workflow}
        </FilterChip>
      )}
    </ListTools>
  );
}

interface ExportButtonProps {
  readonly client: Client;
  readonly search: ExperimentListSearch;
  readonly canSearch: boolean;
}

function ExportButton({ client, search, canSearch }: ExportButtonProps) {
  const save = async () => {
    try {
      const query = { ...filtersOf(search, canSearch), page_no: 1, page_size: maxPageSize };
      const page = await client.listObjects({ query: { object_type: 'experiment', ...query } });
      const rows = page.objects.filter((object) => object.object_type === 'experiment');
      saveFile('experiments.csv', 'text/csv', experimentsCsv(rows));
      if (page.total > rows.length) {
        showToast({ message: `Saved the first ${rows.length} of ${page.total}.` });
      }
    } catch (error) {
      showToast({ message: `Not saved: ${ApiError.from(error).message}`, tone: 'bad' });
    }
  };
  return (
    <Button
      variant="subtle"
      color="gray"
      visibleFrom="sm"
      leftSection={<IconDownload size={16} stroke={1.6} />}
      onClick={() => void save()}
    >
      Export list
    </Button>
  );
}

function NoExperiments() {
  return (
    <EmptyState
      title="No experiments yet"
      action={
        <Button component={Link} to="/models/new">
          Start from the gallery
        </Button>
      }
    >
      An experiment is one run of a model on data: its chains, its draws and what they say. Start
      one from the gallery and watch it live.
    </EmptyState>
  );
}
