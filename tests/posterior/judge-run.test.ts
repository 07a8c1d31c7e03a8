/** What the verdict says about each method, and what it must not say. */
import { describe, expect, it } from 'vitest';
import { judgeRun, type RunVerdictInput } from '../../src/posterior/judge-run.ts';
import {
  type FitEvidence,
  type FitMethod,
  fitEvidence,
  methodOf,
  paretoKOfRatios,
} from '../../src/posterior/run-method.ts';
import { summariseVariable } from '../../src/posterior/summary.ts';
import { judge } from '../../src/posterior/verdict.ts';
import { endingOf, remarksOf, sentenceOf } from '../../src/posterior/verdict-label.ts';
import { seededRng } from '../support/seeded-rng.ts';

const none: FitEvidence = { paretoK: null, isConverged: null, logDensity: null };

function verdictOf(
  method: FitMethod,
  fits: Partial<FitEvidence>[],
  numDraws = 1000,
  change: Partial<RunVerdictInput> = {},
) {
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
    ...change,
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
  ])('with the columns %o is %s', (columns, method) => {
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

  it('is unknown if the ratios are not recorded or the draws are too few', () => {
    expect(verdictOf('pathfinder', [none])).toMatchObject({
      state: 'unknown',
      headline: 'No verdict: Pareto k of the importance ratios is not recorded',
    });
    expect(verdictOf('laplace', [{ paretoK: 0.1 }], 50).headline).toBe(
      'No verdict: 50 draws per chain are too few',
    );
    expect(verdictOf('laplace', [{ paretoK: 0.1 }], 0).headline).toBe(
      'No verdict: the run has no draws',
    );
  });
});

