/** Columns of the list of runs: status against verdict, then the numbers behind it. */
import type { Experiment } from '../../../contract/experiment.ts';
import { essFigure, rhatFigure } from '../../../posterior/verdict-limits.ts';
import { formatDuration } from '../../ui/duration.ts';
import type { ListColumn } from '../../ui/list-table.tsx';
import { formatCount, missing } from '../../ui/numbers.ts';
import { PersonMark } from '../../ui/person-mark.tsx';
import {
  createdColumn,
  idColumn,
  modelColumn,
  nameColumn,
  tagsColumn,
  textColumn,
  updatedColumn,
} from '../lists/list-columns.tsx';
import { judgeNumbers } from '../status/judge-numbers.ts';
import { JudgedValue } from '../status/judged-value.tsx';
import { drawsColumn, statusColumn, verdictColumn } from '../status/run-columns.tsx';

export const experimentColumns: readonly ListColumn<Experiment>[] = [
  { ...statusColumn, phone: 'below' },
  nameColumn('/experiments'),
  { ...modelColumn, phone: 'hidden', wideOnly: 'very' },
  verdictColumn,
  drawsColumn,
  {
    key: 'rhat',
    sortKey: 'rhat',
    title: 'R-hat max',
    phone: 'numbers',
    align: 'right',
    cell: (row) => <JudgedValue number={judgeNumbers(row).rhatMax} format={rhatFigure} />,
  },
  {
    key: 'ess',
    sortKey: 'ess',
    sortsUp: true,
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
    sortKey: 'divergences',
    title: 'Diverg.',
    phone: 'hidden',
    align: 'right',
    wideOnly: 'very',
    cell: (row) => <JudgedValue number={judgeNumbers(row).divergences} format={formatCount} />,
  },
  {
    key: 'time',
    sortKey: 'time',
    title: 'Time',
    phone: 'hidden',
    align: 'right',
    wideOnly: 'very',
    cell: ({ meta }) => (meta?.elapsed_seconds ? formatDuration(meta.elapsed_seconds) : missing),
  },
  {
    key: 'by',
    title: 'By',
    phone: 'hidden',
    wideOnly: 'very',
    cell: (row) => (row.owner ? <PersonMark name={row.owner} /> : missing),
  },
  textColumn({
    key: 'workflow',
    title: 'Workflow',
    grow: true,
    isExtra: true,
    text: (row) => row.workflow_name,
  }),
  textColumn({ key: 'location', title: 'Runs on', isExtra: true, text: (row) => row.run_on }),
  tagsColumn((row) => row.meta?.tags ?? []),
  { ...idColumn, isExtra: true },
  createdColumn,
  updatedColumn,
];
