/** The Cauchy and Student t densities (Stan functions reference, "Unbounded continuous distributions"). */
import { logPi } from '../special/constants.ts';
import { digamma, lgamma } from '../special/gamma.ts';
import { LogProduct } from '../special/log-product.ts';
import { freedom, location, numberVariable, scale } from './arguments.ts';
import { density } from './density.ts';

const factors = new LogProduct();

/** log Cauchy(y | mu, sigma) = −log1p(z²) − log sigma − log π. */
export const cauchyLpdf = density(
  'cauchy_lpdf',
  [numberVariable, location, scale],
  (call, y, mu, sigma) => {
    const { n } = call;
    const withSigma = call.includes(sigma);
    const logSigma = sigma.derive(0, withSigma ? Math.log : zero);
    let lp = call.propto ? 0 : -n * logPi;
    factors.reset();
    for (let i = 0; i < n; i++) {
      const inv = 1 / sigma.at(i);
      const z = (y.at(i) - mu.at(i)) * inv;
      const z2 = z * z;
      factors.multiply(1 + z2);
      lp -= logSigma[i * sigma.stride];
      const d = (2 * z * inv) / (1 + z2);
      if (y.active) y.add(i, -d);
      if (mu.active) mu.add(i, d);
      if (sigma.active) sigma.add(i, d * z - inv);
    }
    return lp - factors.log;
  },
);

/** log Student-t(y | nu, mu, sigma); the term in z is (nu + 1)/2 log1p(z²/nu), z = (y − mu)/sigma. */
export const studentTLpdf = density(
  'student_t_lpdf',
  [numberVariable, freedom, location, scale],
  (call, y, nu, mu, sigma) => {
    const { n } = call;
    const withSigma = call.includes(sigma);
    const logSigma = sigma.derive(0, withSigma ? Math.log : zero);
    const normaliser = nu.derive(0, call.includes(nu) ? studentNormaliser : zero);
    const normaliserDx = nu.derive(1, nu.active ? studentNormaliserDx : zero);
    let lp = call.propto ? 0 : -0.5 * n * logPi;
    for (let i = 0; i < n; i++) {
      const df = nu.at(i);
      const inv = 1 / sigma.at(i);
      const z = (y.at(i) - mu.at(i)) * inv;
      const z2 = z * z;
      const logTerm = Math.log1p(z2 / df);
      lp += normaliser[i * nu.stride] - logSigma[i * sigma.stride] - 0.5 * (df + 1) * logTerm;
      const d = ((df + 1) * z * inv) / (df + z2);
      if (y.active) y.add(i, -d);
      if (mu.active) mu.add(i, d);
      if (sigma.active) sigma.add(i, d * z - inv);
      if (nu.active) {
        const tail = (0.5 * (df + 1) * z2) / (df * (df + z2));
        nu.add(i, normaliserDx[i * nu.stride] - 0.5 * logTerm + tail);
      }
    }
    return lp;
  },
);

/** log Γ((nu + 1)/2) − log Γ(nu/2) − log(nu)/2. */
function studentNormaliser(nu: number): number {
  return lgamma(0.5 * (nu + 1)) - lgamma(0.5 * nu) - 0.5 * Math.log(nu);
}

function studentNormaliserDx(nu: number): number {
  return 0.5 * (digamma(0.5 * (nu + 1)) - digamma(0.5 * nu) - 1 / nu);
}

function zero(): number {
  return 0;
}
