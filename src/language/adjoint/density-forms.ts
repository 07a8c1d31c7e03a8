/**
 * Densities of scalars written as operations, from which the chain rule, what is kept and what is hoisted follow.
 * Terms are kept and dropped as in the library (see the file of the distribution in `math/distributions`).
 */
import type { InlineFunction } from '../emit/derivatives.ts';
import { negBinomial2, negBinomial2Log } from './count-densities.ts';
import {
  type DensityForm,
  type GuardedForm,
  guarded,
  isBinary,
  isFinite,
  isNegative,
  isNonnegative,
  isNumber,
  isPositive,
  isPositiveFinite,
  isUnit,
  standardised,
  timesOrZero,
  timesUnlessZero,
} from './density-terms.ts';
import { expOfDistance, expOfMinusAbs, logInvLogit, logSumOfTwo } from './functions.ts';
import { gumbel, logistic } from './logistic-densities.ts';
import type { Guard, Node } from './node.ts';
import { tailForms } from './tail-densities.ts';
import { atZero, pareto, weibull } from './weibull-densities.ts';

const halfLogTwoPi = 0.9189385332046728;
const logPi = 1.1447298858494002;

/** −z²/2 − log sigma − log(2π)/2. */
const normal = guarded([isNumber, isFinite, isPositive], (b, [y, mu, sigma], kept) => {
  const z = standardised(b, y, mu, sigma);
  const kernel = b.call('multiply', b.number(-0.5), b.call('square', z));
  const logSigma = kept([sigma], b.call('log', sigma));
  const constant = kept([], b.number(halfLogTwoPi));
  return b.call('subtract', b.call('subtract', kernel, logSigma), constant);
});

const standardNormal = guarded([isNumber], (b, [y], kept) => {
  const kernel = b.call('multiply', b.number(-0.5), b.call('square', y));
  const constant = kept([], b.number(halfLogTwoPi));
  return b.call('subtract', kernel, constant);
});

/** −log1p(z²) − log sigma − log π. */
const cauchy = guarded([isNumber, isFinite, isPositiveFinite], (b, [y, mu, sigma], kept) => {
  const z = standardised(b, y, mu, sigma);
  const kernel = b.call('minus', b.call('log1p', b.call('square', z)));
  const logSigma = kept([sigma], b.call('log', sigma));
  const constant = kept([], b.number(logPi));
  return b.call('subtract', b.call('subtract', kernel, logSigma), constant);
});

/** log Γ((nu + 1)/2) − log Γ(nu/2) − log(nu)/2 − log(π)/2 − log sigma − (nu + 1)/2 log1p(z²/nu). */
const studentT = guarded(
  [isNumber, isPositiveFinite, isFinite, isPositiveFinite],
  (b, [y, nu, mu, sigma], kept) => {
    const half = b.number(0.5);
    const z = standardised(b, y, mu, sigma);
    const halfNext = b.call('multiply', half, b.call('add', nu, b.number(1)));
    const logTerm = b.call('log1p', b.call('divide', b.call('square', z), nu));
    const kernel = b.call('minus', b.call('multiply', halfNext, logTerm));
    const gammas = b.call(
      'subtract',
      b.call('lgamma', halfNext),
      b.call('lgamma', b.call('multiply', half, nu)),
    );
    const logNu = b.call('multiply', half, b.call('log', nu));
    const normaliser = kept([nu], b.call('subtract', gammas, logNu));
    const logSigma = kept([sigma], b.call('log', sigma));
    const constant = kept([], b.number(0.5 * logPi));
    const sum = b.call('subtract', b.call('add', kernel, normaliser), logSigma);
    return b.call('subtract', sum, constant);
  },
);

/** log beta − beta y. */
const exponential = guarded([isNonnegative, isPositiveFinite], (b, [y, beta], kept) => {
  const product = b.call('multiply', beta, y);
  return b.call('subtract', kept([beta], b.call('log', beta)), product);
});

