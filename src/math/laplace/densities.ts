/** Log densities and masses of one outcome as arithmetic, with all terms (formulas: Stan functions reference). */
import { DomainError } from '../errors.ts';
import { lchoose } from '../special/beta.ts';
import { logTwoPi } from '../special/constants.ts';
import { digammaDifference, logFactorial, logRisingRatio } from '../special/gamma.ts';
import { polygamma } from '../special/polygamma.ts';
import { type Algebra, number, type Term } from './algebra.ts';
import { logBesselI0Derivatives } from './incomplete.ts';

export type TermDensity = (m: Algebra, ...operands: Term[]) => Term;

const halfLogTwoPi = 0.9189385332046728;
const logPi = Math.log(Math.PI);
const outside = number(-Infinity);

function require(holds: boolean, what: string): void {
  if (!holds) throw new DomainError(what);
}
const positive = ({ value }: Term, what: string) =>
  require(value > 0 && value < Infinity, `${what} is ${value}, but must be positive finite`);
const isCount = ({ value }: Term) =>
  require(value >= 0 &&
    Number.isInteger(value), `the outcome is ${value}, but must be nonnegative`);
const isBinary = ({ value }: Term) =>
  require(value === 0 || value === 1, `the outcome is ${value}, but must be 0 or 1`);

const standardised = (m: Algebra, y: Term, mu: Term, sigma: Term): Term => {
  positive(sigma, 'the scale parameter');
  return m.divide(m.subtract(y, mu), sigma);
};

const normal: TermDensity = (m, y, mu, sigma) => {
  const z = m.call('square', standardised(m, y, mu, sigma));
  return m.add(m.scale(-0.5, z), m.scale(-1, m.call('log', sigma)), number(-halfLogTwoPi));
};

const studentT: TermDensity = (m, y, nu, mu, sigma) => {
  positive(nu, 'the degrees of freedom parameter');
  const z = m.call('square', standardised(m, y, mu, sigma));
  const half = m.scale(0.5, m.add(nu, number(1)));
  const gammas = m.subtract(m.call('lgamma', half), m.call('lgamma', m.scale(0.5, nu)));
  const kernel = m.multiply(half, m.call('log1p', m.divide(z, nu)));
  const logs = m.add(m.scale(-0.5, m.call('log', nu)), m.scale(-1, m.call('log', sigma)));
  return m.add(gammas, m.scale(-1, kernel), logs, number(-0.5 * logPi));
};

const cauchy: TermDensity = (m, y, mu, sigma) => {
  const z = m.call('square', standardised(m, y, mu, sigma));
  const logs = m.add(m.call('log1p', z), m.call('log', sigma), number(logPi));
  return m.scale(-1, logs);
};

const doubleExponential: TermDensity = (m, y, mu, sigma) => {
  const z = m.call('abs', standardised(m, y, mu, sigma));
  return m.scale(-1, m.add(z, m.call('log', sigma), number(Math.LN2)));
};

const logistic: TermDensity = (m, y, mu, sigma) => {
  const z = standardised(m, y, mu, sigma);
  const tails = m.scale(2, m.call('log1p_exp', m.scale(-1, z)));
  return m.scale(-1, m.add(z, tails, m.call('log', sigma)));
};

const gumbel: TermDensity = (m, y, mu, beta) => {
  const z = standardised(m, y, mu, beta);
  return m.scale(-1, m.add(z, m.call('exp', m.scale(-1, z)), m.call('log', beta)));
};

const lognormal: TermDensity = (m, y, mu, sigma) => {
  if (y.value <= 0) return outside;
  const logY = m.call('log', y);
  return m.subtract(normal(m, logY, mu, sigma), logY);
};

const exponential: TermDensity = (m, y, beta) => {
  positive(beta, 'the inverse scale parameter');
  if (y.value < 0) return outside;
  return m.subtract(m.call('log', beta), m.multiply(beta, y));
};

const gamma: TermDensity = (m, y, alpha, beta) => {
  positive(alpha, 'the shape parameter');
  positive(beta, 'the inverse scale parameter');
  if (y.value < 0) return outside;
  const powers = m.multiply(m.subtract(alpha, number(1)), m.call('log', y));
  const rates = m.subtract(m.multiply(alpha, m.call('log', beta)), m.multiply(beta, y));
  return m.subtract(m.add(powers, rates), m.call('lgamma', alpha));
};

