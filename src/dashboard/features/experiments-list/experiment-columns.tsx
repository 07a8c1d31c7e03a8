/** Columns of the list of runs: status against verdict, then the numbers behind it. */
import { Link } from '@tanstack/react-router';
import type { Experiment } from '../../../contract/experiment.ts';
import { formatDuration } from '../../ui/duration.ts';
import type { ListColumn } from '../../ui/list-table.tsx';
import { formatCount, missing } from '../../ui/numbers.ts';
import { PersonMark } from '../../ui/person-mark.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { judgeNumbers } from '../status/judge-numbers.ts';
import { JudgedValue } from '../status/judged-value.tsx';
import { StatusBadge } from '../status/status-badge.tsx';
import { VerdictMark } from '../status/verdict-mark.tsx';

export const experimentColumns: readonly ListColumn<Experiment>[] = [
  {
    key: 'status',
    title: 'Status',
    phone: 'below',
    sortKey: 'status',
    cell: (row) => <StatusBadge experiment={row} />,
  },
  {
    key: 'name',
    title: 'Name',
    phone: 'title',
    grow: true,
    sortKey: 'name',
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
    wideOnly: true,
    cell: (row) => row.model_name || missing,
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
    wideOnly: true,
    cell: (row) => drawsWords(row),
  },
  {
    key: 'rhat',
    title: 'R-hat max',
    phone: 'numbers',
    align: 'right',
    cell: (row) => (
      <JudgedValue number={judgeNumbers(row).rhatMax} format={(value) => value.toFixed(3)} />
    ),
  },
  {
    key: 'ess',
    title: 'ESS min',
    phone: 'numbers',
    align: 'right',
    cell: (row) => <JudgedValue number={judgeNumbers(row).essMin} format={formatCount} />,
  },
  {
    key: 'divergences',
    title: 'Diverg.',
    phone: 'hidden',
    align: 'right',
    wideOnly: true,
    cell: (row) => <JudgedValue number={judgeNumbers(row).divergences} format={formatCount} />,
  },
  {
    key: 'time',
    title: 'Time',
    phone: 'hidden',
    align: 'right',
    wideOnly: true,
    cell: ({ meta }) => (meta?.elapsed_seconds ? formatDuration(meta.elapsed_seconds) : missing),
  },
  {
    key: 'by',
    title: 'By',
    phone: 'hidden',
    wideOnly: true,
    cell: (row) => (row.owner ? <PersonMark name={row.owner} /> : missing),
  },
  {
    key: 'updated',
    title: 'Updated',
    phone: 'aside',
    align: 'right',
    sortKey: 'updated',
    cell: (row) => <RelativeTime date={row.updated_at ?? row.sample_update_time} />,
  },
];

/** "4 × 1 000": chains and saved iterations a chain; while it runs those asked for. */
function drawsWords({ status, n_chains, n_samples, meta }: Experiment): string {
  const isRunning = status === 'RUN' || status === 'SAMPLE_FIN';
  const draws = isRunning ? (meta?.iteration_count ?? n_samples) : n_samples;
  return draws === 0 ? missing : `${n_chains} × ${formatCount(draws)}`;
}