/** −z²/2 − log sigma − log y − log(2π)/2 with z = (log y − mu)/sigma, for y > 0. */
const lognormal = guarded(
  [isNonnegative, isFinite, isPositiveFinite],
  (b, [checked, mu, sigma], kept) => {
    const logY = b.call('log', checked);
    const z = standardised(b, logY, mu, sigma);
    const kernel = b.call('multiply', b.number(-0.5), b.call('square', z));
    const logSigma = kept([sigma], b.call('log', sigma));
    const withY = kept([checked], logY);
    const constant = kept([], b.number(halfLogTwoPi));
    const sum = b.call('subtract', b.call('subtract', kernel, logSigma), withY);
    return atZero(b, checked, b.number(-Infinity), b.call('subtract', sum, constant));
  },
);

/** log inv_logit(±alpha). */
const bernoulliLogit = guarded([isBinary, isNumber], (b, [y, alpha]) => {
  const s = b.operation(signed, [y, alpha]);
  return b.operation(logInvLogit, [s, b.operation(expOfMinusAbs, [s])]);
});

/** x or −x for y of 1 or 0: a product, since outcomes are close to random and mispredicted branches cost more. */
const signed = {
  value: (y: string, x: string) => `(2 * ${y} - 1) * ${x}`,
  partials: [() => '0', (_: string, y: string) => `(2 * ${y} - 1)`],
};

const bernoulli = guarded([isBinary, isUnit], (b, operands) =>
  b.operation(bernoulliTerm, operands),
);

const bernoulliTerm = {
  value: (y: string, p: string) => `(${y} === 1 ? Math.log(${p}) : Math.log1p(-${p}))`,
  partials: [
    () => '0',
    (_: string, y: string, p: string) => `(${y} === 1 ? 1 / ${p} : 1 / (${p} - 1))`,
  ],
};

/** y alpha − exp(alpha) − log y!. */
const poissonLog = guarded([isNonnegative, isNumber], (b, [count, alpha], kept) => {
  const linear = b.operation(timesOutcome, [count, alpha]);
  const factorial = kept([], b.call('lgamma', b.call('add', count, b.number(1))));
  return b.call('subtract', b.call('subtract', linear, b.call('exp', alpha)), factorial);
});

/** y a, which is 0 at y = 0 whatever a is. */
const timesOutcome = {
  value: timesUnlessZero,
  partials: [() => '0', (_: string, y: string) => y],
};

/** alpha log beta − log Γ(alpha) + (alpha − 1) log y − beta y; −∞ at a negative y. */
const gamma = guarded(
  [isNumber, isPositiveFinite, isPositiveFinite],
  (b, [x, alpha, beta], kept) => {
    const powers = kept(
      [x, alpha],
      b.operation(timesOrZero, [b.call('subtract', alpha, b.number(1)), b.call('log', x)]),
    );
    const linear = kept([x, beta], b.call('multiply', beta, x));
    const rates = kept([alpha, beta], b.call('multiply', alpha, b.call('log', beta)));
    const normaliser = kept([alpha], b.call('lgamma', alpha));
    const kernel = b.call('subtract', powers, linear);
    const density = b.call('subtract', b.call('add', kernel, rates), normaliser);
    return b.choice(b.operation(isNegative, [x]), b.number(-Infinity), density);
  },
);

const isNotPositive: InlineFunction = { value: (x) => `(${x} <= 0 ? 1 : 0)`, partials: [] };

/** alpha log beta − log Γ(alpha) − (alpha + 1) log y − beta/y; −∞ for y ≤ 0. */
const inverseGamma = guarded(
  [isNumber, isPositiveFinite, isPositiveFinite],
  (b, [x, alpha, beta], kept) => {
    const powers = kept(
      [x, alpha],
      b.call('multiply', b.call('add', alpha, b.number(1)), b.call('log', x)),
    );
    const ratio = kept([x, beta], b.call('divide', beta, x));
    const scales = kept([alpha, beta], b.call('multiply', alpha, b.call('log', beta)));
    const normaliser = kept([alpha], b.call('lgamma', alpha));
    const kernel = b.call('subtract', b.call('minus', powers), ratio);
    const density = b.call('subtract', b.call('add', kernel, scales), normaliser);
    return b.choice(b.operation(isNotPositive, [x]), b.number(-Infinity), density);
  },
);

