/** Types as written: sized with constraints in declarations, without sizes in function signatures. */
import type { Span } from '../source/span.ts';
import { arrayOf, type BaseType, errorType, type StanType, tupleOf } from '../types/stan-type.ts';
import type { Constraint, Expression, SizedType } from './ast.ts';
import type { Cursor } from './cursor.ts';
import { boundPower } from './operators.ts';
import { parseExpression } from './parse-expressions.ts';
import * as problems from './syntax-problems.ts';
import { type ConstrainedTypeName, constrainedTypes, plainTypes, typeWords } from './token.ts';

/** A type in a declaration, before the name. */
export interface WrittenType extends SizedType {
  readonly span: Span;
}

const none: Constraint = { kind: 'none' };
const isPlain = (word: string): boolean => (plainTypes as readonly string[]).includes(word);
const isConstrained = (word: string): word is ConstrainedTypeName =>
  Object.hasOwn(constrainedTypes, word);

/** Whether a declaration begins here. */
export function startsType(cursor: Cursor): boolean {
  const token = cursor.peek();
  return token.kind === 'name' && typeWords.has(token.text);
}

export function parseSizedType(cursor: Cursor): WrittenType {
  const start = cursor.peek();
  let arraySizes: Expression[] = [];
  if (cursor.accept('array')) arraySizes = parseSizes(cursor);
  const word = cursor.peek();
  if (!startsType(cursor) || word.text === 'array') return cursor.failExpecting('a type');
  cursor.next();
  if (word.text === 'tuple') {
    const members = parseMembers(cursor, parseSizedType);
    const type = arrayOf(tupleOf(members.map((member) => member.type)), arraySizes.length);
    const span = cursor.spanFrom(start);
    return { type, constraint: none, arraySizes, baseSizes: [], members, span };
  }
  if (word.text === 'void') {
    cursor.diagnostics.push(problems.voidVariable(word));
    skipRest(cursor);
    return {
      type: errorType,
      constraint: none,
      arraySizes,
      baseSizes: [],
      span: cursor.spanFrom(start),
    };
  }
  const constraint = cursor.is('<') ? parseConstraint(cursor) : none;
  const sizesStart = cursor.peek();
  const baseSizes = cursor.is('[') ? parseSizes(cursor) : [];
  checkSizes(cursor, word.text, baseSizes.length, baseSizes.length > 0 ? sizesStart : word);
  const span = cursor.spanFrom(start);
  if (isConstrained(word.text)) {
    if (constraint.kind !== 'none') {
      cursor.diagnostics.push(problems.constraintNotAllowed(word, word.text));
    }
    const type = { base: constrainedTypes[word.text], arrayDepth: arraySizes.length };
    return { type, constraint: { kind: word.text }, arraySizes, baseSizes, span };
  }
  const type = { base: word.text as BaseType, arrayDepth: arraySizes.length };
  return { type, constraint, arraySizes, baseSizes, span };
}

/** `(real, int)` after `tuple`; a single member has a comma after it. */
function parseMembers<T>(cursor: Cursor, parseMember: (cursor: Cursor) => T): T[] {
  return cursor.nested(() => {
    const open = cursor.expect('(');
    const members = [parseMember(cursor)];
    if (!cursor.is(',')) return cursor.failExpecting('`,` and further members of the tuple');
    while (cursor.accept(',')) {
      if (members.length === 1 && cursor.is(')')) break;
      members.push(parseMember(cursor));
    }
    cursor.expectClosing(')', open);
    return members;
  });
}

/** Skips `<…>`, `(…)` and `[…]` after anything that cannot be the type of a variable. */
function skipRest(cursor: Cursor): void {
  if (cursor.is('<')) parseConstraint(cursor);
  for (const [open, close] of [
    ['(', ')'],
    ['[', ']'],
  ]) {
    if (!cursor.is(open)) continue;
    let depth = 0;
    do {
      if (cursor.is(open)) depth++;
      if (cursor.is(close)) depth--;
      cursor.next();
    } while (depth > 0 && !cursor.atEnd && !cursor.is(';'));
  }
}

export function parseSizes(cursor: Cursor): Expression[] {
  const open = cursor.expect('[');
  const sizes: Expression[] = [];
  do sizes.push(parseExpression(cursor));
  while (cursor.accept(','));
  cursor.expectClosing(']', open);
  return sizes;
}

