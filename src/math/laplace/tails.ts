/** Logarithms of tails of one outcome as arithmetic, upper or lower (formulas: Stan functions reference). */
import { expModNormalTail, skewNormalTail } from '../distributions/tails-continuous.ts';
import { DomainError } from '../errors.ts';
import { halfLogTwoPi } from '../special/constants.ts';
import { type Algebra, number, type Term } from './algebra.ts';
import { termDensities } from './densities.ts';
import {
  logIncompleteBeta,
  logIncompleteGamma,
  logTailValue,
  movedTail,
  vonMisesLogTail,
} from './incomplete.ts';
import { fromGradient } from './paths.ts';

/** log P(Y > y) if `upper`, otherwise log P(Y ≤ y). */
export type LogTail = (m: Algebra, upper: boolean, y: Term, ...parameters: Term[]) => Term;

const one = number(1);
/** All of the probability lies on one side. */
const all = (isAbove: boolean, upper: boolean): Term => number(isAbove === upper ? 0 : -Infinity);
const negative = (m: Algebra, a: Term) => m.scale(-1, a);
const complement = (m: Algebra, a: Term) => m.call('log1m_exp', a);
const log = (m: Algebra, a: Term) => m.call('log', a);

function standardised(m: Algebra, y: Term, mu: Term, sigma: Term): Term {
  if (!(sigma.value > 0 && sigma.value < Infinity))
    throw new DomainError(`the scale parameter is ${sigma.value}, but must be positive finite`);
  return m.divide(m.subtract(y, mu), sigma);
}

/** From the logarithm of one tail. */
const from = (m: Algebra, isUpper: boolean, upper: boolean, logP: Term): Term =>
  isUpper === upper ? logP : complement(m, logP);

const onPositive =
  (tail: LogTail): LogTail =>
  (m, upper, y, ...parameters) =>
    y.value <= 0 ? all(true, upper) : tail(m, upper, y, ...parameters);

const normal: LogTail = (m, upper, y, mu, sigma) => {
  const z = standardised(m, y, mu, sigma);
  return m.call('std_normal_lcdf', upper ? negative(m, z) : z);
};

/** atan2(1, s) without loss for large s. */
function arc(m: Algebra, s: Term): Term {
  if (Math.abs(s.value) <= 1) return m.subtract(number(Math.PI / 2), m.call('atan', s));
  const angle = m.call('atan', m.call('inv', s));
  return s.value > 0 ? angle : m.add(number(Math.PI), angle);
}

const cauchy: LogTail = (m, upper, y, mu, sigma) => {
  const z = standardised(m, y, mu, sigma);
  return log(m, m.scale(1 / Math.PI, arc(m, upper ? z : negative(m, z))));
};

const doubleExponential: LogTail = (m, upper, y, mu, sigma) => {
  const z = standardised(m, y, mu, sigma);
  const t = upper ? negative(m, z) : z;
  if (t.value < 0) return m.add(t, number(-Math.LN2));
  return complement(m, m.subtract(number(-Math.LN2), t));
};

const skewDoubleExponential: LogTail = (m, upper, y, mu, sigma, tau) => {
  const z = m.scale(2, standardised(m, y, mu, sigma));
  const rest = m.subtract(one, tau);
  const isLeft = y.value < mu.value;
  const logP = isLeft
    ? m.add(log(m, tau), m.multiply(rest, z))
    : m.subtract(log(m, rest), m.multiply(tau, z));
  return from(m, !isLeft, upper, logP);
};

const logistic: LogTail = (m, upper, y, mu, sigma) => {
  const z = standardised(m, y, mu, sigma);
  return m.call('log_inv_logit', upper ? negative(m, z) : z);
};

const loglogistic: LogTail = onPositive((m, upper, y, alpha, beta) => {
  const z = m.multiply(beta, m.subtract(log(m, y), log(m, alpha)));
  return m.call('log_inv_logit', upper ? negative(m, z) : z);
});

const gumbel: LogTail = (m, upper, y, mu, beta) => {
  const z = standardised(m, y, mu, beta);
  return from(m, false, upper, negative(m, m.call('exp', negative(m, z))));
};

const lognormal: LogTail = onPositive((m, upper, y, mu, sigma) =>
  normal(m, upper, log(m, y), mu, sigma),
);

const exponential: LogTail = onPositive((m, upper, y, rate) =>
  from(m, true, upper, negative(m, m.multiply(rate, y))),
);

/** (y / sigma) to the power of alpha. */
const power = (m: Algebra, y: Term, alpha: Term, sigma: Term, sign: 1 | -1): Term =>
  m.call('exp', m.scale(sign, m.multiply(alpha, m.subtract(log(m, y), log(m, sigma)))));

const weibull: LogTail = onPositive((m, upper, y, alpha, sigma) =>
  from(m, true, upper, negative(m, power(m, y, alpha, sigma, 1))),
);

const frechet: LogTail = onPositive((m, upper, y, alpha, sigma) =>
  from(m, false, upper, negative(m, power(m, y, alpha, sigma, -1))),
);

