/**
 * The catalogue of what the checker can find wrong, one constructor per problem. Longer than 400 lines because all
 * wording is in one place.
 */
import { type Diagnostic, makeError, makeInfo, makeWarning } from '../diagnostics.ts';
import type { Span } from '../source/span.ts';
import type { BlockName, Identifier } from '../syntax/ast.ts';
import { printType } from '../syntax/printer.ts';
import type { StanType } from './stan-type.ts';

const quote = (name: string): string => `\`${name}\``;
const typeList = (types: readonly StanType[]): string =>
  `(${types.map((type) => (type.base === 'void' ? 'function' : printType(type))).join(', ')})`;

function changeTo(name: string | null): { fix?: Diagnostic['fix'] } {
  return name ? { fix: { title: `Change to ${name}`, replacement: name } } : {};
}

const didYouMean = (suggestion: string | null): string =>
  suggestion ? ` Did you mean ${quote(suggestion)}?` : '';

// ---------------------------------------------------------------- names

export const unknownVariable = (span: Span, name: string, suggestion: string | null): Diagnostic =>
  makeError(
    'unknown-name',
    span,
    `No variable is called ${quote(name)}.${didYouMean(suggestion)}`,
    changeTo(suggestion),
  );

export const functionAsVariable = (span: Span, name: string): Diagnostic =>
  makeError(
    'function-as-variable',
    span,
    `${quote(name)} is a function. Call it with arguments in parentheses.`,
  );

export const variableAsFunction = (span: Span, name: string, declared: Span): Diagnostic =>
  makeError('variable-as-function', span, `${quote(name)} is a variable, not a function.`, {
    related: [{ message: `${quote(name)} is declared here.`, span: declared }],
  });

export const unknownFunction = (span: Span, name: string, suggestion: string | null): Diagnostic =>
  makeError(
    'unknown-function',
    span,
    `No function is called ${quote(name)}.${didYouMean(suggestion)}`,
    changeTo(suggestion),
  );

export const unknownDistribution = (
  span: Span,
  name: string,
  suggestion: string | null,
): Diagnostic =>
  makeError(
    'unknown-distribution',
    span,
    `No distribution is called ${quote(name)}.${didYouMean(suggestion)}`,
    changeTo(suggestion),
  );

export const distributionWithSuffix = (span: Span, name: string, plain: string): Diagnostic =>
  makeError(
    'distribution-suffix',
    span,
    `After ${quote('~')}, write the distribution without its suffix: ${quote(plain)}, not ${quote(name)}.`,
    changeTo(plain),
  );

export const missingSuffix = (span: Span, name: string, full: string): Diagnostic =>
  makeError(
    'missing-suffix',
    span,
    `${quote(name)} is a distribution, not a function. Its log density is ${quote(full)}.`,
    changeTo(full),
  );

export const nameTaken = (name: Identifier, earlier: Span | null): Diagnostic =>
  makeError(
    'duplicate-name',
    name.span,
    `${quote(name.name)} is already declared. Choose another name.`,
    {
      related: earlier ? [{ message: 'The first declaration is here.', span: earlier }] : [],
    },
  );

export const nameEndsWithUnderscores = (name: Identifier): Diagnostic =>
  makeError(
    'name-form',
    name.span,
    `${quote(name.name)} ends in ${quote('__')}, which is reserved by Stan. Choose another name.`,
  );

export const nameIsUnnormalised = (name: Identifier): Diagnostic =>
  makeError(
    'name-form',
    name.span,
    `${quote(name.name)} has the suffix of an unnormalised density, which Stan derives from \`_lpdf\` or \`_lpmf\`.`,
  );

export const nameStartsWithUnderscore = (name: Identifier): Diagnostic =>
  makeError(
    'name-form',
    name.span,
    `${quote(name.name)} begins with ${quote('_')}. A name must begin with a letter.`,
  );

// ---------------------------------------------------------------- types

export const wrongOperands = (
  span: Span,
  operator: string,
  operands: readonly StanType[],
): Diagnostic =>
  makeError(
    'wrong-operands',
    span,
    operands.length === 1
      ? `${quote(operator)} cannot be applied to ${quote(printType(operands[0]))}.`
      : `${quote(operator)} cannot combine ${quote(printType(operands[0]))} and ${quote(printType(operands[1]))}.`,
  );

export const memberOfOther = (span: Span, position: number, type: StanType): Diagnostic =>
  makeError(
    'member-of-other',
    span,
    `${quote(`.${position}`)} takes a member of a tuple, but this is ${quote(printType(type))}.`,
  );

export const noSuchMember = (span: Span, position: number, count: number): Diagnostic =>
  makeError(
    'no-such-member',
    span,
    `The tuple has ${members(count)}, so there is no ${quote(`.${position}`)}: ${
      count === 1 ? 'write `.1`' : `write ${quote('.1')} to ${quote(`.${count}`)}`
    }.`,
  );