/** How many sizes each type needs, as worded in messages. */
function sizeForms(word: string): { counts: readonly number[]; wanted: string } {
  switch (word) {
    case 'int':
    case 'real':
    case 'complex':
      return { counts: [0], wanted: '' };
    case 'matrix':
    case 'complex_matrix':
    case 'sum_to_zero_matrix':
    case 'column_stochastic_matrix':
    case 'row_stochastic_matrix':
      return { counts: [2], wanted: 'rows, columns' };
    case 'cholesky_factor_cov':
      return { counts: [1, 2], wanted: 'rows, columns' };
    default:
      return { counts: [1], wanted: 'size' };
  }
}

function checkSizes(cursor: Cursor, word: string, found: number, place: Span): void {
  const { counts, wanted } = sizeForms(word);
  if (counts.includes(found)) return;
  const span = place === cursor.peek() ? place : cursor.spanFrom(place);
  if (counts[0] === 0) {
    cursor.diagnostics.push(problems.scalarWithSizes(span, word));
    return;
  }
  cursor.diagnostics.push(problems.wrongNumberOfSizes(span, word, wanted, found));
}

/** `<lower=a, upper=b>` or `<offset=a, multiplier=b>`. */
function parseConstraint(cursor: Cursor): Constraint {
  const open = cursor.next();
  const parts = new Map<string, Expression>();
  do {
    const word = cursor.peek();
    if (word.kind !== 'name') return cursor.failExpecting('`lower` or `upper`');
    cursor.next();
    if (!['lower', 'upper', 'offset', 'multiplier'].includes(word.text)) {
      cursor.diagnostics.push(problems.unknownConstraint(word, word.text));
    }
    if (parts.has(word.text)) {
      cursor.diagnostics.push(problems.constraintTwice(word, word.text));
    }
    cursor.expect('=');
    parts.set(word.text, parseExpression(cursor, boundPower));
  } while (cursor.accept(','));
  cursor.expectClosing('>', open);
  const [lower, upper] = [parts.get('lower') ?? null, parts.get('upper') ?? null];
  const [offset, multiplier] = [parts.get('offset') ?? null, parts.get('multiplier') ?? null];
  if (offset || multiplier) {
    if (lower || upper) cursor.diagnostics.push(problems.mixedConstraints(cursor.spanFrom(open)));
    return { kind: 'offset-multiplier', offset, multiplier };
  }
  return lower || upper ? { kind: 'bounds', lower, upper } : none;
}

/** `array[,] real`, `vector`, and the old `real[,]`. */
export function parseUnsizedType(cursor: Cursor): StanType {
  const start = cursor.peek();
  let arrayDepth = 0;
  if (cursor.accept('array')) arrayDepth = parseEmptySizes(cursor);
  const word = cursor.peek();
  if (!startsType(cursor) || word.text === 'array') return cursor.failExpecting('a type');
  cursor.next();
  if (word.text === 'tuple') {
    return arrayOf(tupleOf(parseMembers(cursor, parseUnsizedType)), arrayDepth);
  }
  if (cursor.is('<')) {
    parseConstraint(cursor);
    cursor.diagnostics.push(problems.constraintInSignature(cursor.spanFrom(word)));
  }
  if (cursor.is('[')) {
    const before = cursor.diagnostics.length;
    const oldDepth = parseEmptySizes(cursor);
    const hasSizes = cursor.diagnostics.length > before;
    // `vector[3]` means the size of a vector, not an array of three.
    const isBaseSize = hasSizes && !['int', 'real', 'complex'].includes(word.text);
    if (isBaseSize) arrayDepth -= oldDepth;
    if (isPlain(word.text) && arrayDepth === 0 && !isBaseSize) {
      const modern = `array[${','.repeat(oldDepth - 1)}] ${word.text}`;
      cursor.diagnostics.push(
        problems.oldArraySyntax(cursor.spanFrom(start), modern, { replacement: modern }),
      );
    }
    arrayDepth += oldDepth;
  }
  if (isConstrained(word.text)) {
    cursor.diagnostics.push(problems.constraintInSignature(word));
    return { base: constrainedTypes[word.text], arrayDepth };
  }
  return { base: word.text as BaseType, arrayDepth };
}

/** `[]`, `[,]` …; sizes inside are reported and skipped. */
function parseEmptySizes(cursor: Cursor): number {
  const open = cursor.expect('[');
  let depth = 1;
  while (!cursor.is(']') && !cursor.atEnd) {
    if (cursor.accept(',')) {
      depth++;
      continue;
    }
    const size = parseExpression(cursor);
    cursor.diagnostics.push(problems.sizeInSignature(size.span));
  }
  cursor.expectClosing(']', open);
  return depth;
}
