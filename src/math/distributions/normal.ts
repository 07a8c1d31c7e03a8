/** Normal, standard normal and lognormal densities (Stan functions reference, "Unbounded continuous distributions"). */

import type { Operand } from '../autodiff/operand.ts';
import { halfLogTwoPi } from '../special/constants.ts';
import { location, nonnegativeVariable, positiveScale, scale, variable } from './arguments.ts';
import { type DensityCall, density } from './density.ts';

function checkNormal(call: DensityCall, y: Operand, mu: Operand, sigma: Operand): void {
  call.checkNotNan(y);
  call.checkFinite(mu);
  call.checkPositive(sigma);
}

/** log Normal(y | mu, sigma) = −z²/2 − log sigma − log(2π)/2 with z = (y − mu)/sigma. */
export const normalLpdf = density(
  'normal_lpdf',
  [variable, ['Location parameter', null], positiveScale],
  (call, y, mu, sigma) => {
    const { n } = call;
    const sumSquares =
      sigma.stride === 0 ? sharedScale(n, y, mu, sigma) : ownScales(n, y, mu, sigma);
    // a NaN or infinite operand shows up in the sum, so the operands are checked only then
    if (!(sumSquares < Infinity)) checkNormal(call, y, mu, sigma);
    let lp = -0.5 * sumSquares;
    if (call.includes(sigma)) {
      if (sigma.stride === 0) lp -= n * Math.log(sigma.at(0));
      else for (let i = 0; i < n; i++) lp -= Math.log(sigma.at(i));
    }
    if (!call.propto) lp -= n * halfLogTwoPi;
    return lp;
  },
);

/** Σ z² for one sigma: the usual case, with the sums of the scalar operands in registers. */
function sharedScale(n: number, y: Operand, mu: Operand, sigma: Operand): number {
  const inv = 1 / sigma.at(0);
  const { values: ys, start: yStart, stride: yStride } = y;
  const { values: mus, start: muStart, stride: muStride } = mu;
  const yPartials = y.active && y.stride === 1 ? y.partials : null;
  const muPartials = mu.active && mu.stride === 1 ? mu.partials : null;
  const { partialStart: yAt } = y;
  const { partialStart: muAt } = mu;
  let sumSquares = 0;
  let sum = 0;
  for (let i = 0; i < n; i++) {
    const z = (ys[yStart + i * yStride] - mus[muStart + i * muStride]) * inv;
    sumSquares += z * z;
    sum += z;
    if (yPartials !== null) yPartials[yAt + i] = -z * inv;
    if (muPartials !== null) muPartials[muAt + i] = z * inv;
  }
  if (y.active && y.stride === 0) y.add(0, -sum * inv);
  if (mu.active && mu.stride === 0) mu.add(0, sum * inv);
  if (sigma.active) sigma.add(0, (sumSquares - n) * inv);
  return sumSquares;
}

function ownScales(n: number, y: Operand, mu: Operand, sigma: Operand): number {
  let sumSquares = 0;
  for (let i = 0; i < n; i++) {
    const inv = 1 / sigma.at(i);
    const z = (y.at(i) - mu.at(i)) * inv;
    sumSquares += z * z;
    if (y.active) y.add(i, -z * inv);
    if (mu.active) mu.add(i, z * inv);
    if (sigma.active) sigma.add(i, (z * z - 1) * inv);
  }
  return sumSquares;
}

/** log Normal(y | 0, 1). */
export const stdNormalLpdf = density('std_normal_lpdf', [variable], (call, y) => {
  const { n } = call;
  let sumSquares = 0;
  for (let i = 0; i < n; i++) {
    const x = y.at(i);
    sumSquares += x * x;
    if (y.active) y.add(i, -x);
  }
  if (!(sumSquares < Infinity)) call.checkNotNan(y);
  return -0.5 * sumSquares - (call.propto ? 0 : n * halfLogTwoPi);
});

/** log LogNormal(y | mu, sigma) = log Normal(log y | mu, sigma) − log y; −∞ at y = 0. */
export const lognormalLpdf = density(
  'lognormal_lpdf',
  [nonnegativeVariable, location, scale],
  (call, y, mu, sigma) => {
    const { n } = call;
    const logSigma = sigma.derive(0, Math.log);
    const withSigma = call.includes(sigma);
    const withY = call.includes(y);
    const constant = call.propto ? 0 : halfLogTwoPi;
    let lp = 0;
    for (let i = 0; i < n; i++) {
      const x = y.at(i);
      if (x === 0) return -Infinity;
      const logX = Math.log(x);
      const inv = 1 / sigma.at(i);
      const z = (logX - mu.at(i)) * inv;
      lp -= 0.5 * z * z + constant;
      if (withSigma) lp -= logSigma[i * sigma.stride];
      if (withY) lp -= logX;
      if (y.active) y.add(i, -(1 + z * inv) / x);
      if (mu.active) mu.add(i, z * inv);
      if (sigma.active) sigma.add(i, (z * z - 1) * inv);
    }
    return lp;
  },
);
