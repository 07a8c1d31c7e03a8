/** The tails of continuous distributions, in logarithms, with derivatives. */

import { besselRatio, logBesselI0 } from '../special/bessel.ts';
import { lbeta } from '../special/beta.ts';
import { logPhi, logPhiDx, normalDensity, phi } from '../special/erf.ts';
import { gaussLegendre20 } from '../special/gauss-legendre.ts';
import { IncompleteBeta } from '../special/incomplete-beta.ts';
import { IncompleteGamma } from '../special/incomplete-gamma.ts';
import { invLogit, log1mExp, log1pExp } from '../special/log-exp.ts';
import { owensT, owensTDa } from '../special/owens-t.ts';
import type { Tail, TailStep } from './cumulative.ts';

const gamma = new IncompleteGamma();
const beta = new IncompleteBeta();

/** A tail in z = (y − mu)/sigma: from logP and d logP/dz to derivatives in y, mu, sigma. */
function setLocationScale(
  step: TailStep,
  logP: number,
  dz: number,
  z: number,
  sigma: number,
): void {
  const d = dz / sigma;
  step.set(logP, d, -d, -d * z);
}

export const normalTail: Tail = (step, y, mu, sigma) => {
  const z = (y - mu) / sigma;
  if (step.upper) setLocationScale(step, logPhi(-z), -logPhiDx(-z), z, sigma);
  else setLocationScale(step, logPhi(z), logPhiDx(z), z, sigma);
};

export const stdNormalTail: Tail = (step, y) => {
  if (step.upper) step.set(logPhi(-y), -logPhiDx(-y));
  else step.set(logPhi(y), logPhiDx(y));
};

export const lognormalTail: Tail = (step, y, mu, sigma) => {
  if (y === 0) return step.setEdge(step.upper);
  normalTail(step, Math.log(y), mu, sigma, 0);
  step.dy /= y;
};

/** F = atan2(1, −z)/π: no cancellation in either tail. */
export const cauchyTail: Tail = (step, y, mu, sigma) => {
  const z = (y - mu) / sigma;
  const p = Math.atan2(1, step.upper ? z : -z) / Math.PI;
  const density = 1 / (Math.PI * (1 + z * z));
  setLocationScale(step, Math.log(p), (step.upper ? -density : density) / p, z, sigma);
};

/** The tail beyond |t| is ½ I_x(ν/2, ½) with x = ν/(ν + t²) (DLMF 8.17; Abramowitz & Stegun 26.5.27). */
export const studentTTail: Tail = (step, y, nu, mu, sigma) => {
  const t = (y - mu) / sigma;
  const outer = step.upper ? t > 0 : t < 0;
  const t2 = t * t;
  const x = nu / (nu + t2);
  const xc = t2 / (nu + t2);
  beta.compute(0.5 * nu, 0.5, x, xc);
  // log of the outer tail, its derivatives in |t| and ν
  const logOuter = beta.logI - Math.LN2;
  const logDensity = logStudentDensity(t2, nu);
  const dxdnu = x * (xc / nu);
  const dOuterDnu =
    0.5 * beta.daLogI + (xc > 0 ? Math.exp(beta.logDensity - beta.logI) * dxdnu : 0);
  const sign = step.upper ? -1 : 1;
  if (outer) {
    const dt = sign * Math.exp(logDensity - logOuter);
    step.set(logOuter, dt / sigma, dOuterDnu, -dt / sigma, (-dt * t) / sigma);
    return;
  }
  const p = Math.exp(logOuter);
  const dt = (sign * Math.exp(logDensity)) / (1 - p);
  step.set(Math.log1p(-p), dt / sigma, (-p * dOuterDnu) / (1 - p), -dt / sigma, (-dt * t) / sigma);
};

/** log of the t density, (1 + t²/ν)^(−(ν + 1)/2) / (√ν B(ν/2, ½)). */
function logStudentDensity(t2: number, nu: number): number {
  return -0.5 * (nu + 1) * Math.log1p(t2 / nu) - 0.5 * Math.log(nu) - lbeta(0.5 * nu, 0.5);
}

