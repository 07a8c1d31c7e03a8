/** The columns shared by the tables of runs and people. */
import type { ListColumn } from '../../ui/list-table.tsx';
import { formatCount } from '../../ui/numbers.ts';

interface Counted {
  readonly running: number;
  readonly waiting: number;
}

export const chainColumns: readonly ListColumn<Counted>[] = [
  {
    key: 'running',
    title: 'Chains running',
    phone: 'numbers',
    align: 'right',
    cell: ({ running }) => formatCount(running),
  },
  {
    key: 'waiting',
    title: 'Waiting',
    phone: 'numbers',
    align: 'right',
    cell: ({ waiting }) => formatCount(waiting),
  },
];
