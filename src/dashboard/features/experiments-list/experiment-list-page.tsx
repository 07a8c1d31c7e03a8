/** All runs: status, verdict, numbers; filters, order and page are in the address. */
import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { Experiment } from '../../../contract/experiment.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { lazyPart } from '../../ui/lazy-part.ts';
import type { ListPageProps, ObjectListSearch } from '../lists/list-props.ts';
import { ObjectListPage } from '../lists/object-list-page.tsx';
import { experimentColumns } from './experiment-columns.tsx';
import { statuses } from './statuses.ts';

const StatusChoice = lazyPart(
  () => import('./status-choice.tsx'),
  'StatusChoice',
  <span style={{ width: 480, height: 34 }} />,
);
/** Only needed once rows are ticked. */
const SelectionActions = lazyPart(() => import('./selection-actions.tsx'), 'SelectionActions');

export interface ExperimentListSearch extends ObjectListSearch {
  readonly status: string;
}

export interface ExperimentListPageProps extends ListPageProps<ExperimentListSearch> {
  /** Opens the dialog for sharing experiments. */
  readonly onShare: (experiments: readonly Experiment[]) => void;
}

export function ExperimentListPage(props: ExperimentListPageProps) {
  const { search, onSearchChange } = props;
  const label = statuses.find(({ value }) => value === search.status && value !== '')?.label;
  return (
    <ObjectListPage
      {...props}
      kind="experiment"
      title="Experiments"
      noun={['experiment', 'experiments']}
      columns={experimentColumns}
      filters={search.status === 'look' ? { verdict: 'look' } : { status: search.status }}
      filterText={
        search.status === 'look'
          ? ['', ' that needs a look']
          : [label === undefined ? '' : `${label.toLowerCase()} `, '']
      }
      onClear={() => onSearchChange({ status: '' })}
      tools={(list) => (
        <StatusChoice
          status={search.status}
          list={list}
          onChange={(status) => onSearchChange({ status, page: 1 })}
        />
      )}
      actions={(total) => (
        <Button
          variant={total === 0 ? 'default' : 'filled'}
          component={Link}
          to="/experiments/new"
          leftSection={<IconPlus size={16} />}
          data-floating
        >
          New experiment
        </Button>
      )}
      selectionActions={(rows) => <SelectionActions rows={rows} />}
      empty={<NoExperiments />}
    />
  );
}

function NoExperiments() {
  return (
    <EmptyState
      title="No experiments yet"
      action={
        <Button variant="filled" component={Link} to="/models/new">
          Start from the gallery
        </Button>
      }
    >
      An experiment is one run of a model on data: its chains, its draws and what they say. Start
      one from the gallery and watch it live.
    </EmptyState>
  );
}
