import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readZip } from '../../src/formats/archive.ts';
import type { ChainDraws } from '../../src/posterior/draws.ts';
import { essMean } from '../../src/posterior/ess.ts';
import { compareLoo, type Loo, logSumExp, looOf } from '../../src/posterior/loo.ts';
import {
  fitPareto,
  paretoKhat,
  paretoKThreshold,
  paretoQuantile,
  tailLength,
} from '../../src/posterior/pareto-fit.ts';
import { psis } from '../../src/posterior/psis.ts';
import {
  drawsOf,
  eightSchools,
  fixtureBytes,
  fixtureText,
  normalDraws,
  relativeError,
  seededUniform,
  stanChains,
} from './fixtures.ts';

function readJson<T>(bytes: Uint8Array): T {
  const archive = readZip(bytes);
  if (!archive.ok) throw new Error(archive.error.message);
  return JSON.parse(new TextDecoder().decode(archive.value.files[0].bytes)) as T;
}

interface Kids {
  readonly kid_score: number[];
  readonly mom_iq: number[];
  readonly mom_hs: number[];
}

/** log p(y_i) of each child over four chains of a regression. */
function logLikOf(name: string, columnsOf: (kids: Kids, i: number) => number[]): ChainDraws[] {
  const kids = readJson<Kids>(
    readFileSync(new URL('../fixtures/posteriordb/data/kidiq.json.zip', import.meta.url)),
  );
  const draws = readJson<Record<string, number[]>[]>(fixtureBytes(name)).slice(0, 4);
  return kids.kid_score.map((y, i) => {
    const columns = columnsOf(kids, i);
    return draws.map((chain) =>
      Float64Array.from(chain.sigma, (sigma, draw) => {
        const mu = columns.reduce((sum, x, j) => sum + chain[`beta[${j + 1}]`][draw] * x, 0);
        return -0.5 * Math.log(2 * Math.PI) - Math.log(sigma) - 0.5 * ((y - mu) / sigma) ** 2;
      }),
    );
  });
}

const iqOnly = logLikOf('kidiq-kidscore_momiq.json.zip', (kids, i) => [1, kids.mom_iq[i]]);
const both = logLikOf('kidiq-kidscore_momhsiq.json.zip', (kids, i) => [
  1,
  kids.mom_hs[i],
  kids.mom_iq[i],
]);
const reference = JSON.parse(fixtureText('loo-reference.json')) as Record<
  'momiq' | 'momhsiq',
  Record<'elpd_loo' | 'se_elpd_loo' | 'p_loo' | 'se_p_loo' | 'pareto_k_max', number> & {
    pareto_k: number[];
  }
> & { elpd_diff: number; se_diff: number };

