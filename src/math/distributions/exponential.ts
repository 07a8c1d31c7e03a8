/** The exponential and double exponential (Laplace) densities. */
import { finiteVariable, inverseScale, location, nonnegativeVariable, scale } from './arguments.ts';
import { density } from './density.ts';

/** log Exponential(y | beta) = log beta − beta y, y ≥ 0. */
export const exponentialLpdf = density(
  'exponential_lpdf',
  [nonnegativeVariable, inverseScale],
  (call, y, beta) => {
    const { n } = call;
    const withBeta = call.includes(beta);
    const logBeta = beta.derive(0, withBeta ? Math.log : () => 0);
    let lp = 0;
    for (let i = 0; i < n; i++) {
      const x = y.at(i);
      const b = beta.at(i);
      lp += logBeta[i * beta.stride] - b * x;
      if (y.active) y.add(i, -b);
      if (beta.active) beta.add(i, 1 / b - x);
    }
    return lp;
  },
);

/** log DoubleExponential(y | mu, sigma) = −|y − mu|/sigma − log sigma − log 2; derivative 0 at y = mu, as in Stan. */
export const doubleExponentialLpdf = density(
  'double_exponential_lpdf',
  [finiteVariable, location, scale],
  (call, y, mu, sigma) => {
    const { n } = call;
    const withSigma = call.includes(sigma);
    const logSigma = sigma.derive(0, withSigma ? Math.log : () => 0);
    let lp = call.propto ? 0 : -n * Math.LN2;
    for (let i = 0; i < n; i++) {
      const inv = 1 / sigma.at(i);
      const difference = y.at(i) - mu.at(i);
      const z = Math.abs(difference) * inv;
      lp -= z + logSigma[i * sigma.stride];
      const d = Math.sign(difference) * inv;
      if (y.active) y.add(i, -d);
      if (mu.active) mu.add(i, d);
      if (sigma.active) sigma.add(i, (z - 1) * inv);
    }
    return lp;
  },
);
