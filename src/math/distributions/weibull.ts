/** Weibull, Fréchet, Rayleigh and Pareto densities: powers of positive reals. */
import {
  finiteVariable,
  location,
  numberVariable,
  positiveScale,
  positiveVariable,
  scale,
  shape,
} from './arguments.ts';
import { density } from './density.ts';

/** log Weibull(y | alpha, sigma) = log alpha + (alpha − 1) log y − alpha log sigma − (y/sigma)^alpha. */
export const weibullLpdf = density(
  'weibull_lpdf',
  [finiteVariable, shape, scale],
  (call, y, alpha, sigma) => {
    const withAlpha = call.includes(alpha);
    const withY = call.includes(y, alpha);
    const withBoth = call.includes(alpha, sigma);
    let lp = 0;
    for (let i = 0; i < call.n; i++) {
      const x = y.at(i);
      if (x < 0) return -Infinity;
      const a = alpha.at(i);
      const s = sigma.at(i);
      const logX = Math.log(x);
      const logS = Math.log(s);
      const power = x === 0 ? 0 : Math.exp(a * (logX - logS));
      if (withAlpha) lp += Math.log(a);
      if (withY && a !== 1) lp += (a - 1) * logX;
      if (withBoth) lp -= a * logS;
      lp -= power;
      if (y.active) y.add(i, (a - 1 - a * power) / x);
      if (alpha.active) alpha.add(i, 1 / a + (1 - power) * (logX - logS));
      if (sigma.active) sigma.add(i, (a / s) * (power - 1));
    }
    return lp;
  },
);

/** log Fréchet(y | alpha, sigma) = log alpha − (alpha + 1) log y + alpha log sigma − (y/sigma)^−alpha. */
export const frechetLpdf = density(
  'frechet_lpdf',
  [positiveVariable, shape, scale],
  (call, y, alpha, sigma) => {
    const withAlpha = call.includes(alpha);
    const withY = call.includes(y, alpha);
    const withBoth = call.includes(alpha, sigma);
    let lp = 0;
    for (let i = 0; i < call.n; i++) {
      const x = y.at(i);
      const a = alpha.at(i);
      const s = sigma.at(i);
      const logX = Math.log(x);
      const logS = Math.log(s);
      const power = Math.exp(a * (logS - logX));
      if (withAlpha) lp += Math.log(a);
      if (withY) lp -= (a + 1) * logX;
      if (withBoth) lp += a * logS;
      lp -= power;
      if (y.active) y.add(i, (a * power - a - 1) / x);
      if (alpha.active) alpha.add(i, 1 / a + (logS - logX) * (1 - power));
      if (sigma.active) sigma.add(i, (a / s) * (1 - power));
    }
    return lp;
  },
);

/** log Rayleigh(y | sigma) = log y − 2 log sigma − y²/(2 sigma²). */
export const rayleighLpdf = density(
  'rayleigh_lpdf',
  [positiveVariable, positiveScale],
  (call, y, sigma) => {
    let lp = 0;
    for (let i = 0; i < call.n; i++) {
      const x = y.at(i);
      const inv = 1 / sigma.at(i);
      const z = x * inv;
      if (call.includes(sigma)) lp += 2 * Math.log(inv);
      if (call.includes(y)) lp += Math.log(x);
      lp -= 0.5 * z * z;
      if (y.active) y.add(i, 1 / x - z * inv);
      if (sigma.active) sigma.add(i, (z * z - 2) * inv);
    }
    return lp;
  },
);

/** log Pareto(y | y_min, alpha) = log alpha + alpha log y_min − (alpha + 1) log y for y ≥ y_min, −∞ below. */
export const paretoLpdf = density(
  'pareto_lpdf',
  [numberVariable, scale, shape],
  (call, y, yMin, alpha) => {
    let lp = 0;
    for (let i = 0; i < call.n; i++) {
      const x = y.at(i);
      const low = yMin.at(i);
      if (x < low) return -Infinity;
      const a = alpha.at(i);
      if (call.includes(alpha)) lp += Math.log(a);
      if (call.includes(yMin, alpha)) lp += a * Math.log(low);
      if (call.includes(y, alpha)) lp -= (a + 1) * Math.log(x);
      if (y.active) y.add(i, -(a + 1) / x);
      if (yMin.active) yMin.add(i, a / low);
      if (alpha.active) alpha.add(i, 1 / a + Math.log(low) - Math.log(x));
    }
    return lp;
  },
);

/** log Pareto II(y | mu, lambda, alpha) = log alpha − log lambda − (alpha + 1) log1p((y − mu)/lambda), y ≥ mu. */
export const paretoType2Lpdf = density(
  'pareto_type_2_lpdf',
  [numberVariable, location, scale, shape],
  (call, y, mu, lambda, alpha) => {
    let lp = 0;
    for (let i = 0; i < call.n; i++) {
      const d = y.at(i) - mu.at(i);
      if (d < 0) y.fail(call.name, i, `greater than or equal to ${mu.at(i)}`);
      const s = lambda.at(i);
      const a = alpha.at(i);
      const logTerm = Math.log1p(d / s);
      if (call.includes(alpha)) lp += Math.log(a);
      if (call.includes(lambda)) lp -= Math.log(s);
      lp -= (a + 1) * logTerm;
      const slope = (a + 1) / (s + d);
      if (y.active) y.add(i, -slope);
      if (mu.active) mu.add(i, slope);
      if (lambda.active) lambda.add(i, (slope * d - 1) / s);
      if (alpha.active) alpha.add(i, 1 / a - logTerm);
    }
    return lp;
  },
);
