/** Masses over categories and counts of categories, and the Dirichlet density of their probabilities. */

import type { Operand } from '../autodiff/operand.ts';
import { DomainError, ShapeError } from '../errors.ts';
import { digamma, lgamma, logRisingRatio } from '../special/gamma.ts';
import { logSumExp } from '../special/log-exp.ts';
import { checkSimplex } from '../transforms/vector-constraints.ts';
import { type DensityCall, plainDensity } from './density.ts';

function valuesOf(x: Operand): Float64Array {
  return x.values.slice(x.start, x.start + x.size);
}

/** Σ log theta[y]. */
export const categoricalLpmf = plainDensity(
  'categorical_lpmf',
  ['Number of categories', 'Probabilities parameter'],
  ({ call, operands: [y, theta] }) => {
    call.checkBounded(y, 1, theta.size);
    checkSimplex(`${call.name}: Probabilities parameter`, valuesOf(theta));
    let lp = 0;
    for (let i = 0; i < y.size; i++) {
      const p = theta.at(y.at(i) - 1);
      lp += Math.log(p);
      if (theta.active) theta.add(y.at(i) - 1, 1 / p);
    }
    return lp;
  },
);

/** Σ beta[y] − log_sum_exp(beta). */
export const categoricalLogitLpmf = plainDensity(
  'categorical_logit_lpmf',
  ['Categorical outcome', 'Log odds parameter'],
  ({ call, operands: [y, beta] }) => {
    call.checkBounded(y, 1, beta.size);
    call.checkFinite(beta);
    const total = logSumExp(valuesOf(beta));
    let lp = -y.size * total;
    for (let i = 0; i < y.size; i++) {
      lp += beta.at(y.at(i) - 1);
      if (beta.active) beta.add(y.at(i) - 1, 1);
    }
    if (beta.active) {
      for (let k = 0; k < beta.size; k++) beta.add(k, -y.size * Math.exp(beta.at(k) - total));
    }
    return lp;
  },
);

function checkCounts(call: DensityCall, counts: Operand, other: Operand): number {
  if (counts.size !== other.size) {
    throw new ShapeError(
      `${call.name}: size of ${counts.label} (${counts.size}) and size of ${other.label} (${other.size}) must match`,
    );
  }
  call.checkNonnegative(counts);
  let total = 0;
  for (let k = 0; k < counts.size; k++) total += counts.at(k);
  return total;
}

function logMultinomialCoefficient(counts: Operand, total: number): number {
  let s = lgamma(total + 1);
  for (let k = 0; k < counts.size; k++) s -= lgamma(counts.at(k) + 1);
  return s;
}

export const multinomialLpmf = plainDensity(
  'multinomial_lpmf',
  ['Number of trials variable', 'Probabilities parameter'],
  ({ call, operands: [counts, theta] }) => {
    const total = checkCounts(call, counts, theta);
    checkSimplex(`${call.name}: Probabilities parameter`, valuesOf(theta));
    let lp = call.propto ? 0 : logMultinomialCoefficient(counts, total);
    for (let k = 0; k < counts.size; k++) {
      const c = counts.at(k);
      if (c === 0) continue;
      lp += c * Math.log(theta.at(k));
      if (theta.active) theta.add(k, c / theta.at(k));
    }
    return lp;
  },
);

export const multinomialLogitLpmf = plainDensity(
  'multinomial_logit_lpmf',
  ['Number of trials variable', 'log-probabilities parameter'],
  ({ call, operands: [counts, beta] }) => {
    const total = checkCounts(call, counts, beta);
    call.checkFinite(beta);
    const normaliser = logSumExp(valuesOf(beta));
    let lp = call.propto ? 0 : logMultinomialCoefficient(counts, total);
    for (let k = 0; k < counts.size; k++) {
      const c = counts.at(k);
      lp += c * (beta.at(k) - normaliser);
      if (beta.active) beta.add(k, c - total * Math.exp(beta.at(k) - normaliser));
    }
    return lp;
  },
);

