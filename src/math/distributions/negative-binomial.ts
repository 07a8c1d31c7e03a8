/** Negative binomial masses and their relatives with beta-distributed probabilities. */
import { lbeta, lchoose } from '../special/beta.ts';
import {
  digamma,
  digammaDifference,
  digammaTail,
  logFactorial,
  logRisingRatio,
} from '../special/gamma.ts';
import { log1pMinus } from '../special/log-exp.ts';
import {
  failures,
  finite,
  inverseScale,
  populationSize,
  positiveFinite,
  positiveLocation,
  precision,
  shape,
  variable,
} from './arguments.ts';
import { density } from './density.ts';

/** log NegBinomial(y | alpha, beta) = log C(y + alpha − 1, y) + alpha log(beta/(1 + beta)) − y log1p(beta). */
export const negBinomialLpmf = density(
  'neg_binomial_lpmf',
  [failures, shape, inverseScale],
  (call, y, alpha, beta) => {
    const { n } = call;
    const withAlpha = call.includes(alpha);
    let lp = 0;
    for (let i = 0; i < n; i++) {
      const k = y.at(i);
      const a = alpha.at(i);
      const b = beta.at(i);
      const log1pB = Math.log1p(b);
      const logRatio = -Math.log1p(1 / b);
      if (withAlpha) lp += logRisingRatio(a, k) - logFactorial(k);
      lp += a * logRatio - k * log1pB;
      if (alpha.active) alpha.add(i, digammaDifference(a, k) + logRatio);
      if (beta.active) beta.add(i, a / b - (k + a) / (1 + b));
    }
    return lp;
  },
);

/** log NegBinomial2(y | mu, phi): mean mu, variance mu + mu²/phi. */
export const negBinomial2Lpmf = density(
  'neg_binomial_2_lpmf',
  [failures, positiveLocation, precision],
  (call, y, mu, phi) => {
    const { n } = call;
    const withPhi = call.includes(phi);
    const withMu = call.includes(mu);
    let lp = 0;
    for (let i = 0; i < n; i++) {
      const k = y.at(i);
      const m = mu.at(i);
      const p = phi.at(i);
      const log1pRatio = Math.log1p(m / p);
      // Γ(k + phi)/Γ(phi) belongs with phi^−k: both grow with phi, their product does not
      if (withPhi) lp += logRisingRatio(p, k) - k * Math.log(p) - logFactorial(k);
      else lp -= k * Math.log(p);
      if (withMu) lp += k * Math.log(m);
      lp -= (p + k) * log1pRatio;
      if (mu.active) mu.add(i, (k - m) / (m * (1 + m / p)));
      if (phi.active) phi.add(i, negBinomial2Dphi(k, m, p));
    }
    return lp;
  },
);

/**
 * d/dphi of the log mass: ψ(phi + y) − ψ(phi) − log1p(mu/phi) + (mu − y)/(mu + phi). Its terms cancel to order 1/phi²;
 * with the asymptotic series of ψ the logarithms combine to log1p(x) − x, x = (y − mu)/(phi + mu), which does not.
 */
export function negBinomial2Dphi(k: number, mu: number, phi: number): number {
  const x = (k - mu) / (mu + phi);
  if (phi < 10) return digammaDifference(phi, k) - Math.log1p(mu / phi) - x;
  const tails = digammaTail(phi) - digammaTail(phi + k);
  return log1pMinus(x) + (0.5 * k) / (phi * (phi + k)) + tails;
}

