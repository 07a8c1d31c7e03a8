/** Random functions `name_rng(rng, kinds, ...args)` of scalar distributions; parameters may be containers. */

import { DomainError } from '../../errors.ts';
import {
  drawBeta,
  drawCauchy,
  drawChiSquare,
  drawGamma,
  drawGumbel,
  drawLaplace,
  drawLogistic,
  drawSkewNormal,
  drawStudentT,
  drawVonMises,
} from '../../random/continuous.ts';
import {
  drawBetaBinomial,
  drawBinomial,
  drawHypergeometric,
  drawNegBinomial2,
  drawPoisson,
  maxPoissonMean,
} from '../../random/discrete.ts';
import type { Rng } from '../../random/rng.ts';
import { invLogit } from '../../special/log-exp.ts';
import type { LibraryFunction, LibraryPart } from '../machinery/implementation.ts';
import { type ParameterRule, rules, vectorisedRng } from '../machinery/vectorise-random.ts';

type Draw = (rng: Rng, a: number, b: number, c: number, d: number) => number;

const {
  location,
  scale,
  inverseScale,
  shape,
  firstShape,
  secondShape,
  precision,
  freedom,
  finite,
  probability,
  rate,
  count,
} = rules;

/** Name → rules for the parameters, and a draw. */
const continuous: Readonly<Record<string, readonly [readonly ParameterRule[], Draw]>> = {
  std_normal: [[], (rng) => rng.normal()],
  normal: [[location, scale], (rng, mu, sigma) => mu + sigma * rng.normal()],
  lognormal: [[location, scale], (rng, mu, sigma) => Math.exp(mu + sigma * rng.normal())],
  student_t: [
    [freedom, location, scale],
    (rng, nu, mu, sigma) => mu + sigma * drawStudentT(rng, nu),
  ],
  cauchy: [[location, scale], (rng, mu, sigma) => mu + sigma * drawCauchy(rng)],
  double_exponential: [[location, scale], (rng, mu, sigma) => mu + sigma * drawLaplace(rng)],
  logistic: [[location, scale], (rng, mu, sigma) => mu + sigma * drawLogistic(rng)],
  gumbel: [[location, scale], (rng, mu, beta) => mu + beta * drawGumbel(rng)],
  skew_normal: [
    [location, scale, finite],
    (rng, xi, omega, alpha) => xi + omega * drawSkewNormal(rng, alpha),
  ],
  exp_mod_normal: [
    [location, scale, inverseScale],
    (rng, mu, sigma, lambda) => mu + sigma * rng.normal() + rng.exponential() / lambda,
  ],
  // τ of the mass lies below mu, with scale sigma/(2 (1 − τ)); above it the scale is sigma/(2 τ)
  skew_double_exponential: [
    [location, scale, probability],
    (rng, mu, sigma, tau) => {
      const e = 0.5 * sigma * rng.exponential();
      return rng.uniform() < tau ? mu - e / (1 - tau) : mu + e / tau;
    },
  ],
  exponential: [[inverseScale], (rng, beta) => rng.exponential() / beta],
  gamma: [[shape, inverseScale], (rng, alpha, beta) => drawGamma(rng, alpha) / beta],
  inv_gamma: [[shape, scale], (rng, alpha, beta) => beta / drawGamma(rng, alpha)],
  chi_square: [[freedom], drawChiSquare],
  inv_chi_square: [[freedom], (rng, nu) => 1 / drawChiSquare(rng, nu)],
  scaled_inv_chi_square: [
    [freedom, scale],
    (rng, nu, sigma) => (nu * sigma * sigma) / drawChiSquare(rng, nu),
  ],
  weibull: [[shape, scale], (rng, alpha, sigma) => sigma * rng.exponential() ** (1 / alpha)],
  frechet: [[shape, scale], (rng, alpha, sigma) => sigma * rng.exponential() ** (-1 / alpha)],
  rayleigh: [[scale], (rng, sigma) => sigma * Math.sqrt(2 * rng.exponential())],
  loglogistic: [[scale, shape], (rng, alpha, beta) => alpha * Math.exp(drawLogistic(rng) / beta)],
  pareto: [[scale, shape], (rng, yMin, alpha) => yMin * Math.exp(rng.exponential() / alpha)],
  pareto_type_2: [
    [location, scale, shape],
    (rng, mu, lambda, alpha) => mu + lambda * Math.expm1(rng.exponential() / alpha),
  ],
  beta: [[firstShape, secondShape], drawBeta],
  beta_proportion: [
    [probability, precision],
    (rng, mu, kappa) => drawBeta(rng, mu * kappa, (1 - mu) * kappa),
  ],
  von_mises: [[location, rate], drawVonMises],
  uniform: [[location, location], (rng, a, b) => drawUniform(rng, a, b)],
};

