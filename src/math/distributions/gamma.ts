/** The gamma and inverse gamma densities (Stan functions reference, "Positive continuous distributions"). */
import { digamma, lgamma } from '../special/gamma.ts';
import { inverseScale, numberVariable, scale, shape } from './arguments.ts';
import { density } from './density.ts';

/** log Gamma(y | alpha, beta) = alpha log beta − log Γ(alpha) + (alpha − 1) log y − beta y; −∞ at a negative y. */
export const gammaLpdf = density(
  'gamma_lpdf',
  [numberVariable, shape, inverseScale],
  (call, y, alpha, beta) => {
    const { n } = call;
    const withAlpha = call.includes(alpha);
    const withBoth = call.includes(alpha, beta);
    const withY = call.includes(y, alpha);
    const withLinear = call.includes(y, beta);
    const lgammaAlpha = alpha.derive(0, withAlpha ? lgamma : () => 0);
    const digammaAlpha = alpha.derive(1, alpha.active ? digamma : () => 0);
    const logBeta = beta.derive(0, Math.log);
    const logY = y.derive(0, withY ? Math.log : () => 0);
    let lp = 0;
    for (let i = 0; i < n; i++) {
      const x = y.at(i);
      if (x < 0) return -Infinity;
      const a = alpha.at(i);
      const b = beta.at(i);
      const lx = logY[i * y.stride];
      lp -= lgammaAlpha[i * alpha.stride];
      if (withBoth) lp += a * logBeta[i * beta.stride];
      if (withY) lp += a === 1 ? 0 : (a - 1) * lx;
      if (withLinear) lp -= b * x;
      if (y.active) y.add(i, (a - 1) / x - b);
      if (alpha.active)
        alpha.add(i, logBeta[i * beta.stride] - digammaAlpha[i * alpha.stride] + lx);
      if (beta.active) beta.add(i, a / b - x);
    }
    return lp;
  },
);

/** log InvGamma(y | alpha, beta) = alpha log beta − log Γ(alpha) − (alpha + 1) log y − beta/y; −∞ for y ≤ 0. */
export const invGammaLpdf = density(
  'inv_gamma_lpdf',
  [numberVariable, shape, scale],
  (call, y, alpha, beta) => {
    const { n } = call;
    const withAlpha = call.includes(alpha);
    const withBoth = call.includes(alpha, beta);
    const withY = call.includes(y, alpha);
    const withRatio = call.includes(y, beta);
    const lgammaAlpha = alpha.derive(0, withAlpha ? lgamma : () => 0);
    const digammaAlpha = alpha.derive(1, alpha.active ? digamma : () => 0);
    const logBeta = beta.derive(0, Math.log);
    const logY = y.derive(0, withY ? Math.log : () => 0);
    let lp = 0;
    for (let i = 0; i < n; i++) {
      const x = y.at(i);
      if (x <= 0) return -Infinity;
      const a = alpha.at(i);
      const b = beta.at(i);
      const inv = 1 / x;
      const lx = logY[i * y.stride];
      lp -= lgammaAlpha[i * alpha.stride];
      if (withBoth) lp += a * logBeta[i * beta.stride];
      if (withY) lp -= (a + 1) * lx;
      if (withRatio) lp -= b * inv;
      if (y.active) y.add(i, (b * inv - a - 1) * inv);
      if (alpha.active)
        alpha.add(i, logBeta[i * beta.stride] - digammaAlpha[i * alpha.stride] - lx);
      if (beta.active) beta.add(i, a / b - inv);
    }
    return lp;
  },
);