export const logisticTail: Tail = (step, y, mu, sigma) => {
  const z = (y - mu) / sigma;
  if (step.upper) setLocationScale(step, -log1pExp(z), -invLogit(z), z, sigma);
  else setLocationScale(step, -log1pExp(-z), invLogit(-z), z, sigma);
};

export const loglogisticTail: Tail = (step, y, alpha, shape) => {
  if (y === 0) return step.setEdge(step.upper);
  const logRatio = Math.log(y) - Math.log(alpha);
  const z = shape * logRatio;
  const dz = step.upper ? -invLogit(z) : invLogit(-z);
  const logP = step.upper ? -log1pExp(z) : -log1pExp(-z);
  step.set(logP, (dz * shape) / y, (-dz * shape) / alpha, dz * logRatio);
};

/** In w = z for the lower and −z for the upper tail: exp(w)/2 below 0, 1 − exp(−w)/2 above. */
export const doubleExponentialTail: Tail = (step, y, mu, sigma) => {
  const z = (y - mu) / sigma;
  const w = step.upper ? -z : z;
  const sign = step.upper ? -1 : 1;
  if (w < 0) return setLocationScale(step, w - Math.LN2, sign, z, sigma);
  const half = 0.5 * Math.exp(-w);
  setLocationScale(step, Math.log1p(-half), (sign * half) / (1 - half), z, sigma);
};

export const gumbelTail: Tail = (step, y, mu, sigma) => {
  const z = (y - mu) / sigma;
  const w = Math.exp(-z);
  if (step.upper) setLocationScale(step, log1mExp(-w), w === 0 ? -1 : -w / Math.expm1(w), z, sigma);
  else setLocationScale(step, -w, w, z, sigma);
};

/** F = Φ(z) − B, B = exp(v²/2 − vz) Φ(z − v), v = lambda sigma; dF/dz = v B, dF/dv = (z − v) B + φ(z). */
export const expModNormalTail: Tail = (step, y, mu, sigma, lambda) => {
  const z = (y - mu) / sigma;
  const v = lambda * sigma;
  const b = Math.exp(0.5 * v * v - v * z + logPhi(z - v));
  const p = step.upper ? phi(-z) + b : phi(z) - b;
  const sign = step.upper ? -1 : 1;
  const dz = (sign * v * b) / p;
  // dF/dv = −∂B/∂v = (z − v) B + φ(z), and φ(z) = exp(v²/2 − vz) φ(z − v)
  const dv = (sign * ((z - v) * b + normalDensity(z))) / p;
  step.set(Math.log(p), dz / sigma, -dz / sigma, (-dz * z) / sigma + lambda * dv, sigma * dv);
};

/** F = Φ(z) − 2 T(z, alpha), Owen's T. */
export const skewNormalTail: Tail = (step, y, xi, omega, alpha) => {
  const z = (y - xi) / omega;
  const t = 2 * owensT(z, alpha);
  const p = step.upper ? phi(-z) + t : phi(z) - t;
  const sign = step.upper ? -1 : 1;
  const dz = (sign * 2 * normalDensity(z) * phi(alpha * z)) / p;
  step.set(
    Math.log(p),
    dz / omega,
    -dz / omega,
    (-dz * z) / omega,
    (-sign * 2 * owensTDa(z, alpha)) / p,
  );
};

/** P(Y ≤ mu) = τ, exponential on either side. */
export const skewDoubleExponentialTail: Tail = (step, y, mu, sigma, tau) => {
  const z = (y - mu) / sigma;
  const below = z < 0;
  // the outer piece: log w + k z
  const k = below ? 2 * (1 - tau) : -2 * tau;
  const outerIsUpper = !below;
  const logOuter = (below ? Math.log(tau) : Math.log1p(-tau)) + k * z;
  const dTau = below ? 1 / tau - 2 * z : -1 / (1 - tau) - 2 * z;
  if (step.upper === outerIsUpper) {
    step.set(logOuter, k / sigma, -k / sigma, (-k * z) / sigma, dTau);
    return;
  }
  const p = Math.exp(logOuter);
  const f = -p / (1 - p);
  step.set(Math.log1p(-p), (f * k) / sigma, (-f * k) / sigma, (-f * k * z) / sigma, f * dTau);
};