describe('leave-one-out of two regressions', () => {
  const plain = { relativeEfficiency: 1 };
  const loos = { momiq: looOf(iqOnly, plain), momhsiq: looOf(both, plain) };

  it.each(['momiq', 'momhsiq'] as const)('matches the values of another program: %s', (name) => {
    const loo = loos[name];
    for (const key of ['elpd_loo', 'se_elpd_loo', 'p_loo', 'se_p_loo'] as const)
      expect(relativeError(loo[key], reference[name][key]), key).toBeLessThan(1e-8);
    reference[name].pareto_k.forEach((k, i) =>
      expect(Math.abs(loo.pareto_k[i] - k), `k ${i}`).toBeLessThan(1e-8),
    );
    expect(Math.max(...loo.pareto_k)).toBeCloseTo(reference[name].pareto_k_max, 8);
    expect(loo.looic).toBe(-2 * loo.elpd_loo);
    expect(loo.num_high_k).toBe(0);
  });

  it('agrees with the published estimate, −1876.1 (14.2), p_loo 4.1', () => {
    // Regression and Other Stories, section 11.8: kid_score ~ mom_hs + mom_iq, with weak priors and other draws.
    const loo = looOf(both);
    expect(Math.abs(loo.elpd_loo - -1876.1)).toBeLessThan(0.3);
    expect(Math.abs(loo.se_elpd_loo - 14.2)).toBeLessThan(0.1);
    expect(Math.abs(loo.p_loo - 4.1)).toBeLessThan(0.2);
  });

  it('compares them in pairs, best first', () => {
    const rows = compareLoo([
      { name: 'iq', loo: loos.momiq },
      { name: 'iq and school', loo: loos.momhsiq },
    ]);
    expect(rows?.map(({ name }) => name)).toEqual(['iq and school', 'iq']);
    expect(rows?.[0]).toMatchObject({ elpd_diff: 0, se_diff: 0 });
    expect(relativeError(rows?.[1].elpd_diff ?? 0, reference.elpd_diff)).toBeLessThan(1e-7);
    expect(relativeError(rows?.[1].se_diff ?? 0, reference.se_diff)).toBeLessThan(1e-7);
  });

  it('orders models alike in any input order, without an error for one observation', () => {
    const models = ['a', 'b', 'c'].map((name, i) => ({
      name,
      loo: looOf([[Float64Array.of(-1, -1.1, -0.9).map((value) => value - ((i + 1) % 3))]], plain),
    }));
    for (const given of [models, models.toReversed()])
      expect(compareLoo(given)?.map(({ name }) => name)).toEqual(['c', 'a', 'b']);
    expect(compareLoo(models)?.[1].se_diff).toBeNaN();
  });

  it('does not compare different observations', () => {
    const fewer = looOf(iqOnly.slice(1), plain);
    const models = [
      { name: 'all', loo: loos.momiq },
      { name: 'fewer', loo: fewer },
    ];
    expect(compareLoo(models)).toBeNull();
    expect(compareLoo([])).toEqual([]);
  });
});

it('leave-one-out of a normal mean is close to the exact value', () => {
  // y ~ normal(mu, 1), flat prior: y_i given the others is normal(mean of the others, 1 + 1/(n − 1)).
  const y = Array.from(normalDraws(3, 20));
  const mean = y.reduce((a, b) => a + b) / y.length;
  const mu = [0, 1, 2, 3].map((chain) =>
    normalDraws(50 + chain, 5000).map((z) => mean + z / Math.sqrt(y.length)),
  );
  const logNormal = (x: number, centre: number, variance: number) =>
    -0.5 * Math.log(2 * Math.PI * variance) - (x - centre) ** 2 / (2 * variance);
  const exact = y.reduce((total, x) => {
    const others = (y.length * mean - x) / (y.length - 1);
    return total + logNormal(x, others, 1 + 1 / (y.length - 1));
  }, 0);
  const loo = looOf(y.map((x) => mu.map((chain) => chain.map((m) => logNormal(x, m, 1)))));
  expect(Math.abs(loo.elpd_loo - exact)).toBeLessThan(0.02);
  expect(loo.num_high_k).toBe(0);
});

it('leave-one-out takes the relative efficiency from the draws of each likelihood', () => {
  const chains = [1, 2, 3, 4].map((seed) => {
    let last = 0;
    return normalDraws(seed, 500).map((z) => (last = 0.9 * last + z));
  });
  const likelihoods = chains.map((chain) => chain.map(Math.exp));
  const relativeEfficiency = essMean(likelihoods) / 2000;
  const kOf = (options: object, shift = 0) =>
    looOf([chains.map((chain) => chain.map((value) => value + shift))], options).pareto_k[0];
  const expected = kOf({ relativeEfficiency });
  expect(expected).not.toBeCloseTo(kOf({ relativeEfficiency: 1 }), 2);
  expect(kOf({})).toBeCloseTo(expected, 10);
  // Likelihoods of e^−2000 are 0 as doubles.
  for (const shift of [-2000, 2000]) expect(kOf({}, shift)).toBeCloseTo(expected, 10);
});

