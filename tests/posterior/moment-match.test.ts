import { describe, expect, it } from 'vitest';
import { looOf } from '../../src/posterior/loo.ts';
import { type MatchTarget, matchMoments } from '../../src/posterior/moment-match.ts';
import { outlierLogDensity, outlierLogLik } from '../support/outlier-program.ts';
import { fixtureText } from './fixtures.ts';

interface Reference {
  readonly x: number[];
  readonly y: number[];
  readonly draws: number[];
  readonly k: number[];
  readonly elpd: number[];
  readonly exact_elpd: number[];
  readonly matched_k: number[];
  readonly whole_elpd: number[];
  readonly split_elpd: number[];
  readonly exact_inverse_elpd: number[];
}

const reference = JSON.parse(fixtureText('moment-match-reference.json')) as Reference;
const dimension = 5;
const count = reference.draws.length / dimension;
/** Below every k: moves continue until none helps, so that all three kinds occur. */
const threshold = -1;

const values = Float64Array.from(reference.draws);
const points = Array.from({ length: count }, (_, s) =>
  values.subarray(s * dimension, (s + 1) * dimension),
);
const target: MatchTarget = {
  draws: { values, count, dimension },
  numChains: 1,
  logDensity: Float64Array.from(points, outlierLogDensity),
  evaluate: (point, i) => [outlierLogDensity(point), outlierLogLik(point, i)],
};
const logLikOf = (i: number) => Float64Array.from(points, (point) => outlierLogLik(point, i));
const options = { threshold, relativeEfficiency: 1 };
const all = [...reference.y.keys()];

describe('moment matching as in R’s loo', () => {
  it('starts from the same weights', () => {
    const logLik = all.map((i) => [logLikOf(i)]);
    const loo = looOf(logLik, { relativeEfficiency: 1 });
    for (const i of all) {
      expect(loo.pareto_k[i]).toBeCloseTo(reference.k[i], 8);
      expect(loo.pointwise.elpd_loo[i]).toBeCloseTo(reference.elpd[i], 8);
    }
  });

  it.each(all)('finds the same k of observation %i, and the same estimate of all draws', (i) => {
    const matched = matchMoments(target, i, logLikOf(i), { ...options, split: false });
    expect(matched.pareto_k).toBeCloseTo(reference.matched_k[i], 8);
    expect(matched.elpd_loo).toBeCloseTo(reference.whole_elpd[i], 8);
  });

  it.each(all)('finds the same estimate of observation %i from both halves', (i) => {
    const matched = matchMoments(target, i, logLikOf(i), options);
    expect(matched.pareto_k).toBeCloseTo(reference.matched_k[i], 8);
    expect(matched.elpd_loo).toBeCloseTo(reference.exact_inverse_elpd[i], 8);
  });

  it('agrees with the unmodified loo wherever only means were moved', () => {
    // at this threshold one or two shifts of the mean are enough
    const high = all.filter((i) => reference.k[i] > 0.7);
    expect(high).toEqual([22, 23]);
    const shifted = all.filter(
      (i) =>
        reference.exact_inverse_elpd[i] === reference.split_elpd[i] &&
        reference.k[i] !== reference.matched_k[i],
    );
    expect(shifted.length).toBeGreaterThan(3);
    for (const i of shifted)
      expect(matchMoments(target, i, logLikOf(i), options).elpd_loo).toBeCloseTo(
        reference.split_elpd[i],
        8,
      );
  });
});

