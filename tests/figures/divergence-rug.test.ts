/** The marks of divergences under a trace: ticks while they can be told apart, otherwise bars of their counts. */
import { describe, expect, it } from 'vitest';
import type { FigureChain } from '../../src/figures/figure.ts';
import { plotPalettes, withAlpha } from '../../src/figures/palette.ts';
import { figureToSvg } from '../../src/figures/svg.ts';
import { traceFigure } from '../../src/figures/trace-figure.ts';
import { seededRng } from '../support/seeded-rng.ts';

const numSamples = 2000;

/** Four chains in which `count` draws in total diverged, at random. */
function chainsWith(count: number): FigureChain[] {
  const rng = seededRng(count);
  const flags = Array.from({ length: 4 }, () => new Float64Array(numSamples));
  for (let left = count; left > 0; ) {
    const flag = flags[Math.floor(rng.uniform() * 4)];
    const at = Math.floor(rng.uniform() * numSamples);
    if (flag[at] === 1) continue;
    flag[at] = 1;
    left -= 1;
  }
  return flags.map((divergent, index) => ({
    index,
    name: `chain#${index + 1}`,
    sampling: Float64Array.from({ length: numSamples }, () => rng.normal()),
    divergent,
  }));
}

function drawn(count: number, options: object = {}, scheme: 'light' | 'dark' = 'light') {
  const figure = traceFigure(
    { variable: 'theta', chains: chainsWith(count) },
    {
      palette: plotPalettes[scheme],
      numWarmup: 0,
      numSamples,
      showWarmup: false,
      width: 300,
      ...options,
    },
  );
  const rug = figure.data.find(({ name }) => name === 'Divergent');
  return { figure, rug: rug as unknown as Rug };
}

interface Rug {
  readonly type: string;
  readonly x: readonly number[];
  readonly y: readonly number[];
  readonly width: readonly number[];
  readonly customdata: readonly (readonly [number, number, number])[];
}

describe('divergences under a trace', () => {
  it('are ticks when there are 30, one per draw, and are counted below', () => {
    const { figure, rug } = drawn(30);
    expect(rug.type).toBe('scatter');
    expect(rug.x).toHaveLength(30);
    expect(figure.notes.join()).toContain('30 divergent draws');
  });

  it.each(['light', 'dark'] as const)(
    'are bars with gaps when there are 3 000, in %s',
    (scheme) => {
      const { figure, rug } = drawn(3000, {}, scheme);
      expect(rug.type).toBe('bar');
      // each bar counts the draws of its interval, and together they count all
      const counts = rug.customdata.map(([count]) => count);
      expect(counts.reduce((a, b) => a + b, 0)).toBe(3000);
      const most = Math.max(...counts);
      for (const [i, height] of rug.y.entries())
        expect(height / Math.max(...rug.y)).toBeCloseTo(counts[i] / most, 10);
      // they cover at most a sixth of the plot's height, with gaps between them
      expect(Math.max(...rug.y)).toBeLessThanOrEqual(1 / 6);
      const steps = rug.x.slice(1).map((x, i) => x - rug.x[i]);
      expect(Math.max(...rug.width)).toBeLessThan(Math.min(...steps));
      const pixels = (Math.min(...steps) / numSamples) * 300;
      expect(pixels).toBeGreaterThanOrEqual(3);
      expect(figure.notes.join()).toMatch(
        new RegExp(`3\u202f000 divergent draws, up to ${most} per bar`),
      );
      const svg = figureToSvg(figure, { width: 300, height: 118, palette: plotPalettes[scheme] });
      expect(svg.includes(`fill="${withAlpha(plotPalettes[scheme].bad, 0.75)}"`)).toBe(true);
    },
  );

  it('are ticks again after zooming in far enough, with a count of those in view', () => {
    const { figure, rug } = drawn(3000, { range: [100, 110] });
    expect(rug.type).toBe('scatter');
    expect(rug.x.every((x) => x >= 100 && x <= 110)).toBe(true);
    expect(figure.notes.join()).toContain(`${rug.x.length} divergent draws in view`);
  });

  it('are bars within the zoomed range', () => {
    const { rug } = drawn(3000, { range: [500, 1500] });
    expect(rug.type).toBe('bar');
    for (const [, from, to] of rug.customdata) expect(to).toBeGreaterThanOrEqual(from);
    const places = rug.customdata.map(([, from]) => from);
    expect(Math.min(...places)).toBeGreaterThanOrEqual(500);
  });

  it('of one draw are named in the singular, and none are not mentioned', () => {
    expect(drawn(1).figure.notes.join()).toContain('1 divergent draw');
    const none = drawn(0);
    expect(none.rug).toBeUndefined();
    expect(none.figure.notes.join()).not.toMatch(/divergent/);
  });
});
