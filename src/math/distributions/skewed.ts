/** Skewed densities on the line: skew normal, exponentially modified normal, skew double exponential. */
import { halfLogTwoPi } from '../special/constants.ts';
import { logPhi, logPhiDx } from '../special/erf.ts';
import {
  finiteShape,
  finiteVariable,
  location,
  numberVariable,
  positiveFinite,
  scale,
  skewness,
} from './arguments.ts';
import { density } from './density.ts';

/** log SkewNormal(y | xi, omega, alpha) = log 2 + log φ(z) + log Φ(alpha z) − log omega (Azzalini 1985). */
export const skewNormalLpdf = density(
  'skew_normal_lpdf',
  [numberVariable, location, ['Scale parameter', null], finiteShape],
  (call, y, xi, omega, alpha) => {
    call.checkPositive(omega);
    let lp = call.propto ? 0 : call.n * (Math.LN2 - halfLogTwoPi);
    for (let i = 0; i < call.n; i++) {
      const inv = 1 / omega.at(i);
      const z = (y.at(i) - xi.at(i)) * inv;
      const a = alpha.at(i);
      lp += logPhi(a * z) - 0.5 * z * z;
      if (call.includes(omega)) lp += Math.log(inv);
      const mills = logPhiDx(a * z);
      const d = (a * mills - z) * inv;
      if (y.active) y.add(i, d);
      if (xi.active) xi.add(i, -d);
      if (omega.active) omega.add(i, -d * z - inv);
      if (alpha.active) alpha.add(i, mills * z);
    }
    return lp;
  },
);

/**
 * Normal plus exponential: log lambda + lambda (mu − y) + (lambda sigma)²/2 + log Φ(u), u = (y − mu)/sigma − lambda sigma
 * (Grushka 1972).
 */
export const expModNormalLpdf = density(
  'exp_mod_normal_lpdf',
  [numberVariable, location, scale, ['Inv_scale parameter', positiveFinite]],
  (call, y, mu, sigma, lambda) => {
    let lp = 0;
    for (let i = 0; i < call.n; i++) {
      const s = sigma.at(i);
      const l = lambda.at(i);
      const difference = y.at(i) - mu.at(i);
      const v = l * s;
      const u = difference / s - v;
      lp += 0.5 * v * v - l * difference + logPhi(u);
      if (call.includes(lambda)) lp += Math.log(l);
      const mills = logPhiDx(u);
      const d = mills / s - l;
      if (y.active) y.add(i, d);
      if (mu.active) mu.add(i, -d);
      if (sigma.active) sigma.add(i, l * v - mills * (difference / (s * s) + l));
      if (lambda.active) lambda.add(i, 1 / l + v * s - difference - mills * s);
    }
    return lp;
  },
);

/** log 2 + log τ + log(1 − τ) − log sigma − 2 c |y − mu|/sigma, c = 1 − τ below mu and τ above. */
export const skewDoubleExponentialLpdf = density(
  'skew_double_exponential_lpdf',
  [finiteVariable, location, scale, skewness],
  (call, y, mu, sigma, tau) => {
    let lp = call.propto ? 0 : call.n * Math.LN2;
    for (let i = 0; i < call.n; i++) {
      const inv = 1 / sigma.at(i);
      const t = tau.at(i);
      const difference = y.at(i) - mu.at(i);
      const below = difference < 0;
      const c = below ? 1 - t : t;
      const z = Math.abs(difference) * inv;
      if (call.includes(sigma)) lp += Math.log(inv);
      if (call.includes(tau)) lp += Math.log(t) + Math.log1p(-t);
      lp -= 2 * c * z;
      const d = (below ? 2 : -2) * c * inv;
      if (y.active) y.add(i, d);
      if (mu.active) mu.add(i, -d);
      if (sigma.active) sigma.add(i, (2 * c * z - 1) * inv);
      if (tau.active) tau.add(i, 1 / t - 1 / (1 - t) + (below ? 2 * z : -2 * z));
    }
    return lp;
  },
);