const inverseGamma: TermDensity = (m, y, alpha, beta) => {
  positive(alpha, 'the shape parameter');
  positive(beta, 'the scale parameter');
  if (y.value <= 0) return outside;
  const powers = m.multiply(m.add(alpha, number(1)), m.call('log', y));
  const scales = m.subtract(m.multiply(alpha, m.call('log', beta)), m.divide(beta, y));
  return m.subtract(m.subtract(scales, powers), m.call('lgamma', alpha));
};

const weibull: TermDensity = (m, y, alpha, sigma) => {
  positive(alpha, 'the shape parameter');
  positive(sigma, 'the scale parameter');
  if (y.value < 0) return outside;
  const logSigma = m.call('log', sigma);
  const ratio = m.subtract(m.call('log', y), logSigma);
  const kernel = m.subtract(
    m.multiply(m.subtract(alpha, number(1)), ratio),
    m.call('exp', m.multiply(alpha, ratio)),
  );
  return m.add(kernel, m.call('log', alpha), m.scale(-1, logSigma));
};

const lbeta = (m: Algebra, a: Term, b: Term): Term =>
  m.subtract(m.add(m.call('lgamma', a), m.call('lgamma', b)), m.call('lgamma', m.add(a, b)));

const beta: TermDensity = (m, y, a, b) => {
  positive(a, 'the first shape parameter');
  positive(b, 'the second shape parameter');
  if (!(y.value > 0 && y.value < 1)) return outside;
  const first = m.multiply(m.subtract(a, number(1)), m.call('log', y));
  const second = m.multiply(m.subtract(b, number(1)), m.call('log1m', y));
  return m.subtract(m.add(first, second), lbeta(m, a, b));
};

const betaProportion: TermDensity = (m, y, mu, kappa) => {
  const first = m.multiply(mu, kappa);
  return beta(m, y, first, m.subtract(kappa, first));
};

const bernoulli: TermDensity = (m, y, theta) => {
  isBinary(y);
  return m.call(y.value === 1 ? 'log' : 'log1m', theta);
};

const bernoulliLogit: TermDensity = (m, y, alpha) => {
  isBinary(y);
  return m.call('log_inv_logit', y.value === 1 ? alpha : m.scale(-1, alpha));
};

const binomial: TermDensity = (m, y, trials, theta) => {
  const failures = trials.value - y.value;
  require(y.value >= 0 && failures >= 0, 'the number of successes must be between 0 and N');
  const terms = m.add(
    m.count(y.value, m.call('log', theta)),
    m.count(failures, m.call('log1m', theta)),
  );
  return m.add(terms, number(lchoose(trials.value, y.value)));
};

const binomialLogit: TermDensity = (m, y, trials, alpha) => {
  const failures = trials.value - y.value;
  require(y.value >= 0 && failures >= 0, 'the number of successes must be between 0 and N');
  const yes = m.count(y.value, m.call('log_inv_logit', alpha));
  const no = m.count(failures, m.call('log1m_inv_logit', alpha));
  return m.add(yes, no, number(lchoose(trials.value, y.value)));
};

const poisson: TermDensity = (m, y, lambda) => {
  isCount(y);
  require(lambda.value >= 0, `the rate parameter is ${lambda.value}, but must be nonnegative`);
  const linear = m.count(y.value, m.call('log', lambda));
  return m.add(linear, m.scale(-1, lambda), number(-logFactorial(y.value)));
};

const poissonLog: TermDensity = (m, y, alpha) => {
  isCount(y);
  const rest = m.add(m.call('exp', alpha), number(logFactorial(y.value)));
  return m.subtract(m.count(y.value, alpha), rest);
};

/** log Γ(phi + k) − log Γ(phi) for an integer k. */
const rising = (m: Algebra, phi: Term, k: number): Term =>
  m.apply(
    (x) => [
      logRisingRatio(x, k),
      digammaDifference(x, k),
      polygamma(1, x + k) - polygamma(1, x),
      polygamma(2, x + k) - polygamma(2, x),
    ],
    phi,
  );