const members = (count: number): string => (count === 1 ? '1 member' : `${count} members`);

export const declaredByItself = (span: Span, name: string): Diagnostic =>
  makeWarning(
    'declared-by-itself',
    span,
    `${quote(name)} is read in its own declaration, where it has no value yet.`,
  );

export const unpackingOther = (span: Span, places: number, found: StanType): Diagnostic =>
  makeError(
    'unpacking',
    span,
    `Only a tuple can be unpacked: this is ${quote(printType(found))}, and a tuple of ${members(places)} is needed.`,
  );

export const unpackingCount = (span: Span, places: number, found: number): Diagnostic =>
  makeError(
    'unpacking',
    span,
    `A tuple of ${members(found)} cannot be unpacked into ${places === 1 ? '1 variable' : `${places} variables`}.`,
  );

export const unpackedTwice = (span: Span, place: string): Diagnostic =>
  makeError(
    'unpacking',
    span,
    `${quote(place)} is assigned to twice by this statement. Write two assignments.`,
  );

export const assignedAndRead = (span: Span, name: string): Diagnostic =>
  makeError(
    'assigned-and-read',
    span,
    `${quote(name)} is assigned to by this statement and read on its left side. Save the value that is read in another variable first.`,
  );

export const compoundUnpacking = (span: Span, operator: string): Diagnostic =>
  makeError('unpacking', span, `A tuple is unpacked by ${quote('=')}, not by ${quote(operator)}.`);

export const wrongArguments = (
  span: Span,
  name: string,
  found: readonly StanType[],
  accepted: readonly string[],
): Diagnostic => {
  const shown = accepted.slice(0, 3).map(quote).join(', ');
  const more = accepted.length > 3 ? ` and ${accepted.length - 3} more` : '';
  return makeError(
    'wrong-arguments',
    span,
    `${quote(name)} does not take ${quote(typeList(found))}. It takes ${shown}${more}.`,
  );
};

export const ambiguousCall = (span: Span, name: string): Diagnostic =>
  makeError(
    'ambiguous-call',
    span,
    `This call is ambiguous: several functions called ${quote(name)} match these arguments equally well.`,
  );

export const voidValue = (span: Span, name: string): Diagnostic =>
  makeError('void-value', span, `${quote(name)} returns nothing, so it cannot be used as a value.`);

export const valueIgnored = (span: Span, name: string): Diagnostic =>
  makeError(
    'value-ignored',
    span,
    `The value of ${quote(name)} is not used. Assign it, or add it with ${quote('target +=')}.`,
  );

