import { describe, expect, it } from 'vitest';
import { bandPoints, type CalibrationShape, calibrate } from '../../src/posterior/calibration.ts';
import { testColumns, trueLogDensity, truthName } from '../../src/posterior/calibration-columns.ts';
import { judgeCalibration } from '../../src/posterior/judge-calibration.ts';
import { uniformEcdf } from '../../src/posterior/predictive/uniform-band.ts';
import {
  type QuantityRank,
  rankSimulation,
  type SimulationRanks,
} from '../../src/posterior/simulation-ranks.ts';
import { remarksOf, sentenceOf } from '../../src/posterior/verdict-label.ts';
import { seededRng } from '../support/seeded-rng.ts';

const rankAt = (quantity: string, position: number): QuantityRank => ({
  quantity,
  position,
  rank: Math.floor(position * 100),
  draws: 99,
  truth: 0,
  mean: 0,
  variance: 1,
});

/** `at`: where the true value of quantity k of simulation n lies. */
function simulationsOf(
  numSimulations: number,
  names: readonly string[],
  at: (k: number, n: number) => number,
): SimulationRanks[] {
  return Array.from({ length: numSimulations }, (_, n) => ({
    chain: `chain#${n + 1}`,
    ess: 99,
    ranks: names.map((name, k) => rankAt(name, at(k, n))),
  }));
}

const none = { failed: [], divergent: [], slow: [] } as const;
const judged = (simulations: readonly SimulationRanks[], counts: object = {}) =>
  judgeCalibration({
    calibration: calibrate(simulations),
    counts: { asked: simulations.length, ...none, ...counts },
  });

describe('rankSimulation', () => {
  const draws = Float64Array.from({ length: 400 }, (_, i) => ((i * 157) % 400) + 0.5);
  const columns = (truth: number, values = draws) =>
    new Map([
      ['theta[2]', values],
      [`${truthName('theta')}[2]`, new Float64Array(values.length).fill(truth)],
    ]);

  it('counts the draws below the true value', () => {
    const { ranks, chain } = rankSimulation('chain#7', columns(100));
    expect(chain).toBe('chain#7');
    expect(ranks).toHaveLength(1);
    const [one] = ranks;
    expect(one).toMatchObject({ quantity: 'theta[2]', truth: 100, mean: 200 });
    expect(one?.draws).toBeGreaterThan(100);
    expect((one?.rank ?? 0) / (one?.draws ?? 1)).toBeCloseTo(0.25, 1);
    expect(one?.position).toBeGreaterThanOrEqual((one?.rank ?? 0) / ((one?.draws ?? 0) + 1));
    expect(one?.position).toBeLessThan(((one?.rank ?? 0) + 1) / ((one?.draws ?? 0) + 1));
    expect(rankSimulation('chain#7', columns(100))).toEqual(
      rankSimulation('chain#7', columns(100)),
    );
  });

  it('uses at most as many draws as the ESS', () => {
    const rng = seededRng(3);
    let last = 0;
    const slow = Float64Array.from({ length: 2000 }, () => {
      last = 0.9 * last + Math.sqrt(1 - 0.81) * rng.normal();
      return last;
    });
    const { ranks, ess } = rankSimulation('chain#1', columns(0.2, slow));
    // the ESS of an AR(1) chain with 0.9 is a nineteenth of its draws
    expect(ess).toBeGreaterThan(40);
    expect(ess).toBeLessThan(220);
    expect(ranks[0]?.draws).toBeLessThanOrEqual(ess);
  });

  it('places a true value uniformly at random among the draws equal to it', () => {
    const counts = Float64Array.from({ length: 300 }, (_, i) => (i * 7) % 3);
    const positions = Array.from({ length: 400 }, (_, n) => {
      const [one] = rankSimulation(`chain#${n}`, columns(1, counts)).ranks;
      return one?.position ?? Number.NaN;
    });
    expect(Math.min(...positions)).toBeGreaterThan(0.32);
    expect(Math.max(...positions)).toBeLessThan(0.68);
    const mean = positions.reduce((sum, one) => sum + one, 0) / positions.length;
    expect(Math.abs(mean - 0.5)).toBeLessThan(4 * Math.sqrt(1 / 9 / 12 / 400));
  });

  it('leaves out quantities that are fixed, unknown or not finite', () => {
    const fixed = new Float64Array(50).fill(1);
    expect(rankSimulation('chain#1', columns(1, fixed)).ranks).toEqual([]);
    expect(rankSimulation('chain#1', columns(Number.NaN)).ranks).toEqual([]);
    const odd = draws.slice();
    odd[3] = Number.NaN;
    expect(rankSimulation('chain#1', columns(100, odd)).ranks).toEqual([]);
  });

  it('ranks among a single draw if the chain is constant', () => {
    const still = new Float64Array(50).fill(1);
    const { ranks, ess } = rankSimulation('chain#1', columns(2, still));
    expect([ranks[0]?.rank, ranks[0]?.draws, ess]).toEqual([1, 1, 1]);
  });

  it('takes the rank of an indicator from its share of ones', () => {
    const below = Float64Array.from({ length: 100 }, (_, i) => ((i * 37) % 100 < 30 ? 1 : 0));
    const { ranks } = rankSimulation('chain#1', new Map([['lt_sim_below__[1]', below]]));
    expect(ranks[0]).toMatchObject({ quantity: 'lt_sim[1]', truth: Number.NaN });
    expect((ranks[0]?.rank ?? 0) / (ranks[0]?.draws ?? 1)).toBeCloseTo(0.3, 1);
  });

  it('finds the compared quantities by column name', () => {
    const names = ['lp__', 'mu', trueLogDensity, 'mu_true__', 'b_true__[1,2]', 'c_below__', 'z__'];
    expect(testColumns(names).map(({ quantity, kind }) => [quantity, kind])).toEqual([
      ['lp__', 'truth'],
      ['mu', 'truth'],
      ['b[1,2]', 'truth'],
      ['c', 'indicator'],
    ]);
  });
});

