/** What can be wrong with calls of the embedded Laplace approximation; see `type-problems.ts` for the rest of the catalogue. */
import { type Diagnostic, makeError } from '../diagnostics.ts';
import type { Span } from '../source/span.ts';
import { printType } from '../syntax/printer.ts';
import type { StanType } from './stan-type.ts';

const problem = (span: Span, message: string): Diagnostic =>
  makeError('laplace-arguments', span, message);

export const missingArgument = (
  span: Span,
  name: string,
  missing: string,
  form: readonly string[],
): Diagnostic =>
  problem(span, `\`${name}\` needs its ${missing}. Its arguments are: ${form.join(', ')}.`);

export const extraArgument = (span: Span, name: string, hasOptions: boolean): Diagnostic =>
  problem(
    span,
    hasOptions
      ? `\`${name}\` takes its options as one tuple, and nothing after it.`
      : `\`${name}\` takes no further arguments. Give options, as a tuple, to the form with \`_tol\`.`,
  );

export const functionExpected = (span: Span, name: string, result: StanType): Diagnostic =>
  problem(
    span,
    `\`${name}\` needs the name of a function here, one that returns \`${printType(result)}\`.`,
  );

export const tupleExpected = (span: Span, called: string, given: StanType): Diagnostic =>
  problem(
    span,
    `The arguments of \`${called}\` must be a tuple, such as \`(a, b)\` or \`(a, )\`, not ${printType(given)}.`,
  );

export const wrongForm = (span: Span, called: string, form: string): Diagnostic =>
  problem(
    span,
    `\`${called}\` does not have the form that is needed here: \`${form}\`, without a suffix and with no \`data\` in front of the latent vector.`,
  );

export const wrongTuple = (
  span: Span,
  called: string,
  members: readonly StanType[],
  forms: readonly string[],
): Diagnostic =>
  problem(
    span,
    `\`${called}\` cannot take (${members.map(printType).join(', ')}). It is: ${forms.map((form) => `\`${form}\``).join(', ')}.`,
  );

export const ambiguous = (span: Span, called: string): Diagnostic =>
  problem(
    span,
    `Several overloads of \`${called}\` fit equally well. Define one for exactly these types.`,
  );

export const dataOnly = (span: Span, what: string): Diagnostic =>
  makeError('data-only', span, `${what} must not depend on parameters.`);

export const wrongBlockSize = (span: Span, type: StanType): Diagnostic =>
  problem(span, `hessian_block_size must be an int, not ${printType(type)}.`);

export const wrongOutcome = (
  span: Span,
  name: string,
  argument: string,
  wanted: readonly StanType[],
  given: StanType,
): Diagnostic =>
  problem(
    span,
    `${argument} of \`${name}\` must be ${wanted.map(printType).join(' or ')}, not ${printType(given)}.`,
  );

export const wrongOptions = (span: Span, name: string, given: StanType): Diagnostic =>
  problem(
    span,
    `The options of \`${name}\` are a tuple of 6: theta_init, tol, max_num_steps, solver, max_steps_linesearch, allow_fallback. This is ${printType(given)}.`,
  );

export const wrongOption = (
  span: Span,
  option: string,
  wanted: StanType,
  given: StanType,
): Diagnostic => problem(span, `${option} must be ${printType(wanted)}, not ${printType(given)}.`);

export const firstOrderOnly = (span: Span, called: string): Diagnostic =>
  problem(
    span,
    `This likelihood calls \`${called}\`, which has no second derivatives, so it cannot be used in a Laplace approximation.`,
  );
