/** K-fold cross-validation: folds that keep their guarantees, and sums that match R's loo. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { kFoldOf, makeFolds } from '../../src/posterior/k-fold.ts';

const everywhere: (i: number) => boolean = () => true;
const counts = (fold: Int32Array, folds: number, among = everywhere) =>
  Array.from({ length: folds }, (_, k) => fold.filter((one, i) => one === k && among(i)).length);
const spread = (sizes: readonly number[]) => Math.max(...sizes) - Math.min(...sizes);

describe('folds', () => {
  it('differ in size by at most one and depend on the seed', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 80 }),
        fc.integer({ min: 2, max: 12 }),
        fc.nat(),
        (count, k, seed) => {
          const folds = Math.min(k, count);
          const fold = makeFolds({ count, folds, seed });
          expect(spread(counts(fold, folds))).toBeLessThanOrEqual(1);
          expect(makeFolds({ count, folds, seed })).toEqual(fold);
        },
      ),
    );
    const one = makeFolds({ count: 50, folds: 5, seed: 1 });
    expect(makeFolds({ count: 50, folds: 5, seed: 2 })).not.toEqual(one);
  });

  it('are equally likely for each observation', () => {
    const times = Array.from({ length: 10 }, () => new Int32Array(5));
    for (let seed = 0; seed < 400; seed++)
      makeFolds({ count: 10, folds: 5, seed }).forEach((fold, i) => times[i][fold]++);
    // 80 of 400 in each, with a standard error of 8
    for (const own of times) for (const count of own) expect(Math.abs(count - 80)).toBeLessThan(40);
  });

  it('take large groups first, so that small ones even out their sizes', () => {
    const groups = [7, 7, 7, 7, 7, 7, 2, 2, 9, 9, 9, 9];
    const found = Array.from({ length: 20 }, (_, seed) =>
      makeFolds({ count: 12, folds: 2, seed, groups }),
    );
    for (const fold of found) expect(counts(fold, 2)).toEqual([6, 6]);
    // groups of equal size are dealt at random
    const dealt = Array.from({ length: 20 }, (_, seed) =>
      makeFolds({ count: 4, folds: 2, seed, groups: [4, 5, 6, 7] }),
    );
    expect(new Set(dealt.map((fold) => fold.join(''))).size).toBeGreaterThan(2);
    for (const fold of dealt) expect(counts(fold, 2)).toEqual([2, 2]);
  });

  it('share each stratum evenly and keep groups whole', () => {
    const values = fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 12, maxLength: 60 });
    fc.assert(
      fc.property(values, fc.nat(), (labels, seed) => {
        const count = labels.length;
        const strata = makeFolds({ count, folds: 4, seed, strata: labels });
        expect(spread(counts(strata, 4))).toBeLessThanOrEqual(1);
        for (const label of new Set(labels))
          expect(spread(counts(strata, 4, (i) => labels[i] === label))).toBeLessThanOrEqual(1);
        const groups = makeFolds({ count, folds: 2, seed, groups: labels });
        for (const label of new Set(labels))
          expect(new Set(groups.filter((_, i) => labels[i] === label)).size).toBe(1);
      }),
    );
  });
});

describe('the held-out density', () => {
  it('matches R’s loo', () => {
    // tests/fixtures/posterior/make-kfold-reference.R
    const logLik = Array.from({ length: 6 }, (_, i) =>
      Float64Array.from(
        { length: 40 },
        (__, s) => -(i + 1) / 3 - (((s + 1) * 7 + (i + 1) * 3) % 11) / 10,
      ),
    );
    const found = kFoldOf(logLik);
    expect(found.elpd_kfold).toBeCloseTo(-9.699148094049, 10);
    expect(found.se_elpd_kfold).toBeCloseTo(1.530616225814, 10);
    expect(found.kfoldic).toBeCloseTo(19.398296188098, 10);
    expect(found.se_kfoldic).toBeCloseTo(3.061232451627, 10);
    expect(found.pointwise[3]).toBeCloseTo(-1.79121157633, 10);
    expect(found.p_kfold).toBeUndefined();
    expect(kFoldOf(logLik, logLik).p_kfold).toBe(0);
  });

  it('has as p_kfold the excess of the log density in the run on all data', () => {
    const logs = (...values: number[]) => Float64Array.from(values, Math.log);
    const heldOut = [logs(0.5, 0.25), logs(0.125, 0.125)];
    const found = kFoldOf(heldOut, [logs(0.75, 0.75), logs(0.5, 0.25)]);
    // densities of 3/8 and 1/8, of 3/4 and 3/8
    expect(found.elpd_kfold).toBeCloseTo(Math.log(3 / 64), 12);
    expect(found.p_kfold).toBeCloseTo(Math.log(6), 12);
    expect(found.se_p_kfold).toBeCloseTo(Math.log(1.5), 12);
  });

  it('is −∞ if no draw makes an observation possible, and undefined if one is NaN', () => {
    const [never, sometimes, odd] = [
      [-Infinity, -Infinity],
      [-Infinity, 0],
      [NaN, 0],
    ].map((values) => Float64Array.from(values));
    const { pointwise, elpd_kfold } = kFoldOf([never, sometimes, odd]);
    expect([...pointwise]).toEqual([-Infinity, -Math.LN2, NaN]);
    expect(elpd_kfold).toBeNaN();
    // log densities may be far outside the range of exp
    expect(kFoldOf([Float64Array.of(-2000, -2000)]).elpd_kfold).toBe(-2000);
  });
});
