/** Where Stan 2.21 is known to be wrong or less exact, by program, and which values that may affect. */

interface KnownDifference {
  readonly where: RegExp;
  readonly reason: string;
}

/** Its series for derivatives by a shape stop early; values agree, and their differences confirm our derivatives. */
const series = (where: RegExp): KnownDifference => ({
  where,
  reason: 'series of the incomplete gamma and beta functions for derivatives stop at 1e-6 or so',
});

/** The derivative is wrong, not just inexact, while the values agree. */
const wrongDerivative = (where: RegExp): KnownDifference => ({
  where,
  reason: 'the derivative is not that of the value, which agrees',
});

/** Values differ; ours match scipy's, in tests/fixtures/math/densities.json. */
const inexactValue: KnownDifference = {
  where: /./,
  reason:
    'a difference of nearly equal numbers, or an inexact special function, in the value itself',
};

/** The log density of `~` leaves out more than constants; its gradient agrees. */
const dropsTooMuch: KnownDifference = {
  where: /^log density$/,
  reason: 'the whole value is taken for a constant; its gradient agrees, and so does target += …',
};

export const knownDifferences: Readonly<Record<string, KnownDifference>> = {
  wiener: series(/^betas/),
  'gamma-functions': series(/^a$/),
  'gamma-cumulative': series(/^alpha/),
  'gamma-truncated': series(/^alpha/),
  'inv_gamma-cumulative': series(/^alpha/),
  'inv_gamma-truncated': series(/^alpha/),
  'chi_square-cumulative': series(/^nu/),
  'inv_chi_square-cumulative': series(/^nu/),
  'scaled_inv_chi_square-cumulative': series(/^nu/),
  'beta-cumulative': series(/^b$/),
  'beta_proportion-cumulative': series(/^kappas/),
  digamma: series(/^xs?/),
  trigamma: series(/^xs?/),
  'neg_binomial-cumulative': wrongDerivative(/^alpha/),
  'neg_binomial_2-cumulative': wrongDerivative(/^phi/),
  'exp_mod_normal-cumulative': inexactValue,
  'skew_normal-cumulative': inexactValue,
  'beta_binomial-lcdf': inexactValue,
  'beta_binomial-lccdf': inexactValue,
  'beta_binomial-cdf': inexactValue,
  'beta_binomial-truncated': dropsTooMuch,
  'beta_binomial-sampled': dropsTooMuch,
  'poisson-log-glm': dropsTooMuch,
  'normal-id-glm': {
    where: /^w\.3$|^log density$/,
    reason: 'a sum that is used before it is set where the scale is data',
  },
};
