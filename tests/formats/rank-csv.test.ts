import { expect, it } from 'vitest';
import { rankCsv } from '../../src/formats/rank-csv.ts';

it('the CSV of ranks has a row per quantity and chain, with empty cells for unknown values', () => {
  expect(
    rankCsv(
      ['chain#1', '=2'],
      [
        { variable: 'mu', rank: [3, null], draws: [99, 0], position: [0.03, null], truth: [-1.5] },
        { variable: 'never ranked', truth: [1, 2] },
        { variable: 'theta[1,2]', rank: [0, 1] },
      ],
    ),
  ).toBe(
    [
      'variable,chain,rank,draws,position,truth',
      'mu,chain#1,3,99,0.03,-1.5',
      "mu,'=2,,0,,",
      '"theta[1,2]",chain#1,0,,,',
      '"theta[1,2]",\'=2,1,,,',
      '',
    ].join('\n'),
  );
  expect(rankCsv([], [])).toBe('variable,chain,rank,draws,position,truth\n');
});