/** exp(−t) is the upper tail when `survival`, otherwise the lower: sets logP and returns d logP/dt. */
function setExponential(step: TailStep, t: number, survival: boolean): number {
  if (step.upper === survival) {
    step.set(-t);
    return -1;
  }
  step.set(log1mExp(-t));
  return 1 / Math.expm1(t);
}

export const exponentialTail: Tail = (step, y, rate) => {
  const d = setExponential(step, rate * y, true);
  step.dy = d * rate;
  step.da = d * y;
};

export const weibullTail: Tail = (step, y, alpha, sigma) => {
  if (y === 0) return step.setEdge(step.upper);
  const logRatio = Math.log(y) - Math.log(sigma);
  const t = Math.exp(alpha * logRatio);
  const d = setExponential(step, t, true);
  step.dy = (d * t * alpha) / y;
  step.da = d * t * logRatio;
  step.db = (-d * t * alpha) / sigma;
};

export const frechetTail: Tail = (step, y, alpha, sigma) => {
  const logRatio = Math.log(sigma) - Math.log(y);
  const t = Math.exp(alpha * logRatio);
  const d = setExponential(step, t, false);
  step.dy = (-d * t * alpha) / y;
  step.da = d * t * logRatio;
  step.db = (d * t * alpha) / sigma;
};

export const rayleighTail: Tail = (step, y, sigma) => {
  const t = (0.5 * y * y) / (sigma * sigma);
  const d = setExponential(step, t, true);
  step.dy = (d * y) / (sigma * sigma);
  step.da = (-2 * d * t) / sigma;
};

export const paretoTail: Tail = (step, y, yMin, alpha) => {
  if (y < yMin) return step.setEdge(step.upper);
  const logRatio = Math.log(y) - Math.log(yMin);
  const d = setExponential(step, alpha * logRatio, true);
  step.dy = (d * alpha) / y;
  step.da = (-d * alpha) / yMin;
  step.db = d * logRatio;
};

export const paretoType2Tail: Tail = (step, y, mu, lambda, alpha) => {
  if (y < mu) return step.setEdge(step.upper);
  const logTerm = Math.log1p((y - mu) / lambda);
  const d = setExponential(step, alpha * logTerm, true);
  const slope = (d * alpha) / (lambda + y - mu);
  step.dy = slope;
  step.da = -slope;
  step.db = (-slope * (y - mu)) / lambda;
  step.dc = d * logTerm;
};

/** Sets the tail of a gamma variable of shape a at x; `flip` swaps tails (for 1/x); dx, da are derivatives in x, a. */
function setGamma(step: TailStep, a: number, x: number, flip: boolean): { dx: number; da: number } {
  gamma.compute(a, x);
  const upper = step.upper !== flip;
  const logP = upper ? gamma.logQ : gamma.logP;
  step.set(logP);
  const density = Math.exp(gamma.logDensity - logP);
  return { dx: upper ? -density : density, da: upper ? gamma.daLogQ : gamma.daLogP };
}

export const gammaTail: Tail = (step, y, alpha, rate) => {
  const { dx, da } = setGamma(step, alpha, y * rate, false);
  step.dy = dx * rate;
  step.da = da;
  step.db = dx * y;
};

export const invGammaTail: Tail = (step, y, alpha, scale) => {
  const { dx, da } = setGamma(step, alpha, scale / y, true);
  step.dy = (-dx * scale) / (y * y);
  step.da = da;
  step.db = dx / y;
};

export const chiSquareTail: Tail = (step, y, nu) => {
  const { dx, da } = setGamma(step, 0.5 * nu, 0.5 * y, false);
  step.dy = 0.5 * dx;
  step.da = 0.5 * da;
};

export const invChiSquareTail: Tail = (step, y, nu) => {
  const { dx, da } = setGamma(step, 0.5 * nu, 0.5 / y, true);
  step.dy = (-0.5 * dx) / (y * y);
  step.da = 0.5 * da;
};

