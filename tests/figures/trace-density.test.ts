import { describe, expect, it } from 'vitest';
import { densityFigure } from '../../src/figures/density-figure.ts';
import type { FigureChain } from '../../src/figures/figure.ts';
import { chainColor, chainDash, plotPalettes } from '../../src/figures/palette.ts';
import { traceFigure as buildTrace, type TraceOptions } from '../../src/figures/trace-figure.ts';
import { seededRng } from '../support/seeded-rng.ts';

const palette = plotPalettes.light;
const none = new Float64Array(0);
function chainOf(index: number, overrides: Partial<FigureChain> = {}): FigureChain {
  return {
    index,
    name: `chain#${index + 1}`,
    warmup: none,
    sampling: Float64Array.of(1, 2, 3),
    divergent: none,
    ...overrides,
  };
}
const traceFigure = (chains: readonly FigureChain[], options: TraceOptions) =>
  buildTrace({ variable: 'theta', chains }, options);
const base = { palette, numWarmup: 100, numSamples: 400, showWarmup: true, width: 300 };
interface Line {
  name: string;
  x: ArrayLike<number>;
  y: ArrayLike<number>;
  opacity: number;
  line: { color: string; dash?: string };
  yaxis?: string;
}
const linesOf = (figure: { data: readonly unknown[] }) => figure.data as Line[];
const axisOf = (figure: { layout: Readonly<Record<string, unknown>> }) =>
  figure.layout.xaxis as { range: [number, number] };

