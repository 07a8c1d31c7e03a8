/** Columns of the list of runs: status against verdict, then the numbers behind it. */
import type { Experiment } from '../../../contract/experiment.ts';
import { essFigure, rhatFigure } from '../../../posterior/verdict-limits.ts';
import { formatDuration } from '../../ui/duration.ts';
import type { ListColumn } from '../../ui/list-table.tsx';
import { formatCount, missing } from '../../ui/numbers.ts';
import { PersonMark } from '../../ui/person-mark.tsx';
import { modelColumn, nameColumn, updatedColumn } from '../lists/list-columns.tsx';
import { judgeNumbers } from '../status/judge-numbers.ts';
import { JudgedValue } from '../status/judged-value.tsx';
import { drawsColumn, statusColumn, verdictColumn } from '../status/run-columns.tsx';

export const experimentColumns: readonly ListColumn<Experiment>[] = [
  { ...statusColumn, phone: 'below' },
  nameColumn('/experiments'),
  { ...modelColumn, phone: 'hidden', wideOnly: true },
  verdictColumn,
  drawsColumn,
  {
    key: 'rhat',
    title: 'R-hat max',
    phone: 'numbers',
    align: 'right',
    cell: (row) => <JudgedValue number={judgeNumbers(row).rhatMax} format={rhatFigure} />,
  },
  {
    key: 'ess',
    title: 'ESS min',
    phone: 'numbers',
    align: 'right',
    cell: (row) => (
      <JudgedValue
        number={judgeNumbers(row).essMin}
        format={(value) => essFigure(value, row.n_chains)}
      />
    ),
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
  updatedColumn,
];
