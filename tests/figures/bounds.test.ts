import { beforeAll, describe, expect, it } from 'vitest';
import { autocorrelationFigure } from '../../src/figures/autocorrelation-figure.ts';
import { densityFigure } from '../../src/figures/density-figure.ts';
import { divergenceFigure } from '../../src/figures/divergence-figure.ts';
import { ecdfFigure } from '../../src/figures/ecdf-figure.ts';
import { essGrowthFigure, essQuantileFigure } from '../../src/figures/ess-figure.ts';
import type { DrawnFigure, FigureVariable } from '../../src/figures/figure.ts';
import { forestFigure, forestRows } from '../../src/figures/forest-figure.ts';
import { histogramFigure } from '../../src/figures/histogram-figure.ts';
import { paretoKFigure } from '../../src/figures/loo-figure.ts';
import { pairFigure } from '../../src/figures/pair-figure.ts';
import { plotPalettes } from '../../src/figures/palette.ts';
import { rankEcdfFigure, rankHistogramFigure } from '../../src/figures/rank-figure.ts';
import { figureToSvg } from '../../src/figures/svg.ts';
import { traceFigure } from '../../src/figures/trace-figure.ts';
import type { Loo } from '../../src/posterior/loo.ts';
import { seededRng } from '../support/seeded-rng.ts';

const palette = plotPalettes.light;
const million = 1_000_000;
const pointsOf = (figure: DrawnFigure) =>
  figure.data.reduce((sum, trace) => sum + (trace.x as ArrayLike<number>).length, 0);

describe('four chains of a million draws', () => {
  let mu: FigureVariable;
  let tau: FigureVariable;
  beforeAll(() => {
    const rng = seededRng(8);
    const draws = Float64Array.from({ length: million }, () => rng.normal());
    draws[777_777] = 40;
    const divergent = new Float64Array(million);
    for (let i = 5; i < million; i += 100_000) divergent[i] = 1;
    const chains = [0, 1, 2, 3].map((index) => ({
      index,
      name: `chain#${index + 1}`,
      sampling: draws,
      divergent,
    }));
    mu = { variable: 'mu', chains };
    tau = { variable: 'tau', chains };
  });

  it('are drawn as a trace of a few thousand points that keep every extreme and divergence', () => {
    const figure = traceFigure(mu, {
      palette,
      numWarmup: 0,
      numSamples: million,
      showWarmup: false,
      width: 500,
    });
    expect(pointsOf(figure)).toBeLessThanOrEqual(4 * (2000 + 10) + 40);
    expect(figure.notes).toEqual(['Bands: lowest to highest draw, by chain', '40 divergent draws']);
    const { rows } = figure.table;
    expect(rows.length).toBeLessThanOrEqual(4 * (2000 + 10));
    for (const [index, trace] of figure.data.slice(0, 4).entries()) {
      expect(Math.max(...(trace.y as number[]))).toBe(40);
      const iterations = rows
        .filter(([chain]) => chain === `chain#${index + 1}`)
        .map(([, , iteration]) => iteration);
      for (let i = 6; i <= million; i += 100_000) expect(iterations).toContain(i);
    }
    expect(figure.data.at(-1)?.x).toHaveLength(40);
    const svg = figureToSvg(figure, { width: 500, height: 200, palette });
    expect(svg.length).toBeLessThan(250_000);
  });

  it('are zoomed into without loss', () => {
    const figure = traceFigure(mu, {
      palette,
      numWarmup: 0,
      numSamples: million,
      showWarmup: false,
      width: 500,
      range: [777_700, 777_900],
    });
    expect(figure.thinning).toBe(1);
    const [line] = figure.data;
    expect(Array.from(line.x as Float64Array)).toEqual(
      Array.from({ length: 201 }, (_, i) => 777_700 + i),
    );
    expect((line.y as Float64Array)[78]).toBe(40);
  });

  it('make pairs, parallel lines, histograms and steps of limited size', () => {
    const pair = pairFigure([mu, tau], { palette });
    expect(pointsOf(pair)).toBeLessThanOrEqual(2000 + 40 + 2 * 30);
    expect(pair.notes).toEqual(['1 in 2000 draws shown, divergences kept']);
    const divergent = pair.data.find((trace) => trace.name === 'Divergent');
    expect(divergent?.x).toHaveLength(40);
    // On top of the chains of its panel.
    const order = pair.data.map((trace) => trace.name);
    expect(order.indexOf('Divergent')).toBeGreaterThan(order.lastIndexOf('Chain 4'));

    const parallel = divergenceFigure([mu, tau], { palette });
    expect(pointsOf(parallel)).toBeLessThanOrEqual(3 * (200 + 40));
    expect(pointsOf(histogramFigure(mu, { palette }))).toBeLessThanOrEqual(80);
    expect(pointsOf(ecdfFigure(mu, { palette }))).toBe(4 * 400);
  });
});

