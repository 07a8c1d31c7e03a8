/** Chi-square densities: plain, inverse and scaled inverse. */
import { digamma, lgamma } from '../special/gamma.ts';
import { freedom, nonnegativeVariable, numberVariable, scale } from './arguments.ts';
import { density } from './density.ts';

const none = () => 0;

/** log χ²(y | nu) = (nu/2 − 1) log y − y/2 − nu/2 log 2 − log Γ(nu/2). */
export const chiSquareLpdf = density(
  'chi_square_lpdf',
  [nonnegativeVariable, freedom],
  (call, y, nu) => {
    const normaliser = nu.derive(0, call.includes(nu) ? halfNormaliser : none);
    let lp = 0;
    for (let i = 0; i < call.n; i++) {
      const x = y.at(i);
      const half = 0.5 * nu.at(i);
      lp -= normaliser[i * nu.stride];
      if (call.includes(y, nu) && half !== 1) lp += (half - 1) * Math.log(x);
      if (call.includes(y)) lp -= 0.5 * x;
      if (y.active) y.add(i, (half - 1) / x - 0.5);
      if (nu.active) nu.add(i, 0.5 * (Math.log(x) - Math.LN2 - digamma(half)));
    }
    return lp;
  },
);

/** nu/2 log 2 + log Γ(nu/2). */
function halfNormaliser(nu: number): number {
  return 0.5 * nu * Math.LN2 + lgamma(0.5 * nu);
}

/** log Inv-χ²(y | nu) = −(nu/2 + 1) log y − 1/(2y) − nu/2 log 2 − log Γ(nu/2); −∞ for y ≤ 0. */
export const invChiSquareLpdf = density(
  'inv_chi_square_lpdf',
  [numberVariable, freedom],
  (call, y, nu) => {
    const normaliser = nu.derive(0, call.includes(nu) ? halfNormaliser : none);
    let lp = 0;
    for (let i = 0; i < call.n; i++) {
      const x = y.at(i);
      if (x <= 0) return -Infinity;
      const half = 0.5 * nu.at(i);
      lp -= normaliser[i * nu.stride];
      if (call.includes(y, nu)) lp -= (half + 1) * Math.log(x);
      if (call.includes(y)) lp -= 0.5 / x;
      if (y.active) y.add(i, (0.5 / x - half - 1) / x);
      if (nu.active) nu.add(i, -0.5 * (Math.log(x) + Math.LN2 + digamma(half)));
    }
    return lp;
  },
);

/** log Scaled-Inv-χ²(y | nu, s) = h log h − log Γ(h) + nu log s − (h + 1) log y − h s²/y, h = nu/2; −∞ for y ≤ 0. */
export const scaledInvChiSquareLpdf = density(
  'scaled_inv_chi_square_lpdf',
  [numberVariable, freedom, scale],
  (call, y, nu, s) => {
    const normaliser = nu.derive(0, call.includes(nu) ? (df) => lgamma(0.5 * df) : none);
    let lp = 0;
    for (let i = 0; i < call.n; i++) {
      const x = y.at(i);
      if (x <= 0) return -Infinity;
      const half = 0.5 * nu.at(i);
      const sigma = s.at(i);
      const logX = Math.log(x);
      const logS = Math.log(sigma);
      const ratio = (sigma * sigma) / x;
      if (call.includes(nu)) lp += half * Math.log(half) - normaliser[i * nu.stride];
      if (call.includes(nu, s)) lp += 2 * half * logS;
      if (call.includes(y, nu)) lp -= (half + 1) * logX;
      lp -= half * ratio;
      if (y.active) y.add(i, (half * ratio - half - 1) / x);
      if (nu.active) {
        nu.add(i, 0.5 * (Math.log(half) + 1 - digamma(half) - logX - ratio) + logS);
      }
      if (s.active) s.add(i, (2 * half * (1 - ratio)) / sigma);
    }
    return lp;
  },
);