const rayleigh: LogTail = onPositive((m, upper, y, sigma) =>
  from(m, true, upper, m.scale(-0.5, m.call('square', m.divide(y, sigma)))),
);

const pareto: LogTail = (m, upper, y, least, alpha) =>
  y.value < least.value
    ? all(true, upper)
    : from(m, true, upper, m.multiply(alpha, m.subtract(log(m, least), log(m, y))));

const paretoType2: LogTail = (m, upper, y, mu, lambda, alpha) => {
  const z = standardised(m, y, mu, lambda);
  if (z.value <= 0) return all(true, upper);
  return from(m, true, upper, negative(m, m.multiply(alpha, m.call('log1p', z))));
};

const uniform: LogTail = (m, upper, y, low, high) => {
  if (y.value <= low.value) return all(true, upper);
  if (y.value >= high.value) return all(false, upper);
  const part = upper ? m.subtract(high, y) : m.subtract(y, low);
  return m.subtract(log(m, part), log(m, m.subtract(high, low)));
};

const logNormalDensity = (m: Algebra, z: Term): Term =>
  m.add(m.scale(-0.5, m.call('square', z)), number(-halfLogTwoPi));

/** Φ(z) − exp(l²/2 − l z) Φ(z − l) with l = lambda sigma. */
const expModNormal: LogTail = (m, upper, y, mu, sigma, lambda) => {
  const l = m.multiply(lambda, sigma);
  const z = standardised(m, y, mu, sigma);
  const value = logTailValue(expModNormalTail, upper, z.value, 0, 1, l.value);
  const sign = upper ? -1 : 1;
  const ratio = (a: Term) => m.scale(sign, m.call('exp', m.add(a, number(-value))));
  const change = fromGradient(m, 0, [z, l], ([s, k]) => {
    const tilt = m.subtract(m.scale(0.5, m.call('square', k)), m.multiply(k, s));
    const kernel = ratio(m.add(tilt, m.call('std_normal_lcdf', m.subtract(s, k))));
    const inShape = m.add(m.multiply(m.subtract(s, k), kernel), ratio(logNormalDensity(m, s)));
    return [m.multiply(k, kernel), inShape];
  });
  return m.add(number(value), m.call('log1p', change));
};

/** Φ(z) − 2 T(z, alpha), where ∂T/∂alpha = exp(−z² (1 + alpha²) / 2) / (2 π (1 + alpha²)). */
const skewNormal: LogTail = (m, upper, y, mu, sigma, alpha) => {
  const z = standardised(m, y, mu, sigma);
  const value = logTailValue(skewNormalTail, upper, z.value, 0, 1, alpha.value);
  const sign = upper ? -1 : 1;
  const ratio = (a: Term) => m.scale(sign, m.call('exp', m.add(a, number(-value))));
  const change = fromGradient(m, 0, [z, alpha], ([s, a]) => {
    const density = m.add(
      logNormalDensity(m, s),
      number(Math.LN2),
      m.call('std_normal_lcdf', m.multiply(a, s)),
    );
    const q = m.add(one, m.call('square', a));
    const kernel = m.scale(-0.5, m.multiply(m.call('square', s), q));
    const inShape = m.subtract(m.add(kernel, number(-Math.log(Math.PI))), log(m, q));
    return [ratio(density), m.scale(-1, ratio(inShape))];
  });
  return m.add(number(value), m.call('log1p', change));
};

/** P(T > |z|) = I_x(nu/2, 1/2) / 2 with x = nu / (nu + z²), z held fixed. */
function studentTOutside(m: Algebra, z: number, nu: Term): Term {
  const half = m.scale(0.5, nu);
  const square = number(z * z);
  const all = m.add(nu, square);
  // the smaller argument is the exact one
  const tail =
    square.value > nu.value
      ? logIncompleteBeta(m, false, half, number(0.5), m.divide(nu, all))
      : logIncompleteBeta(m, true, number(0.5), half, m.divide(square, all));
  return m.add(tail, number(-Math.LN2));
}

const studentT: LogTail = (m, upper, y, nu, mu, sigma) => {
  const z = standardised(m, y, mu, sigma);
  const outside = z.value === 0 ? number(-Math.LN2) : studentTOutside(m, z.value, nu);
  const isOutside = upper ? z.value > 0 : z.value < 0;
  const shape = isOutside || z.value === 0 ? outside : complement(m, outside);
  const density = termDensities.student_t_lpdf;
  return movedTail(m, upper, shape, z, (t) => density(m, t, nu, number(0), one));
};

