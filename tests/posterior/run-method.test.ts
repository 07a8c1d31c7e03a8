/** Which method made a run, by its columns, and what those columns mean. */
import { describe, expect, it } from 'vitest';
import { looRefusal } from '../../src/posterior/loo-refusal.ts';
import { psis } from '../../src/posterior/psis.ts';
import {
  evidenceColumns,
  type FitMethod,
  fitEvidence,
  methodOf,
  paretoKOfRatios,
  withoutChainStatistics,
} from '../../src/posterior/run-method.ts';
import { summariseVariable } from '../../src/posterior/summary.ts';
import { normalDraws } from './fixtures.ts';

it.each([
  [['lp__', 'lp_true__', 'mu', 'mu_true__'], 'calibration'],
  [['lp__', 'log_p__', 'mu'], 'mcmc'],
  [['lp__', 'log_q__', 'mu'], 'mcmc'],
  [['lp__', 'log_g__', 'mu'], 'mcmc'],
  [['lp__', 'log_p__', 'log_q__', 'lp_approx__'], 'pathfinder'],
  // two of the sampler's own columns, one of which fixed_param does not write
  [['lp__', 'energy__', 'mu'], 'mcmc'],
  [['accept_stat__', 'energy__', 'mu'], 'mcmc'],
  [['lp__', 'accept_stat__', '__mu', 'mu__2'], 'fixed_param'],
])('a run with the columns %o used the method %s', (columns, method) => {
  expect(methodOf(columns)).toBe(method);
});

it.each([
  ['optimize', 'an optimum is one point, not draws from the posterior'],
  ['laplace', 'these draws are an approximation, which leave-one-out would take for the posterior'],
  ['advi', 'these draws are an approximation, which leave-one-out would take for the posterior'],
  ['fixed_param', 'these draws were made at fixed parameters, not from the posterior'],
  ['calibration', 'each chain has a posterior of its own'],
  ['mcmc', null],
  ['nuts', null],
  ['generate_quantities', null],
  ['constructor', null],
  [undefined, null],
])('leave-one-out of a run with the method %s: %s', (method, refusal) => {
  expect(looRefusal(method)).toBe(refusal);
});

describe('the evidence of a fit', () => {
  const none = { paretoK: null, isConverged: null, logDensity: null };
  const of = (method: FitMethod, columns: Record<string, readonly number[]>) =>
    fitEvidence(
      method,
      new Map(Object.entries(columns).map(([name, values]) => [name, Float64Array.from(values)])),
    );

  it('is read from the columns that CmdStan writes', () => {
    expect(evidenceColumns).toEqual({
      optimize: ['converged__', 'lp__'],
      laplace: ['log_p__', 'log_q__'],
      pathfinder: ['pareto_k__'],
      advi: ['log_p__', 'log_g__'],
      fixed_param: [],
    });
  });

  it('of an optimum is whether and where it converged', () => {
    expect(of('optimize', { converged__: [1], lp__: [-3] })).toEqual({
      ...none,
      isConverged: true,
      logDensity: -3,
    });
    expect(of('optimize', { converged__: [0] })).toEqual({ ...none, isConverged: false });
    expect(of('optimize', { converged__: [2], lp__: [] })).toEqual({ ...none, isConverged: false });
  });

  it('of an approximation is Pareto k of the ratios of the posterior to it', () => {
    const p = normalDraws(3, 400).map((z) => 2 * z);
    const q = normalDraws(4, 400);
    const { k } = psis(p.map((value, i) => value - q[i]));
    expect(of('laplace', { log_p__: [...p], log_q__: [...q] })).toEqual({ ...none, paretoK: k });
    expect(of('advi', { log_p__: [...p], log_g__: [...q] })).toEqual({ ...none, paretoK: k });
    expect(of('pathfinder', { pareto_k__: [0.4, 0.4] })).toEqual({ ...none, paretoK: 0.4 });
  });

  it('is empty if the columns or the draws are missing', () => {
    expect(of('laplace', { log_p__: [1, 2] })).toEqual(none);
    expect(of('laplace', { log_q__: [1, 2] })).toEqual(none);
    expect(of('pathfinder', { pareto_k__: [] })).toEqual(none);
    expect(of('optimize', { converged__: [], lp__: [-3] })).toEqual(none);
    expect(of('fixed_param', { lp__: [1] })).toEqual(none);
  });
});

it('ratios that differ only by rounding count as one value and have Pareto k 0', () => {
  const apart = (by: number) =>
    paretoKOfRatios(Float64Array.from({ length: 100 }, (_, i) => 5 + (by * i) / 99));
  expect([apart(0), apart(9e-9)]).toEqual([0, 0]);
  expect(apart(2e-8)).not.toBe(0);
  expect(paretoKOfRatios(Float64Array.of(0, 1e-8))).toBe(Infinity);
  expect(paretoKOfRatios(Float64Array.of(1, NaN, 1))).toBeNaN();
});

it('a row of draws that are not from chains keeps all but R-hat and ESS', () => {
  const row = summariseVariable('mu', [normalDraws(1, 100)]);
  expect(withoutChainStatistics(row)).toEqual({
    ...row,
    rhat: NaN,
    ess_bulk: NaN,
    ess_tail: NaN,
  });
});