/** (alpha − 1) log y + (beta − 1) log(1 − y) − log B(alpha, beta). */
const beta = guarded(
  (x, a, c) => `${isPositiveFinite(a)} && ${isPositiveFinite(c)} && ${x} >= 0 && ${x} <= 1`,
  (b, [x, alpha, other], kept) => {
    const power = (shape: Node, log: string) =>
      kept(
        [x, shape],
        b.operation(timesOrZero, [b.call('subtract', shape, b.number(1)), b.call(log, x)]),
      );
    const normaliser = kept([alpha, other], b.operation(logBeta, [alpha, other]));
    const kernel = b.call('add', power(alpha, 'log'), power(other, 'log1m'));
    return b.call('subtract', kernel, normaliser);
  },
);

const logBeta: InlineFunction = {
  value: (a, b) => `lbeta__rr(${a}, ${b})`,
  partials: [
    (_, a, b) => `(digamma__r(${a}) - digamma__r(${a} + ${b}))`,
    (_, a, b) => `(digamma__r(${b}) - digamma__r(${a} + ${b}))`,
  ],
  uses: ['lbeta__rr', 'digamma__r'],
};

/** −log(beta − alpha) on [alpha, beta], −∞ outside. */
const uniform = guarded(
  (x, l, h) => `${x} === ${x} && ${isFinite(l)} && ${isFinite(h)} && ${h} > ${l}`,
  (b, [y, low, high], kept) => {
    const outside = b.operation(isOutside, [y, low, high]);
    const width = kept([low, high], b.call('log', b.call('subtract', high, low)));
    return b.choice(outside, b.number(-Infinity), b.call('minus', width));
  },
);

const isOutside: InlineFunction = {
  value: (x, l, h) => `(${x} < ${l} || ${x} > ${h} ? 1 : 0)`,
  partials: [],
};

/** −|y − mu|/sigma − log sigma − log 2. */
const doubleExponential = guarded(
  [isFinite, isFinite, isPositiveFinite],
  (b, [y, mu, sigma], kept) => {
    const distance = b.call('abs', b.call('subtract', y, mu));
    const kernel = b.call('minus', b.call('multiply', distance, b.call('inv', sigma)));
    const logSigma = kept([sigma], b.call('log', sigma));
    const constant = kept([], b.number(Math.LN2));
    return b.call('subtract', b.call('subtract', kernel, logSigma), constant);
  },
);

/** y log lambda − lambda − log y!. */
const poisson = guarded([isNonnegative, isNonnegative], (b, [count, lambda], kept) => {
  const linear = b.operation(timesOutcome, [count, b.call('log', lambda)]);
  const factorial = kept([], b.call('lgamma', b.call('add', count, b.number(1))));
  const density = b.call('subtract', b.call('subtract', linear, lambda), factorial);
  return b.choice(b.operation(isInfinite, [lambda]), b.number(-Infinity), density);
});

const isInfinite: InlineFunction = { value: (x) => `(${x} === Infinity ? 1 : 0)`, partials: [] };

/** log choose(N, y) + y log theta + (N − y) log(1 − theta). */
const binomial = guarded(
  (k, n, p) => `${n} >= 0 && ${k} >= 0 && ${k} <= ${n} && ${p} >= 0 && ${p} <= 1`,
  (b, [successes, trials, theta], kept) => {
    const failures = b.call('subtract', trials, successes);
    const choices = kept([], b.operation(logChoose, [trials, successes]));
    const kernel = b.call(
      'add',
      b.operation(timesOutcome, [successes, b.call('log', theta)]),
      b.operation(timesOutcome, [failures, b.call('log1m', theta)]),
    );
    return b.call('add', kernel, choices);
  },
);

const logChoose: InlineFunction = {
  value: (n, k) => `lchoose__rr(${n}, ${k})`,
  partials: [],
  uses: ['lchoose__rr'],
};