export const wrongAssignment = (
  span: Span,
  name: string,
  to: StanType,
  from: StanType,
): Diagnostic =>
  makeError(
    'wrong-assignment',
    span,
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

export const wrongType = (span: Span, what: string, wanted: string, found: StanType): Diagnostic =>
  makeError(
    'wrong-type',
    span,
    `${what} must be ${wanted}, but this is ${quote(printType(found))}.`,
  );

export const conditionalTypes = (span: Span, then: StanType, otherwise: StanType): Diagnostic =>
  makeError(
    'conditional-types',
    span,
    `Both branches of a conditional must have the same type, but these are ${quote(printType(then))} and ${quote(printType(otherwise))}.`,
  );

export const mixedElements = (span: Span, first: StanType, other: StanType): Diagnostic =>
  makeError(
    'mixed-elements',
    span,
    `All elements must have the same type, but these are ${quote(printType(first))} and ${quote(printType(other))}.`,
  );

export const wrongRowElements = (span: Span, found: StanType): Diagnostic =>
  makeError(
    'wrong-elements',
    span,
    `${quote('[…]')} can hold numbers or row vectors, not ${quote(printType(found))}. Write an array as ${quote('{…}')}.`,
  );

export const emptyArray = (span: Span): Diagnostic =>
  makeError('empty-array', span, `${quote('{}')} has no type. Give it at least one element.`);

export const tooManyIndexes = (
  span: Span,
  type: StanType,
  found: number,
  possible: number,
): Diagnostic =>
  makeError(
    'too-many-indexes',
    span,
    possible === 0
      ? `${quote(printType(type))} has no elements to index.`
      : `${quote(printType(type))} takes at most ${possible} ${possible === 1 ? 'index' : 'indexes'}, but ${found} are given.`,
  );

export const wrongIndex = (span: Span, found: StanType): Diagnostic =>
  makeError(
    'wrong-index',
    span,
    `An index must be an int or an array of ints, but this is ${quote(printType(found))}.`,
  );

export const stringValue = (span: Span): Diagnostic =>
  makeError(
    'string-value',
    span,
    'A string can only be used in `print`, `reject` and `fatal_error`.',
  );

export const intDivision = (span: Span): Diagnostic =>
  makeInfo(
    'int-division',
    span,
    'This divides two integers and rounds toward zero. Write `%/%` if that is what you mean, or make one of them real.',
  );

export const elementwisePower = (span: Span): Diagnostic =>
  makeWarning(
    'elementwise-power',
    span,
    'This raises each element to the power. Write `.^` if that is what you mean, or `matrix_power(…)` for a matrix power.',
  );

export const chainedComparison = (span: Span): Diagnostic =>
  makeWarning(
    'chained-comparison',
    span,
    'This compares the result of the first comparison, which is 0 or 1. Write `a < b && b < c` for a range.',
  );

// ---------------------------------------------------------------- places

export const lpInTransformedParameters = (span: Span, name: string): Diagnostic =>
  makeWarning(
    'lp-in-transformed-parameters',
    span,
    `${quote(name)} in transformed parameters is deprecated, and Stan 2.40 rejects it. For a change of variables, write a function that ends in \`_jacobian\`.`,
  );

export const notInThisBlock = (span: Span, what: string, where: string): Diagnostic =>
  makeError('wrong-place', span, `${what} can only be used in ${where}.`);

export const assignToReadOnly = (span: Span, name: string, reason: string): Diagnostic =>
  makeError('assign-read-only', span, `${quote(name)} cannot be assigned to: ${reason}.`);

export const assignBehindSlice = (span: Span): Diagnostic =>
  makeError(
    'assign-behind-slice',
    span,
    'A slice cannot be indexed again on the left of an assignment. Write all indexes in one pair of brackets.',
  );

export const outsideLoop = (span: Span, word: string): Diagnostic =>
  makeError('outside-loop', span, `${quote(word)} can only be used inside a loop.`);

export const returnOutsideFunction = (span: Span): Diagnostic =>
  makeError('return-outside-function', span, '`return` can only be used in a function.');

export const missingReturn = (name: Identifier, type: StanType): Diagnostic =>
  makeError(
    'missing-return',
    name.span,
    `${quote(name.name)} must return ${quote(printType(type))} on every path through it.`,
  );

export const returnValue = (span: Span, name: string): Diagnostic =>
  makeError(
    'return-value',
    span,
    `${quote(name)} returns nothing, so this ${quote('return')} takes no value.`,
  );

export const returnWithoutValue = (span: Span, type: StanType): Diagnostic =>
  makeError(
    'return-value',
    span,
    `This ${quote('return')} needs a value of type ${quote(printType(type))}.`,
  );

// ---------------------------------------------------------------- declarations

export const localConstraint = (name: Identifier): Diagnostic =>
  makeError(
    'local-constraint',
    name.span,
    `${quote(name.name)} is a local variable, and local variables cannot have constraints.`,
  );

export const complexConstraint = (name: Identifier): Diagnostic =>
  makeError(
    'complex-constraint',
    name.span,
    `${quote(name.name)} is complex, and complex variables cannot have constraints.`,
  );

export const intParameter = (name: Identifier, block: BlockName): Diagnostic =>
  makeError(
    'int-parameter',
    name.span,
    `${quote(name.name)} is an integer, but the ${quote(block)} block can only declare real values.`,
  );

export const sizeNotData = (span: Span): Diagnostic =>
  makeError(
    'size-not-data',
    span,
    'The size of a block variable may depend on data and transformed data only.',
  );

export const intOffset = (span: Span): Diagnostic =>
  makeError('int-offset', span, 'An int cannot have an `offset` or a `multiplier`.');

export const boundType = (span: Span, word: string, type: StanType, found: StanType): Diagnostic =>
  makeError(
    'wrong-bound',
    span,
    `${quote(word)} of ${quote(printType(type))} cannot be ${quote(printType(found))}.`,
  );

// ---------------------------------------------------------------- functions

export const declaredNotDefined = (name: Identifier): Diagnostic =>
  makeError('not-defined', name.span, `${quote(name.name)} is declared, but never defined.`);

export const functionTwice = (name: Identifier, first: Span): Diagnostic =>
  makeError(
    'duplicate-function',
    name.span,
    `There is already a function ${quote(name.name)} with these arguments.`,
    {
      related: [{ message: 'The first is here.', span: first }],
    },
  );

export const functionResultDiffers = (name: Identifier, first: Span): Diagnostic =>
  makeError(
    'duplicate-function',
    name.span,
    `${quote(name.name)} is declared elsewhere with a different return type.`,
    { related: [{ message: 'The other declaration is here.', span: first }] },
  );

export const functionQualifiersDiffer = (name: Identifier, first: Span): Diagnostic =>
  makeError(
    'duplicate-function',
    name.span,
    `${quote(name.name)} is declared elsewhere with different ${quote('data')} qualifiers.`,
    { related: [{ message: 'The other declaration is here.', span: first }] },
  );

export const libraryFunctionRedefined = (name: Identifier): Diagnostic =>
  makeError(
    'library-function-redefined',
    name.span,
    `Stan already has a function ${quote(name.name)} with these arguments. Choose another name.`,
  );

export const notOverloadable = (name: Identifier): Diagnostic =>
  makeError(
    'library-function-redefined',
    name.span,
    `Stan's ${quote(name.name)} takes any arguments, so it cannot be overloaded. Choose another name.`,
  );

export const densityResult = (name: Identifier): Diagnostic =>
  makeError(
    'density-form',
    name.span,
    `The suffix of ${quote(name.name)} makes it a density, so it must return ${quote('real')}.`,
  );

export const densityVariate = (name: Identifier, wanted: 'real' | 'int'): Diagnostic =>
  makeError(
    'density-form',
    name.span,
    `The suffix of ${quote(name.name)} requires a first argument made of ${wanted === 'int' ? 'ints' : 'reals'}.`,
  );

export const unnormalisedDefinition = (name: Identifier, plain: string): Diagnostic =>
  makeError(
    'density-form',
    name.span,
    `Define ${quote(plain)} instead: Stan derives ${quote(name.name)} from it.`,
    changeTo(plain),
  );

export const oldDensitySuffix = (span: Span, name: string, modern: string): Diagnostic =>
  makeError(
    'old-density-suffix',
    span,
    `The suffix ${quote('_log')} of ${quote(name)} was removed from Stan. Write ${quote(modern)}.`,
    changeTo(modern),
  );

export const oldDensityDefinition = (span: Span, name: string, modern: string): Diagnostic =>
  makeError(
    'old-density-suffix',
    span,
    `The suffix \`_log\` of densities was removed from Stan. Rename ${quote(name)} to ${quote(modern)}.`,
  );

export const removedFunction = (span: Span, name: string, modern: string): Diagnostic =>
  makeError(
    'removed-function',
    span,
    `${quote(name)} was removed from Stan. Write ${quote(modern)}.`,
  );

export const barMissing = (span: Span, name: string): Diagnostic =>
  makeError(
    'bar-missing',
    span,
    `${quote(name)} takes a bar after its first argument: ${quote(`${name}(y | …)`)}.`,
  );

export const barNotAllowed = (span: Span, name: string): Diagnostic =>
  makeError(
    'bar-not-allowed',
    span,
    `${quote(name)} is not a density, so its arguments are separated by commas only.`,
  );

export const dataOnlyArgument = (span: Span, name: string): Diagnostic =>
  makeError(
    'data-only-argument',
    span,
    `This argument of ${quote(name)} must not depend on parameters.`,
  );

export const wrongCallable = (span: Span, name: string, shape: string): Diagnostic =>
  makeError(
    'wrong-callable',
    span,
    `${quote(name)} does not have the form this solver needs: ${quote(shape)}.`,
  );

export const callableExpected = (span: Span, solver: string): Diagnostic =>
  makeError(
    'callable-expected',
    span,
    `The first argument of ${quote(solver)} must be the name of a function.`,
  );

// ---------------------------------------------------------------- distributions

export const wrongVariate = (
  span: Span,
  name: string,
  types: readonly StanType[],
  accepted: readonly string[],
): Diagnostic => {
  const [variate, ...rest] = types;
  const shown = accepted.slice(0, 2).map(quote).join(', ');
  const more = accepted.length > 2 ? ` and ${accepted.length - 2} more` : '';
  return makeError(
    'wrong-distribution-arguments',
    span,
    `${quote(name)} does not take ${quote(printType(variate))} with arguments ${quote(typeList(rest))}. It takes ${shown}${more}.`,
  );
};

export const truncationWithoutCdf = (span: Span, name: string, missing: string): Diagnostic =>
  makeError(
    'truncation-without-cdf',
    span,
    `${quote(name)} cannot be truncated here: there is no ${quote(missing)} for these arguments.`,
  );

export const truncationOfContainer = (span: Span): Diagnostic =>
  makeError(
    'truncation-of-container',
    span,
    'Only vectors and one-dimensional arrays with a built-in distribution can be truncated as a whole. Loop over the elements.',
  );

export const cdfAfterTilde = (span: Span, name: string): Diagnostic =>
  makeError(
    'cdf-after-tilde',
    span,
    `${quote(name)} is not a distribution. Write ${quote(`target += ${name}(…)`)}.`,
  );

// ---------------------------------------------------------------- age

export const deprecated = (span: Span, name: string, modern: string): Diagnostic =>
  makeWarning('deprecated', span, `${quote(name)} is deprecated. Use ${quote(modern)}.`);