describe('the whole verdict', () => {
  const noNumbers = {
    rhat_max: null,
    ess_bulk_min: null,
    ess_tail_min: null,
    divergences: null,
    treedepth_hits: null,
    ebfmi_min: null,
  };
  const uneven = (...draws: number[]) => ({
    chains: draws.map((numDraws, i) => ({
      name: `chain#${i + 1}`,
      numDraws,
      divergences: null,
      treedepthHits: null,
      ebfmi: null,
    })),
  });

  it('on an approximation has its Pareto k and the draws and chains not used', () => {
    const fits = [{ paretoK: 0.2 }, { paretoK: 0.3 }, { paretoK: 2 }];
    const change = { ...uneven(1000, 400, 900), leftOut: ['chain#3'] };
    expect(verdictOf('advi', fits, 400, change)).toEqual({
      ...noNumbers,
      state: 'good',
      headline: 'Good approximation: Pareto k 0.30 (without chain 3)',
      checks: [
        { name: 'pareto_k', status: 'passed', value: 0.3, threshold: 0.7, chain: 'chain#2' },
        { name: 'draws', status: 'passed', value: 400, message: expect.any(String) },
        {
          name: 'chains',
          status: 'passed',
          count: 1,
          message: 'chain 3 is left out (900 draws)',
        },
      ],
      chains: ['chain#1', 'chain#2'],
      draws: 400,
      draws_left_out: 600,
      chains_left_out: ['chain#3'],
    });
  });

  it.each([
    ['is red above 1', [1.01], 'bad', 'Pareto k is 1.01, above 0.7', 1],
    ['is amber at 1', [1], 'warn', 'Pareto k is 1.00, above 0.7', 1],
    ['passes at 0.7', [0.7], 'good', undefined, undefined],
    [
      'counts the chains above 0.7',
      [0.7, 0.8],
      'warn',
      'Pareto k of chain 2 is 0.80, above 0.7',
      1,
    ],
    [
      'names the first of several equally bad chains',
      [0.1, 0.9, 0.9],
      'warn',
      'Pareto k of chain 2 is 0.90, above 0.7',
      2,
    ],
    [
      'treats an undefined value as the worst',
      [NaN, 9, Infinity],
      'bad',
      'Pareto k of chain 1 is undefined: the importance ratios have no usable tail',
      3,
    ],
  ] as const)('on Pareto k %s', (_, paretoKs, state, message, count) => {
    const verdict = verdictOf(
      'laplace',
      paretoKs.map((paretoK) => ({ paretoK })),
    );
    expect(verdict.state).toBe(state);
    const [check] = verdict.checks;
    expect([check.message, check.count, check.threshold]).toEqual([message, count, 0.7]);
    expect(check.tone).toBe(state === 'good' ? undefined : state);
  });

  it('needs no evidence for an optimum, but Pareto k for an approximation', () => {
    const fits = new Map();
    expect(verdictOf('optimize', [none], 1, { fits }).headline).toBe(
      'A point estimate: no uncertainty',
    );
    expect(verdictOf('advi', [none], 1000, { fits }).headline).toBe(
      'No verdict: Pareto k of the importance ratios is not recorded',
    );
  });

  it('does not require draws of a chain that is left out', () => {
    const change = { ...uneven(1000, 0), leftOut: ['chain#2'] };
    expect(verdictOf('advi', [{ paretoK: 0.2 }, none], 1000, change)).toMatchObject({
      state: 'good',
      headline: 'Good approximation: Pareto k 0.20 (without chain 2)',
    });
  });

  it('on an approximation needs Pareto k of every chain', () => {
    const verdict = verdictOf('laplace', [{ paretoK: 3 }, {}]);
    expect(verdict.checks).toEqual([
      {
        name: 'pareto_k',
        status: 'unknown',
        message: 'Pareto k of the importance ratios is not recorded',
      },
    ]);
  });

  it('on optima names the optimisers that stopped early and how far apart the optima are', () => {
    const verdict = verdictOf(
      'optimize',
      [
        { isConverged: false, logDensity: -3 },
        { isConverged: true, logDensity: -3.5 },
        { isConverged: false, logDensity: NaN },
      ],
      1,
    );
    expect(verdict.headline).toBe(
      'the optimiser of chains 1 and 3 stopped before it converged; 2 checks failed',
    );
    expect(verdict.checks).toEqual([
      {
        name: 'optimum',
        status: 'failed',
        tone: 'warn',
        count: 2,
        chain: 'chain#1',
        message: 'the optimiser of chains 1 and 3 stopped before it converged',
      },
      {
        name: 'optima',
        status: 'failed',
        tone: 'warn',
        value: 0.5,
        threshold: 0.01,
        message: 'the chains end at different log densities, from −3.50 to −3.00: use the highest',
      },
      {
        name: 'point_estimate',
        status: 'unknown',
        message: 'A point estimate: no uncertainty',
      },
    ]);
  });

  it('on optima ignores log densities that are unknown or nearly equal', () => {
    const namesOf = (...ends: (number | null)[]) =>
      verdictOf(
        'optimize',
        ends.map((logDensity) => ({ isConverged: true, logDensity })),
        1,
      ).checks.map(({ name }) => name);
    expect(namesOf(-3, null, -Infinity)).toEqual(['point_estimate']);
    expect(namesOf(1, 1.0078125)).toEqual(['point_estimate']);
    expect(namesOf(0, 0.01)).toEqual(['point_estimate']);
    expect(namesOf(1, 1.015625)).toEqual(['optima', 'point_estimate']);
  });

  it('on fixed parameters and optima needs only one draw', () => {
    for (const method of ['optimize', 'fixed_param'] as const) {
      expect(verdictOf(method, [none], 1).checks.map(({ name }) => name)).toEqual([
        method === 'optimize' ? 'point_estimate' : 'fixed_parameters',
      ]);
      expect(verdictOf(method, [none], 0)).toMatchObject({
        state: 'unknown',
        headline: 'No verdict: the run has no draws',
        checks: [{ name: 'draws', status: 'unknown', value: 0 }],
      });
    }
  });

  it('has checks for draws that are not finite and for generated quantities', () => {
    const rows = [{ ...summariseVariable('mu', [Float64Array.of(1, NaN)]) }];
    const verdict = verdictOf('laplace', [{ paretoK: 0.1 }], 1000, { rows, isGenerated: true });
    expect(verdictOf('laplace', [{ paretoK: 3 }], 1000, { rows }).state).toBe('bad');
    expect(verdict).toMatchObject({
      state: 'warn',
      headline: 'mu has 1 draw that is not finite',
    });
    expect(verdict.checks.map(({ name }) => name)).toEqual([
      'pareto_k',
      'non_finite',
      'generated_quantities',
    ]);
  });

  it('on Markov chains is that of judge, unless calibration results are given', () => {
    const run: RunVerdictInput = {
      method: 'mcmc',
      fits: new Map(),
      rows: [],
      isHamiltonian: true,
      ...uneven(500, 500),
    };
    expect(judgeRun(run)).toEqual(judge(run));
    expect(judgeRun({ ...run, method: 'calibration' })).toEqual(judge(run));
    const calibration = { chains: ['chain#1'], probability: 0.95, quantities: [] };
    const counts = { asked: 100, failed: [], divergent: [], slow: [] };
    expect(judgeRun({ ...run, calibration: { calibration, counts } }).headline).toBe(
      'No verdict: 1 simulation of 100 is too few',
    );
  });
});

describe('Pareto k of importance ratios', () => {
  it('recovers the known tail of a normal approximation that is too narrow', () => {
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

  it('is 0 for constant ratios, and is read from the columns of each method', () => {
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
