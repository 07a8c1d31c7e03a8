/** The catalogue of what lexer and parser can find wrong, one constructor per problem. */
import { changeTo, error, warning } from '../diagnostics.ts';
import type { Span } from '../source/span.ts';
import type { BlockName } from './ast.ts';

export const strayCharacter = error('stray-character', (text: string) => {
  const asciiTwin = asciiTwins.get(text);
  if (asciiTwin !== undefined)
    return {
      message: `\`${text}\` is not valid in Stan. Write \`${asciiTwin}\`.`,
      ...changeTo(asciiTwin),
    };
  if (/^\p{L}/u.test(text))
    return `\`${text}\` is not allowed here. A name can only contain the letters a to z and A to Z, digits and \`_\`.`;
  return `${nameCharacter(text)} is not valid in Stan.`;
});

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

export const unclosedString = error(
  'unclosed-string',
  'This string is not closed on its line. Add a closing `"`.',
);

export const unclosedComment = error('unclosed-comment', 'This comment is not closed. Add `*/`.');

export const intTooLarge = error(
  'int-too-large',
  'The largest int is 2 147 483 647. Write a real number, such as `1e10`.',
);

export const numberUnderscore = error(
  'number-form',
  'In a number, `_` can only appear between two digits.',
);

export const hashComment = warning('old-comment', {
  message: 'Stan no longer accepts comments that begin with `#`. Write `//`.',
  ...changeTo('//'),
});

export const includeNotFound = error(
  'include-not-found',
  (name: string) => `No file in this model is called \`${name}\`.`,
);

export const includeCycle = error(
  'include-cycle',
  (name: string) => `\`${name}\` includes itself. Remove one of the includes.`,
);

export const includesTooDeep = error('includes-too-many', 'This program includes too many files.');

export const programTooLong = error(
  'program-too-long',
  (most: number) =>
    `This program has more than ${most} words and symbols; what follows is not read. Use loops and vectors instead of repeating statements.`,
);

export const expected = error(
  'syntax',
  (what: string, found: string) => `Expected ${what}, but found ${found}.`,
);

export const missingSemicolon = error('missing-semicolon', {
  message: 'A `;` is missing here.',
  fix: { title: 'Insert ;', replacement: ';' },
});

export const unclosedBrace = error(
  'unclosed-brace',
  (what: string) => `The \`{\` of ${what} is never closed. Add a \`}\`.`,
);

export const unclosedBracket = error(
  'unclosed-bracket',
  (close: string, found: string, opened: Span) => ({
    message: `Expected \`${close}\`, but found ${found}.`,
    related: [{ message: 'It was opened here.', span: opened }],
  }),
);

export const tooDeep = error(
  'too-deep',
  'This is nested too deeply. Split it into several statements.',
);

export const notAStatement = error(
  'not-a-statement',
  'An expression alone is not a statement. Assign it with `=`, or begin with `target +=`.',
);

export const comparisonAsStatement = error('not-a-statement', {
  message: '`==` is a comparison. Use `=` to assign.',
  ...changeTo('='),
});

export const strayElse = error('stray-else', 'This `else` has no matching `if`.');

export const notAssignable = error(
  'not-assignable',
  'Only a variable or an element of one can be assigned to.',
);

export const arrowAssignment = error('old-assignment', {
  message: 'Stan no longer assigns with `<-`. Write `=`.',
  ...changeTo('='),
});

export const incrementLogProb = error('old-increment-log-prob', (value: string) => ({
  message: '`increment_log_prob(…)` was removed from Stan. Write `target += …;`.',
  fix: { title: 'Change to target +=', replacement: `target += ${value}` },
}));

export const targetAssigned = error('target-assigned', {
  message: 'The target can only be added to. Write `target += …;`.',
  ...changeTo('+='),
});

export const getLp = error('old-get-lp', {
  message: '`get_lp()` was removed from Stan. Write `target()`.',
  ...changeTo('target'),
});

export const reservedName = error('reserved-name', (name: string) => ({
  message: `\`${name}\` is a reserved word of Stan. Choose another name, such as \`${name}_\`.`,
  ...changeTo(`${name}_`),
}));

export const oldArraySyntax = warning(
  'old-array-syntax',
  (modern: string, fix: { readonly replacement: string; readonly span?: Span } | null) => ({
    message: `This array syntax is deprecated. Write \`${modern}\`.`,
    fix: fix ? { title: titleOf(fix.replacement), ...fix } : undefined,
  }),
);

/** A declaration with a long value is not repeated in a title. */
function titleOf(replacement: string): string {
  return replacement.length > 80 ? 'Change to array[…]' : `Change to ${replacement}`;
}

export const blockTwice = error('block-twice', (name: BlockName, first: Span) => ({
  message: `There are two \`${name}\` blocks. Merge them into one.`,
  related: [{ message: 'The first is here.', span: first }],
}));

export const blockOrder = error(
  'block-order',
  (name: BlockName, later: BlockName) => `The \`${name}\` block must come before \`${later}\`.`,
);

export const unknownType = error('unknown-type', (word: string, suggestion: string) => ({
  message: `No type is called \`${word}\`. Did you mean \`${suggestion}\`?`,
  ...changeTo(suggestion),
}));

export const unknownBlock = error('unknown-block', (word: string, suggestion: string | null) => ({
  message: suggestion
    ? `No block is called \`${word}\`. Did you mean \`${suggestion}\`?`
    : `Expected a block such as \`parameters { … }\`, but found \`${word}\`.`,
  ...changeTo(suggestion),
}));

export const outsideBlock = error(
  'outside-block',
  'All code must be inside a block of the program.',
);

export const statementInDeclarationBlock = error(
  'statement-in-declarations',
  (block: BlockName) =>
    `The \`${block}\` block can only contain declarations. Move this to \`${block === 'data' ? 'transformed data' : 'model'}\`.`,
);

export const initialiserNotAllowed = error(
  'initialiser-not-allowed',
  (name: string, block: BlockName) =>
    `\`${name}\` cannot be given a value in the \`${block}\` block.`,
);

export const wrongNumberOfSizes = error(
  'wrong-sizes',
  (type: string, wanted: string, found: number) =>
    found === 0
      ? `\`${type}\` needs its size: \`${type}[${wanted}]\`.`
      : `\`${type}\` is declared as \`${type}[${wanted}]\`, but ${found === 1 ? '1 size is' : `${found} sizes are`} given.`,
);

export const scalarWithSizes = error(
  'wrong-sizes',
  (type: string) => `\`${type}\` takes no size. Write an array as \`array[size] ${type} name\`.`,
);

export const sizeInSignature = error(
  'size-in-signature',
  'Types in a function signature cannot have sizes.',
);

export const constraintInSignature = error(
  'constraint-in-signature',
  'Types in a function signature cannot have constraints.',
);

export const constraintNotAllowed = error(
  'constraint-not-allowed',
  (type: string) => `\`${type}\` cannot take \`<…>\`: it is already a constrained type.`,
);

export const unknownConstraint = error(
  'unknown-constraint',
  (word: string) =>
    `\`${word}\` is not a constraint. Use \`lower\`, \`upper\`, \`offset\` or \`multiplier\`.`,
);

export const mixedConstraints = error(
  'mixed-constraints',
  '`offset` and `multiplier` cannot be combined with `lower` and `upper`.',
);

export const constraintTwice = error(
  'constraint-twice',
  (word: string) => `\`${word}\` is given twice.`,
);

export const voidVariable = error(
  'void-variable',
  '`void` can only be the return type of a function.',
);
