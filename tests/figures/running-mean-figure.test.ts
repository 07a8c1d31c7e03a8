/** Running means: the hover text of a point, where the axis ends, and what is left out. */
import { expect, it } from 'vitest';
import { plotPalettes } from '../../src/figures/palette.ts';
import { runningMeanFigure } from '../../src/figures/running-mean-figure.ts';

const palette = plotPalettes.light;
const chain = (index: number, draws: readonly number[]) => ({
  index,
  name: `chain#${index + 1}`,
  sampling: Float64Array.from(draws),
});

it('running means are those of the draws so far, with a line for each visible chain', () => {
  const figure = runningMeanFigure(
    { variable: 'mu', chains: [chain(0, [1, 3, Number.NaN, 5]), chain(1, [2, 2])] },
    { palette, numSamples: 10, step: 2, hidden: new Set([1]) },
  );
  expect(figure.data).toHaveLength(1);
  expect(figure.data[0]).toMatchObject({ name: 'Chain 1', x: [1, 3, 5, 7], y: [1, 2, 2, 3] });
  expect(figure.layout.xaxis).toMatchObject({ range: [0, 10] });
  expect(figure.table.columns.map(({ name }) => name)).toEqual([
    'chain',
    'iteration',
    'mean of mu',
  ]);
  expect(figure.table.rows.at(-1)).toEqual(['chain#1', 7, 3]);
});

it('running means include draws before the zoomed range, with at most one point per pixel', () => {
  const draws = Array.from({ length: 1000 }, (_, i) => i + 1);
  const { data } = runningMeanFigure(
    { variable: 'mu', chains: [chain(0, draws)] },
    { palette, numSamples: 1000, width: 100, range: [501, 1000] },
  );
  const [{ x, y }] = data as unknown as { x: number[]; y: number[] }[];
  expect(x.length).toBeLessThanOrEqual(100);
  expect(x[0]).toBeGreaterThanOrEqual(501);
  expect([x.at(-1), y.at(-1)]).toEqual([1000, 500.5]);
});

it('running means set the axis range where they settle, not by the first draws', () => {
  const draws = Array.from({ length: 400 }, (_, i) => (i === 0 ? 1000 : Math.sin(i)));
  const { layout } = runningMeanFigure(
    { variable: 'mu', chains: [chain(0, draws)] },
    { palette, numSamples: 400 },
  );
  const [low, high] = (layout.yaxis as { range: [number, number] }).range;
  expect(low).toBeLessThan(3);
  expect(high).toBeLessThan(80);
});