describe('moment matching where it is needed', () => {
  it('comes close to the exact predictive density of an outlier, which plain weights miss', () => {
    const [plain, exact] = [reference.elpd[23], reference.exact_elpd[23]];
    const matched = matchMoments(target, 23, logLikOf(23), { ...options, threshold: 0.7 });
    expect(matched.pareto_k).toBeLessThan(0.7);
    expect(Math.abs(plain - exact)).toBeGreaterThan(1);
    expect(Math.abs(matched.elpd_loo - exact)).toBeLessThan(0.3);
  });

  it('moves nothing if k is already small', () => {
    const quiet = all.find((i) => reference.k[i] < 0.1) ?? -1;
    const matched = matchMoments(target, quiet, logLikOf(quiet), { ...options, threshold: 0.7 });
    expect(matched.moves).toBe(0);
    expect(matched.elpd_loo).toBeCloseTo(reference.elpd[quiet], 8);
  });

  it('makes at most the allowed number of moves, and none once k is at its limit', () => {
    const matched = (change: object) =>
      matchMoments(target, 23, logLikOf(23), { ...options, ...change });
    const plain = matched({ maxMoves: 0 });
    expect(plain).toEqual({
      elpd_loo: expect.closeTo(reference.elpd[23], 8),
      pareto_k: expect.closeTo(reference.k[23], 8),
      moves: 0,
    });
    expect(matched({ threshold: plain.pareto_k })).toEqual(plain);
    const once = matched({ maxMoves: 1 });
    expect(once.moves).toBe(1);
    expect(once.pareto_k).toBeLessThan(plain.pareto_k);
    expect(matched({}).moves).toBeGreaterThan(1);
  });

  it('takes the relative efficiency from the chains where it is not given', () => {
    // for this observation the efficiency depends on the chains, and so does k
    const logLik = logLikOf(22);
    const chains = [logLik.subarray(0, count / 2), logLik.subarray(count / 2)];
    expect(looOf([chains]).pareto_k[0]).not.toBeCloseTo(looOf([[logLik]]).pareto_k[0], 3);
    for (const [numChains, own] of [
      [1, [logLik]],
      [2, chains],
    ] as const) {
      const plain = looOf([own]).pareto_k[0];
      const plainly = { threshold: 0.7, maxMoves: 0 };
      expect(matchMoments({ ...target, numChains }, 22, logLik, plainly).pareto_k).toBe(plain);
    }
  });

  it('moves nothing where the draws are too few for any tail', () => {
    const few: MatchTarget = {
      ...target,
      draws: { values: values.subarray(0, 20 * dimension), count: 20, dimension },
    };
    const matched = matchMoments(few, 23, logLikOf(23).subarray(0, 20), options);
    expect([matched.moves, matched.pareto_k]).toEqual([0, Infinity]);
  });

  it.each([
    [50, 3],
    [49, 2],
  ])('with %i draws of five values tries %i kinds of moves', (draws, kinds) => {
    let calls = 0;
    const counting: MatchTarget = {
      ...target,
      draws: { values: values.subarray(0, dimension * draws), count: draws, dimension },
      logDensity: target.logDensity.subarray(0, draws),
      evaluate: () => {
        calls += 1;
        return [-Infinity, 0];
      },
    };
    expect(matchMoments(counting, 23, logLikOf(23).subarray(0, draws), options).moves).toBe(0);
    expect(calls).toBe(kinds * draws);
  });

  it('keeps the plain estimate if the density is 0 away from the draws', () => {
    const nowhere = { ...target, evaluate: () => [-Infinity, 0] as const };
    const matched = matchMoments(nowhere, 23, logLikOf(23), { ...options, threshold: 0.7 });
    expect(matched.moves).toBe(0);
    expect(matched.pareto_k).toBeCloseTo(reference.k[23], 8);
  });

  it('replaces plain weights by matched estimates throughout leave-one-out', () => {
    const logLik = all.map((i) => [logLikOf(i)]);
    const { elpd_loo, pareto_k } = matchMoments(target, 23, logLikOf(23), options);
    const loo = looOf(logLik, {
      relativeEfficiency: 1,
      matched: new Map([[23, { elpd_loo, pareto_k }]]),
    });
    const plain = looOf(logLik, { relativeEfficiency: 1 });
    expect(loo.pareto_k[23]).toBe(pareto_k);
    expect(loo.pareto_k_before?.[23]).toBe(plain.pareto_k[23]);
    expect(loo.num_high_k).toBe(plain.num_high_k - 1);
    expect(loo.elpd_loo - plain.elpd_loo).toBeCloseTo(elpd_loo - reference.elpd[23], 8);
    expect(loo.p_loo - plain.p_loo).toBeCloseTo(reference.elpd[23] - elpd_loo, 8);
  });
});