function drawUniform(rng: Rng, a: number, b: number): number {
  if (!(b > a)) {
    throw new DomainError(
      `uniform_rng: Upper bound parameter is ${b}, but must be greater than ${a}`,
    );
  }
  return a + (b - a) * rng.uniform();
}

/** A Poisson mean must leave room for the draw in an int. */
function poisson(name: string, rng: Rng, mean: number): number {
  if (!(mean < maxPoissonMean)) {
    throw new DomainError(
      `${name}: Rate parameter is ${mean}, but must be less than ${maxPoissonMean}`,
    );
  }
  return drawPoisson(rng, mean);
}

const discrete: Readonly<Record<string, readonly [readonly ParameterRule[], Draw]>> = {
  bernoulli: [[probability], (rng, theta) => (rng.uniform() < theta ? 1 : 0)],
  bernoulli_logit: [[finite], (rng, alpha) => (rng.uniform() < invLogit(alpha) ? 1 : 0)],
  binomial: [[count, probability], drawBinomial],
  binomial_logit: [[count, finite], (rng, n, alpha) => drawBinomial(rng, n, invLogit(alpha))],
  beta_binomial: [[count, firstShape, secondShape], drawBetaBinomial],
  hypergeometric: [[count, count, count], drawHypergeometric],
  discrete_range: [
    [finite, finite],
    (rng, low, high) => {
      if (high < low) {
        throw new DomainError(
          `discrete_range_rng: Upper bound is ${high}, but must be at least ${low}`,
        );
      }
      return low + Math.floor(rng.uniform() * (high - low + 1));
    },
  ],
  poisson: [[rate], (rng, lambda) => poisson('poisson_rng', rng, lambda)],
  poisson_log: [[finite], (rng, alpha) => poisson('poisson_log_rng', rng, Math.exp(alpha))],
  neg_binomial: [
    [shape, inverseScale],
    (rng, alpha, beta) => poisson('neg_binomial_rng', rng, drawGamma(rng, alpha) / beta),
  ],
  neg_binomial_2: [[scale, precision], drawNegBinomial2],
  neg_binomial_2_log: [
    [finite, precision],
    (rng, eta, phi) =>
      poisson('neg_binomial_2_log_rng', rng, (drawGamma(rng, phi) * Math.exp(eta)) / phi),
  ],
  beta_neg_binomial: [
    [shape, firstShape, secondShape],
    (rng, r, a, b) => {
      const p = drawBeta(rng, a, b);
      return poisson('beta_neg_binomial_rng', rng, (drawGamma(rng, r) * (1 - p)) / p);
    },
  ],
  // geometric with a random log failure probability (Yule 1925): W exponential of rate alpha, p = exp(−W)
  yule_simon: [
    [shape],
    (rng, alpha) => {
      const p = Math.exp(-rng.exponential() / alpha);
      return 1 + Math.floor(-rng.exponential() / Math.log1p(-p));
    },
  ],
};

const part: Record<string, LibraryFunction> = {};
for (const [name, [parameters, draw]] of Object.entries(continuous)) {
  part[`${name}_rng`] = vectorisedRng(`${name}_rng`, parameters, false, draw);
}
for (const [name, [parameters, draw]] of Object.entries(discrete)) {
  part[`${name}_rng`] = vectorisedRng(`${name}_rng`, parameters, true, draw);
}

export const randomPart: LibraryPart = part;
