/** The tails of discrete distributions, in logarithms, with derivatives in their real parameters. */
import { lbeta, lchoose } from '../special/beta.ts';
import { digamma, lgamma, logRisingRatio } from '../special/gamma.ts';
import { IncompleteGamma } from '../special/incomplete-gamma.ts';
import type { Tail, TailStep } from './cumulative.ts';
import { setBeta } from './tails-continuous.ts';

const gamma = new IncompleteGamma();

export const bernoulliTail: Tail = (step, y, theta) => {
  if (y < 0 || y >= 1) step.setEdge(step.upper ? y < 0 : y >= 1);
  else if (step.upper) step.set(Math.log(theta), 0, 1 / theta);
  else step.set(Math.log1p(-theta), 0, -1 / (1 - theta));
};

/** P(Y > y) = Q of the gamma variable: P(Y ≤ y) = Q(y + 1, lambda) (DLMF 8.4.10). */
export const poissonTail: Tail = (step, y, lambda) => {
  if (y < 0) return step.setEdge(step.upper);
  gamma.compute(y + 1, lambda);
  const logP = step.upper ? gamma.logP : gamma.logQ;
  const density = Math.exp(gamma.logDensity - logP);
  step.set(logP, 0, step.upper ? density : -density);
};

/** P(Y > y) = I_theta(y + 1, N − y) (DLMF 8.17.5). */
export const binomialTail: Tail = (step, y, trials, theta) => {
  if (y < 0 || y >= trials) return step.setEdge(step.upper ? y < 0 : y >= trials);
  const { dx } = setBeta(step, theta, 1 - theta, y + 1, trials - y, true);
  step.db = dx;
};

/** P(Y ≤ y) = I_p(alpha, y + 1), p = beta/(1 + beta). */
export const negBinomialTail: Tail = (step, y, alpha, beta) => {
  if (y < 0) return step.setEdge(step.upper);
  const { dx, da } = setBeta(step, beta / (1 + beta), 1 / (1 + beta), alpha, y + 1);
  step.da = da;
  step.db = dx / (1 + beta) ** 2;
};

/** P(Y ≤ y) = I_p(phi, y + 1), p = phi/(mu + phi). */
export const negBinomial2Tail: Tail = (step, y, mu, phi) => {
  if (y < 0) return step.setEdge(step.upper);
  const total = mu + phi;
  const { dx, da } = setBeta(step, phi / total, mu / total, phi, y + 1);
  step.da = (-dx * phi) / (total * total);
  step.db = da + (dx * mu) / (total * total);
};

/** Sums masses given as (logMass, derivatives) from `low` to `high` into the step; complements if requested. */
function sumMasses(
  step: TailStep,
  range: { low: number; high: number; complement: boolean },
  mass: (k: number) => readonly [number, number, number, number],
): void {
  let p = 0;
  let da = 0;
  let db = 0;
  let dc = 0;
  for (let k = range.low; k <= range.high; k++) {
    const [log, a, b, c] = mass(k);
    const m = Math.exp(log);
    p += m;
    da += m * a;
    db += m * b;
    dc += m * c;
  }
  if (range.complement) step.set(Math.log1p(-p), 0, -da / (1 - p), -db / (1 - p), -dc / (1 - p));
  else step.set(Math.log(p), 0, da / p, db / p, dc / p);
}

export const betaBinomialTail: Tail = (step, y, trials, alpha, beta) => {
  if (y < 0 || y >= trials) return step.setEdge(step.upper ? y < 0 : y >= trials);
  const range = step.upper
    ? { low: y + 1, high: trials, complement: false }
    : { low: 0, high: y, complement: false };
  const common = digamma(alpha + beta) - digamma(trials + alpha + beta);
  const lbetaPrior = lbeta(alpha, beta);
  sumMasses(step, range, (k) => [
    lchoose(trials, k) + lbeta(k + alpha, trials - k + beta) - lbetaPrior,
    0,
    digamma(k + alpha) - digamma(alpha) + common,
    digamma(trials - k + beta) - digamma(beta) + common,
  ]);
};

export const betaNegBinomialTail: Tail = (step, y, r, alpha, beta) => {
  if (y < 0) return step.setEdge(step.upper);
  const lbetaPrior = lbeta(alpha, beta);
  sumMasses(step, { low: 0, high: y, complement: step.upper }, (k) => {
    const total = digamma(alpha + beta + r + k);
    return [
      logRisingRatio(r, k) - lgamma(k + 1) + lbeta(alpha + r, beta + k) - lbetaPrior,
      digamma(r + k) - digamma(r) + digamma(alpha + r) - total,
      digamma(alpha + r) - total - digamma(alpha) + digamma(alpha + beta),
      digamma(beta + k) - total - digamma(beta) + digamma(alpha + beta),
    ];
  });
};

/** P(Y > y) = y B(y, alpha + 1). */
export const yuleSimonTail: Tail = (step, y, alpha) => {
  if (y < 1) return step.setEdge(step.upper);
  const logUpper = Math.log(y) + lbeta(y, alpha + 1);
  const d = digamma(alpha + 1) - digamma(alpha + 1 + y);
  if (step.upper) return step.set(logUpper, 0, d);
  const p = Math.exp(logUpper);
  step.set(Math.log1p(-p), 0, (-p * d) / (1 - p));
};

export const discreteRangeTail: Tail = (step, y, low, high) => {
  if (y < low || y >= high) return step.setEdge(step.upper ? y < low : y >= high);
  const width = high - low + 1;
  step.set(Math.log((step.upper ? high - y : y - low + 1) / width));
};