describe('leave-one-out', () => {
  const chains = [normalDraws(21, 200), normalDraws(22, 200)];
  const logLik = [0.1, 0.2, 0.3].map((scale) =>
    chains.map((chain) => chain.map((z) => -1 - scale * z * z)),
  );

  it('reports after each observation how many are done', () => {
    const done: number[] = [];
    looOf(logLik, { onObservation: (count) => done.push(count) });
    expect(done).toEqual([1, 2, 3]);
  });

  it('has the sums of the pointwise values and their standard errors', () => {
    const loo = looOf(logLik);
    const { elpd_loo: elpd, p_loo: p } = loo.pointwise;
    const sumOf = (values: Float64Array) => values.reduce((a, b) => a + b);
    const errorOf = (values: Float64Array) => {
      const mean = sumOf(values) / 3;
      return Math.sqrt((3 * sumOf(values.map((value) => (value - mean) ** 2))) / 2);
    };
    expect([loo.elpd_loo, loo.p_loo, loo.looic]).toEqual([
      expect.closeTo(sumOf(elpd), 12),
      expect.closeTo(sumOf(p), 12),
      expect.closeTo(-2 * sumOf(elpd), 12),
    ]);
    expect([loo.se_elpd_loo, loo.se_p_loo, loo.se_looic]).toEqual([
      expect.closeTo(errorOf(elpd), 12),
      expect.closeTo(errorOf(p), 12),
      expect.closeTo(2 * errorOf(elpd), 12),
    ]);
    expect([loo.num_draws, loo.threshold]).toEqual([400, paretoKThreshold(400)]);
    expect(loo.pareto_k_before).toBeUndefined();
    const plain = Math.log(sumOf(logLik[1][0].map(Math.exp)) + sumOf(logLik[1][1].map(Math.exp)));
    expect(p[1]).toBeCloseTo(plain - Math.log(400) - elpd[1], 10);
  });

  it('uses matched estimates for their observations only, and keeps the earlier k', () => {
    const plain = looOf(logLik);
    const matched = new Map([[1, { elpd_loo: -9, pareto_k: 5 }]]);
    const loo = looOf(logLik, { matched });
    expect(loo.pareto_k_before).toEqual(plain.pareto_k);
    expect(loo.pareto_k).toEqual(plain.pareto_k.with(1, 5));
    expect(loo.pointwise.elpd_loo).toEqual(plain.pointwise.elpd_loo.with(1, -9));
    expect(loo.num_high_k).toBe(plain.num_high_k + 1);
    const atLimit = new Map([[1, { elpd_loo: -9, pareto_k: plain.threshold }]]);
    expect(looOf(logLik, { matched: atLimit }).num_high_k).toBe(plain.num_high_k);
    expect(looOf(logLik, { matched: new Map() }).pareto_k_before).toBeUndefined();
  });

  it('without observations has undefined estimates', () => {
    const loo = looOf([]);
    expect([loo.elpd_loo, loo.se_elpd_loo, loo.p_loo, loo.se_p_loo, loo.looic]).toEqual([
      NaN,
      NaN,
      NaN,
      NaN,
      NaN,
    ]);
    expect([loo.num_high_k, loo.num_draws]).toEqual([0, 0]);
  });

  it('compares models by their differences from the best, with the estimates of each', () => {
    const models = [0.2, 0].map((worse, i) => ({
      name: `model ${i + 1}`,
      loo: looOf(logLik.map((own, n) => own.map((chain) => chain.map((x) => x - worse * n)))),
    }));
    const rows = compareLoo(models);
    const [second, first] = models.map(({ loo }) => loo);
    const own = ({ elpd_loo, se_elpd_loo, p_loo, looic, num_high_k }: Loo) => ({
      elpd_loo,
      se_elpd_loo,
      p_loo,
      looic,
      num_high_k,
    });
    // differences 0, −0.2 and −0.4
    expect(rows).toEqual([
      {
        name: 'model 2',
        ...own(first),
        elpd_diff: 0,
        se_diff: 0,
        stacking_weight: expect.closeTo(1, 6),
      },
      {
        name: 'model 1',
        ...own(second),
        elpd_diff: expect.closeTo(-0.6, 10),
        se_diff: expect.closeTo(Math.sqrt(3 * 0.04), 10),
        stacking_weight: expect.closeTo(0, 6),
      },
    ]);
  });
});