export const scaledInvChiSquareTail: Tail = (step, y, nu, s) => {
  const x = (0.5 * nu * s * s) / y;
  const { dx, da } = setGamma(step, 0.5 * nu, x, true);
  step.dy = (-dx * x) / y;
  step.da = 0.5 * da + (dx * x) / nu;
  step.db = (2 * dx * x) / s;
};

/** Sets the tail of a beta variable; returns derivatives in x, a, b. */
export function setBeta(step: TailStep, x: number, xc: number, a: number, b: number, flip = false) {
  beta.compute(a, b, x, xc);
  const upper = step.upper !== flip;
  const logP = upper ? beta.logC : beta.logI;
  step.set(logP);
  const density = Math.exp(beta.logDensity - logP);
  return {
    dx: upper ? -density : density,
    da: upper ? beta.daLogC : beta.daLogI,
    db: upper ? beta.dbLogC : beta.dbLogI,
  };
}

export const betaTail: Tail = (step, y, alpha, shape) => {
  const { dx, da, db } = setBeta(step, y, 1 - y, alpha, shape);
  step.dy = dx;
  step.da = da;
  step.db = db;
};

export const betaProportionTail: Tail = (step, y, mu, kappa) => {
  const { dx, da, db } = setBeta(step, y, 1 - y, mu * kappa, (1 - mu) * kappa);
  step.dy = dx;
  step.da = kappa * (da - db);
  step.db = mu * da + (1 - mu) * db;
};

export const uniformTail: Tail = (step, y, low, high) => {
  if (y <= low || y >= high) return step.setEdge(step.upper ? y <= low : y >= high);
  const width = high - low;
  if (step.upper) {
    step.set(Math.log((high - y) / width), -1 / (high - y), 1 / width, 1 / (high - y) - 1 / width);
  } else {
    step.set(Math.log((y - low) / width), 1 / (y - low), 1 / width - 1 / (y - low), -1 / width);
  }
};

/** Densities that are narrower are computed without cancellation, and only where they are not 0. */
const narrowKappa = 1e6;

/** log I₀(κ) − κ, and 1 − A(κ), for large κ (Abramowitz & Stegun 9.7.1). */
const narrowLog = (kappa: number) => 1 / (8 * kappa) - 0.5 * Math.log(2 * Math.PI * kappa);
const narrowGap = (kappa: number) => (1 + 1 / (4 * kappa)) / (2 * kappa);

/** ∫ from −π to the angle, by panels; angles are taken from mu − π to mu + π. dF/dκ = ∫ f(t) (cos t − A(κ)) dt. */
export const vonMisesTail: Tail = (step, y, mu, kappa) => {
  const turns = Math.floor((y - mu + Math.PI) / (2 * Math.PI));
  const angle = y - mu - 2 * Math.PI * turns;
  const isNarrow = kappa > narrowKappa;
  const log = isNarrow ? narrowLog(kappa) : logBesselI0(kappa);
  const ratio = besselRatio(kappa);
  const fall = (t: number) => 2 * Math.sin(t / 2) ** 2;
  const density = (t: number) =>
    Math.exp(kappa * (isNarrow ? -fall(t) : Math.cos(t)) - log) / (2 * Math.PI);
  const slope = (t: number) => (isNarrow ? narrowGap(kappa) - fall(t) : Math.cos(t) - ratio);
  // exp(−39² / 2) underflows
  const reach = isNarrow ? 39 / Math.sqrt(kappa) : Math.PI;
  const end = Math.min(reach, Math.max(-reach, angle));
  const from = step.upper ? end : -reach;
  const to = step.upper ? reach : end;
  const panels = Math.max(1, Math.ceil((to - from) * (1 + Math.sqrt(kappa))));
  let p = 0;
  let dKappa = 0;
  for (let k = 0; k < panels; k++) {
    const a = from + ((to - from) * k) / panels;
    const b = from + ((to - from) * (k + 1)) / panels;
    p += gaussLegendre20(a, b, density);
    dKappa += gaussLegendre20(a, b, (t) => density(t) * slope(t));
  }
  const d = ((step.upper ? -1 : 1) * density(angle)) / p;
  step.set(Math.log(p), d, -d, dKappa / p);
};
