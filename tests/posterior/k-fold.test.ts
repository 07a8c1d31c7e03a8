/** K-fold cross-validation: folds that keep what they promise, and the sums that R's loo gives. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { kFoldOf, makeFolds } from '../../src/posterior/k-fold.ts';

const everywhere: (i: number) => boolean = () => true;
const counts = (fold: Int32Array, folds: number, among = everywhere) =>
  Array.from({ length: folds }, (_, k) => fold.filter((one, i) => one === k && among(i)).length);
const spread = (sizes: readonly number[]) => Math.max(...sizes) - Math.min(...sizes);

describe('folds', () => {
  it('are of one size but for one, at random by the seed', () => {
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

  it('have their share of each stratum, and keep groups whole', () => {
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

describe('the density of what was held out', () => {
  it('is that of R’s loo', () => {
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
});
