/** Messages of stricter checks: hints that never keep a program from running. */
import { info, quote } from '../diagnostics.ts';
import type { Span } from '../source/span.ts';

export const unusedParameter = info(
  'unused-parameter',
  (name: string) =>
    `${quote(name)} has no effect on the density, so its posterior is flat. Use it in the model, or remove it.`,
);

export const noPrior = info(
  'no-prior',
  (name: string) =>
    `No prior for ${quote(name)} was found: every term that it appears in also depends on data. Give it a prior, unless a flat one is intended.`,
);

export const severalPriors = info(
  'several-priors',
  (name: string, count: number) =>
    `${count} terms of the density act as priors for ${quote(name)}. Check that they are meant to multiply.`,
);

export const severalDistributions = info(
  'several-distributions',
  (name: string, others: readonly Span[]) => ({
    message: `${quote(name)} is given more than one distribution, and their densities multiply. Keep one, unless this is intended.`,
    related: others.map((other) => ({ message: 'And here.', span: other })),
  }),
);

export const boundsMissing = info(
  'bounds-missing',
  (given: { readonly name: string; readonly distribution: string; readonly wanted: string }) =>
    `${quote(given.distribution)} needs ${given.wanted} here, but the declaration of ${quote(given.name)} allows other values. Constrain the parameter where it is declared.`,
);

export const outOfSupport = info(
  'out-of-support',
  (given: { readonly name: string; readonly distribution: string; readonly wanted: string }) =>
    `${quote(given.distribution)} needs ${given.wanted} here, but it is given ${given.name}. Change the value or the distribution.`,
);

export const unscaledConstant = info(
  'unscaled-constant',
  (text: string) =>
    `${text} suggests that a parameter is far from unit scale, which slows sampling. Consider rescaling it with \`multiplier\`.`,
);

export const jacobianNeeded = info(
  'jacobian-needed',
  'A transformed parameter is given a distribution. If the transform is not linear, add the log of its absolute Jacobian determinant to the target, or declare the transformed value as a parameter.',
);

export const hardConstraint = info(
  'hard-constraint',
  (name: string) =>
    `${quote(name)} has a lower and an upper bound. Unless both are logically necessary, a soft constraint (a normal prior) samples better.`,
);

export const emptyConstraint = info(
  'empty-constraint',
  (name: string) =>
    `The lower bound of ${quote(name)} is not below its upper bound, so no value is allowed. Correct the bounds.`,
);

export const uniformPrior = info(
  'uniform-prior',
  (name: string) =>
    `${quote(name)} has a uniform prior whose limits are not its declared bounds. Declare the same bounds, or use a soft prior such as a normal.`,
);

export const lkjCorr = info(
  'lkj-corr',
  '`lkj_corr` is slower and less stable than its Cholesky form. Declare a `cholesky_factor_corr` and use `lkj_corr_cholesky`.',
);

export const vagueGamma = info(
  'vague-gamma',
  (distribution: string) =>
    `${quote(distribution)} with two equal parameters below 1 is often meant as a vague prior, but can be very informative. Consider a half-normal or half-t prior.`,
);

export const parameterControlFlow = info(
  'parameter-control-flow',
  (names: readonly string[]) =>
    `The code that runs here depends on ${names.map(quote).join(', ')}, so the density may jump, which harms sampling. Check that it is smooth.`,
);

export const mayBeUnassigned = info(
  'may-be-unassigned',
  (name: string) =>
    `${quote(name)} may be read here before it has a value. Assign it on every path that leads here.`,
);

export const unusedVariable = info(
  'unused-variable',
  (name: string) => `${quote(name)} is never read. Remove it, or use it.`,
);
