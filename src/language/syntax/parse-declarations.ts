/** Declarations: a sized type and one or several names, each with array sizes of old and an initialiser. */
import { joinSpans } from '../source/source-file.ts';
import type { Span } from '../source/span.ts';
import { arrayOf } from '../types/stan-type.ts';
import type { Declaration, Expression, Identifier, SizedType } from './ast.ts';
import type { Cursor } from './cursor.ts';
import { parseExpression } from './parse-expressions.ts';
import { parseSizedType, type WrittenType } from './parse-types.ts';
import { printBound, printExpression, printTuple } from './printer.ts';
import * as problems from './syntax-problems.ts';
import type { Token } from './token.ts';

/** Reads one declaration with its `;` and appends one node a name; on a failure, those understood are appended. */
export function parseDeclaration(cursor: Cursor, out: Declaration[]): void {
  const start = cursor.peek();
  const type = parseSizedType(cursor);
  do parseDeclarator(cursor, { start, type }, out);
  while (cursor.accept(','));
  cursor.expectSemicolon();
}

function parseDeclarator(
  cursor: Cursor,
  head: { readonly start: Token; readonly type: WrittenType },
  out: Declaration[],
): void {
  const name = cursor.identifier('a name');
  const oldSizes = cursor.is('[') ? parseOldSizes(cursor, head.type, name) : [];
  const finish = (initialiser: Expression | null): void => {
    out.push(declarationOf(head.type, name, [oldSizes, initialiser], cursor.spanFrom(head.start)));
  };
  if (!cursor.accept('=')) {
    finish(null);
    return;
  }
  let initialiser: Expression;
  try {
    initialiser = parseExpression(cursor);
  } catch (failure) {
    // The name is known all the same.
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

/** `[n, m]` behind the name: array syntax of old. */
function parseOldSizes(cursor: Cursor, type: WrittenType, name: Identifier): Expression[] {
  const open = cursor.next();
  const sizes: Expression[] = [];
  do sizes.push(parseExpression(cursor));
  while (cursor.accept(','));
  cursor.expectClosing(']', open);
  const array = `array[${sizes.map(printExpression).join(', ')}]`;
  const followsType = cursor.is(';') || cursor.is('=');
  const whole = joinSpans(type.span, cursor.previous);
  const adjacent = followsType && name.span.start - type.span.end <= 1;
  cursor.diagnostics.push(
    adjacent && type.arraySizes.length === 0
      ? problems.oldArraySyntax(
          whole,
          `${array} ${printSizedType(type)} ${name.name}`,
          `${array} ${printSizedType(type)} ${name.name}`,
        )
      : problems.oldArraySyntax(cursor.spanFrom(name.span), `${array} …`, null),
  );
  return sizes;
}

function printSizedType(type: WrittenType): string {
  return printDeclaredType({ ...type, arraySizes: [] });
}

/** As a person would write it before the name: `array[N] vector<lower=0>[J]`. */
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
