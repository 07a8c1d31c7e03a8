/**
 * The catalogue of what the checker can find wrong, one constructor per problem. Longer than 400 lines because all
 * wording is in one place.
 */
import {
  changeTo,
  type Diagnostic,
  error,
  info,
  type ProblemText,
  quote,
  warning,
} from '../diagnostics.ts';
import type { Span } from '../source/span.ts';
import type { BlockName, Identifier } from '../syntax/ast.ts';
import { printType } from '../syntax/printer.ts';
import type { StanType } from './stan-type.ts';

const typeList = (types: readonly StanType[]): string =>
  `(${types.map((type) => (type.base === 'void' ? 'function' : printType(type))).join(', ')})`;

const didYouMean = (suggestion: string | null): string =>
  suggestion ? ` Did you mean ${quote(suggestion)}?` : '';

/** An error at a name, which its text quotes. */
const errorOfName =
  <Names extends unknown[] = []>(
    code: string,
    text: (name: string, ...names: Names) => ProblemText,
  ) =>
  ({ span, name }: Identifier, ...names: Names): Diagnostic =>
    error(code, text)(span, name, ...names);

/** The first `most` of the forms that are accepted, and how many more there are. */
function listed(accepted: readonly string[], most: number): string {
  const more = accepted.length > most ? ` and ${accepted.length - most} more` : '';
  return `${accepted.slice(0, most).map(quote).join(', ')}${more}`;
}

// ---------------------------------------------------------------- names

export const unknownVariable = error('unknown-name', (name: string, suggestion: string | null) => ({
  message: `No variable is called ${quote(name)}.${didYouMean(suggestion)}`,
  ...changeTo(suggestion),
}));

export const unknownFunction = error(
  'unknown-function',
  (name: string, suggestion: string | null) => ({
    message: `No function is called ${quote(name)}.${didYouMean(suggestion)}`,
    ...changeTo(suggestion),
  }),
);

export const unknownDistribution = error(
  'unknown-distribution',
  (name: string, suggestion: string | null) => ({
    message: `No distribution is called ${quote(name)}.${didYouMean(suggestion)}`,
    ...changeTo(suggestion),
  }),
);

export const functionAsVariable = error(
  'function-as-variable',
  (name: string) => `${quote(name)} is a function. Call it with arguments in parentheses.`,
);

export const variableAsFunction = error('variable-as-function', (name: string, declared: Span) => ({
  message: `${quote(name)} is a variable, not a function.`,
  related: [{ message: `${quote(name)} is declared here.`, span: declared }],
}));

export const distributionWithSuffix = error(
  'distribution-suffix',
  (name: string, plain: string) => ({
    message: `After ${quote('~')}, write the distribution without its suffix: ${quote(plain)}, not ${quote(name)}.`,
    ...changeTo(plain),
  }),
);

export const missingSuffix = error('missing-suffix', (name: string, full: string) => ({
  message: `${quote(name)} is a distribution, not a function. Its log density is ${quote(full)}.`,
  ...changeTo(full),
}));

export const nameTaken = errorOfName('duplicate-name', (name: string, earlier: Span | null) => ({
  message: `${quote(name)} is already declared. Choose another name.`,
  related: earlier ? [{ message: 'The first declaration is here.', span: earlier }] : [],
}));

export const nameEndsWithUnderscores = errorOfName(
  'name-form',
  (name) =>
    `${quote(name)} ends in ${quote('__')}, which is reserved by Stan. Choose another name.`,
);

export const nameIsUnnormalised = errorOfName(
  'name-form',
  (name) =>
    `${quote(name)} has the suffix of an unnormalised density, which Stan derives from \`_lpdf\` or \`_lpmf\`.`,
);

export const nameStartsWithUnderscore = errorOfName(
  'name-form',
  (name) => `${quote(name)} begins with ${quote('_')}. A name must begin with a letter.`,
);

// ---------------------------------------------------------------- types

export const wrongOperands = error(
  'wrong-operands',
  (operator: string, operands: readonly StanType[]) =>
    operands.length === 1
      ? `${quote(operator)} cannot be applied to ${quote(printType(operands[0]))}.`
      : `${quote(operator)} cannot combine ${quote(printType(operands[0]))} and ${quote(printType(operands[1]))}.`,
);