describe('calibration', () => {
  it.each([1, 6])('flags correct programs with %i quantities in about 5 of 100 runs', (count) => {
    const rng = seededRng(11);
    const names = Array.from({ length: count }, (_, k) => `theta[${k + 1}]`);
    const runs = 600;
    let alarms = 0;
    for (let run = 0; run < runs; run++) {
      const { quantities } = calibrate(simulationsOf(60, names, () => rng.uniform()));
      if (quantities.some(({ state }) => state !== 'passed')) alarms += 1;
    }
    // two-sided 99.9 % of a binomial of 600 and 0.05; counts are integers, so a band may be a little wider
    expect(alarms).toBeGreaterThan(8);
    expect(alarms).toBeLessThan(49);
  });

  it.each<[CalibrationShape, (u: number) => number]>([
    ['narrow', (u) => 0.5 + Math.sign(u - 0.5) * Math.abs(2 * u - 1) ** 0.4 * 0.5],
    ['wide', (u) => 0.5 + (u - 0.5) * 0.5],
    ['high', (u) => u * u],
    ['low', (u) => Math.sqrt(u)],
    // bumps at a quarter and three quarters leave mean and spread as they are
    ['other', (u) => u + 0.045 * Math.sin(8 * Math.PI * u) * 0.85],
  ])('recognises the shape of a departure: %s', (shape, bend) => {
    const size = shape === 'other' ? 1000 : 100;
    const found = calibrate(simulationsOf(size, ['tau'], (_, n) => bend((n + 0.5) / size)))
      .quantities[0];
    expect([found?.state === 'passed', found?.shape]).toEqual([false, shape]);
  });

  it.each<[CalibrationShape, string, readonly (readonly [number, number])[]]>([
    [
      'narrow',
      'both ends are overfull, one of them less so',
      [
        [40, 0.05],
        [28, 0.5],
        [32, 0.95],
      ],
    ],
    [
      'high',
      'the lower end is overfull and the upper one barely',
      [
        [40, 0.05],
        [36, 0.5],
        [24, 0.95],
      ],
    ],
    [
      'low',
      'the upper end has what the lower one lacks',
      [
        [20, 0.3],
        [20, 0.5],
        [20, 0.7],
        [40, 0.9],
      ],
    ],
    ['wide', 'both ends are empty', [[100, 0.35]]],
    ['high', 'both ends are empty and the mean is far from a half', [[100, 0.25]]],
    [
      'high',
      'the lower end is overfull, though all positions are close together',
      [
        [30, 0.19],
        [70, 0.5],
      ],
    ],
    [
      'wide',
      'positions on the borders of the ends do not count as in them',
      [
        [30, 0.2],
        [40, 0.5],
        [30, 0.8],
      ],
    ],
    [
      'high',
      'one end holds exactly a fifth and the other is empty',
      [
        [20, 0.19],
        [80, 0.5],
      ],
    ],
    [
      'other',
      'both ends are overfull, but close to the middle',
      [
        [34, 0.19],
        [36, 0.5],
        [30, 0.81],
      ],
    ],
    [
      'other',
      'only the outermost positions are in the ends',
      [
        [19, 0],
        [33, 0.25],
        [30, 0.75],
        [18, 1],
      ],
    ],
    [
      'other',
      'both ends hold exactly a fifth, though far out',
      [
        [20, 0],
        [30, 0.21],
        [30, 0.79],
        [20, 1],
      ],
    ],
    [
      'other',
      'both ends hold too few, but the spread is that of a uniform',
      [
        [5, 0],
        [45, 0.27],
        [45, 0.73],
        [5, 1],
      ],
    ],
    [
      'low',
      'the upper end is overfull, though all positions are close together',
      [
        [30, 0.81],
        [70, 0.5],
      ],
    ],
  ])('reports %s where %s', (shape, _, parts) => {
    const positions = parts.flatMap(([count, at]) => Array<number>(count).fill(at));
    const [found] = calibrate(simulationsOf(100, ['tau'], (__, n) => positions[n])).quantities;
    expect([found.state, found.shape]).toEqual(['bad', shape]);
  });

  it.each([
    ['low', 1],
    ['high', 0],
  ])('reports %s where the mean is two standard errors from a half', (shape, at) => {
    // 27 positions of standard error 1/18: the sum of their distances is 3, and the mean 1/9
    const positions = [...Array<number>(6).fill(at), ...Array<number>(21).fill(0.5)];
    const [found] = calibrate(simulationsOf(27, ['tau'], (_, n) => positions[n])).quantities;
    expect(found.shape).toBe(shape);
  });

  it('passes positions whose ECDF stays in its band, at each of the two levels', () => {
    const rng = seededRng(23);
    const isOut = (positions: Float64Array, probability: number) => {
      const ecdf = uniformEcdf(positions, { points: 100, probability });
      return ecdf?.difference.some(
        (value, k) => value > ecdf.high[k] + 1e-9 || value < ecdf.low[k] - 1e-9,
      );
    };
    const states = new Set<string>();
    for (let run = 0; run < 60; run++) {
      const bend = 1 + (run % 20) / 20;
      const positions = Float64Array.from({ length: 50 }, () => rng.uniform() ** bend);
      const names = ['mu', 'tau'];
      const { quantities } = calibrate(simulationsOf(50, names, (_, n) => positions[n]));
      const expected = !isOut(positions, 1 - 0.05 / 2)
        ? 'passed'
        : isOut(positions, 1 - 0.001 / 2)
          ? 'bad'
          : 'warn';
      for (const { state, shape, distance } of quantities) {
        expect(state).toBe(expected);
        expect(distance >= 1 - 1e-9).toBe(state !== 'passed');
        expect(shape === null).toBe(state === 'passed');
      }
      states.add(expected);
    }
    expect([...states].sort()).toEqual(['bad', 'passed', 'warn']);
  });

  it('measures the distance from the diagonal relative to the band', () => {
    // all 20 values are below a half: the ECDF is 1 there, a half above the diagonal
    const [found] = calibrate(simulationsOf(20, ['tau'], () => 0.5)).quantities;
    const ecdf = uniformEcdf(new Float64Array(20).fill(0.5), { points: 100 });
    const parts = Array.from(ecdf?.difference ?? [], (value, k) =>
      value > 0 ? value / ((ecdf?.high[k] ?? 0) + 0.05) : value / ((ecdf?.low[k] ?? 0) - 0.05),
    );
    expect(found.distance).toBeCloseTo(Math.max(...parts), 12);
    expect(found.distance).toBeGreaterThan(1);
  });

  it('has an entry for each simulation, null if it lacks a quantity', () => {
    const [both, one] = [
      simulationsOf(1, ['mu', 'tau'], () => 0.5)[0],
      { ...simulationsOf(1, ['tau'], () => 0.25)[0], chain: 'chain#5' },
    ];
    const { chains, quantities, probability } = calibrate([both, one]);
    expect(chains).toEqual(['chain#1', 'chain#5']);
    expect(probability).toBeCloseTo(0.975, 12);
    expect(quantities.map(({ variable }) => variable)).toEqual(['mu', 'tau']);
    expect(quantities[0].ranks).toEqual([both.ranks[0], null]);
    expect(quantities[1].ranks).toEqual([both.ranks[1], one.ranks[0]]);
    expect(calibrate([])).toEqual({ chains: [], probability: 0.95, quantities: [] });
  });

  it('is drawn at fewer points if there are many simulations', () => {
    expect([20, 300, 301].map(bandPoints)).toEqual([100, 100, 50]);
  });

  it('needs 20 simulations for a verdict', () => {
    const all = simulationsOf(19, ['tau'], () => 0.999);
    expect(judged(all)).toMatchObject({
      state: 'unknown',
      headline: 'No verdict: 19 simulations of 19 are too few',
    });
    expect(judged(simulationsOf(20, ['tau'], () => 0.999)).state).toBe('bad');
  });

  it('matches the contraction and z-scores of a conjugate normal', () => {
    // θ ~ N(0, 2²), y ~ N(θ, 1²): the posterior has mean 0.8 y and variance 0.8
    const rng = seededRng(5);
    const simulations = Array.from({ length: 2000 }, (_, n): SimulationRanks => {
      const truth = 2 * rng.normal();
      const mean = 0.8 * (truth + rng.normal());
      return {
        chain: `chain#${n}`,
        ess: 99,
        ranks: [{ ...rankAt('theta', rng.uniform()), truth, mean, variance: 0.8 }],
      };
    });
    const [theta] = calibrate(simulations).quantities;
    expect(theta?.contraction).toBeCloseTo(1 - 0.8 / 4, 1);
    expect(Math.abs(theta?.z_mean ?? 1)).toBeLessThan(4 / Math.sqrt(2000));
    expect(theta?.z_sd).toBeCloseTo(1, 1);
  });

  it('computes contraction and z-scores from simulations with known truth and spread', () => {
    const found = (...known: readonly (readonly [number, number, number])[]) => {
      const simulations = known.map(
        ([truth, mean, variance], n): SimulationRanks => ({
          chain: `chain#${n}`,
          ess: 99,
          ranks: [{ ...rankAt('theta', 0.5), truth, mean, variance }],
        }),
      );
      const [{ contraction, z_mean, z_sd }] = calibrate(simulations).quantities;
      return [contraction, z_mean, z_sd];
    };
    // true values 0, 2 and 4 of variance 4; posterior variances of mean 2; z-scores 1, 0 and 1
    const three = [
      [0, 1, 1],
      [2, 2, 1],
      [4, 6, 4],
    ] as const;
    const expected = [0.5, 2 / 3, Math.sqrt(1 / 3)];
    found(...three).forEach((value, i) => expect(value).toBeCloseTo(expected[i], 12));
    expect(found(...three, [NaN, 1, 1], [5, 1, 0], [Infinity, 1, 1])).toEqual(found(...three));
    expect(found(three[0], [1, 1, 0])).toEqual([NaN, NaN, NaN]);
    expect(found(three[0], three[1])[0]).toBeCloseTo(0.5, 12);
    expect(found([1, 2, 1], [1, 1, 1])).toEqual([NaN, 0.5, Math.sqrt(0.5)]);
  });
});