const gamma: LogTail = onPositive((m, upper, y, alpha, beta) =>
  logIncompleteGamma(m, upper, alpha, m.multiply(beta, y)),
);
const invGamma: LogTail = onPositive((m, upper, y, alpha, beta) =>
  logIncompleteGamma(m, !upper, alpha, m.divide(beta, y)),
);
const chiSquare: LogTail = onPositive((m, upper, y, nu) =>
  logIncompleteGamma(m, upper, m.scale(0.5, nu), m.scale(0.5, y)),
);
const invChiSquare: LogTail = onPositive((m, upper, y, nu) =>
  logIncompleteGamma(m, !upper, m.scale(0.5, nu), m.scale(0.5, m.call('inv', y))),
);
const scaledInvChiSquare: LogTail = onPositive((m, upper, y, nu, s) => {
  const x = m.scale(0.5, m.divide(m.multiply(nu, m.call('square', s)), y));
  return logIncompleteGamma(m, !upper, m.scale(0.5, nu), x);
});

const beta: LogTail = (m, upper, y, a, b) => {
  if (y.value <= 0) return all(true, upper);
  if (y.value >= 1) return all(false, upper);
  return logIncompleteBeta(m, upper, a, b, y);
};
const betaProportion: LogTail = (m, upper, y, mu, kappa) => {
  const a = m.multiply(mu, kappa);
  return beta(m, upper, y, a, m.subtract(kappa, a));
};

const bernoulli: LogTail = (m, upper, y, theta) => {
  if (y.value < 0) return all(true, upper);
  if (y.value >= 1) return all(false, upper);
  return m.call(upper ? 'log' : 'log1m', theta);
};

const poisson: LogTail = (m, upper, y, lambda) =>
  y.value < 0 ? all(true, upper) : logIncompleteGamma(m, !upper, number(y.value + 1), lambda);

/** P(Y ≤ n) = I_{1 − theta}(N − n, n + 1). */
const binomial: LogTail = (m, upper, y, trials, theta) => {
  if (y.value < 0) return all(true, upper);
  if (y.value >= trials.value) return all(false, upper);
  return logIncompleteBeta(m, !upper, number(y.value + 1), number(trials.value - y.value), theta);
};

/** P(Y ≤ n) = I_p(alpha, n + 1) with p = beta / (1 + beta). */
const negBinomial: LogTail = (m, upper, y, alpha, rate) =>
  y.value < 0
    ? all(true, upper)
    : logIncompleteBeta(m, upper, alpha, number(y.value + 1), m.divide(rate, m.add(rate, one)));

const negBinomial2: LogTail = (m, upper, y, mu, phi) =>
  y.value < 0
    ? all(true, upper)
    : logIncompleteBeta(m, upper, phi, number(y.value + 1), m.divide(phi, m.add(phi, mu)));

/** The sum of the masses of the tail with fewer outcomes where both are finite. */
const betaBinomial: LogTail = (m, upper, y, trials, a, b) => {
  if (y.value < 0) return all(true, upper);
  if (y.value >= trials.value) return all(false, upper);
  const [first, last] = upper ? [y.value + 1, trials.value] : [0, y.value];
  return m.logSumExp(massesOf(m, 'beta_binomial_lpmf', first, last, [trials, a, b]));
};

const betaNegBinomial: LogTail = (m, upper, y, r, a, b) => {
  if (y.value < 0) return all(true, upper);
  const below = m.logSumExp(massesOf(m, 'beta_neg_binomial_lpmf', 0, y.value, [r, a, b]));
  return from(m, false, upper, below);
};

function massesOf(
  m: Algebra,
  name: string,
  first: number,
  last: number,
  parameters: readonly Term[],
): Term[] {
  return Array.from({ length: last - first + 1 }, (_, i) =>
    termDensities[name](m, number(first + i), ...parameters),
  );
}

/** P(Y > n) = Γ(n + 1) Γ(alpha + 1) / Γ(n + alpha + 1). */
const yuleSimon: LogTail = (m, upper, y, alpha) => {
  if (y.value < 1) return all(true, upper);
  const next = m.add(alpha, one);
  const gammas = m.subtract(m.call('lgamma', next), m.call('lgamma', m.add(next, number(y.value))));
  return from(m, true, upper, m.add(gammas, m.call('lgamma', number(y.value + 1))));
};

export const termTails: Readonly<Record<string, LogTail>> = {
  normal,
  std_normal: (m, upper, y) => normal(m, upper, y, number(0), one),
  exp_mod_normal: expModNormal,
  skew_normal: skewNormal,
  student_t: studentT,
  cauchy,
  double_exponential: doubleExponential,
  skew_double_exponential: skewDoubleExponential,
  logistic,
  loglogistic,
  gumbel,
  lognormal,
  chi_square: chiSquare,
  inv_chi_square: invChiSquare,
  scaled_inv_chi_square: scaledInvChiSquare,
  exponential,
  gamma,
  inv_gamma: invGamma,
  weibull,
  frechet,
  rayleigh,
  pareto,
  pareto_type_2: paretoType2,
  beta,
  beta_proportion: betaProportion,
  von_mises: vonMisesLogTail,
  uniform,
  bernoulli,
  binomial,
  beta_binomial: betaBinomial,
  beta_neg_binomial: betaNegBinomial,
  neg_binomial: negBinomial,
  neg_binomial_2: negBinomial2,
  poisson,
  yule_simon: yuleSimon,
};
