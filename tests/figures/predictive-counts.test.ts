import { expect, it } from 'vitest';
import { plotPalettes } from '../../src/figures/palette.ts';
import { predictiveFigure } from '../../src/figures/predictive-figure.ts';

const replicated = (numDraws: number) => [
  {
    variable: 'y_rep[1]',
    chains: [
      {
        index: 0,
        name: 'chain#1',
        sampling: Float64Array.from({ length: numDraws }, (_, i) => (i === 0 ? 500 : i % 3)),
      },
    ],
  },
];

it.each([
  [2000, '0.05 % of replicated values lie beyond the last bar and are not shown'],
  [40_000, 'Less than 0.01 % of replicated values lie beyond the last bar and are not shown'],
])('one of %i replicated values beyond the bars is noted', (numDraws, note) => {
  const figure = predictiveFigure(
    {
      check: 'bars',
      outcome: 'count',
      observed: 'y',
      y: Float64Array.of(1),
      replicated: replicated(numDraws),
      replicatedName: 'y_rep',
    },
    { palette: plotPalettes.light },
  );
  expect(figure.notes).toContain(note);
});
