/** All runs: status, verdict, numbers; filters, order and page in the address. */
import { Button, SegmentedControl } from '@mantine/core';
import { IconDownload, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ApiError } from '../../../client/api-error.ts';
import type { Client } from '../../../client/create-client.ts';
import { maxPageSize } from '../../../contract/common.ts';
import { FilterChip } from '../../ui/chip.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { formatCount } from '../../ui/numbers.ts';
import { saveFile } from '../../ui/save-file.ts';
import { showToast } from '../../ui/toasts.tsx';
import { ObjectListPage, type ObjectListSearch } from '../live/object-list-page.tsx';
import { runningCountQueryOptions } from '../live/running-count.ts';
import { experimentColumns } from './experiment-columns.tsx';
import { experimentsCsv } from './export-list.ts';

export interface ExperimentListSearch extends ObjectListSearch {
  readonly status: string;
  readonly model: string;
  readonly workflow: string;
}

export interface ExperimentListPageProps {
  readonly client: Client;
  readonly search: ExperimentListSearch;
  readonly onSearchChange: (change: Partial<ExperimentListSearch>) => void;
  readonly onOpen: (experimentId: string) => void;
}

export function ExperimentListPage(props: ExperimentListPageProps) {
  const { client, search, onSearchChange, onOpen } = props;
  return (
    <ObjectListPage
      client={client}
      kind="experiment"
      title="Experiments"
      noun={['experiment', 'experiments']}
      columns={experimentColumns}
      search={search}
      onSearchChange={onSearchChange}
      onOpen={onOpen}
      filters={filtersOf(search)}
      filterWords={wordsOf(search)}
      onClear={() => onSearchChange({ q: '', status: '', model: '', workflow: '', page: 1 })}
      tools={(total) => (
        <Tools client={client} search={search} onSearchChange={onSearchChange} total={total} />
      )}
      actions={(total) => (
        <>
          {total > 0 && <ExportButton client={client} search={search} />}
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
      )}
      empty={<NoExperiments />}
    />
  );
}

function filtersOf({ status, model, workflow }: ExperimentListSearch) {
  return {
    status,
    model_ids: model === '' ? undefined : [model],
    workflow_id: workflow === '' ? undefined : [workflow],
  };
}

/** The filters as words around "experiment". */
function wordsOf({ status, model, workflow }: ExperimentListSearch): readonly [string, string] {
  const label = statuses.find(({ value }) => value === status && value !== '')?.label;
  const of = [model === '' ? '' : ' of this model', workflow === '' ? '' : ' of this workflow'];
  return [label === undefined ? '' : `${label.toLowerCase()} `, of.join('')];
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
    <>
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
    </>
  );
}

interface ExportButtonProps {
  readonly client: Client;
  readonly search: ExperimentListSearch;
}

function ExportButton({ client, search }: ExportButtonProps) {
  const save = async () => {
    try {
      const query = {
        ...filtersOf(search),
        q: search.q,
        sort: search.sort,
        page_size: maxPageSize,
      };
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