export const memberOfOther = error(
  'member-of-other',
  (position: number, type: StanType) =>
    `${quote(`.${position}`)} takes a member of a tuple, but this is ${quote(printType(type))}.`,
);

export const noSuchMember = error(
  'no-such-member',
  (position: number, count: number) =>
    `The tuple has ${members(count)}, so there is no ${quote(`.${position}`)}: ${
      count === 1 ? 'write `.1`' : `write ${quote('.1')} to ${quote(`.${count}`)}`
    }.`,
);

const members = (count: number): string => (count === 1 ? '1 member' : `${count} members`);

export const declaredByItself = warning(
  'declared-by-itself',
  (name: string) => `${quote(name)} is read in its own declaration, where it has no value yet.`,
);

export const unpackingOther = error(
  'unpacking',
  (places: number, found: StanType) =>
    `Only a tuple can be unpacked: this is ${quote(printType(found))}, and a tuple of ${members(places)} is needed.`,
);

export const unpackingCount = error(
  'unpacking',
  (places: number, found: number) =>
    `A tuple of ${members(found)} cannot be unpacked into ${places === 1 ? '1 variable' : `${places} variables`}.`,
);

export const unpackedTwice = error(
  'unpacking',
  (place: string) =>
    `${quote(place)} is assigned to twice by this statement. Write two assignments.`,
);

export const assignedAndRead = error(
  'assigned-and-read',
  (name: string) =>
    `${quote(name)} is assigned to by this statement and read on its left side. Save the value that is read in another variable first.`,
);

export const compoundUnpacking = error(
  'unpacking',
  (operator: string) => `A tuple is unpacked by ${quote('=')}, not by ${quote(operator)}.`,
);

export const wrongArguments = error(
  'wrong-arguments',
  (name: string, found: readonly StanType[], accepted: readonly string[]) =>
    `${quote(name)} does not take ${quote(typeList(found))}. It takes ${listed(accepted, 3)}.`,
);

export const ambiguousCall = error(
  'ambiguous-call',
  (name: string) =>
    `This call is ambiguous: several functions called ${quote(name)} match these arguments equally well.`,
);

export const voidValue = error(
  'void-value',
  (name: string) => `${quote(name)} returns nothing, so it cannot be used as a value.`,
);

export const valueIgnored = error(
  'value-ignored',
  (name: string) =>
    `The value of ${quote(name)} is not used. Assign it, or add it with ${quote('target +=')}.`,
);

export const wrongAssignment = error(
  'wrong-assignment',
  (name: string, to: StanType, from: StanType) =>
    `${quote(name)} is ${quote(printType(to))} and cannot hold ${quote(printType(from))}.${conversionHint(from, to)}`,
);

function conversionHint(from: StanType, to: StanType): string {
  if (to.base === 'int' && from.base === 'real' && from.arrayDepth === to.arrayDepth) {
    return ' Only integers can be assigned to integers.';
  }
  if (to.arrayDepth === 0 && (to.base === 'vector' || to.base === 'row_vector')) {
    const flat =
      from.arrayDepth + (from.base === 'vector' || from.base === 'row_vector' ? 1 : 0) === 1;
    if (flat) return ` Convert it with ${quote(`to_${to.base}(…)`)}.`;
  }
  return '';
}

export const wrongType = error(
  'wrong-type',
  (what: string, wanted: string, found: StanType) =>
    `${what} must be ${wanted}, but this is ${quote(printType(found))}.`,
);

export const conditionalTypes = error(
  'conditional-types',
  (then: StanType, otherwise: StanType) =>
    `Both branches of a conditional must have the same type, but these are ${quote(printType(then))} and ${quote(printType(otherwise))}.`,
);

export const mixedElements = error(
  'mixed-elements',
  (first: StanType, other: StanType) =>
    `All elements must have the same type, but these are ${quote(printType(first))} and ${quote(printType(other))}.`,
);

export const wrongRowElements = error(
  'wrong-elements',
  (found: StanType) =>
    `${quote('[…]')} can hold numbers or row vectors, not ${quote(printType(found))}. Write an array as ${quote('{…}')}.`,
);