describe('figures of many items', () => {
  it('are cut, with a count of the variables not shown', () => {
    const rows = Array.from({ length: 250 }, (_, i) => ({
      variable: `theta[${i}]`,
      median: i,
      q5: i - 2,
      q25: i - 1,
      q75: i + 1,
      q95: i + 2,
    }));
    const forest = forestFigure(rows, { palette });
    expect(forest.table.rows).toHaveLength(100);
    expect(forest.notes).toEqual(['150 more variables are not shown']);
    const one = { chains: [{ index: 0, name: 'chain#1', sampling: Float64Array.of(1, 2, 3, 4) }] };
    const names = Array.from({ length: 12 }, (_, i) => ({ ...one, variable: `x[${i}]` }));
    const pair = pairFigure(names, { palette });
    expect(pair.notes).toEqual(['4 more variables are not shown']);
    expect(Object.keys(pair.layout).filter((key) => /^[xy]axis\d*$/.test(key))).toHaveLength(72);
  });

  it('show every unreliable observation among a hundred thousand', () => {
    const pareto_k = new Float64Array(100_000).fill(0.1);
    for (const i of [3, 50_001, 99_999]) pareto_k[i] = 0.9;
    const nothing = new Float64Array(100_000);
    const loo = {
      pareto_k,
      threshold: 0.7,
      pointwise: { elpd_loo: nothing, p_loo: nothing },
    } as unknown as Loo;
    const figure = paretoKFigure(loo, { palette });
    expect(figure.data[1].x).toEqual([4, 50_002, 100_000]);
    expect(pointsOf(figure)).toBeLessThan(4100);
  });
});

describe('awkward draws', () => {
  const chainsOf = (...values: number[][]) =>
    values.map((sampling, index) => ({
      index,
      name: `chain#${index + 1}`,
      sampling: Float64Array.from(sampling),
    }));
  const options = { palette, numWarmup: 0, numSamples: 4, showWarmup: false };

  it.each([
    ['no chains', []],
    ['empty chains', chainsOf([], [])],
    ['one draw', chainsOf([1])],
    ['a constant', chainsOf([2, 2, 2, 2], [2, 2, 2, 2])],
    ['only values that are not finite', chainsOf([NaN, Infinity, -Infinity, NaN])],
    [
      'numbers near the smallest double',
      chainsOf([5e-324, 1e-323, 0, 5e-324], [0, 5e-324, 2e-323, 0]),
    ],
    ['subnormal numbers', chainsOf([1e-310, 2e-310, -1e-310, 0], [3e-310, 1e-312, 0, 0])],
    ['numbers whose span cannot be scaled', chainsOf([1e-302, 2e-302, 3e-302, 0])],
    ['huge numbers', chainsOf([1e300, -1e300, 5e299, 0], [1e300, 1, 2, 3])],
  ])('make figures that can be drawn: %s', (_, chains) => {
    const variable = { variable: 'x', chains };
    for (const figure of [
      traceFigure(variable, options),
      histogramFigure(variable, options),
      ecdfFigure(variable, options),
      pairFigure([variable, variable], options),
      divergenceFigure([variable, variable], options),
      densityFigure(variable, options),
      autocorrelationFigure(variable, options),
      rankEcdfFigure(variable, options),
      rankHistogramFigure(variable, options),
      essGrowthFigure(variable, options),
      essQuantileFigure(variable, options),
      forestFigure(forestRows([variable]), options),
    ]) {
      const svg = figureToSvg(figure, { width: 300, height: 200, palette });
      expect(svg).toMatch(/^<svg[\s\S]*<\/svg>$/);
      expect(svg).not.toMatch(/NaN|Infinity/);
    }
  });

  it('closer together than an axis can show are not drawn, with a note', () => {
    const near = { variable: 'x', chains: chainsOf([5e-324, 1e-323, 0, 5e-324]) };
    const figure = traceFigure(near, options);
    const message = 'Values between 0 and 1e-323 are too close together to be drawn';
    expect(figure.data).toEqual([]);
    expect(figure.notes).toEqual([message]);
    expect(figure.layout.annotations).toMatchObject([{ text: message }]);
    expect(figure.table.rows.map((row) => row.at(-1))).toEqual([5e-324, 1e-323, 0, 5e-324]);
    // next to other variables, only its own panels are empty
    const others = { variable: 'y', chains: chainsOf([1, 2, 4, 3]) };
    const pair = pairFigure([near, others], options);
    expect(pair.data.length).toBeGreaterThan(0);
    expect(pair.notes).toEqual([message]);
    const alone = traceFigure({ variable: 'x', chains: chainsOf([1e-290, 2e-290, 0, 0]) }, options);
    expect([alone.data.length > 0, alone.notes]).toEqual([true, []]);
  });
});
