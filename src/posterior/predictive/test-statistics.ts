/** Statistics of the data and of the model's replications, with the posterior predictive p-value of each. */
import { quantileOfSorted } from '../quantile.ts';
import { type OutcomeKind, type Predictive, replicateOf } from './replications.ts';

export const statisticNames = ['mean', 'sd', 'median', 'min', 'max', 'zeros'] as const;
export type StatisticName = (typeof statisticNames)[number];

export interface TestStatistic {
  readonly name: StatisticName;
  /** T(y). */
  readonly observed: number;
  /** T of each replicated data set for which it is defined. */
  readonly replicated: Float64Array;
  /** Pr(T(y_rep) ≥ T(y)), and Pr(T(y_rep) ≤ T(y)): with ties they add up to more than 1. */
  readonly p: number;
  readonly pBelow: number;
  /** The smaller tail is below 2.5 %: the data would be unusual under the model. */
  readonly isUnusual: boolean;
}

/** Tail probability that counts as unusual. */
const unusualTail = 0.025;

const functions: Readonly<Record<StatisticName, (values: Float64Array) => number>> = {
  mean,
  sd: (values) => {
    const center = mean(values);
    let squares = 0;
    for (const value of values) squares += (value - center) ** 2;
    return Math.sqrt(squares / (values.length - 1));
  },
  median: (values) => (hasNaN(values) ? NaN : quantileOfSorted(values.slice().sort(), 0.5)),
  min: (values) => values.reduce((least, value) => Math.min(least, value), Infinity),
  max: (values) => values.reduce((most, value) => Math.max(most, value), -Infinity),
  zeros: (values) =>
    values.reduce((sum, value) => (value === 0 ? sum + 1 : sum), 0) / values.length,
};

function mean(values: Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}

const hasNaN = (values: Float64Array) => values.some(Number.isNaN);

/** Statistics shown for an outcome: the proportion of zeros if there can be any. */
export function statisticsFor(outcome: OutcomeKind, y: Float64Array): readonly StatisticName[] {
  if (outcome === 'binary') return ['mean', 'sd'];
  const has = outcome === 'count' || y.includes(0);
  return statisticNames.filter((name) => name !== 'zeros' || has);
}

/**
 * The statistics of the data compared with those of all draws. Draws with a non-finite statistic are left out; p is NaN
 * if none is left. The sd divides by n − 1; `zeros` is the proportion of zeros.
 * Source: Gelman, Meng & Stern 1996, Statistica Sinica 6(4); Gelman et al. 2013, Bayesian Data Analysis, section 6.3.
 */
export function testStatistics(
  predictive: Predictive,
  names: readonly StatisticName[] = statisticNames,
): TestStatistic[] {
  const { y, replicated, numDraws } = predictive;
  const drawn = names.map(() => new Float64Array(numDraws));
  const values = new Float64Array(replicated.length);
  for (let s = 0; s < numDraws; s++) {
    replicateOf(predictive, s, values);
    for (const [i, name] of names.entries()) drawn[i][s] = functions[name](values);
  }
  return names.map((name, i) => {
    const observed = functions[name](y);
    const finite = drawn[i].filter(Number.isFinite);
    const share = (is: (value: number) => boolean) => finite.filter(is).length / finite.length;
    const p = share((value) => value >= observed);
    const pBelow = share((value) => value <= observed);
    return {
      name,
      observed,
      replicated: finite,
      p,
      pBelow,
      isUnusual: Math.min(p, pBelow) < unusualTail,
    };
  });
}