const negBinomial2Log: TermDensity = (m, y, eta, phi) => {
  isCount(y);
  positive(phi, 'the precision parameter');
  const k = y.value;
  const logPhi = m.call('log', phi);
  const d = m.subtract(eta, logPhi);
  const tails = m.multiply(m.add(phi, number(k)), m.call('log1p_exp', d));
  const terms = m.subtract(m.count(k, d), tails);
  return m.add(terms, rising(m, phi, k), number(-logFactorial(k)));
};

const negBinomial2: TermDensity = (m, y, mu, phi) => negBinomial2Log(m, y, m.call('log', mu), phi);

/** The mean is alpha / beta, the precision alpha. */
const negBinomial: TermDensity = (m, y, alpha, betaRate) =>
  negBinomial2Log(m, y, m.subtract(m.call('log', alpha), m.call('log', betaRate)), alpha);

const betaBinomial: TermDensity = (m, y, trials, a, b) => {
  const failures = trials.value - y.value;
  require(y.value >= 0 && failures >= 0, 'the number of successes must be between 0 and N');
  const shapes = lbeta(m, m.add(a, y), m.add(b, number(failures)));
  return m.add(shapes, m.scale(-1, lbeta(m, a, b)), number(lchoose(trials.value, y.value)));
};

const skewNormal: TermDensity = (m, y, mu, sigma, alpha) => {
  const z = standardised(m, y, mu, sigma);
  const skew = m.call('std_normal_lcdf', m.multiply(alpha, z));
  return m.add(normal(m, y, mu, sigma), skew, number(Math.LN2));
};

const expModNormal: TermDensity = (m, y, mu, sigma, lambda) => {
  positive(lambda, 'the inverse scale parameter');
  const z = standardised(m, y, mu, sigma);
  const l = m.multiply(lambda, sigma);
  const tilt = m.subtract(m.scale(0.5, m.call('square', l)), m.multiply(l, z));
  return m.add(m.call('log', lambda), tilt, m.call('std_normal_lcdf', m.subtract(z, l)));
};

const skewDoubleExponential: TermDensity = (m, y, mu, sigma, tau) => {
  const z = m.scale(2, standardised(m, y, mu, sigma));
  const rest = m.subtract(number(1), tau);
  const kernel = y.value < mu.value ? m.multiply(rest, z) : m.scale(-1, m.multiply(tau, z));
  const logs = m.add(m.call('log', tau), m.call('log', rest), m.scale(-1, m.call('log', sigma)));
  return m.add(kernel, logs, number(Math.LN2));
};

const chiSquare: TermDensity = (m, y, nu) => gamma(m, y, m.scale(0.5, nu), number(0.5));
const inverseChiSquare: TermDensity = (m, y, nu) =>
  inverseGamma(m, y, m.scale(0.5, nu), number(0.5));
const scaledInverseChiSquare: TermDensity = (m, y, nu, s) => {
  const half = m.scale(0.5, nu);
  return inverseGamma(m, y, half, m.multiply(half, m.call('square', s)));
};

const frechet: TermDensity = (m, y, alpha, sigma) => {
  positive(alpha, 'the shape parameter');
  positive(sigma, 'the scale parameter');
  if (y.value <= 0) return outside;
  const logSigma = m.call('log', sigma);
  const ratio = m.multiply(alpha, m.subtract(m.call('log', y), logSigma));
  const kernel = m.add(ratio, m.call('exp', m.scale(-1, ratio)), m.call('log', y));
  return m.subtract(m.call('log', alpha), kernel);
};

const rayleigh: TermDensity = (m, y, sigma) => {
  positive(sigma, 'the scale parameter');
  if (y.value < 0) return outside;
  const kernel = m.scale(0.5, m.call('square', m.divide(y, sigma)));
  return m.subtract(m.call('log', y), m.add(m.scale(2, m.call('log', sigma)), kernel));
};