/** Multinomial with Dirichlet probabilities: N! Γ(A)/Γ(N + A) Π Γ(n_k + alpha_k)/(n_k! Γ(alpha_k)), A = Σ alpha. */
export const dirichletMultinomialLpmf = plainDensity(
  'dirichlet_multinomial_lpmf',
  ['Number of trials variable', 'Prior size parameter'],
  ({ call, operands: [counts, alpha] }) => {
    const total = checkCounts(call, counts, alpha);
    call.checkPositiveFinite(alpha);
    let sum = 0;
    for (let k = 0; k < alpha.size; k++) sum += alpha.at(k);
    let lp = call.propto ? 0 : logMultinomialCoefficient(counts, total);
    lp -= logRisingRatio(sum, total);
    const common = alpha.active ? digamma(sum) - digamma(total + sum) : 0;
    for (let k = 0; k < counts.size; k++) {
      const c = counts.at(k);
      const a = alpha.at(k);
      lp += logRisingRatio(a, c);
      if (alpha.active) alpha.add(k, common + digamma(a + c) - digamma(a));
    }
    return lp;
  },
);

/** log Γ(Σ alpha) − Σ log Γ(alpha_k) + Σ (alpha_k − 1) log theta_k, summed over arrays of vectors. */
export const dirichletLpdf = plainDensity(
  'dirichlet_lpdf',
  ['Probabilities variable', 'Prior sample size parameter'],
  ({ call, operands: [theta, alpha], args, kinds }) => {
    const size = vectorSize(theta, args[0], kinds[0]);
    const alphaSize = vectorSize(alpha, args[1], kinds[1]);
    if (size !== alphaSize) {
      throw new ShapeError(
        `${call.name}: size of Probabilities variable (${size}) and size of Prior sample size parameter (${alphaSize}) must match`,
      );
    }
    call.checkPositiveFinite(alpha);
    const numVectors = size === 0 ? 0 : Math.max(theta.size, alpha.size) / size;
    let lp = 0;
    for (let v = 0; v < numVectors; v++) {
      const thetaAt = theta.size === size ? 0 : v * size;
      const alphaAt = alpha.size === size ? 0 : v * size;
      checkProbabilities(call, theta, thetaAt, size);
      lp += dirichletTerm(call, { theta, alpha, thetaAt, alphaAt, size });
    }
    return lp;
  },
);

/** Size of one vector of an operand that may be an array of them. */
function vectorSize(operand: Operand, argument: unknown, kind: string): number {
  if (!kind.startsWith('[')) return operand.size;
  const { length } = argument as readonly unknown[];
  return length === 0 ? 0 : operand.size / length;
}

function checkProbabilities(call: DensityCall, theta: Operand, from: number, size: number): void {
  let sum = 0;
  for (let k = from; k < from + size; k++) sum += theta.at(k);
  if (Math.abs(sum - 1) <= 1e-8) return;
  throw new DomainError(
    `${call.name}: Probabilities variable is not a valid simplex. Its sum is ${sum}, but should be 1`,
  );
}

interface DirichletTerm {
  readonly theta: Operand;
  readonly alpha: Operand;
  readonly thetaAt: number;
  readonly alphaAt: number;
  readonly size: number;
}

function dirichletTerm(call: DensityCall, term: DirichletTerm): number {
  const { theta, alpha, thetaAt, alphaAt, size } = term;
  const withNormaliser = call.includes(alpha);
  let lp = 0;
  let sum = 0;
  for (let k = 0; k < size; k++) sum += alpha.at(alphaAt + k);
  if (withNormaliser) lp += lgamma(sum);
  const digammaSum = alpha.active ? digamma(sum) : 0;
  for (let k = 0; k < size; k++) {
    const a = alpha.at(alphaAt + k);
    const t = theta.at(thetaAt + k);
    const logT = Math.log(t);
    if (withNormaliser) lp -= lgamma(a);
    if (a !== 1) lp += (a - 1) * logT;
    if (theta.active) theta.add(thetaAt + k, (a - 1) / t);
    if (alpha.active) alpha.add(alphaAt + k, digammaSum - digamma(a) + logT);
  }
  return lp;
}