export const emptyArray = error(
  'empty-array',
  `${quote('{}')} has no type. Give it at least one element.`,
);

export const tooManyIndexes = error(
  'too-many-indexes',
  (type: StanType, found: number, possible: number) =>
    possible === 0
      ? `${quote(printType(type))} has no elements to index.`
      : `${quote(printType(type))} takes at most ${possible} ${possible === 1 ? 'index' : 'indexes'}, but ${found} are given.`,
);

export const wrongIndex = error(
  'wrong-index',
  (found: StanType) =>
    `An index must be an int or an array of ints, but this is ${quote(printType(found))}.`,
);

export const stringValue = error(
  'string-value',
  'A string can only be used in `print`, `reject` and `fatal_error`.',
);

export const intDivision = info(
  'int-division',
  'This divides two integers and rounds toward zero. Write `%/%` if that is what you mean, or make one of them real.',
);

export const elementwisePower = warning(
  'elementwise-power',
  'This raises each element to the power. Write `.^` if that is what you mean, or `matrix_power(…)` for a matrix power.',
);

export const chainedComparison = warning(
  'chained-comparison',
  'This compares the result of the first comparison, which is 0 or 1. Write `a < b && b < c` for a range.',
);

// ---------------------------------------------------------------- places

export const lpInTransformedParameters = warning(
  'lp-in-transformed-parameters',
  (name: string) =>
    `${quote(name)} in transformed parameters is deprecated, and Stan 2.40 rejects it. For a change of variables, write a function that ends in \`_jacobian\`.`,
);

export const notInThisBlock = error(
  'wrong-place',
  (what: string, where: string) => `${what} can only be used in ${where}.`,
);

export const assignToReadOnly = error(
  'assign-read-only',
  (name: string, reason: string) => `${quote(name)} cannot be assigned to: ${reason}.`,
);

export const assignBehindSlice = error(
  'assign-behind-slice',
  'A slice cannot be indexed again on the left of an assignment. Write all indexes in one pair of brackets.',
);

export const outsideLoop = error(
  'outside-loop',
  (word: string) => `${quote(word)} can only be used inside a loop.`,
);

export const returnOutsideFunction = error(
  'return-outside-function',
  '`return` can only be used in a function.',
);

export const missingReturn = errorOfName(
  'missing-return',
  (name: string, type: StanType) =>
    `${quote(name)} must return ${quote(printType(type))} on every path through it.`,
);

export const returnValue = error(
  'return-value',
  (name: string) => `${quote(name)} returns nothing, so this ${quote('return')} takes no value.`,
);

export const returnWithoutValue = error(
  'return-value',
  (type: StanType) => `This ${quote('return')} needs a value of type ${quote(printType(type))}.`,
);

// ---------------------------------------------------------------- declarations

export const localConstraint = errorOfName(
  'local-constraint',
  (name) => `${quote(name)} is a local variable, and local variables cannot have constraints.`,
);

export const complexConstraint = errorOfName(
  'complex-constraint',
  (name) => `${quote(name)} is complex, and complex variables cannot have constraints.`,
);

export const intParameter = errorOfName(
  'int-parameter',
  (name: string, block: BlockName) =>
    `${quote(name)} is an integer, but the ${quote(block)} block can only declare real values.`,
);

export const sizeNotData = error(
  'size-not-data',
  'The size of a block variable may depend on data and transformed data only.',
);

export const intOffset = error('int-offset', 'An int cannot have an `offset` or a `multiplier`.');

export const boundType = error(
  'wrong-bound',
  (word: string, type: StanType, found: StanType) =>
    `${quote(word)} of ${quote(printType(type))} cannot be ${quote(printType(found))}.`,
);

// ---------------------------------------------------------------- functions

export const declaredNotDefined = errorOfName(
  'not-defined',
  (name) => `${quote(name)} is declared, but never defined.`,
);

export const functionTwice = errorOfName('duplicate-function', (name: string, first: Span) => ({
  message: `There is already a function ${quote(name)} with these arguments.`,
  related: [{ message: 'The first is here.', span: first }],
}));