describe('a trace', () => {
  it('has a line per chain in the chain’s colour, at full length from the start', () => {
    const figure = traceFigure([chainOf(0), chainOf(3)], base);
    expect(linesOf(figure).map(({ name, line }) => [name, line.color])).toEqual([
      ['Chain 1', chainColor(palette, 0)],
      ['Chain 4', chainColor(palette, 3)],
    ]);
    expect(Array.from(linesOf(figure)[0].x)).toEqual([101, 102, 103]);
    expect(axisOf(figure).range[1]).toBe(500);
    expect(figure.thinning).toBe(1);
  });

  it('begins at 1 and shades nothing when warmup is hidden', () => {
    const chain = chainOf(0, { warmup: Float64Array.of(9, 9) });
    const hidden = traceFigure([chain], { ...base, showWarmup: false });
    expect(linesOf(hidden)).toHaveLength(1);
    expect(linesOf(hidden)[0].x[0]).toBe(1);
    expect(hidden.layout.shapes).toEqual([]);
    const shown = traceFigure([chain], base);
    expect(linesOf(shown).map(({ name }) => name)).toEqual(['Chain 1, warmup', 'Chain 1']);
    expect(linesOf(shown)[0].opacity).toBeLessThan(linesOf(shown)[1].opacity);
    expect(shown.layout.shapes).toHaveLength(2);
  });

  it('is as high as the settled draws if starting points are far away, and says so', () => {
    const settled = Float64Array.from({ length: 50 }, (_, i) => Math.sin(i));
    const warmup = Float64Array.from({ length: 100 }, (_, i) => (i < 40 ? 100 - i : Math.cos(i)));
    const far = traceFigure([chainOf(0, { warmup, sampling: settled }), chainOf(1)], base);
    const [low, high] = (far.layout.yaxis as { range: [number, number] }).range;
    expect(far.layout.yaxis).toMatchObject({ autorange: false });
    expect(low).toBeCloseTo(-1.2, 1);
    expect(high).toBeCloseTo(3.2, 1);
    expect(far.notes).toContain('Part of warmup is outside the plot');
    expect(far.table.rows).toHaveLength(100 + 50 + 3);

    const rangeOf = (chains: readonly FigureChain[], options = base) => {
      const { layout, notes } = traceFigure(chains, options);
      // said, since a plot that is drawn again keeps a range about which its next figure says nothing
      expect(layout.yaxis).toMatchObject({ autorange: true });
      return [(layout.yaxis as { range?: unknown }).range, notes];
    };
    const everything = [undefined, []];
    // one chain far from the others throughout, sampling or in late warmup, is never outside
    const late = Float64Array.from({ length: 100 }, () => 50);
    expect(rangeOf([chainOf(0, { warmup: late, sampling: settled })])).toEqual(everything);
    expect(rangeOf([chainOf(0), chainOf(1, { warmup: late, sampling: none })])).toEqual(everything);
    // nothing has settled, everything fits, all settled draws are the same, and warmup is hidden
    expect(rangeOf([chainOf(0, { warmup, sampling: none })])).toEqual(everything);
    expect(rangeOf([chainOf(0, { warmup: Float64Array.of(4, 3) })])).toEqual(everything);
    const same = { warmup: Float64Array.of(100), sampling: Float64Array.of(1, 1) };
    expect(rangeOf([chainOf(0, same)])).toEqual(everything);
    expect(rangeOf([chainOf(0, { warmup })], { ...base, showWarmup: false })).toEqual(everything);
  });

  it('zooms along its iterations only if requested', () => {
    const valuesOf = (options: TraceOptions) => traceFigure([chainOf(0)], options).layout.yaxis;
    expect(valuesOf(base)).toMatchObject({ fixedrange: false });
    expect(valuesOf({ ...base, fixedrange: true })).toMatchObject({ fixedrange: true });
  });

  it('places saved draws at their iterations when the run thins', () => {
    const chain = chainOf(0, {
      warmup: Float64Array.of(1, 2),
      divergent: Float64Array.of(0, 0, 1),
    });
    const figure = traceFigure([chain], { ...base, step: 5 });
    const [warmup, sampling, rug] = linesOf(figure);
    expect(Array.from(warmup.x)).toEqual([1, 6]);
    expect(Array.from(sampling.x)).toEqual([101, 106, 111]);
    expect(Array.from(rug.x)).toEqual([111]);
  });

  it('never loses an extreme or a divergence to thinning, and notes the thinning', () => {
    const rng = seededRng(4);
    const sampling = Float64Array.from({ length: 50_000 }, () => rng.normal());
    sampling[31_234] = 99;
    const divergent = new Float64Array(50_000);
    divergent[17] = 1;
    divergent[49_999] = 1;
    const figure = traceFigure([chainOf(1, { sampling, divergent })], {
      ...base,
      numSamples: 50_000,
      showWarmup: false,
    });
    const [line, rug] = linesOf(figure);
    expect(line.x.length).toBeLessThan(1300);
    expect(figure.thinning).toBeGreaterThan(38);
    expect(Math.max(...Array.from(line.y))).toBe(99);
    expect(Array.from(line.x)).toEqual(expect.arrayContaining([18, 50_000, 31_235]));
    expect(Array.from(rug.x)).toEqual([18, 50_000]);
    expect(rug.yaxis).toBe('y2');
  });

  it('fades the given chains and leaves hidden ones out', () => {
    const figure = traceFigure([chainOf(0), chainOf(1), chainOf(2)], {
      ...base,
      faded: new Set([0]),
      hidden: new Set([2]),
    });
    const [faded, plain] = linesOf(figure);
    expect(linesOf(figure)).toHaveLength(2);
    expect(faded.opacity).toBeCloseTo(0.15 * plain.opacity);
  });

  it('has bands if lines would cover each other, with a stuck chain on top', () => {
    const rng = seededRng(6);
    const moving = () => Float64Array.from({ length: 20_000 }, () => rng.normal());
    const stuck = new Float64Array(20_000).fill(0.5);
    const chains = [moving(), stuck, moving()].map((sampling, index) =>
      chainOf(index, { sampling }),
    );
    const options = { ...base, numSamples: 20_000, showWarmup: false };
    const figure = traceFigure(chains, options);
    const shapes = figure.data as unknown as (Line & { fill?: string; fillcolor?: string })[];
    const fills = shapes.filter(({ fill }) => fill === 'toself');
    const outlines = shapes.filter(({ fill }) => fill === undefined);
    expect(fills.map(({ name }) => name)).toEqual(['Chain 1', 'Chain 3', 'Chain 2']);
    expect(outlines.map(({ name }) => name)).toEqual(['Chain 1', 'Chain 3', 'Chain 2']);
    // Every chain is seen through the others.
    for (const { fillcolor } of fills) expect(fillcolor).toMatch(/^rgba\(.*,0\.16\)$/);
    for (const [i, index] of [0, 2, 1].entries()) {
      const { sampling } = chains[index];
      const y = Array.from(outlines[i].y).filter((value) => value !== null);
      expect(Math.max(...y)).toBe(sampling.reduce((a, b) => Math.max(a, b)));
      expect(Math.min(...y)).toBe(sampling.reduce((a, b) => Math.min(a, b)));
    }
    expect(figure.notes).toEqual(['Bands: lowest to highest draw, by chain']);
    // Alone, or zoomed in, it is a line.
    const alone = traceFigure(chains, { ...options, hidden: new Set([1, 2]) });
    expect(alone.data).toHaveLength(1);
    const near = traceFigure(chains, { ...options, range: [5000, 5200] });
    expect(near.data).toHaveLength(3);
    expect(near.data.every(({ fill }) => fill === undefined)).toBe(true);
  });

  it('draws the chain that hardly moves last, so that the others do not hide it', () => {
    const rng = seededRng(7);
    const moving = () => Float64Array.from({ length: 400 }, () => rng.normal());
    const stuck = Float64Array.from({ length: 400 }, () => 0.3 + 0.05 * rng.normal());
    const chains = [stuck, moving(), moving()].map((sampling, index) =>
      chainOf(index, { sampling }),
    );
    const figure = traceFigure(chains, { ...base, showWarmup: false });
    expect(linesOf(figure).map(({ name }) => name)).toEqual(['Chain 2', 'Chain 3', 'Chain 1']);
    expect(figure.data.map(({ legendrank }) => legendrank)).toEqual([2, 3, 1]);
  });

  it('shows a variable on its scale, and counts the draws that have no value there', () => {
    const sampling = Float64Array.of(Math.E, 1, 0, -1);
    const own = { variable: 'tau', chains: [chainOf(0, { sampling })], scale: 'log' } as const;
    const figure = buildTrace(own, { ...base, showWarmup: false });
    expect(Array.from(linesOf(figure)[0].y)).toEqual([1, 0, NaN, NaN]);
    expect(figure.notes).toEqual(['2 draws have no log(tau)']);
    expect(figure.table.columns.at(-1)?.name).toBe('log(tau)');
  });

  it('keeps its zoom over updates and has no legend', () => {
    const { layout } = traceFigure([], base);
    expect(layout).toMatchObject({ uirevision: 'kept', showlegend: false });
    expect(traceFigure([chainOf(0)], base).layout.uirevision).toBe(layout.uirevision);
  });
});

