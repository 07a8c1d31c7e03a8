/** Ordered outcomes: logistic and probit with cutpoints, also with a linear predictor. */

import type { Operand } from '../autodiff/operand.ts';
import { ShapeError } from '../errors.ts';
import { logPhi, logPhiDx, phi } from '../special/erf.ts';
import { log1mExp } from '../special/log-exp.ts';
import { tableExp, tableLog1p } from '../special/table-functions.ts';
import { type DensityCall, type PlainStep, plainDensity } from './density.ts';

/** log(F(u) − F(l)) for u > l, either infinite, and its derivatives, written into `interval`. */
interface Interval {
  logP: number;
  du: number;
  dl: number;
}
export const interval: Interval = { logP: 0, du: 0, dl: 0 };
export type IntervalFunction = (u: number, l: number) => void;

/** F logistic: log(F(u) − F(l)) = log(1 − e^{l − u}) + log F(u) + log(1 − F(l)). */
export function logisticInterval(u: number, l: number): void {
  const ofU = tableExp(-Math.abs(u));
  const ofL = tableExp(-Math.abs(l));
  // log F(u) and log(1 − F(l)), and their derivatives
  const logU = Math.min(u, 0) - tableLog1p(ofU);
  const logL = -Math.max(l, 0) - tableLog1p(ofL);
  const slopeU = (u > 0 ? ofU : 1) / (1 + ofU);
  const slopeL = (l > 0 ? 1 : ofL) / (1 + ofL);
  if (u === Infinity) {
    interval.logP = logL;
    interval.du = 0;
    interval.dl = -slopeL;
    return;
  }
  if (l === -Infinity) {
    interval.logP = logU;
    interval.du = slopeU;
    interval.dl = 0;
    return;
  }
  const width = -Math.expm1(l - u);
  const share = (1 - width) / width;
  interval.logP = Math.log(width) + logU + logL;
  interval.du = slopeU + share;
  interval.dl = -slopeL - share;
}

/** F = Φ; in the right half, the difference is taken between the complements, which do not cancel. */
export function normalInterval(u: number, l: number): void {
  if (l > 0) {
    normalInterval(-l, -u);
    const { du } = interval;
    interval.du = -interval.dl;
    interval.dl = -du;
    return;
  }
  const logU = u === Infinity ? 0 : logPhi(u);
  if (l === -Infinity) {
    interval.logP = logU;
    interval.du = u === Infinity ? 0 : logPhiDx(u);
    interval.dl = 0;
    return;
  }
  const logL = logPhi(l);
  const logP = u > 0 ? Math.log1p(-(phi(-u) + phi(l))) : logU + log1mExp(logL - logU);
  interval.logP = logP;
  interval.du = u === Infinity ? 0 : logPhiDx(u) * Math.exp(logU - logP);
  interval.dl = -logPhiDx(l) * Math.exp(logL - logP);
}

function checkCutpoints(call: DensityCall, c: Operand, from: number, count: number): void {
  for (let k = from; k < from + count; k++) {
    if (k > from && !(c.at(k) > c.at(k - 1))) c.fail(call.name, k, 'greater than the one before');
    if (!(Math.abs(c.at(k)) < Infinity)) c.fail(call.name, k, 'finite');
  }
}

function orderedDensity(name: string, intervalOf: IntervalFunction) {
  return plainDensity(
    name,
    ['Random variable', 'Location parameter', 'Cut-points'],
    ({ call, operands: [y, eta, c], args, kinds }) => {
      const ownCuts = kinds[2].startsWith('[');
      const numVectors = ownCuts ? (args[2] as readonly unknown[]).length : 1;
      const count = numVectors === 0 ? 0 : c.size / numVectors;
      const n = Math.max(y.stride === 0 ? 1 : y.size, eta.stride === 0 ? 1 : eta.size);
      checkSizes(name, n, y, eta, ownCuts ? numVectors : -1);
      call.checkFinite(eta);
      for (let v = 0; v < numVectors; v++) checkCutpoints(call, c, v * count, count);
      let lp = 0;
      for (let i = 0; i < n; i++) {
        const k = y.at(i);
        if (!(k >= 1 && k <= count + 1)) y.fail(name, i, `in the interval [1, ${count + 1}]`);
        const from = (ownCuts ? i * count : 0) - 1;
        const e = eta.at(i);
        intervalOf(
          k === 1 ? Infinity : e - c.at(from + k - 1),
          k > count ? -Infinity : e - c.at(from + k),
        );
        lp += interval.logP;
        if (eta.active) eta.add(i, interval.du + interval.dl);
        if (!c.active) continue;
        if (k > 1) c.add(from + k - 1, -interval.du);
        if (k <= count) c.add(from + k, -interval.dl);
      }
      return lp;
    },
  );
}

