/** Columns of lists of runs: status, verdict, and number of draws. */
import type { Experiment } from '../../../contract/experiment.ts';
import type { ListColumn } from '../../ui/list-table.tsx';
import { formatCount, missing } from '../../ui/numbers.ts';
import { unevenCount } from './draw-counts.ts';
import { StatusBadge } from './status-badge.tsx';
import { VerdictMark } from './verdict-mark.tsx';

export const statusColumn: ListColumn<Experiment> = {
  key: 'status',
  title: 'Status',
  phone: 'aside',
  sortKey: 'status',
  sortsUp: true,
  cell: (row) => <StatusBadge experiment={row} />,
};

export const verdictColumn: ListColumn<Experiment> = {
  key: 'verdict',
  title: 'Verdict',
  phone: 'below',
  grow: 'brief',
  sortKey: 'verdict',
  cell: (row) => <VerdictMark experiment={row} />,
};

export const drawsColumn: ListColumn<Experiment> = {
  key: 'draws',
  title: 'Draws',
  phone: 'hidden',
  align: 'right',
  wideOnly: true,
  sortKey: 'draws',
  cell: drawsLabel,
};

/** "4 × 1 000": chains and saved iterations per chain; while it runs, those requested. */
function drawsLabel(experiment: Experiment): string {
  const { status, n_chains, n_samples, meta } = experiment;
  const isRunning = status === 'RUN' || status === 'SAMPLE_FIN';
  const draws = isRunning ? meta?.iteration_count || n_samples : n_samples;
  if (draws === 0) return missing;
  return (isRunning ? null : unevenCount(experiment)) ?? `${n_chains} × ${formatCount(draws)}`;
}