describe('the verdict on a calibration', () => {
  const even = simulationsOf(
    100,
    ['mu', 'tau'],
    (k, n) => (((n * (k + 1) * 37) % 100) + 0.5) / 100,
  );

  it('is good where the simulations show no miscalibration', () => {
    const verdict = judged(even);
    expect(verdict).toMatchObject({
      state: 'good',
      headline: 'No miscalibration found in 100 simulations',
    });
    expect(sentenceOf(verdict)).toBe('No miscalibration found in 100 simulations.');
    expect(remarksOf(verdict)).toEqual([]);
  });

  it('names the worst quantity, how it departs, and the others', () => {
    const verdict = judged(
      simulationsOf(100, ['mu', 'tau', 'rho'], (k, n) =>
        k === 0 ? (n + 0.5) / 100 : k === 1 ? ((n + 0.5) / 100) ** 4 : ((n + 0.5) / 100) ** 2,
      ),
    );
    expect(verdict).toMatchObject({
      state: 'bad',
      headline: 'Posterior too high for tau and 1 more',
      checks: [
        {
          name: 'calibration',
          status: 'failed',
          variable: 'tau',
          count: 2,
          message:
            'posterior too high for tau: true values lie too often in its lower part; not calibrated either: rho',
        },
      ],
    });
    expect(sentenceOf(verdict)).toBe(
      'Not calibrated: this program does not recover what it simulates.',
    );
  });

  it('names problematic simulations if they are few, and needs a look if they are many', () => {
    const few = judged(even, { divergent: ['chain#3', 'chain#42'], slow: ['chain#9'] });
    expect(few.state).toBe('good');
    expect(remarksOf(few)).toEqual([
      '2 simulations of 100 have divergent transitions (3 and 42).',
      '1 simulation of 100 has an ESS below 25 (9).',
    ]);
    const many = judged(even, {
      divergent: Array.from({ length: 11 }, (_, i) => `chain#${i + 1}`),
    });
    expect(many).toMatchObject({
      state: 'warn',
      headline: '11 simulations of 100 have divergent transitions',
    });
  });

  it('counts the simulations that failed and those still to come', () => {
    const verdict = judged(even, { asked: 200, failed: ['chain#150'] });
    expect(verdict.state).toBe('good');
    expect(remarksOf(verdict)).toEqual([
      '1 simulation of 200 failed (150).',
      '100 of 200 simulations are done.',
    ]);
  });

  it('is unknown if no quantity can be compared', () => {
    expect(judged(simulationsOf(40, [], () => 0))).toMatchObject({
      state: 'unknown',
      headline: 'No verdict: no quantity has a true value to compare with',
    });
  });
});
