/** The catalogue of what lexer and parser can find wrong, one constructor per problem. */
import { type Diagnostic, makeError, makeWarning } from '../diagnostics.ts';
import type { Span } from '../source/span.ts';
import type { BlockName } from './ast.ts';

export function strayCharacter(span: Span, text: string): Diagnostic {
  const asciiTwin = asciiTwins.get(text);
  const fix = asciiTwin ? { title: `Change to ${asciiTwin}`, replacement: asciiTwin } : undefined;
  if (asciiTwin) {
    return makeError(
      'stray-character',
      span,
      `\`${text}\` is not valid in Stan. Write \`${asciiTwin}\`.`,
      { fix },
    );
  }
  if (/^\p{L}/u.test(text)) {
    return makeError(
      'stray-character',
      span,
      `\`${text}\` is not allowed here. A name can only contain the letters a to z and A to Z, digits and \`_\`.`,
    );
  }
  return makeError('stray-character', span, `${nameCharacter(text)} is not valid in Stan.`);
}

/** What word processors and web pages substitute for plain characters. */
const asciiTwins: ReadonlyMap<string, string> = new Map([
  ['“', '"'],
  ['”', '"'],
  ['‘', "'"],
  ['’', "'"],
  ['−', '-'],
  ['–', '-'],
  ['×', '*'],
  ['÷', '/'],
  ['≤', '<='],
  ['≥', '>='],
  ['≠', '!='],
  ['∼', '~'],
  ['；', ';'],
]);

function nameCharacter(text: string): string {
  const code = text.codePointAt(0) ?? 0;
  const visible = code > 32 && code !== 127 && !/\p{C}/u.test(text);
  const point = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  return visible ? `\`${text}\`` : `The invisible character ${point}`;
}

export const unclosedString = (span: Span): Diagnostic =>
  makeError('unclosed-string', span, 'This string is not closed on its line. Add a closing `"`.');

export const unclosedComment = (span: Span): Diagnostic =>
  makeError('unclosed-comment', span, 'This comment is not closed. Add `*/`.');

export const intTooLarge = (span: Span): Diagnostic =>
  makeError(
    'int-too-large',
    span,
    'The largest int is 2 147 483 647. Write a real number, such as `1e10`.',
  );

export const numberUnderscore = (span: Span): Diagnostic =>
  makeError('number-form', span, 'In a number, `_` can only appear between two digits.');

export const hashComment = (span: Span): Diagnostic =>
  makeWarning(
    'old-comment',
    span,
    'Stan no longer accepts comments that begin with `#`. Write `//`.',
    {
      fix: { title: 'Change to //', replacement: '//' },
    },
  );

export const includeNotFound = (span: Span, name: string): Diagnostic =>
  makeError('include-not-found', span, `No file in this model is called \`${name}\`.`);

export const includeCycle = (span: Span, name: string): Diagnostic =>
  makeError('include-cycle', span, `\`${name}\` includes itself. Remove one of the includes.`);

export const includesTooDeep = (span: Span): Diagnostic =>
  makeError('includes-too-many', span, 'This program includes too many files.');

export const programTooLong = (span: Span, most: number): Diagnostic =>
  makeError(
    'program-too-long',
    span,
    `This program has more than ${most} words and symbols; what follows is not read. Use loops and vectors instead of repeating statements.`,
  );

export const expected = (span: Span, what: string, found: string): Diagnostic =>
  makeError('syntax', span, `Expected ${what}, but found ${found}.`);

export const missingSemicolon = (span: Span): Diagnostic =>
  makeError('missing-semicolon', span, 'A `;` is missing here.', {
    fix: { title: 'Insert ;', replacement: ';' },
  });

export const unclosedBrace = (span: Span, what: string): Diagnostic =>
  makeError('unclosed-brace', span, `The \`{\` of ${what} is never closed. Add a \`}\`.`);

export const unclosedBracket = (
  span: Span,
  close: string,
  found: string,
  opened: Span,
): Diagnostic =>
  makeError('unclosed-bracket', span, `Expected \`${close}\`, but found ${found}.`, {
    related: [{ message: 'It was opened here.', span: opened }],
  });

export const tooDeep = (span: Span): Diagnostic =>
  makeError('too-deep', span, 'This is nested too deeply. Split it into several statements.');

export const notAStatement = (span: Span): Diagnostic =>
  makeError(
    'not-a-statement',
    span,
    'An expression alone is not a statement. Assign it with `=`, or begin with `target +=`.',
  );

export const comparisonAsStatement = (span: Span): Diagnostic =>
  makeError('not-a-statement', span, '`==` is a comparison. Use `=` to assign.', {
    fix: { title: 'Change to =', replacement: '=' },
  });

export const strayElse = (span: Span): Diagnostic =>
  makeError('stray-else', span, 'This `else` has no matching `if`.');

export const notAssignable = (span: Span): Diagnostic =>
  makeError('not-assignable', span, 'Only a variable or an element of one can be assigned to.');

export const arrowAssignment = (span: Span): Diagnostic =>
  makeError('old-assignment', span, 'Stan no longer assigns with `<-`. Write `=`.', {
    fix: { title: 'Change to =', replacement: '=' },
  });

