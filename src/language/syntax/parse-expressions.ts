/** Expressions by operator precedence: a prefix or primary, then postfix and infix operators while they bind tightly. */
import type { BinaryOperator, Expression, Identifier, IndexItem, Unary } from './ast.ts';
import { type Cursor, highestExpression } from './cursor.ts';
import { conditionalPower, infixByText, prefixPower } from './operators.ts';
import * as problems from './syntax-problems.ts';
import { reservedWords, spanOf, type Token } from './token.ts';

/** Reads an expression whose operators all bind at least as tightly as `minPower` (0: any). */
export function parseExpression(cursor: Cursor, minPower = 0): Expression {
  return cursor.nested(() => {
    const start = cursor.peek();
    let expression = parsePrefix(cursor);
    for (;;) {
      const token = cursor.peek();
      if (token.kind !== 'symbol') return expression;
      if (token.text === '?' && conditionalPower >= minPower) {
        expression = parseConditional(cursor, expression, start);
        continue;
      }
      const infix = infixByText.get(token.text);
      if (!infix || infix.power < minPower) return expression;
      const leftHeight = cursor.height;
      cursor.next();
      const right = parseExpression(cursor, infix.rightAssociative ? infix.power : infix.power + 1);
      grow(cursor, leftHeight);
      expression = {
        kind: 'binary',
        operator: token.text as BinaryOperator,
        left: expression,
        right,
        span: cursor.spanFrom(start),
      };
    }
  });
}

/** Notes that the new node is on top of the tree parsed last and of one of `height`. */
function grow(cursor: Cursor, height = 0): void {
  cursor.height = Math.max(cursor.height, height) + 1;
  if (cursor.height > highestExpression) cursor.fail(problems.tooDeep(cursor.peek()));
}

function parseConditional(cursor: Cursor, condition: Expression, start: Token): Expression {
  let height = cursor.height;
  cursor.next();
  const then = parseExpression(cursor);
  height = Math.max(height, cursor.height);
  cursor.expect(':', '`:` and the other value of the conditional');
  const otherwise = parseExpression(cursor, conditionalPower);
  grow(cursor, height);
  // The field's name in the tree; nothing here is awaited.
  // oxlint-disable-next-line unicorn/no-thenable
  return { kind: 'conditional', condition, then, otherwise, span: cursor.spanFrom(start) };
}

function parsePrefix(cursor: Cursor): Expression {
  const token = cursor.peek();
  if (token.kind === 'symbol' && (token.text === '-' || token.text === '+' || token.text === '!')) {
    cursor.next();
    const operand = parseExpression(cursor, prefixPower);
    grow(cursor);
    const operator = token.text as Unary['operator'];
    return { kind: 'unary', operator, operand, span: cursor.spanFrom(token) };
  }
  return parsePostfix(cursor);
}

function parsePostfix(cursor: Cursor): Expression {
  const start = cursor.peek();
  let expression = parsePrimary(cursor);
  for (;;) {
    if (cursor.is("'")) {
      cursor.next();
      grow(cursor);
      const span = cursor.spanFrom(start);
      expression = { kind: 'postfix', operator: "'", operand: expression, span };
    } else if (cursor.is('[')) {
      const height = cursor.height;
      const indexes = parseIndexes(cursor);
      grow(cursor, height);
      expression = { kind: 'index', base: expression, indexes, span: cursor.spanFrom(start) };
    } else if (cursor.peek().kind === 'real' && /^\.\d+$/.test(cursor.peek().text)) {
      // The lexer reads `.1` as a number.
      const position = Number(cursor.next().text.slice(1));
      grow(cursor);
      expression = { kind: 'member', base: expression, position, span: cursor.spanFrom(start) };
    } else {
      return expression;
    }
  }
}

function parsePrimary(cursor: Cursor): Expression {
  const token = cursor.peek();
  cursor.height = 0;
  switch (token.kind) {
    case 'int':
    case 'real':
    case 'imaginary':
      cursor.next();
      return { kind: token.kind, value: numberOf(token), span: spanOf(token) };
    case 'string':
      cursor.next();
      return { kind: 'string', value: token.text, span: spanOf(token) };
    case 'name':
      return parseName(cursor);
    case 'symbol':
      return parseBracketed(cursor);
    default:
      return cursor.failExpecting('an expression');
  }
}

function numberOf(token: Token): number {
  return Number(token.text.replace(/_|i$/g, ''));
}