/** log choose(N, y) + y log inv_logit(alpha) + (N − y) log inv_logit(−alpha). */
const binomialLogit = guarded(
  (k, n, a) => `${n} >= 0 && ${k} >= 0 && ${k} <= ${n} && ${isFinite(a)}`,
  (b, [successes, trials, alpha], kept) => {
    const failures = b.call('subtract', trials, successes);
    const choices = kept([], b.operation(logChoose, [trials, successes]));
    const e = b.operation(expOfMinusAbs, [alpha]);
    return b.call('add', b.operation(logOddsTerm, [successes, failures, alpha, e]), choices);
  },
);

const logOddsTerm: InlineFunction = {
  value: (k, m, a, e) =>
    `${k} * Math.min(${a}, 0) - ${m} * Math.max(${a}, 0) - (${k} + ${m}) * $log1p_unit(${e})`,
  partials: [
    () => '0',
    () => '0',
    (_, k, m, a, e) => `(${k} * (${a} > 0 ? ${e} : 1) - ${m} * (${a} > 0 ? 1 : ${e})) / (1 + ${e})`,
    () => '0',
  ],
  uses: ['$log1p_unit'],
};

/** log(theta exp(a) + (1 − theta) exp(b)). */
const logMix: DensityForm = (b, [theta, left, right]) => {
  const guard: Guard = {
    density: 'log_mix__rrr',
    operands: [theta, left, right],
    holds: (p) => `${p} >= 0 && ${p} <= 1`,
  };
  const first = b.call('add', b.call('log', theta), left);
  const second = b.call('add', b.call('log1m', theta), right);
  const e = b.operation(expOfDistance, [first, second]);
  return b.operation(mixture, [first, second, e, theta, left, right], guard);
};

const [ofFirst, ofSecond] = logSumOfTwo.partials;

/** As the logarithm of a sum of two; at theta 0 and 1 the derivative in theta is a limit. */
const mixture: InlineFunction = {
  value: logSumOfTwo.value,
  partials: [
    () => '0',
    () => '0',
    () => '0',
    (t, a, b, e, p, left, right) => {
      const first = `(${p} > 0 ? ${ofFirst(t, a, b, e)} / ${p} : Math.exp(${left} - ${right}))`;
      const second = `(${p} < 1 ? ${ofSecond(t, a, b, e)} / (1 - ${p}) : Math.exp(${right} - ${left}))`;
      return `${first} - ${second}`;
    },
    (t, a, b, e) => ofFirst(t, a, b, e),
    (t, a, b, e) => ofSecond(t, a, b, e),
  ],
  uses: logSumOfTwo.uses,
  asLog: logSumOfTwo.asLog,
};

const forms: Readonly<Record<string, GuardedForm>> = {
  normal_lpdf: normal,
  std_normal_lpdf: standardNormal,
  cauchy_lpdf: cauchy,
  student_t_lpdf: studentT,
  exponential_lpdf: exponential,
  lognormal_lpdf: lognormal,
  bernoulli_logit_lpmf: bernoulliLogit,
  bernoulli_lpmf: bernoulli,
  poisson_log_lpmf: poissonLog,
  poisson_lpmf: poisson,
  binomial_lpmf: binomial,
  binomial_logit_lpmf: binomialLogit,
  gamma_lpdf: gamma,
  inv_gamma_lpdf: inverseGamma,
  beta_lpdf: beta,
  uniform_lpdf: uniform,
  double_exponential_lpdf: doubleExponential,
  neg_binomial_2_lpmf: negBinomial2,
  neg_binomial_2_log_lpmf: negBinomial2Log,
  logistic_lpdf: logistic,
  gumbel_lpdf: gumbel,
  weibull_lpdf: weibull,
  pareto_lpdf: pareto,
};

export const densityForms: Readonly<Record<string, DensityForm>> = {
  ...Object.fromEntries(Object.entries(forms).map(([name, form]) => [name, form(name)])),
  ...tailForms,
  log_mix: logMix,
};