/** log NegBinomial2(y | exp(eta), phi). */
export const negBinomial2LogLpmf = density(
  'neg_binomial_2_log_lpmf',
  [failures, ['Log location parameter', finite], precision],
  (call, y, eta, phi) => {
    const { n } = call;
    const withPhi = call.includes(phi);
    const withEta = call.includes(eta);
    const logPhi = phi.derive(0, Math.log);
    let lp = 0;
    for (let i = 0; i < n; i++) {
      const k = y.at(i);
      const p = phi.at(i);
      const lphi = logPhi[i * phi.stride];
      const difference = eta.at(i) - lphi;
      const e = Math.exp(-Math.abs(difference));
      const log1pRatio = Math.max(difference, 0) + Math.log1p(e);
      const share = difference > 0 ? 1 / (1 + e) : e / (1 + e);
      const rest = difference > 0 ? e / (1 + e) : 1 / (1 + e);
      if (withPhi) lp += logRisingRatio(p, k) - k * lphi - logFactorial(k);
      else lp -= k * lphi;
      if (withEta) lp += k * eta.at(i);
      lp -= (k + p) * log1pRatio;
      if (eta.active) eta.add(i, k * rest - p * share);
      if (phi.active) phi.add(i, negBinomial2Dphi(k, Math.exp(eta.at(i)), p));
    }
    return lp;
  },
);

/** log BetaBinomial(y | N, alpha, beta) = log C(N, y) + log B(y + alpha, N − y + beta) − log B(alpha, beta). */
export const betaBinomialLpmf = density(
  'beta_binomial_lpmf',
  [
    ['Successes variable', null],
    populationSize,
    ['First prior sample size parameter', positiveFinite],
    ['Second prior sample size parameter', positiveFinite],
  ],
  (call, y, trials, alpha, beta) => {
    const { n } = call;
    let lp = 0;
    for (let i = 0; i < n; i++) {
      const k = y.at(i);
      const total = trials.at(i);
      if (k < 0 || k > total) return -Infinity;
      const a = alpha.at(i);
      const b = beta.at(i);
      if (!call.propto) lp += lchoose(total, k);
      lp += lbeta(k + a, total - k + b) - lbeta(a, b);
      if (!alpha.active && !beta.active) continue;
      const common = digamma(a + b) - digamma(total + a + b);
      if (alpha.active) alpha.add(i, digammaDifference(a, k) + common);
      if (beta.active) beta.add(i, digammaDifference(b, total - k) + common);
    }
    return lp;
  },
);

/** log BetaNegBinomial(y | r, alpha, beta) = log C(y + r − 1, y) + log B(alpha + r, beta + y) − log B(alpha, beta). */
export const betaNegBinomialLpmf = density(
  'beta_neg_binomial_lpmf',
  [
    failures,
    ['Number of successes parameter', positiveFinite],
    ['Prior success parameter', positiveFinite],
    ['Prior failure parameter', positiveFinite],
  ],
  (call, y, r, alpha, beta) => {
    const { n } = call;
    let lp = 0;
    for (let i = 0; i < n; i++) {
      const k = y.at(i);
      const size = r.at(i);
      const a = alpha.at(i);
      const b = beta.at(i);
      if (!call.propto) lp -= logFactorial(k);
      lp += logRisingRatio(size, k) + lbeta(a + size, b + k) - lbeta(a, b);
      const total = digamma(a + b + size + k);
      if (r.active) {
        r.add(i, digamma(size + k) - digamma(size) + digamma(a + size) - total);
      }
      if (alpha.active) alpha.add(i, digamma(a + size) - total - digamma(a) + digamma(a + b));
      if (beta.active) beta.add(i, digamma(b + k) - total - digamma(b) + digamma(a + b));
    }
    return lp;
  },
);

/** log YuleSimon(y | alpha) = log alpha + log B(y, alpha + 1), y = 1, 2, …. */
export const yuleSimonLpmf = density('yule_simon_lpmf', [variable, shape], (call, y, alpha) => {
  const { n } = call;
  for (let i = 0; i < y.size; i++) if (!(y.at(i) >= 1)) y.fail(call.name, i, 'at least 1');
  let lp = 0;
  for (let i = 0; i < n; i++) {
    const k = y.at(i);
    const a = alpha.at(i);
    lp += Math.log(a) + lbeta(k, a + 1);
    if (alpha.active) alpha.add(i, 1 / a + digamma(a + 1) - digamma(a + 1 + k));
  }
  return lp;
});
