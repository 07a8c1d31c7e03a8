/** Declarations: a sized type and one or several names, each with old-style array sizes and an initialiser. */
import { joinSpans } from '../source/source-file.ts';
import type { Span } from '../source/span.ts';
import { arrayOf } from '../types/stan-type.ts';
import type { Declaration, Expression, Identifier, SizedType } from './ast.ts';
import type { Cursor } from './cursor.ts';
import { parseExpression } from './parse-expressions.ts';
import { parseSizedType, parseSizes, type WrittenType } from './parse-types.ts';
import { printBound, printExpression, printTuple } from './printer.ts';
import * as problems from './syntax-problems.ts';
import type { Token } from './token.ts';

/** Reads one declaration with its `;` and appends one node per name; on a failure, those understood are appended. */
export function parseDeclaration(cursor: Cursor, out: Declaration[]): void {
  const start = cursor.peek();
  const type = parseSizedType(cursor);
  const declarators: Declarator[] = [];
  const head = { start, type, declarators };
  try {
    do parseDeclarator(cursor, head, out);
    while (cursor.accept(','));
    cursor.expectSemicolon();
  } finally {
    reportOldSizes(cursor, head);
  }
}

interface Head {
  readonly start: Token;
  readonly type: WrittenType;
  readonly declarators: Declarator[];
}

/** A name of a declaration, as written. */
interface Declarator {
  readonly name: Identifier;
  /** `[n, m]` after the name: old array syntax. */
  readonly sizes: Span | null;
  /** Includes the value, if there is one. */
  end: number;
}

function parseDeclarator(cursor: Cursor, head: Head, out: Declaration[]): void {
  const name = cursor.identifier('a name');
  const open = cursor.peek();
  const oldSizes = cursor.is('[') ? parseSizes(cursor) : [];
  const sizes = oldSizes.length > 0 ? cursor.spanFrom(open) : null;
  const declarator: Declarator = { name, sizes, end: cursor.previous.end };
  head.declarators.push(declarator);
  const finish = (initialiser: Expression | null): void => {
    out.push(declarationOf(head.type, name, [oldSizes, initialiser], cursor.spanFrom(head.start)));
    declarator.end = cursor.previous.end;
  };
  if (!cursor.accept('=')) {
    finish(null);
    return;
  }
  let initialiser: Expression;
  try {
    initialiser = parseExpression(cursor);
  } catch (failure) {
    // The name is known anyway.
    finish({ kind: 'error', span: cursor.previous });
    throw failure;
  }
  finish(initialiser);
}

function declarationOf(
  declared: WrittenType,
  name: Identifier,
  [oldSizes, initialiser]: readonly [readonly Expression[], Expression | null],
  span: Span,
): Declaration {
  const { type, constraint, baseSizes, members } = declared;
  return {
    kind: 'declaration',
    name,
    type: type.base === 'error' ? type : arrayOf(type, oldSizes.length),
    constraint,
    arraySizes: [...oldSizes, ...declared.arraySizes],
    baseSizes,
    ...(members ? { members } : {}),
    initialiser,
    span,
  };
}

/** One message per name; the fix of each rewrites the whole declaration, and leaves its text otherwise unchanged. */
function reportOldSizes(cursor: Cursor, { type, declarators }: Head): void {
  const old = declarators.filter(({ sizes }) => sizes !== null);
  const whole = { ...type.span, end: declarators.at(-1)?.end ?? type.span.end };
  const isPlain = type.arraySizes.length === 0 && cursor.textAt(whole).length < 1000;
  const replacement =
    old.length > 0 && isPlain ? modernDeclaration(cursor, type, declarators) : null;
  for (const { name, sizes } of old) {
    if (sizes === null) continue;
    const written = cursor.textAt(sizes);
    const isAlone = declarators.length === 1 && isPlain;
    const span = isAlone ? joinSpans(type.span, sizes) : joinSpans(name.span, sizes);
    const modern = `array${written} ${isAlone ? `${cursor.textAt(type.span)} ${name.name}` : '…'}`;
    const fix = replacement === null ? null : { replacement, span: whole };
    cursor.diagnostics.push(problems.oldArraySyntax(span, modern, fix));
  }
}

/** `real x[3], y` becomes `array[3] real x; real y`; names with the same sizes stay together. */
function modernDeclaration(
  cursor: Cursor,
  type: WrittenType,
  declarators: readonly Declarator[],
): string {
  const word = cursor.textAt(type.span);
  const sizesOf = ({ sizes }: Declarator): string => (sizes === null ? '' : cursor.textAt(sizes));
  const text = ({ name, sizes, end }: Declarator): string =>
    name.name + cursor.textAt({ ...name.span, start: sizes?.end ?? name.span.end, end });
  const groups: Declarator[][] = [];
  for (const declarator of declarators) {
    const last = groups.at(-1);
    if (last !== undefined && sizesOf(last[0]) === sizesOf(declarator)) last.push(declarator);
    else groups.push([declarator]);
  }
  return groups
    .map((group) => {
      const sizes = sizesOf(group[0]);
      return `${sizes === '' ? '' : `array${sizes} `}${word} ${group.map(text).join(', ')}`;
    })
    .join('; ');
}

/** As a user would write it before the name: `array[N] vector<lower=0>[J]`. */
export function printDeclaredType(declaration: SizedType): string {
  const { constraint, members } = declaration;
  const list = (sizes: readonly Expression[]): string => sizes.map(printExpression).join(', ');
  const array = declaration.arraySizes.length > 0 ? `array[${list(declaration.arraySizes)}] ` : '';
  const sizes = declaration.baseSizes.length > 0 ? `[${list(declaration.baseSizes)}]` : '';
  const base = members ? printTuple(members.map(printDeclaredType)) : declaration.type.base;
  switch (constraint.kind) {
    case 'none':
      return `${array}${base}${sizes}`;
    case 'bounds':
      return `${array}${base}${printParts({ lower: constraint.lower, upper: constraint.upper })}${sizes}`;
    case 'offset-multiplier':
      return `${array}${base}${printParts({ offset: constraint.offset, multiplier: constraint.multiplier })}${sizes}`;
    default:
      return `${array}${constraint.kind}${sizes}`;
  }
}

function printParts(parts: Readonly<Record<string, Expression | null>>): string {
  const written = Object.entries(parts).flatMap(([word, value]) =>
    value ? [`${word}=${printBound(value)}`] : [],
  );
  return `<${written.join(', ')}>`;
}