export const functionResultDiffers = errorOfName(
  'duplicate-function',
  (name: string, first: Span) => ({
    message: `${quote(name)} is declared elsewhere with a different return type.`,
    related: [{ message: 'The other declaration is here.', span: first }],
  }),
);

export const functionQualifiersDiffer = errorOfName(
  'duplicate-function',
  (name: string, first: Span) => ({
    message: `${quote(name)} is declared elsewhere with different ${quote('data')} qualifiers.`,
    related: [{ message: 'The other declaration is here.', span: first }],
  }),
);

export const libraryFunctionRedefined = errorOfName(
  'library-function-redefined',
  (name) => `Stan already has a function ${quote(name)} with these arguments. Choose another name.`,
);

export const notOverloadable = errorOfName(
  'library-function-redefined',
  (name) =>
    `Stan's ${quote(name)} takes any arguments, so it cannot be overloaded. Choose another name.`,
);

export const densityResult = errorOfName(
  'density-form',
  (name) => `The suffix of ${quote(name)} makes it a density, so it must return ${quote('real')}.`,
);

export const densityVariate = errorOfName(
  'density-form',
  (name: string, wanted: 'real' | 'int') =>
    `The suffix of ${quote(name)} requires a first argument made of ${wanted === 'int' ? 'ints' : 'reals'}.`,
);

export const unnormalisedDefinition = errorOfName(
  'density-form',
  (name: string, plain: string) => ({
    message: `Define ${quote(plain)} instead: Stan derives ${quote(name)} from it.`,
    ...changeTo(plain),
  }),
);

export const oldDensitySuffix = error('old-density-suffix', (name: string, modern: string) => ({
  message: `The suffix ${quote('_log')} of ${quote(name)} was removed from Stan. Write ${quote(modern)}.`,
  ...changeTo(modern),
}));

export const oldDensityDefinition = error(
  'old-density-suffix',
  (name: string, modern: string) =>
    `The suffix \`_log\` of densities was removed from Stan. Rename ${quote(name)} to ${quote(modern)}.`,
);

export const removedFunction = error(
  'removed-function',
  (name: string, modern: string) => `${quote(name)} was removed from Stan. Write ${quote(modern)}.`,
);

export const barMissing = error(
  'bar-missing',
  (name: string) =>
    `${quote(name)} takes a bar after its first argument: ${quote(`${name}(y | …)`)}.`,
);

export const barNotAllowed = error(
  'bar-not-allowed',
  (name: string) =>
    `${quote(name)} is not a density, so its arguments are separated by commas only.`,
);

export const dataOnlyArgument = error(
  'data-only-argument',
  (name: string) => `This argument of ${quote(name)} must not depend on parameters.`,
);

export const wrongCallable = error(
  'wrong-callable',
  (name: string, shape: string) =>
    `${quote(name)} does not have the form this solver needs: ${quote(shape)}.`,
);

export const callableExpected = error(
  'callable-expected',
  (solver: string) => `The first argument of ${quote(solver)} must be the name of a function.`,
);

// ---------------------------------------------------------------- distributions

export const wrongVariate = error(
  'wrong-distribution-arguments',
  (name: string, [variate, ...rest]: readonly StanType[], accepted: readonly string[]) =>
    `${quote(name)} does not take ${quote(printType(variate))} with arguments ${quote(typeList(rest))}. It takes ${listed(accepted, 2)}.`,
);

export const truncationWithoutCdf = error(
  'truncation-without-cdf',
  (name: string, missing: string) =>
    `${quote(name)} cannot be truncated here: there is no ${quote(missing)} for these arguments.`,
);

export const truncationOfContainer = error(
  'truncation-of-container',
  'Only vectors and one-dimensional arrays with a built-in distribution can be truncated as a whole. Loop over the elements.',
);

export const cdfAfterTilde = error(
  'cdf-after-tilde',
  (name: string) => `${quote(name)} is not a distribution. Write ${quote(`target += ${name}(…)`)}.`,
);

// ---------------------------------------------------------------- age

export const deprecated = warning(
  'deprecated',
  (name: string, modern: string) => `${quote(name)} is deprecated. Use ${quote(modern)}.`,
);
