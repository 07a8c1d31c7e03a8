/** Messages of stricter checks: hints that never keep a program from running. */
import { type Diagnostic, makeInfo } from '../diagnostics.ts';
import type { Span } from '../source/span.ts';

const quote = (text: string): string => `\`${text}\``;

export const unusedParameter = (span: Span, name: string): Diagnostic =>
  makeInfo(
    'unused-parameter',
    span,
    `${quote(name)} has no effect on the density, so its posterior is flat. Use it in the model, or remove it.`,
  );

export const noPrior = (span: Span, name: string): Diagnostic =>
  makeInfo(
    'no-prior',
    span,
    `No prior for ${quote(name)} was found: every term that it appears in also depends on data. Give it a prior, unless a flat one is intended.`,
  );

export const severalPriors = (span: Span, name: string, count: number): Diagnostic =>
  makeInfo(
    'several-priors',
    span,
    `${count} terms of the density act as priors for ${quote(name)}. Check that they are meant to multiply.`,
  );

export const severalDistributions = (span: Span, name: string, others: readonly Span[]) =>
  makeInfo(
    'several-distributions',
    span,
    `${quote(name)} is given more than one distribution, and their densities multiply. Keep one, unless this is intended.`,
    { related: others.map((other) => ({ message: 'And here.', span: other })) },
  );

export const boundsMissing = (
  span: Span,
  given: { readonly name: string; readonly distribution: string; readonly wanted: string },
): Diagnostic =>
  makeInfo(
    'bounds-missing',
    span,
    `${quote(given.distribution)} needs ${given.wanted} here, but the declaration of ${quote(given.name)} allows other values. Constrain the parameter where it is declared.`,
  );

export const outOfSupport = (
  span: Span,
  given: { readonly name: string; readonly distribution: string; readonly wanted: string },
): Diagnostic =>
  makeInfo(
    'out-of-support',
    span,
    `${quote(given.distribution)} needs ${given.wanted} here, but it is given ${given.name}. Change the value or the distribution.`,
  );

export const unscaledConstant = (span: Span, text: string): Diagnostic =>
  makeInfo(
    'unscaled-constant',
    span,
    `${text} suggests that a parameter is far from unit scale, which slows sampling. Consider rescaling it with \`multiplier\`.`,
  );

export const jacobianNeeded = (span: Span): Diagnostic =>
  makeInfo(
    'jacobian-needed',
    span,
    'A transformed parameter is given a distribution. If the transform is not linear, add the log of its absolute Jacobian determinant to the target, or declare the transformed value as a parameter.',
  );

export const hardConstraint = (span: Span, name: string): Diagnostic =>
  makeInfo(
    'hard-constraint',
    span,
    `${quote(name)} has a lower and an upper bound. Unless both are logically necessary, a soft constraint (a normal prior) samples better.`,
  );

export const emptyConstraint = (span: Span, name: string): Diagnostic =>
  makeInfo(
    'empty-constraint',
    span,
    `The lower bound of ${quote(name)} is not below its upper bound, so no value is allowed. Correct the bounds.`,
  );

export const uniformPrior = (span: Span, name: string): Diagnostic =>
  makeInfo(
    'uniform-prior',
    span,
    `${quote(name)} has a uniform prior whose limits are not its declared bounds. Declare the same bounds, or use a soft prior such as a normal.`,
  );

export const lkjCorr = (span: Span): Diagnostic =>
  makeInfo(
    'lkj-corr',
    span,
    '`lkj_corr` is slower and less stable than its Cholesky form. Declare a `cholesky_factor_corr` and use `lkj_corr_cholesky`.',
  );

export const vagueGamma = (span: Span, distribution: string): Diagnostic =>
  makeInfo(
    'vague-gamma',
    span,
    `${quote(distribution)} with two equal parameters below 1 is often meant as a vague prior, but can be very informative. Consider a half-normal or half-t prior.`,
  );

export const parameterControlFlow = (span: Span, names: readonly string[]): Diagnostic =>
  makeInfo(
    'parameter-control-flow',
    span,
    `The code that runs here depends on ${names.map(quote).join(', ')}, so the density may jump, which harms sampling. Check that it is smooth.`,
  );

export const mayBeUnassigned = (span: Span, name: string): Diagnostic =>
  makeInfo(
    'may-be-unassigned',
    span,
    `${quote(name)} may be read here before it has a value. Assign it on every path that leads here.`,
  );

export const unusedVariable = (span: Span, name: string): Diagnostic =>
  makeInfo('unused-variable', span, `${quote(name)} is never read. Remove it, or use it.`);
