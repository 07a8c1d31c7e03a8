/** Densities on the unit interval and on bounded intervals: beta, beta by mean and precision, uniform. */
import { lbeta } from '../special/beta.ts';
import { digamma } from '../special/gamma.ts';
import {
  type Argument,
  finite,
  numberVariable,
  positiveFinite,
  precision,
  secondShape,
  variable,
} from './arguments.ts';
import { density } from './density.ts';

/** log Beta(y | alpha, beta) = (alpha − 1) log y + (beta − 1) log(1 − y) − log B(alpha, beta). */
export const betaLpdf = density(
  'beta_lpdf',
  [variable, ['First shape parameter', positiveFinite], secondShape],
  (call, y, alpha, beta) => {
    const { n } = call;
    call.checkBounded(y, 0, 1);
    const withY = call.includes(y, alpha);
    const withComplement = call.includes(y, beta);
    const withNormaliser = call.includes(alpha, beta);
    const logY = y.derive(0, Math.log);
    const logComplement = y.derive(1, (x) => Math.log1p(-x));
    const bothScalar = alpha.stride === 0 && beta.stride === 0;
    const anyShape = alpha.active || beta.active;
    let lp = 0;
    let normaliser = 0;
    let digammaSum = 0;
    let digammaA = 0;
    let digammaB = 0;
    for (let i = 0; i < n; i++) {
      const x = y.at(i);
      const a = alpha.at(i);
      const b = beta.at(i);
      if (i === 0 || !bothScalar) {
        if (withNormaliser) normaliser = lbeta(a, b);
        if (anyShape) digammaSum = digamma(a + b);
        if (alpha.active) digammaA = digamma(a);
        if (beta.active) digammaB = digamma(b);
      }
      const lx = logY[i * y.stride];
      const lc = logComplement[i * y.stride];
      lp -= normaliser;
      if (withY && a !== 1) lp += (a - 1) * lx;
      if (withComplement && b !== 1) lp += (b - 1) * lc;
      if (y.active) y.add(i, (a - 1) / x - (b - 1) / (1 - x));
      if (alpha.active) alpha.add(i, lx + digammaSum - digammaA);
      if (beta.active) beta.add(i, lc + digammaSum - digammaB);
    }
    return lp;
  },
);

const mean: Argument = [
  'Location parameter',
  (call, mu) => {
    for (let i = 0; i < mu.size; i++) {
      const m = mu.at(i);
      if (!(m > 0 && m < 1)) mu.fail(call.name, i, 'in the open interval (0, 1)');
    }
  },
];

/** log BetaProportion(y | mu, kappa) = log Beta(y | mu kappa, (1 − mu) kappa). */
export const betaProportionLpdf = density(
  'beta_proportion_lpdf',
  [variable, mean, precision],
  (call, y, mu, kappa) => {
    const { n } = call;
    call.checkBounded(y, 0, 1);
    const withParameters = call.includes(mu, kappa);
    const anyParameter = mu.active || kappa.active;
    let lp = 0;
    for (let i = 0; i < n; i++) {
      const x = y.at(i);
      const m = mu.at(i);
      const k = kappa.at(i);
      const a = m * k;
      const b = k - a;
      const lx = Math.log(x);
      const lc = Math.log1p(-x);
      lp += (a - 1) * lx + (b - 1) * lc;
      if (withParameters) lp -= lbeta(a, b);
      if (y.active) y.add(i, (a - 1) / x - (b - 1) / (1 - x));
      if (!anyParameter) continue;
      const digammaA = digamma(a);
      const digammaB = digamma(b);
      if (mu.active) mu.add(i, k * (digammaB - digammaA + lx - lc));
      if (kappa.active) {
        kappa.add(i, digamma(k) - m * digammaA - (1 - m) * digammaB + m * lx + (1 - m) * lc);
      }
    }
    return lp;
  },
);

/** log Uniform(y | alpha, beta) = −log(beta − alpha) on [alpha, beta], −∞ outside. */
export const uniformLpdf = density(
  'uniform_lpdf',
  [numberVariable, ['Lower bound parameter', finite], ['Upper bound parameter', finite]],
  (call, y, alpha, beta) => {
    const { n } = call;
    call.checkGreater(beta, alpha);
    const withBounds = call.includes(alpha, beta);
    let lp = 0;
    for (let i = 0; i < n; i++) {
      const x = y.at(i);
      const a = alpha.at(i);
      const b = beta.at(i);
      if (x < a || x > b) return -Infinity;
      const inv = 1 / (b - a);
      if (withBounds) lp += Math.log(inv);
      if (alpha.active) alpha.add(i, inv);
      if (beta.active) beta.add(i, -inv);
    }
    return lp;
  },
);
