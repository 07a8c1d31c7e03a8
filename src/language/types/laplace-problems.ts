/** What can be wrong with calls of the embedded Laplace approximation; see `type-problems.ts` for the rest of the catalogue. */
import { error, type ProblemText } from '../diagnostics.ts';
import { printType } from '../syntax/printer.ts';
import type { StanType } from './stan-type.ts';

const problem = <Names extends unknown[]>(text: (...names: Names) => ProblemText) =>
  error('laplace-arguments', text);

export const missingArgument = problem(
  (name: string, missing: string, form: readonly string[]) =>
    `\`${name}\` needs its ${missing}. Its arguments are: ${form.join(', ')}.`,
);

export const extraArgument = problem((name: string, hasOptions: boolean) =>
  hasOptions
    ? `\`${name}\` takes its options as one tuple, and nothing after it.`
    : `\`${name}\` takes no further arguments. Give options, as a tuple, to the form with \`_tol\`.`,
);

export const functionExpected = problem(
  (name: string, result: StanType) =>
    `\`${name}\` needs the name of a function here, one that returns \`${printType(result)}\`.`,
);

export const tupleExpected = problem(
  (called: string, given: StanType) =>
    `The arguments of \`${called}\` must be a tuple, such as \`(a, b)\` or \`(a, )\`, not ${printType(given)}.`,
);

export const wrongForm = problem(
  (called: string, form: string) =>
    `\`${called}\` does not have the form that is needed here: \`${form}\`, without a suffix and with no \`data\` in front of the latent vector.`,
);

export const wrongTuple = problem(
  (called: string, members: readonly StanType[], forms: readonly string[]) =>
    `\`${called}\` cannot take (${members.map(printType).join(', ')}). It is: ${forms.map((form) => `\`${form}\``).join(', ')}.`,
);

export const ambiguous = problem(
  (called: string) =>
    `Several overloads of \`${called}\` fit equally well. Define one for exactly these types.`,
);

export const dataOnly = error(
  'data-only',
  (what: string) => `${what} must not depend on parameters.`,
);

export const wrongBlockSize = problem(
  (type: StanType) => `hessian_block_size must be an int, not ${printType(type)}.`,
);

export const wrongOutcome = problem(
  (name: string, argument: string, wanted: readonly StanType[], given: StanType) =>
    `${argument} of \`${name}\` must be ${wanted.map(printType).join(' or ')}, not ${printType(given)}.`,
);

export const wrongOptions = problem(
  (name: string, given: StanType) =>
    `The options of \`${name}\` are a tuple of 6: theta_init, tol, max_num_steps, solver, max_steps_linesearch, allow_fallback. This is ${printType(given)}.`,
);

export const wrongOption = problem(
  (option: string, wanted: StanType, given: StanType) =>
    `${option} must be ${printType(wanted)}, not ${printType(given)}.`,
);

export const firstOrderOnly = problem(
  (called: string) =>
    `This likelihood calls \`${called}\`, which has no second derivatives, so it cannot be used in a Laplace approximation.`,
);