describe('a density', () => {
  it('has a dashed line per chain and leaves out chains of too few draws', () => {
    const rng = seededRng(1);
    const draws = Float64Array.from({ length: 200 }, () => rng.normal());
    const figure = densityFigure(
      {
        variable: 'theta',
        chains: [
          chainOf(0, { sampling: draws }),
          chainOf(1, { sampling: draws.subarray(0, 3) }),
          chainOf(2, { sampling: draws }),
        ],
      },
      { palette },
    );
    expect(linesOf(figure).map(({ name, line }) => [name, line.dash])).toEqual([
      ['Chain 1', chainDash(0)],
      ['Chain 3', chainDash(2)],
    ]);
    const [{ x, y }] = linesOf(figure);
    let area = 0;
    for (let i = 1; i < x.length; i++) area += ((y[i] + y[i - 1]) / 2) * (x[i] - x[i - 1]);
    expect(area).toBeCloseTo(1, 2);
  });

  it('of a constant is empty, not an error', () => {
    const figure = densityFigure(
      { variable: 'c', chains: [chainOf(0, { sampling: new Float64Array(50).fill(2) })] },
      { palette },
    );
    expect(linesOf(figure)[0].x).toHaveLength(0);
  });
});

describe('chain colours', () => {
  it('are eight in each theme and repeat from the ninth', () => {
    expect(plotPalettes.dark.chains).toHaveLength(8);
    expect(new Set(plotPalettes.light.chains).size).toBe(8);
    expect(chainColor(palette, 8)).toBe(chainColor(palette, 0));
    expect(chainDash(8)).toBe(chainDash(0));
  });
});