describe('sums of exponentials', () => {
  it('do not overflow or underflow, and have the limits of their terms', () => {
    const of = (...values: number[]) => logSumExp(Float64Array.from(values));
    expect(of(-2000, -2000)).toBeCloseTo(-2000 + Math.LN2, 12);
    expect(of(Math.log(3), Math.log(4), -Infinity)).toBeCloseTo(Math.log(7), 12);
    expect([of(), of(-Infinity, -Infinity), of(1, Infinity), of(1, NaN)]).toEqual([
      -Infinity,
      -Infinity,
      Infinity,
      NaN,
    ]);
  });
});

describe('Pareto k', () => {
  it('of draws matches R’s posterior package', () => {
    const bern = stanChains(['bern1.csv', 'bern2.csv', 'bern3.csv', 'bern4.csv']);
    expect(relativeError(paretoKhat(drawsOf(bern, 'lp__')), 0.07429298)).toBeLessThan(1e-7);
    expect(relativeError(paretoKhat(drawsOf(bern, 'theta')), -0.145997)).toBeLessThan(1e-7);
  });

  it('is undefined for a constant, too few draws, or one that is not finite', () => {
    expect(paretoKhat([new Float64Array(100).fill(3)])).toBeNaN();
    expect(paretoKhat([normalDraws(1, 8)])).toBeNaN();
    expect([24, 25].map((count) => Number.isNaN(paretoKhat([normalDraws(1, count)])))).toEqual([
      true,
      false,
    ]);
    const [first, ...rest] = eightSchools('mu');
    expect(paretoKhat([first.with(3, Infinity), ...rest])).toBeNaN();
  });

  it('recognises a heavy tail, on either side', () => {
    const scales = normalDraws(5, 4000);
    const tails = normalDraws(4, 4000).map((z, i) => z / Math.abs(scales[i]));
    expect(paretoKhat([tails])).toBeGreaterThan(0.7);
    expect(paretoKhat([normalDraws(6, 4000)])).toBeLessThan(0.3);
    const left = normalDraws(7, 4000).map((z) => -Math.exp(3 * z));
    expect(paretoKhat([left])).toBeGreaterThan(0.7);
  });

  it('recovers the shape that the draws were generated with', () => {
    const uniform = seededUniform(11);
    for (const k of [-0.3, 0.2, 0.7]) {
      const draws = Float64Array.from({ length: 20_000 }, () =>
        paretoQuantile(uniform(), { k, sigma: 2 }),
      ).sort();
      const fit = fitPareto(draws);
      expect(Math.abs(fit.k - k)).toBeLessThan(0.03);
      expect(Math.abs(fit.sigma - 2)).toBeLessThan(0.1);
    }
  });

  it('is ∞ where no distribution fits', () => {
    for (const exceedances of [
      [0, 0, 0, 0, 1, 2],
      [0, 0, 0, 0, 0, 0],
      [1, 2, 3, 4, Infinity],
      [1, 2, 3, 4, NaN],
      [0, 1e-320, 1e-320, 1e-320, 1e-320],
      [],
      [1],
    ])
      expect(fitPareto(Float64Array.from(exceedances))).toEqual({ k: Infinity, sigma: NaN });
  });

  it('has the thresholds and tail lengths of the paper', () => {
    expect(paretoKThreshold(100)).toBeCloseTo(0.5);
    expect(paretoKThreshold(10_000)).toBe(0.7);
    expect(paretoKThreshold(11)).toBeGreaterThan(0);
    // no k at all would be small enough
    expect([10, 4, 1, 0].map(paretoKThreshold)).toEqual([NaN, NaN, NaN, NaN]);
    expect(tailLength(4000, 1)).toBe(189);
    expect(tailLength(200, 1)).toBe(40);
    expect(tailLength(4000, 0.05)).toBe(800);
    // S·r is 225: still a fifth, however the root is rounded
    expect(tailLength(155, 225 / 155)).toBe(31);
  });
});

