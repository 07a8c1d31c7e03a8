/** What the verdict says of each method, and what it must not say. */
import { describe, expect, it } from 'vitest';
import { judgeRun } from '../../src/posterior/judge-run.ts';
import {
  type FitEvidence,
  type FitMethod,
  fitEvidence,
  methodOf,
  paretoKOfRatios,
} from '../../src/posterior/run-method.ts';
import { summariseVariable } from '../../src/posterior/summary.ts';
import { endingOf, remarksOf, sentenceOf } from '../../src/posterior/verdict-label.ts';
import { seededRng } from '../support/seeded-rng.ts';

const none: FitEvidence = { paretoK: null, isConverged: null, logDensity: null };

function verdictOf(method: FitMethod, fits: Partial<FitEvidence>[], numDraws = 1000) {
  const chains = fits.map((_, i) => ({
    name: `chain#${i + 1}`,
    numDraws,
    divergences: null,
    treedepthHits: null,
    ebfmi: null,
  }));
  const rng = seededRng(3);
  const draws = Float64Array.from({ length: numDraws }, () => rng.normal());
  return judgeRun({
    method,
    fits: new Map(fits.map((fit, i) => [`chain#${i + 1}`, { ...none, ...fit }])),
    rows: [summariseVariable('mu', [draws])],
    isHamiltonian: true,
    chains,
  });
}

describe('the method of a run', () => {
  it.each([
    [['lp__', 'converged__', 'mu'], 'optimize'],
    [['log_p__', 'log_q__', 'mu'], 'laplace'],
    [['lp_approx__', 'lp__', 'path__', 'mu'], 'pathfinder'],
    [['lp__', 'log_p__', 'log_g__', 'mu'], 'advi'],
    [['lp__', 'accept_stat__', 'mu'], 'fixed_param'],
    [['lp__', 'accept_stat__', 'stepsize__', 'mu'], 'mcmc'],
    [['lp__', 'mu'], 'mcmc'],
    [['mu'], 'mcmc'],
  ])('of the columns %o is %s', (columns, method) => {
    expect(methodOf(columns)).toBe(method);
  });
});

describe('the verdict', () => {
  it('on an optimum is that it has no uncertainty', () => {
    const verdict = verdictOf('optimize', [{ isConverged: true, logDensity: -3 }], 1);
    expect(verdict).toMatchObject({
      state: 'unknown',
      headline: 'A point estimate: no uncertainty',
      rhat_max: null,
      ess_bulk_min: null,
      divergences: null,
    });
    expect(sentenceOf(verdict)).toBe('A point estimate: no uncertainty.');
    expect(remarksOf(verdict)).toEqual([]);
    expect(endingOf('Radon', 'finished', verdict)).toBe(
      'Radon finished, a point estimate: no uncertainty',
    );
  });

  it('asks for a look at an optimiser that stopped early, and at optima that differ', () => {
    const early = verdictOf('optimize', [{ isConverged: false, logDensity: -3 }], 1);
    expect(early).toMatchObject({
      state: 'warn',
      headline: 'the optimiser stopped before it converged',
    });
    const apart = verdictOf(
      'optimize',
      [-3, -3.001, -9.5].map((logDensity) => ({ isConverged: true, logDensity })),
      1,
    );
    expect(apart.state).toBe('warn');
    expect(apart.headline).toContain('from −9.50 to −3.00');
    const same = verdictOf(
      'optimize',
      [-3, -3.001].map((logDensity) => ({ isConverged: true, logDensity })),
      1,
    );
    expect(same.state).toBe('unknown');
  });

  it('on fixed parameters is that there is nothing to converge', () => {
    expect(verdictOf('fixed_param', [none])).toMatchObject({
      state: 'unknown',
      headline: 'Fixed parameters: nothing to converge',
    });
  });

  it.each([
    [0.21, 'good', 'Good approximation: Pareto k 0.21', 'Good approximation: Pareto k 0.21.'],
    [0.7004, 'warn', 'Pareto k is 0.7004, above 0.7', 'Needs a look.'],
    [1.4, 'bad', 'Pareto k is 1.40, above 0.7', 'Poor approximation: do not use these draws.'],
    [Number.NaN, 'bad', 'Pareto k is undefined', 'Poor approximation: do not use these draws.'],
    [Infinity, 'bad', 'Pareto k is undefined', 'Poor approximation: do not use these draws.'],
  ])('on an approximation with Pareto k %s is %s', (paretoK, state, headline, sentence) => {
    for (const method of ['laplace', 'pathfinder', 'advi'] as const) {
      const verdict = verdictOf(method, [{ paretoK }]);
      expect(verdict.state).toBe(state);
      expect(verdict.headline).toContain(headline);
      expect(sentenceOf(verdict)).toBe(sentence);
      expect(verdict.checks.map(({ name }) => name)).not.toContain('rhat');
      expect(JSON.parse(JSON.stringify(verdict))).toEqual(verdict);
    }
  });

  it('names the chain whose approximation is worst', () => {
    const verdict = verdictOf('advi', [{ paretoK: 0.2 }, { paretoK: 0.9 }]);
    expect(verdict.headline).toBe('Pareto k of chain 2 is 0.90, above 0.7');
  });

  it('is none where the ratios are not recorded, or the draws are few', () => {
    expect(verdictOf('pathfinder', [none])).toMatchObject({
      state: 'unknown',
      headline: 'No verdict: Pareto k of the importance ratios is not recorded',
    });
    expect(verdictOf('laplace', [{ paretoK: 0.1 }], 50).headline).toBe(
      'No verdict: 50 draws a chain are too few',
    );
    expect(verdictOf('laplace', [{ paretoK: 0.1 }], 0).headline).toBe(
      'No verdict: the run has no draws',
    );
  });
});

describe('Pareto k of importance ratios', () => {
  it('is that of the known tail: a normal approximation that is too narrow by half', () => {
    // q = N(0, s²), p = N(0, 1): the ratios have a Pareto tail of shape 1 − s²
    const rng = seededRng(11);
    for (const s2 of [0.25, 0.5, 0.8]) {
      const ratios = Float64Array.from({ length: 40000 }, () => {
        const x = Math.sqrt(s2) * rng.normal();
        return -0.5 * x * x + (0.5 * x * x) / s2;
      });
      expect(Math.abs(paretoKOfRatios(ratios) - (1 - s2))).toBeLessThan(0.12);
    }
  });

  it('is 0 where the ratios are constant, and read from the columns of each method', () => {
    const p = new Float64Array(200).fill(-3);
    expect(paretoKOfRatios(p)).toBe(0);
    const columns = new Map([
      ['log_p__', p],
      ['log_q__', p],
      ['pareto_k__', new Float64Array([0.4, 0.4])],
    ]);
    expect(fitEvidence('laplace', columns).paretoK).toBe(0);
    expect(fitEvidence('pathfinder', columns).paretoK).toBe(0.4);
    expect(fitEvidence('advi', columns).paretoK).toBeNull();
  });
});