function parseName(cursor: Cursor): Expression {
  const token = cursor.peek();
  if (token.text === 'target' && cursor.is('(', 1)) {
    cursor.next();
    const open = cursor.next();
    cursor.expectClosing(')', open);
    return { kind: 'target', span: cursor.spanFrom(token) };
  }
  if (reservedWords.has(token.text)) {
    // Between two operators a reserved word was meant as a name; elsewhere something before it is missing.
    return cursor.failExpecting('an expression');
  }
  cursor.next();
  if (cursor.is('(')) return parseCall(cursor, { name: token.text, span: spanOf(token) });
  return { kind: 'variable', name: token.text, span: spanOf(token) };
}

function parseCall(cursor: Cursor, name: Identifier): Expression {
  if (name.name === 'get_lp') cursor.diagnostics.push(problems.getLp(name.span));
  const open = cursor.next();
  const args: Expression[] = [];
  let bar = false;
  let height = 0;
  if (!cursor.is(')')) {
    args.push(parseExpression(cursor));
    height = cursor.height;
    if (cursor.accept('|')) bar = true;
    if (!(bar && cursor.is(')')) && (bar || cursor.accept(','))) {
      do {
        args.push(parseExpression(cursor));
        height = Math.max(height, cursor.height);
      } while (cursor.accept(','));
    }
  }
  cursor.expectClosing(')', open);
  grow(cursor, height);
  if (name.name === 'get_lp') return { kind: 'target', span: cursor.spanFrom(name.span) };
  return { kind: 'call', name, arguments: args, bar, span: cursor.spanFrom(name.span) };
}

function parseBracketed(cursor: Cursor): Expression {
  const open = cursor.peek();
  switch (open.text) {
    case '(': {
      cursor.next();
      const inner = parseExpression(cursor);
      if (cursor.is(',')) return parseTuple(cursor, open, inner);
      cursor.expectClosing(')', open);
      return inner;
    }
    case '{': {
      cursor.next();
      const elements = parseElements(cursor, '}');
      cursor.expectClosing('}', open);
      return { kind: 'array', elements, span: cursor.spanFrom(open) };
    }
    case '[': {
      cursor.next();
      const elements = cursor.is(']') ? [] : parseElements(cursor, ']');
      cursor.expectClosing(']', open);
      return { kind: 'row-vector', elements, span: cursor.spanFrom(open) };
    }
    default:
      return cursor.failExpecting('an expression');
  }
}

/** The rest of `(a, b)` after its first element; `(a,)` has one. */
function parseTuple(cursor: Cursor, open: Token, first: Expression): Expression {
  const elements = [first];
  let { height } = cursor;
  while (cursor.accept(',')) {
    if (elements.length === 1 && cursor.is(')')) break;
    elements.push(parseExpression(cursor));
    height = Math.max(height, cursor.height);
  }
  cursor.expectClosing(')', open);
  grow(cursor, height);
  return { kind: 'tuple', elements, span: cursor.spanFrom(open) };
}

function parseElements(cursor: Cursor, close: string): Expression[] {
  const elements: Expression[] = [];
  let height = 0;
  do {
    if (cursor.is(close)) cursor.failExpecting('an expression');
    elements.push(parseExpression(cursor));
    height = Math.max(height, cursor.height);
  } while (cursor.accept(','));
  grow(cursor, height);
  return elements;
}

/** `[…]` after an expression; every entry may be empty, and so may all of it. */
function parseIndexes(cursor: Cursor): IndexItem[] {
  const open = cursor.next();
  const items: IndexItem[] = [];
  let height = 0;
  do {
    items.push(parseIndex(cursor));
    height = Math.max(height, cursor.height);
  } while (cursor.accept(','));
  cursor.expectClosing(']', open);
  cursor.height = height;
  return items;
}

function parseIndex(cursor: Cursor): IndexItem {
  const start = cursor.peek();
  const endsHere = (): boolean => cursor.is(',') || cursor.is(']');
  cursor.height = 0;
  if (endsHere()) {
    const span = { file: start.file, start: start.start, end: start.start };
    return { kind: 'slice', from: null, to: null, span };
  }
  const from = cursor.is(':') ? null : parseExpression(cursor);
  if (from && !cursor.is(':')) return { kind: 'single', expression: from };
  const height = cursor.height;
  cursor.expect(':');
  const to = endsHere() ? null : parseExpression(cursor);
  cursor.height = Math.max(cursor.height, height);
  return { kind: 'slice', from, to, span: cursor.spanFrom(start) };
}