describe('smoothed weights', () => {
  const ratios = fc
    .tuple(
      fc.integer({ min: 1, max: 1e6 }),
      fc.integer({ min: 30, max: 400 }),
      fc.double({ min: 0.1, max: 4, noNaN: true }),
    )
    .map(([seed, count, spread]) => normalDraws(seed, count).map((z) => spread * z));

  it('sum to 1, keep the order of the ratios, and have the same k after a shift', () => {
    fc.assert(
      fc.property(ratios, fc.integer({ min: -700, max: 700 }), (values, shift) => {
        const { logWeights, k } = psis(values);
        const total = logWeights.reduce((sum, weight) => sum + Math.exp(weight), 0);
        expect(Math.abs(total - 1)).toBeLessThan(1e-12);
        const order = Array.from(values.keys()).sort((a, b) => values[a] - values[b]);
        for (let i = 1; i < order.length; i++)
          expect(logWeights[order[i]]).toBeGreaterThanOrEqual(logWeights[order[i - 1]] - 1e-12);
        expect(psis(values.map((value) => value + shift)).k).toBeCloseTo(k, 6);
      }),
      { seed: 17, numRuns: 60 },
    );
  });

  it('are equal if the ratios are equal or one is NaN', () => {
    const { logWeights, k } = psis(new Float64Array(100).fill(-3));
    expect(k).toBe(Infinity);
    expect(logWeights[7]).toBeCloseTo(-Math.log(100));
    const { logWeights: equal, k: unknown } = psis(Float64Array.of(1, NaN, 2));
    expect(unknown).toBeNaN();
    expect(equal).toEqual(new Float64Array(3).fill(-Math.log(3)));
  });

  it('are those of the raw ratios if the tail is too short or does not vary', () => {
    const plainOf = (values: Float64Array) => {
      const total = values.reduce((sum, value) => sum + Math.exp(value), 0);
      return values.map((value) => value - Math.log(total));
    };
    const isPlain = (values: Float64Array) => {
      const { logWeights, k } = psis(values);
      expect(k).toBe(Infinity);
      plainOf(values).forEach((weight, i) => expect(logWeights[i]).toBeCloseTo(weight, 12));
    };
    isPlain(normalDraws(13, 24));
    expect(psis(normalDraws(13, 25)).k).toBeLessThan(2);
    // The 20 largest of 100 are all equal; then most of them equal the draw before them.
    const low = normalDraws(14, 100).map((z) => -3 - Math.abs(z));
    isPlain(low.map((value, i) => (i < 20 ? 0 : value)));
    isPlain(low.map((value, i) => (i < 5 ? i / 10 : i < 40 ? 0 : value)));
  });

  it('use the relative efficiency for the tail, and 1 if it is not positive', () => {
    const values = normalDraws(12, 1000);
    // Tails of 94 draws at 1 and of 200 at 0.1 give different fits.
    const independent = psis(values);
    expect(psis(values, 0.1).k).not.toBe(independent.k);
    for (const unknown of [0, -0.1, NaN, undefined])
      expect(psis(values, unknown), `${unknown}`).toEqual(independent);
  });

  it('leave elpd_loo undefined without observations and for draws that are not finite', () => {
    expect(looOf([]).elpd_loo).toBeNaN();
    const broken: Loo = looOf([[Float64Array.of(-1, -2, NaN, -1)]]);
    expect(broken.elpd_loo).toBeNaN();
    expect(broken.num_high_k).toBe(1);
  });
});