function checkSizes(name: string, n: number, y: Operand, eta: Operand, cutVectors: number): void {
  const fits = (x: Operand) => x.stride === 0 || x.size === n;
  if (fits(y) && fits(eta) && (cutVectors < 0 || cutVectors === n)) return;
  for (const [what, size] of [
    [y.label, y.stride === 0 ? n : y.size],
    [eta.label, eta.stride === 0 ? n : eta.size],
    ['Cut-points', cutVectors < 0 ? n : cutVectors],
  ] as const) {
    if (size !== n)
      throw new ShapeError(
        `${name}: size of ${what} (${size}) and of the others (${n}) must match`,
      );
  }
}

/** P(y ≤ k) = inv_logit(c_k − eta) (McCullagh 1980). */
export const orderedLogisticLpmf = orderedDensity('ordered_logistic_lpmf', logisticInterval);
/** P(y ≤ k) = Φ(c_k − eta). */
export const orderedProbitLpmf = orderedDensity('ordered_probit_lpmf', normalInterval);

/** The rows of predictors, and as many outcomes; a single row_vector applies to all outcomes. */
function predictorRows({ call, operands: [y, x], args, kinds }: PlainStep, cols: number) {
  const isMatrix = kinds[1] === 'M' || kinds[1] === 'W';
  const rows = isMatrix ? (args[1] as { rows: number }).rows : 1;
  const n = isMatrix ? rows : y.size;
  if (x.size !== rows * cols || (y.stride === 1 && y.size !== n)) {
    throw new ShapeError(
      `${call.name}: sizes of outcomes, independent variables and weights do not fit`,
    );
  }
  return { isMatrix, rows, n };
}

/** Ordered logistic at eta = x beta; x a matrix or one row_vector. */
export const orderedLogisticGlmLpmf = plainDensity(
  'ordered_logistic_glm_lpmf',
  [
    'Vector of dependent variables',
    'Matrix of independent variables',
    'Weight vector',
    'Cut-points',
  ],
  (step) => {
    const { call } = step;
    const [y, x, beta, c] = step.operands;
    const cols = beta.size;
    const { isMatrix, rows, n } = predictorRows(step, cols);
    checkCutpoints(call, c, 0, c.size);
    let lp = 0;
    for (let i = 0; i < n; i++) {
      const row = isMatrix ? i : 0;
      let eta = 0;
      for (let j = 0; j < cols; j++) eta += x.at(row + j * rows) * beta.at(j);
      if (!(Math.abs(eta) < Infinity)) beta.fail(call.name, 0, 'finite');
      const k = y.at(i);
      if (!(k >= 1 && k <= c.size + 1)) y.fail(call.name, i, `in the interval [1, ${c.size + 1}]`);
      logisticInterval(
        k === 1 ? Infinity : eta - c.at(k - 2),
        k > c.size ? -Infinity : eta - c.at(k - 1),
      );
      lp += interval.logP;
      const d = interval.du + interval.dl;
      for (let j = 0; j < cols; j++) {
        if (beta.active) beta.add(j, d * x.at(row + j * rows));
        if (x.active) x.add(row + j * rows, d * beta.at(j));
      }
      if (!c.active) continue;
      if (k > 1) c.add(k - 2, -interval.du);
      if (k <= c.size) c.add(k - 1, -interval.dl);
    }
    return lp;
  },
);

/** Categorical logit at alpha + x beta, one column of beta per category. */
export const categoricalLogitGlmLpmf = plainDensity(
  'categorical_logit_glm_lpmf',
  [
    'Vector of dependent variables',
    'Matrix of independent variables',
    'Intercept',
    'Weight matrix',
  ],
  (step) => {
    const { call } = step;
    const [y, x, alpha, beta] = step.operands;
    const categories = alpha.size;
    const cols = categories === 0 ? 0 : beta.size / categories;
    const { isMatrix, rows, n } = predictorRows(step, cols);
    const eta = new Float64Array(categories);
    let lp = 0;
    for (let i = 0; i < n; i++) {
      const row = isMatrix ? i : 0;
      const k = y.at(i);
      if (!(k >= 1 && k <= categories)) y.fail(call.name, i, `in the interval [1, ${categories}]`);
      let max = -Infinity;
      for (let m = 0; m < categories; m++) {
        let s = alpha.at(m);
        for (let j = 0; j < cols; j++) s += x.at(row + j * rows) * beta.at(j + m * cols);
        if (!(Math.abs(s) < Infinity)) alpha.fail(call.name, m, 'finite');
        eta[m] = s;
        max = Math.max(max, s);
      }
      let total = 0;
      for (let m = 0; m < categories; m++) total += Math.exp(eta[m] - max);
      const normaliser = max + Math.log(total);
      lp += eta[k - 1] - normaliser;
      for (let m = 0; m < categories; m++) {
        const d = (m === k - 1 ? 1 : 0) - Math.exp(eta[m] - normaliser);
        if (alpha.active) alpha.add(m, d);
        for (let j = 0; j < cols; j++) {
          if (beta.active) beta.add(j + m * cols, d * x.at(row + j * rows));
          if (x.active) x.add(row + j * rows, d * beta.at(j + m * cols));
        }
      }
    }
    return lp;
  },
);
