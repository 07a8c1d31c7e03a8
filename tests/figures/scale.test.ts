/** Draws on other scales: what they become, and what they are called. */
import { describe, expect, it } from 'vitest';
import type { FigureVariable } from '../../src/figures/figure.ts';
import { lostOnScale, onScale, scaledName } from '../../src/figures/scale.ts';

const variable = (own: Partial<FigureVariable>, ...draws: number[]): FigureVariable => ({
  variable: 'x',
  chains: [{ index: 0, name: 'chain#1', sampling: Float64Array.from(draws) }],
  ...own,
});
const drawsOf = ({ chains }: FigureVariable) => Array.from(chains[0].sampling);

describe('a variable on another scale', () => {
  it.each<[string, Partial<FigureVariable>, number, number]>([
    ['x', {}, 2, 2],
    ['log(x)', { scale: 'log' }, 2, Math.log(2)],
    ['logit(x)', { scale: 'logit' }, 0.2, Math.log(0.25)],
    ['log(x)', { scale: 'unconstrained', lower: 0 }, 2, Math.log(2)],
    ['log(x − 1.5)', { scale: 'unconstrained', lower: 1.5 }, 2, Math.log(0.5)],
    ['log(x + 1)', { scale: 'unconstrained', lower: -1 }, 2, Math.log(3)],
    ['log(3 − x)', { scale: 'unconstrained', upper: 3 }, 2, 0],
    ['logit(x)', { scale: 'unconstrained', lower: 0, upper: 1 }, 0.5, 0],
    ['logit((x + 1) / 2)', { scale: 'unconstrained', lower: -1, upper: 1 }, 0.5, Math.log(3)],
    ['x', { scale: 'unconstrained' }, 2, 2],
  ])('is called %s', (name, own, draw, expected) => {
    const asked = variable(own, draw);
    expect(scaledName(asked)).toBe(name);
    const shown = onScale(asked);
    expect(shown.variable).toBe(name);
    expect(drawsOf(shown)[0]).toBeCloseTo(expected, 12);
    // A scaled variable is not scaled a second time.
    expect(drawsOf(onScale(shown))).toEqual(drawsOf(shown));
  });

  it('has NaN where the scale has no value, and reports how many', () => {
    const asked = variable({ scale: 'logit' }, 0, 0.5, 1, 2, NaN);
    expect(drawsOf(onScale(asked))).toEqual([NaN, 0, NaN, NaN, NaN]);
    expect(lostOnScale(asked)).toEqual(['3 draws have no logit(x)']);
    expect(lostOnScale(variable({ scale: 'log' }, 1, 2))).toEqual([]);
  });

  it('is transformed with its warmup and its overview', () => {
    const column = { places: Float64Array.of(1), values: Float64Array.of(1), count: 9 };
    const chain = {
      index: 0,
      name: 'chain#1',
      warmup: Float64Array.of(1),
      sampling: Float64Array.of(1),
      overview: { sampling: column, warmup: column, divergent: Float64Array.of(1) },
    };
    const [shown] = onScale({ variable: 'x', chains: [chain], scale: 'log' as const }).chains;
    expect(shown).toEqual({
      ...chain,
      warmup: Float64Array.of(0),
      sampling: Float64Array.of(0),
      overview: {
        sampling: { ...column, values: Float64Array.of(0) },
        warmup: { ...column, values: Float64Array.of(0) },
        divergent: Float64Array.of(1),
      },
    });
  });
});
