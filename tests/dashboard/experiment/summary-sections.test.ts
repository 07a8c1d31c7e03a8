import { describe, expect, it } from 'vitest';
import { tableEntries } from '../../../src/dashboard/features/experiment/summary/summary-sections.ts';
import { createRow } from '../../support/summary-rows.ts';

const rows = ['mu', 'theta[1]', 'theta[2]', 'log_lik[1]', 'y_rep[1]', 'y_rep[2]', 'lp__'].map(
  (variable) => createRow({ variable }),
);
const shape = (entries: ReturnType<typeof tableEntries>) =>
  entries.map(({ head, row }) => (head ? `${head.kind} ${head.count}` : row.variable));

describe('the sections of the summary', () => {
  it('fold quantities that have a value per observation', () => {
    const entries = tableEntries(rows, new Set(), false);
    expect(shape(entries)).toEqual([
      'variables 3',
      'mu',
      'theta[1]',
      'theta[2]',
      'log likelihood 1',
      'replications 2',
      'sampler 1',
      'lp__',
    ]);
    expect(entries[0].head?.arrays).toEqual(['mu', 'theta']);
  });

  it('fold and unfold as asked, and hide nothing from a search', () => {
    const toggled = new Set(['variables', 'replications'] as const);
    expect(shape(tableEntries(rows, toggled, false))).toEqual([
      'variables 3',
      'log likelihood 1',
      'replications 2',
      'y_rep[1]',
      'y_rep[2]',
      'sampler 1',
      'lp__',
    ]);
    expect(tableEntries(rows, toggled, true).filter(({ row }) => row)).toHaveLength(rows.length);
  });

  it('are absent if all variables are of one kind', () => {
    expect(shape(tableEntries(rows.slice(0, 2), new Set(), false))).toEqual(['mu', 'theta[1]']);
  });
});
