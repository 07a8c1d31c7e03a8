import { describe, expect, it } from 'vitest';
import { withOwnTruths, withTruth } from '../../../src/engine/calibration/calibration-model.ts';
import type { Model } from '../../../src/engine/model.ts';
import type { OutputVariable } from '../../../src/language/program.ts';
import { DomainError } from '../../../src/math/errors.ts';
import { seededRng } from '../../support/seeded-rng.ts';

const variable = (
  name: string,
  dims: readonly number[],
  block: OutputVariable['block'] = 'parameters',
  more: Partial<OutputVariable> = {},
): OutputVariable => ({ name, dims, block, isInt: false, ...more });

const generated = 'generated quantities' as const;

/** Its columns are 1, 2, 3 … times `scale`; the one free value is that scale. */
function countingModel(variables: readonly OutputVariable[]): Model {
  const count = variables.reduce(
    (sum, { dims }) => sum + dims.reduce((size, length) => size * length, 1),
    0,
  );
  return {
    numUnconstrained: 1,
    variables,
    columns: Array.from({ length: count }, (_, i) => `c${i}`),
    logDensityGradient: ([scale], gradient, jacobian = true) => {
      gradient[0] = jacobian ? 1 : 2;
      return -scale;
    },
    constrain([scale], _rng, out) {
      expect(out).toHaveLength(count);
      for (let i = 0; i < count; i++) out[i] = scale * (i + 1);
    },
    unconstrain(inits, theta) {
      theta[0] = Number(inits.scale);
    },
    profiles: () => [],
  };
}

function outputOf(model: Model, scale: number): Record<string, number> {
  const out = new Float64Array(model.columns.length).fill(Number.NaN);
  try {
    model.constrain(Float64Array.of(scale), seededRng(1), out);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
  }
  return Object.fromEntries(model.columns.map((name, c) => [name, out[c]]));
}

describe('a program that simulates its own data', () => {
  const sim = variable('mu_sim', [2], generated);
  const below = variable('lt_sim', [2], generated, { isInt: true });
  const ranks = variable('ranks_', [2], generated, { isInt: true });
  const model = countingModel([variable('mu', [2]), sim, below, ranks]);
  const own = withOwnTruths(model, [
    { quantity: 'mu', source: sim, kind: 'truth' },
    { quantity: 'lt_sim', source: below, kind: 'below' },
    { quantity: 'ranks_', source: ranks, kind: 'above' },
  ]);

  it('adds columns for true values and indicators to its own', () => {
    const output = outputOf(own, 0.5);
    expect(Object.keys(output)).toEqual([
      'mu[1]',
      'mu[2]',
      'mu_sim[1]',
      'mu_sim[2]',
      'lt_sim[1]',
      'lt_sim[2]',
      'ranks_[1]',
      'ranks_[2]',
      'lp_true__',
      'mu_true__[1]',
      'mu_true__[2]',
      'lt_sim_below__[1]',
      'lt_sim_below__[2]',
      'ranks__below__[1]',
      'ranks__below__[2]',
    ]);
    const added = Object.values(output).slice(8);
    expect(added).toEqual([Number.NaN, 1.5, 2, 2.5, 3, 1 - 3.5, 1 - 4]);
  });

  it('is otherwise the same model', () => {
    expect(own.numUnconstrained).toBe(1);
    expect(own.profiles).toBe(model.profiles);
    const gradient = new Float64Array(1);
    expect(own.logDensityGradient(Float64Array.of(3), gradient, false)).toBe(-3);
    expect(gradient[0]).toBe(2);
    const theta = new Float64Array(1);
    own.unconstrain({ scale: 7 }, theta);
    expect(theta[0]).toBe(7);
    expect(own.variables.slice(4)).toEqual([
      variable('lp_true__', [], generated),
      variable('mu_true__', [2], generated),
      variable('lt_sim_below__', [2], generated),
      variable('ranks__below__', [2], generated),
    ]);
  });
});

describe('a program given data drawn from its prior', () => {
  const parameters = [
    variable('mu', []),
    variable('x:1', [2], 'parameters', { tuple: { variable: 'x', pattern: 'x[*]:1' } }),
  ];
  const truth = { position: Float64Array.of(2), rng: seededRng(1) };
  const withTransformed = (count: number): Model =>
    countingModel([
      ...parameters,
      variable('theta', [count], 'transformed parameters'),
      variable('y_rep', [], generated),
    ]);

  it('keeps the true values of parameters and transformed parameters, and their density', () => {
    const output = outputOf(withTruth(withTransformed(2), truth), 10);
    expect(Object.values(output)).toEqual([10, 20, 30, 40, 50, 60, -2, 2, 4, 6, 8, 10]);
    expect(Object.keys(output).slice(6)).toEqual([
      'lp_true__',
      'mu_true__',
      'x[1]:1_true__',
      'x[2]:1_true__',
      'theta_true__[1]',
      'theta_true__[2]',
    ]);
  });

  it('compares transformed parameters only if there are at most 100', () => {
    const added = (count: number) => {
      const model = withTransformed(count);
      return withTruth(model, truth).columns.slice(model.columns.length);
    };
    expect(added(100)).toHaveLength(1 + 3 + 100);
    expect(added(101)).toEqual(['lp_true__', 'mu_true__', 'x[1]:1_true__', 'x[2]:1_true__']);
  });

  it('keeps the true values when a draw is rejected', () => {
    let rejects = false;
    const inner = withTransformed(1);
    const model = withTruth(
      {
        ...inner,
        constrain(theta, rng, out) {
          if (rejects) throw new DomainError('rate is 0');
          inner.constrain(theta, rng, out);
        },
      },
      truth,
    );
    rejects = true;
    expect(Object.values(outputOf(model, 10)).slice(5)).toEqual([-2, 2, 4, 6, 8]);
  });
});
