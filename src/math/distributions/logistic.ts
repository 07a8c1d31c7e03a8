/** Logistic, log-logistic and Gumbel densities. */
import {
  finiteVariable,
  location,
  nonnegativeFinite,
  numberVariable,
  scale,
  shape,
} from './arguments.ts';
import { density } from './density.ts';

const noLog = () => 0;

/** log Logistic(y | mu, sigma) = −z − 2 log1p(exp(−z)) − log sigma; written in |z| so that nothing overflows. */
export const logisticLpdf = density(
  'logistic_lpdf',
  [finiteVariable, location, scale],
  (call, y, mu, sigma) => {
    const logSigma = sigma.derive(0, call.includes(sigma) ? Math.log : noLog);
    let lp = 0;
    for (let i = 0; i < call.n; i++) {
      const inv = 1 / sigma.at(i);
      const z = (y.at(i) - mu.at(i)) * inv;
      const e = Math.exp(-Math.abs(z));
      lp -= Math.abs(z) + 2 * Math.log1p(e) + logSigma[i * sigma.stride];
      // tanh(z/2)
      const d = (Math.sign(z) * (1 - e)) / (1 + e);
      if (y.active) y.add(i, -d * inv);
      if (mu.active) mu.add(i, d * inv);
      if (sigma.active) sigma.add(i, (d * z - 1) * inv);
    }
    return lp;
  },
);

/** log LogLogistic(y | alpha, beta) = log beta − log alpha + (beta − 1) log(y/alpha) − 2 log1p((y/alpha)^beta). */
export const loglogisticLpdf = density(
  'loglogistic_lpdf',
  [['Random variable', nonnegativeFinite], scale, shape],
  (call, y, alpha, beta) => {
    let lp = 0;
    for (let i = 0; i < call.n; i++) {
      const x = y.at(i);
      const a = alpha.at(i);
      const b = beta.at(i);
      const logRatio = Math.log(x) - Math.log(a);
      const z = b * logRatio;
      const e = Math.exp(-Math.abs(z));
      lp -= Math.max(z, 0) * 2 + 2 * Math.log1p(e);
      lp += b === 1 ? 0 : (b - 1) * logRatio;
      if (call.includes(alpha, beta)) lp += Math.log(b);
      if (call.includes(alpha)) lp -= Math.log(a);
      const share = z > 0 ? 1 / (1 + e) : e / (1 + e);
      const slope = b - 1 - 2 * b * share;
      if (y.active) y.add(i, slope / x);
      if (alpha.active) alpha.add(i, -(slope + 1) / a);
      if (beta.active) beta.add(i, 1 / b + logRatio * (1 - 2 * share));
    }
    return lp;
  },
);

/** log Gumbel(y | mu, beta) = −z − exp(−z) − log beta. */
export const gumbelLpdf = density(
  'gumbel_lpdf',
  [numberVariable, location, scale],
  (call, y, mu, beta) => {
    const logBeta = beta.derive(0, call.includes(beta) ? Math.log : noLog);
    let lp = 0;
    for (let i = 0; i < call.n; i++) {
      const inv = 1 / beta.at(i);
      const z = (y.at(i) - mu.at(i)) * inv;
      const e = Math.exp(-z);
      lp -= z + e + logBeta[i * beta.stride];
      const d = (e - 1) * inv;
      if (y.active) y.add(i, d);
      if (mu.active) mu.add(i, -d);
      if (beta.active) beta.add(i, -d * z - inv);
    }
    return lp;
  },
);
