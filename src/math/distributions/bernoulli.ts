/** Bernoulli and binomial masses, by probability and by log odds. */

import type { Operand } from '../autodiff/operand.ts';
import { lchoose } from '../special/beta.ts';
import { type Argument, populationSize, probability } from './arguments.ts';
import { type DensityCall, density } from './density.ts';

const outcome: Argument = [
  'Random variable',
  (call, y) => {
    for (let i = 0; i < y.size; i++) {
      const k = y.at(i);
      if (k !== 0 && k !== 1) y.fail(call.name, i, 'in the interval [0, 1]');
    }
  },
];
const successes: Argument = ['Successes variable', null];

/** log Bernoulli(y | theta) = log theta or log(1 − theta). */
export const bernoulliLpmf = density('bernoulli_lpmf', [outcome, probability], (call, y, theta) => {
  const { n } = call;
  if (theta.stride === 0) {
    let successes = 0;
    for (let i = 0; i < n; i++) successes += y.at(i);
    const p = theta.at(0);
    const failures = n - successes;
    if (theta.active) {
      theta.add(0, (successes > 0 ? successes / p : 0) - (failures > 0 ? failures / (1 - p) : 0));
    }
    return (
      (successes > 0 ? successes * Math.log(p) : 0) + (failures > 0 ? failures * Math.log1p(-p) : 0)
    );
  }
  let lp = 0;
  for (let i = 0; i < n; i++) {
    const p = theta.at(i);
    if (y.at(i) === 1) {
      lp += Math.log(p);
      if (theta.active) theta.add(i, 1 / p);
    } else {
      lp += Math.log1p(-p);
      if (theta.active) theta.add(i, -1 / (1 - p));
    }
  }
  return lp;
});

/** A single outcome retains full relative accuracy. */
function oneLogit(call: DensityCall, y: Operand, alpha: Operand): number {
  const sign = 2 * y.at(0) - 1;
  const s = sign * alpha.at(0);
  const e = Math.exp(-Math.abs(s));
  if (s !== s) call.checkNotNan(alpha);
  if (alpha.active) alpha.add(0, (s > 0 ? e * sign : sign) / (1 + e));
  return Math.min(s, 0) - Math.log1p(e);
}

/** Factors of at most 2 whose product stays below overflow. */
const chunk = 512;

/** log Bernoulli(y | inv_logit(alpha)) = −log1p(exp(∓alpha)); one exponential gives value and derivative. */
export const bernoulliLogitLpmf = density(
  'bernoulli_logit_lpmf',
  [outcome, ['Logit transformed probability parameter', null]],
  (call, y, alpha) => {
    const { n } = call;
    if (n === 1) return oneLogit(call, y, alpha);
    let lp = 0;
    for (let from = 0; from < n; from += chunk) {
      const end = Math.min(n, from + chunk);
      let product = 1;
      for (let i = from; i < end; i++) {
        const sign = 2 * y.at(i) - 1;
        const s = sign * alpha.at(i);
        const e = Math.exp(-Math.abs(s));
        product *= 1 + e;
        lp += Math.min(s, 0);
        // d/ds = 1 / (1 + exp(s))
        if (alpha.active) alpha.add(i, (sign * (s < 0 ? 1 : e)) / (1 + e));
      }
      lp -= Math.log(product);
    }
    if (lp !== lp) call.checkNotNan(alpha);
    return lp;
  },
);

/** The successes of trials that are nonnegative. */
function checkSuccesses(call: DensityCall, y: Operand, trials: Operand): void {
  for (let i = 0; i < call.n; i++) {
    const k = y.at(i);
    if (!(k >= 0 && k <= trials.at(i))) {
      y.fail(call.name, i, `in the interval [0, ${trials.at(i)}]`);
    }
  }
}

function sumLogChoose(n: number, y: Operand, trials: Operand): number {
  let sum = 0;
  for (let i = 0; i < n; i++) sum += lchoose(trials.at(i), y.at(i));
  return sum;
}

/** log Binomial(y | N, theta). */
export const binomialLpmf = density(
  'binomial_lpmf',
  [successes, populationSize, ['Probability parameter', null]],
  (call, y, trials, theta) => {
    const { n } = call;
    checkSuccesses(call, y, trials);
    call.checkBounded(theta, 0, 1);
    let lp = call.propto ? 0 : sumLogChoose(n, y, trials);
    for (let i = 0; i < n; i++) {
      const successes = y.at(i);
      const failures = trials.at(i) - successes;
      const p = theta.at(i);
      if (successes > 0) lp += successes * Math.log(p);
      if (failures > 0) lp += failures * Math.log1p(-p);
      if (theta.active) {
        theta.add(i, (successes > 0 ? successes / p : 0) - (failures > 0 ? failures / (1 - p) : 0));
      }
    }
    return lp;
  },
);

/** log Binomial(y | N, inv_logit(alpha)). */
export const binomialLogitLpmf = density(
  'binomial_logit_lpmf',
  [successes, populationSize, ['Probability parameter', null]],
  (call, y, trials, alpha) => {
    const { n } = call;
    checkSuccesses(call, y, trials);
    call.checkFinite(alpha);
    let lp = call.propto ? 0 : sumLogChoose(n, y, trials);
    for (let i = 0; i < n; i++) {
      const successes = y.at(i);
      const failures = trials.at(i) - successes;
      const a = alpha.at(i);
      const e = Math.exp(-Math.abs(a));
      const log1pE = Math.log1p(e);
      lp += successes * (Math.min(a, 0) - log1pE) - failures * (Math.max(a, 0) + log1pE);
      if (alpha.active) {
        const p = a > 0 ? 1 / (1 + e) : e / (1 + e);
        const q = a > 0 ? e / (1 + e) : 1 / (1 + e);
        alpha.add(i, successes * q - failures * p);
      }
    }
    return lp;
  },
);