export const incrementLogProb = (span: Span, value: string): Diagnostic =>
  makeError(
    'old-increment-log-prob',
    span,
    '`increment_log_prob(…)` was removed from Stan. Write `target += …;`.',
    { fix: { title: 'Change to target +=', replacement: `target += ${value}` } },
  );

export const targetAssigned = (span: Span): Diagnostic =>
  makeError('target-assigned', span, 'The target can only be added to. Write `target += …;`.', {
    fix: { title: 'Change to +=', replacement: '+=' },
  });

export const getLp = (span: Span): Diagnostic =>
  makeError('old-get-lp', span, '`get_lp()` was removed from Stan. Write `target()`.', {
    fix: { title: 'Change to target', replacement: 'target' },
  });

export const reservedName = (span: Span, name: string): Diagnostic =>
  makeError(
    'reserved-name',
    span,
    `\`${name}\` is a reserved word of Stan. Choose another name, such as \`${name}_\`.`,
    { fix: { title: `Change to ${name}_`, replacement: `${name}_` } },
  );

export const oldArraySyntax = (
  span: Span,
  modern: string,
  fix: { readonly replacement: string; readonly span?: Span } | null,
): Diagnostic =>
  makeWarning('old-array-syntax', span, `This array syntax is deprecated. Write \`${modern}\`.`, {
    fix: fix ? { title: titleOf(fix.replacement), ...fix } : undefined,
  });

/** A declaration with a long value is not repeated in a title. */
function titleOf(replacement: string): string {
  return replacement.length > 80 ? 'Change to array[…]' : `Change to ${replacement}`;
}

export const blockTwice = (span: Span, name: BlockName, first: Span): Diagnostic =>
  makeError('block-twice', span, `There are two \`${name}\` blocks. Merge them into one.`, {
    related: [{ message: 'The first is here.', span: first }],
  });

export const blockOrder = (span: Span, name: BlockName, later: BlockName): Diagnostic =>
  makeError('block-order', span, `The \`${name}\` block must come before \`${later}\`.`);

export const unknownType = (span: Span, word: string, suggestion: string): Diagnostic =>
  makeError(
    'unknown-type',
    span,
    `No type is called \`${word}\`. Did you mean \`${suggestion}\`?`,
    {
      fix: { title: `Change to ${suggestion}`, replacement: suggestion },
    },
  );

export const unknownBlock = (span: Span, word: string, suggestion: string | null): Diagnostic =>
  makeError(
    'unknown-block',
    span,
    suggestion
      ? `No block is called \`${word}\`. Did you mean \`${suggestion}\`?`
      : `Expected a block such as \`parameters { … }\`, but found \`${word}\`.`,
    suggestion ? { fix: { title: `Change to ${suggestion}`, replacement: suggestion } } : {},
  );

export const outsideBlock = (span: Span): Diagnostic =>
  makeError('outside-block', span, 'All code must be inside a block of the program.');

export const statementInDeclarationBlock = (span: Span, block: BlockName): Diagnostic =>
  makeError(
    'statement-in-declarations',
    span,
    `The \`${block}\` block can only contain declarations. Move this to \`${block === 'data' ? 'transformed data' : 'model'}\`.`,
  );

export const initialiserNotAllowed = (span: Span, name: string, block: BlockName): Diagnostic =>
  makeError(
    'initialiser-not-allowed',
    span,
    `\`${name}\` cannot be given a value in the \`${block}\` block.`,
  );

export const wrongNumberOfSizes = (
  span: Span,
  type: string,
  wanted: string,
  found: number,
): Diagnostic =>
  makeError(
    'wrong-sizes',
    span,
    found === 0
      ? `\`${type}\` needs its size: \`${type}[${wanted}]\`.`
      : `\`${type}\` is declared as \`${type}[${wanted}]\`, but ${found === 1 ? '1 size is' : `${found} sizes are`} given.`,
  );

export const scalarWithSizes = (span: Span, type: string): Diagnostic =>
  makeError(
    'wrong-sizes',
    span,
    `\`${type}\` takes no size. Write an array as \`array[size] ${type} name\`.`,
  );

export const sizeInSignature = (span: Span): Diagnostic =>
  makeError('size-in-signature', span, 'Types in a function signature cannot have sizes.');

export const constraintInSignature = (span: Span): Diagnostic =>
  makeError(
    'constraint-in-signature',
    span,
    'Types in a function signature cannot have constraints.',
  );

export const constraintNotAllowed = (span: Span, type: string): Diagnostic =>
  makeError(
    'constraint-not-allowed',
    span,
    `\`${type}\` cannot take \`<…>\`: it is already a constrained type.`,
  );

export const unknownConstraint = (span: Span, word: string): Diagnostic =>
  makeError(
    'unknown-constraint',
    span,
    `\`${word}\` is not a constraint. Use \`lower\`, \`upper\`, \`offset\` or \`multiplier\`.`,
  );

export const mixedConstraints = (span: Span): Diagnostic =>
  makeError(
    'mixed-constraints',
    span,
    '`offset` and `multiplier` cannot be combined with `lower` and `upper`.',
  );

export const constraintTwice = (span: Span, word: string): Diagnostic =>
  makeError('constraint-twice', span, `\`${word}\` is given twice.`);

export const voidVariable = (span: Span): Diagnostic =>
  makeError('void-variable', span, '`void` can only be the return type of a function.');