const loglogistic: TermDensity = (m, y, alpha, shape) => {
  positive(alpha, 'the scale parameter');
  positive(shape, 'the shape parameter');
  if (y.value <= 0) return outside;
  const logY = m.call('log', y);
  const z = m.multiply(shape, m.subtract(logY, m.call('log', alpha)));
  const kernel = m.subtract(z, m.scale(2, m.call('log1p_exp', z)));
  return m.add(kernel, m.call('log', shape), m.scale(-1, logY));
};

const pareto: TermDensity = (m, y, least, alpha) => {
  positive(least, 'the scale parameter');
  positive(alpha, 'the shape parameter');
  if (y.value < least.value) return outside;
  const logY = m.call('log', y);
  const kernel = m.multiply(alpha, m.subtract(m.call('log', least), logY));
  return m.add(m.call('log', alpha), kernel, m.scale(-1, logY));
};

const paretoType2: TermDensity = (m, y, mu, lambda, alpha) => {
  positive(alpha, 'the shape parameter');
  const z = standardised(m, y, mu, lambda);
  if (z.value < 0) return outside;
  const kernel = m.multiply(m.add(alpha, number(1)), m.call('log1p', z));
  return m.subtract(m.subtract(m.call('log', alpha), m.call('log', lambda)), kernel);
};

const uniform: TermDensity = (m, y, low, high) =>
  y.value < low.value || y.value > high.value
    ? outside
    : m.scale(-1, m.call('log', m.subtract(high, low)));

const vonMises: TermDensity = (m, y, mu, kappa) => {
  const kernel = m.multiply(kappa, m.call('cos', m.subtract(y, mu)));
  return m.add(kernel, m.scale(-1, m.apply(logBesselI0Derivatives, kappa)), number(-logTwoPi));
};

const betaNegBinomial: TermDensity = (m, y, r, a, b) => {
  isCount(y);
  const shapes = m.subtract(lbeta(m, m.add(a, r), m.add(b, y)), lbeta(m, a, b));
  return m.add(shapes, rising(m, r, y.value), number(-logFactorial(y.value)));
};

const yuleSimon: TermDensity = (m, y, alpha) => {
  const next = m.add(alpha, number(1));
  return m.add(m.call('log', alpha), lbeta(m, y, next));
};

const zero = number(0);
const one = number(1);

/** Of scalars, which are summed over the elements of containers. */
export const termDensities: Readonly<Record<string, TermDensity>> = {
  normal_lpdf: normal,
  std_normal_lpdf: (m, y) => normal(m, y, zero, one),
  student_t_lpdf: studentT,
  cauchy_lpdf: cauchy,
  double_exponential_lpdf: doubleExponential,
  logistic_lpdf: logistic,
  gumbel_lpdf: gumbel,
  lognormal_lpdf: lognormal,
  exponential_lpdf: exponential,
  gamma_lpdf: gamma,
  inv_gamma_lpdf: inverseGamma,
  weibull_lpdf: weibull,
  beta_lpdf: beta,
  beta_proportion_lpdf: betaProportion,
  bernoulli_lpmf: bernoulli,
  bernoulli_logit_lpmf: bernoulliLogit,
  binomial_lpmf: binomial,
  binomial_logit_lpmf: binomialLogit,
  beta_binomial_lpmf: betaBinomial,
  poisson_lpmf: poisson,
  poisson_log_lpmf: poissonLog,
  neg_binomial_lpmf: negBinomial,
  neg_binomial_2_lpmf: negBinomial2,
  neg_binomial_2_log_lpmf: negBinomial2Log,
  skew_normal_lpdf: skewNormal,
  exp_mod_normal_lpdf: expModNormal,
  skew_double_exponential_lpdf: skewDoubleExponential,
  chi_square_lpdf: chiSquare,
  inv_chi_square_lpdf: inverseChiSquare,
  scaled_inv_chi_square_lpdf: scaledInverseChiSquare,
  frechet_lpdf: frechet,
  rayleigh_lpdf: rayleigh,
  loglogistic_lpdf: loglogistic,
  pareto_lpdf: pareto,
  pareto_type_2_lpdf: paretoType2,
  uniform_lpdf: uniform,
  von_mises_lpdf: vonMises,
  beta_neg_binomial_lpmf: betaNegBinomial,
  yule_simon_lpmf: yuleSimon,
};
