/** K-fold cross-validation: which observations are held out together, and their predictive density. */
import { sampleVariance } from './autocovariance.ts';
import { createRandom } from './seeded-random.ts';

export interface FoldRequest {
  /** Observations. */
  readonly count: number;
  readonly folds: number;
  readonly seed: number;
  /** One value per observation: each fold gets its share of every value. */
  readonly strata?: ArrayLike<number>;
  /** One value per observation: observations with the same value are in one fold. */
  readonly groups?: ArrayLike<number>;
}

/** The fold of each observation, from 0; sizes differ by at most one, or by one group if groups stay together. */
export function makeFolds({ count, folds, seed, strata, groups }: FoldRequest): Int32Array {
  const random = createRandom(seed);
  const fold = new Int32Array(count);
  if (groups !== undefined) {
    const byGroup = gatherBy(groups, count);
    shuffled([...byGroup.values()], random)
      // large groups first, each into the fold with the fewest observations
      .toSorted((a, b) => b.length - a.length)
      .reduce((sizes, members) => {
        const smallest = sizes.indexOf(Math.min(...sizes));
        for (const i of members) fold[i] = smallest;
        return sizes.with(smallest, sizes[smallest] + members.length);
      }, Array<number>(folds).fill(0));
    return fold;
  }
  const all = Array.from({ length: count }, (_, i) => i);
  const parts = strata === undefined ? [all] : [...gatherBy(strata, count).values()];
  let next = 0;
  for (const part of parts) for (const i of shuffled(part, random)) fold[i] = next++ % folds;
  return fold;
}

function gatherBy(values: ArrayLike<number>, count: number): Map<number, number[]> {
  const found = new Map<number, number[]>();
  for (let i = 0; i < count; i++) {
    const members = found.get(values[i]);
    if (members === undefined) found.set(values[i], [i]);
    else members.push(i);
  }
  return found;
}

function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
  const all = [...items];
  for (let i = all.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [all[i], all[j]] = [all[j], all[i]];
  }
  return all;
}

export interface KFold {
  readonly elpd_kfold: number;
  readonly se_elpd_kfold: number;
  /** −2 elpd_kfold. */
  readonly kfoldic: number;
  readonly se_kfoldic: number;
  /** Effective number of parameters; absent without the run on all data. */
  readonly p_kfold?: number;
  readonly se_p_kfold?: number;
  readonly pointwise: Float64Array;
}

/**
 * `heldOut`: for each observation draws of log p(y_i | θ) in the run without its fold; `full`: in the run on all data.
 * Standard errors as R's loo computes them.
 * Source: Vehtari, Gelman & Gabry 2017, Statistics and Computing 27(5), section 2.3.
 */
export function kFoldOf(heldOut: readonly Float64Array[], full?: readonly Float64Array[]): KFold {
  const pointwise = Float64Array.from(heldOut, logMeanExp);
  const sums = totalOf(pointwise);
  const shared = {
    elpd_kfold: sums.total,
    se_elpd_kfold: sums.se,
    kfoldic: -2 * sums.total,
    se_kfoldic: 2 * sums.se,
    pointwise,
  };
  if (full === undefined) return shared;
  const p = totalOf(Float64Array.from(full, (draws, i) => logMeanExp(draws) - pointwise[i]));
  return { ...shared, p_kfold: p.total, se_p_kfold: p.se };
}

function totalOf(values: Float64Array): { total: number; se: number } {
  const total = values.reduce((sum, value) => sum + value, 0);
  return { total, se: Math.sqrt(values.length * sampleVariance(values)) };
}

function logMeanExp(values: Float64Array): number {
  const most = values.reduce((max, value) => Math.max(max, value), Number.NEGATIVE_INFINITY);
  if (!Number.isFinite(most)) return most;
  const sum = values.reduce((total, value) => total + Math.exp(value - most), 0);
  return most + Math.log(sum / values.length);
}
