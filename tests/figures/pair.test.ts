/** Pairs: scales, correlations, what a point is called, and divergences that stay legible. */
import { describe, expect, it } from 'vitest';
import type { FigureVariable } from '../../src/figures/figure.ts';
import { pairFigure } from '../../src/figures/pair-figure.ts';
import { plotPalettes } from '../../src/figures/palette.ts';
import { seededRng } from '../support/seeded-rng.ts';

const palette = plotPalettes.light;

/** Neal's funnel: log tau is normal, and so is x | tau. The first `divergent` draws of each chain diverged. */
function funnel(numDraws: number, divergent: number): FigureVariable[] {
  const rng = seededRng(3);
  const chains = [0, 1].map((index) => {
    const tau = Float64Array.from({ length: numDraws }, () => Math.exp(rng.normal()));
    const x = tau.map((scale) => scale * rng.normal());
    const flags = Float64Array.from({ length: numDraws }, (_, i) => (i < divergent ? 1 : 0));
    return { index, name: `chain#${index + 1}`, tau, x, flags };
  });
  const variable = (name: string, read: (chain: (typeof chains)[0]) => Float64Array) => ({
    variable: name,
    chains: chains.map((chain) => ({
      index: chain.index,
      name: chain.name,
      sampling: read(chain),
      divergent: chain.flags,
    })),
  });
  return [
    { ...variable('tau', (chain) => chain.tau), lower: 0 },
    variable('minus', (chain) => chain.tau.map((value) => -2 * Math.log(value))),
    variable('x<1>', (chain) => chain.x),
  ];
}

interface Mark {
  name: string;
  x: Float64Array;
  text: string[];
  hovertemplate: string;
  opacity: number;
  marker: { symbol: string; size: number };
}
const marksOf = (figure: ReturnType<typeof pairFigure>, name: string) =>
  (figure.data as unknown as Mark[]).filter((trace) => trace.name === name);
const textsOf = (figure: ReturnType<typeof pairFigure>) =>
  (figure.layout.annotations as { text: string; hovertext?: string }[]).map(({ text }) => text);

describe('pairs', () => {
  it('print the correlation of each pair on its scales', () => {
    const [tau, minus, x] = funnel(500, 0);
    const natural = textsOf(pairFigure([tau, minus], { palette }));
    expect(natural.slice(0, 2)).toEqual(['tau', 'minus']);
    expect(Number(natural[2].replace('−', '-'))).toBeGreaterThan(-0.95);
    const scaled = pairFigure([{ ...tau, scale: 'unconstrained' }, minus, x], { palette });
    expect(textsOf(scaled).slice(0, 4)).toEqual(['log(tau)', 'minus', 'x&lt;1>', '−1.00']);
    expect(scaled.layout.annotations).toContainEqual(
      expect.objectContaining({ hovertext: 'Correlation of log(tau) and minus' }),
    );
    expect(scaled.table.columns.map(({ name }) => name).slice(3)).toEqual([
      'log(tau)',
      'minus',
      'x<1>',
    ]);
  });

  it('name variables, chain and draw under the pointer', () => {
    const figure = pairFigure(funnel(50, 3), { palette });
    const [mark] = marksOf(figure, 'Chain 2');
    expect(mark.text[0]).toBe('Chain 2, draw 4');
    expect(mark.hovertemplate).toBe('%{text}<br>tau %{x:.4g}<br>minus %{y:.4g}<extra></extra>');
    const [divergent] = marksOf(figure, 'Divergent');
    expect(divergent.text[0]).toBe('Chain 1, draw 1');
    expect(divergent.hovertemplate).toContain('%{text}, divergent<br>');
    expect(marksOf(figure, 'Chain 1')[1].hovertemplate).toContain('x&lt;1>');
  });

  it('draw divergences on top, thinner and fainter the more there are', () => {
    const at = (count: number) => {
      const figure = pairFigure(funnel(4000, count / 2), { palette });
      const [mark] = marksOf(figure, 'Divergent');
      const names = figure.data.map(({ name }) => name);
      expect(names.indexOf('Divergent')).toBeGreaterThan(names.indexOf('Chain 2'));
      expect(mark.marker.symbol).toBe('x-thin-open');
      return mark;
    };
    const few = at(30);
    const many = at(3000);
    expect(few.x).toHaveLength(30);
    expect(many.x.length).toBeGreaterThan(1000);
    expect(few.opacity).toBeGreaterThanOrEqual(0.85);
    expect(few.marker.size).toBeGreaterThanOrEqual(6);
    expect(many.opacity).toBeLessThan(0.5);
    expect(many.marker.size).toBeLessThan(5);
  });

  it('leave out draws without a value on the scale, with a note', () => {
    const [tau, , x] = funnel(100, 0);
    const figure = pairFigure([tau, { ...x, scale: 'log' }], { palette });
    const lost = x.chains.reduce(
      (sum, { sampling }) => sum + sampling.filter((value) => value <= 0).length,
      0,
    );
    expect(figure.table.rows).toHaveLength(200 - lost);
    expect(figure.notes).toContain(`${lost} draws have no log(x<1>)`);
  });
});
