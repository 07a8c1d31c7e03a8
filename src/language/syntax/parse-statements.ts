/** Statements, and lists of them that survive a broken one. */

import { closestName } from '../source/closest-name.ts';
import type { Span } from '../source/span.ts';
import type {
  Assignment,
  BlockStatement,
  Declaration,
  Expression,
  Statement,
  Tilde,
} from './ast.ts';
import type { Cursor } from './cursor.ts';
import { assignmentOperators } from './operators.ts';
import { parseDeclaration } from './parse-declarations.ts';
import { parseExpression } from './parse-expressions.ts';
import { startsType } from './parse-types.ts';
import * as problems from './syntax-problems.ts';
import { spanOf, type Token, typeWords } from './token.ts';
import { rootOf } from './walk.ts';

/** Reads statements up to a `}` or the end, or a block header if a `}` was forgotten. */
export function parseStatements(cursor: Cursor): Statement[] {
  const statements: Statement[] = [];
  while (!cursor.atEnd && !cursor.is('}') && !cursor.startsBlock()) {
    const before = cursor.taken;
    try {
      parseStatementInto(cursor, statements);
    } catch (failure) {
      cursor.recover(failure);
      if (cursor.taken === before) cursor.next();
    }
  }
  return statements;
}

function parseStatementInto(cursor: Cursor, out: Statement[]): void {
  if (!startsType(cursor)) {
    out.push(parseStatement(cursor));
    return;
  }
  const declarations: Declaration[] = [];
  try {
    parseDeclaration(cursor, declarations);
  } finally {
    out.push(...declarations);
  }
}

/** The statement a condition or loop governs. */
function parseBody(cursor: Cursor): Statement {
  return cursor.nested(() => {
    const start = cursor.peek();
    if (!startsType(cursor)) return parseStatement(cursor);
    const statements: Statement[] = [];
    parseStatementInto(cursor, statements);
    return { kind: 'block', statements, span: cursor.spanFrom(start) };
  });
}

/** Reads `{ … }`; `what` names it if its end is missing. */
export function parseBraces(cursor: Cursor, what: string): BlockStatement {
  return cursor.nested(() => {
    const open = cursor.expect('{');
    const statements = parseStatements(cursor);
    if (!cursor.accept('}')) cursor.diagnostics.push(problems.unclosedBrace(open, what));
    return { kind: 'block', statements, span: cursor.spanFrom(open) };
  });
}

function parseStatement(cursor: Cursor): Statement {
  const start = cursor.peek();
  const parse = start.kind === 'name' ? parsersByWord.get(start.text) : undefined;
  if (parse) return parse(cursor, start);
  if (cursor.is('{') && !isArrayVariate(cursor)) {
    return parseBraces(cursor, 'this group of statements');
  }
  if (cursor.accept(';')) return { kind: 'skip', span: spanOf(start) };
  return parseExpressionStatement(cursor, start);
}

/** `{a, b} ~ …`: a `{` whose `}` comes before any `;` and is followed by `~`. */
function isArrayVariate(cursor: Cursor): boolean {
  let open = 0;
  for (let ahead = 0; ; ahead++) {
    const token = cursor.peek(ahead);
    if (token.kind === 'end' || token.text === ';') return false;
    if (token.text === '{') open++;
    if (token.text === '}' && --open === 0) return cursor.is('~', ahead + 1);
  }
}

type StatementParser = (cursor: Cursor, start: Token) => Statement;

const parsersByWord: ReadonlyMap<string, StatementParser> = new Map<string, StatementParser>([
  ['if', parseIf],
  ['else', (cursor, start) => cursor.fail((cursor.next(), problems.strayElse(start)))],
  ['while', parseWhile],
  ['for', parseFor],
  ['break', (cursor, start) => parseWord(cursor, start, 'break')],
  ['continue', (cursor, start) => parseWord(cursor, start, 'continue')],
  ['return', parseReturn],
  ['print', parseReport],
  ['reject', parseReport],
  ['fatal_error', parseReport],
  ['profile', parseProfile],
  ['target', parseTarget],
  ['increment_log_prob', parseIncrementLogProb],
  ['jacobian', parseJacobian],
]);

function parseIf(cursor: Cursor, start: Token): Statement {
  cursor.next();
  const condition = parseCondition(cursor);
  const then = parseBody(cursor);
  const otherwise = cursor.accept('else') ? parseBody(cursor) : null;
  // The field's name in the tree; nothing here is awaited.
  // oxlint-disable-next-line unicorn/no-thenable
  return { kind: 'if', condition, then, otherwise, span: cursor.spanFrom(start) };
}

function parseCondition(cursor: Cursor): Expression {
  const open = cursor.expect('(');
  const condition = parseExpression(cursor);
  cursor.expectClosing(')', open);
  return condition;
}

function parseWhile(cursor: Cursor, start: Token): Statement {
  cursor.next();
  const condition = parseCondition(cursor);
  const body = parseBody(cursor);
  return { kind: 'while', condition, body, span: cursor.spanFrom(start) };
}

function parseFor(cursor: Cursor, start: Token): Statement {
  cursor.next();
  const open = cursor.expect('(');
  const name = cursor.identifier('the name of the loop variable');
  cursor.expect('in');
  const from = parseExpression(cursor);
  const to = cursor.accept(':') ? parseExpression(cursor) : null;
  cursor.expectClosing(')', open);
  const body = parseBody(cursor);
  const span = cursor.spanFrom(start);
  const variable = { kind: 'loop-variable', name } as const;
  if (to) return { kind: 'for', variable: { ...variable }, from, to, body, span };
  return { kind: 'for-each', variable: { ...variable }, over: from, body, span };
}

function parseWord(cursor: Cursor, start: Token, kind: 'break' | 'continue'): Statement {
  cursor.next();
  cursor.expectSemicolon();
  return { kind, span: cursor.spanFrom(start) };
}

function parseReturn(cursor: Cursor, start: Token): Statement {
  cursor.next();
  const value = cursor.is(';') || cursor.is('}') ? null : parseExpression(cursor);
  cursor.expectSemicolon();
  return { kind: 'return', value, span: cursor.spanFrom(start) };
}

/** `print(…)`, `reject(…)`, `fatal_error(…)`. */
function parseReport(cursor: Cursor, start: Token): Statement {
  cursor.next();
  const args = parseArguments(cursor);
  cursor.expectSemicolon();
  const span = cursor.spanFrom(start);
  if (start.text === 'print') return { kind: 'print', arguments: args, span };
  return { kind: 'reject', fatal: start.text === 'fatal_error', arguments: args, span };
}

function parseArguments(cursor: Cursor): Expression[] {
  const open = cursor.expect('(');
  const args: Expression[] = [];
  if (!cursor.is(')')) {
    do args.push(parseExpression(cursor));
    while (cursor.accept(','));
  }
  cursor.expectClosing(')', open);
  return args;
}

function parseProfile(cursor: Cursor, start: Token): Statement {
  cursor.next();
  const open = cursor.expect('(');
  const name = cursor.peek();
  if (name.kind !== 'string') cursor.failExpecting('the name of the profile, a string');
  cursor.next();
  cursor.expectClosing(')', open);
  const { statements } = parseBraces(cursor, 'this profile');
  return { kind: 'profile', name: name.text, statements, span: cursor.spanFrom(start) };
}

function parseTarget(cursor: Cursor, start: Token): Statement {
  if (cursor.is('(', 1)) return parseExpressionStatement(cursor, start);
  cursor.next();
  const arrow = arrowSpan(cursor);
  if (arrow !== null || cursor.is('='))
    cursor.diagnostics.push(problems.targetAssigned(arrow ?? cursor.peek()));
  if (arrow !== null) {
    cursor.next();
    cursor.next();
  } else if (!cursor.accept('=')) cursor.expect('+=');
  return endIncrement(cursor, start, parseExpression(cursor));
}

function parseJacobian(cursor: Cursor, start: Token): Statement {
  cursor.next();
  cursor.expect('+=');
  return endIncrement(cursor, start, parseExpression(cursor), true);
}

function endIncrement(cursor: Cursor, start: Token, value: Expression, isJacobian = false) {
  cursor.expectSemicolon();
  return { kind: 'target-increment', isJacobian, value, span: cursor.spanFrom(start) } as const;
}

/** The two characters of `<-`, an assignment only in old programs; null: something else is here. */
function arrowSpan(cursor: Cursor): Span | null {
  const { file, start, end } = cursor.peek();
  const span = { file, start, end: end + 1 };
  return cursor.is('<') && cursor.textAt(span) === '<-' ? span : null;
}

/** The old form of `target +=`, parsed so that the rest is still checked. */
function parseIncrementLogProb(cursor: Cursor, start: Token): Statement {
  cursor.next();
  const open = cursor.peek();
  const value = parseCondition(cursor);
  const inside = { file: open.file, start: open.end, end: cursor.previous.start };
  const written = cursor.textAt(inside).trim();
  cursor.diagnostics.push(problems.incrementLogProb(cursor.spanFrom(start), written));
  return endIncrement(cursor, start, value);
}

/** Begins with an expression: a distribution statement, an assignment, or a call. */
function parseExpressionStatement(cursor: Cursor, start: Token): Statement {
  failOnMisspeltType(cursor);
  const expression = parseExpression(cursor);
  if (cursor.is('~')) return parseTilde(cursor, start, expression);
  const operator = cursor.peek();
  if (operator.kind === 'symbol' && assignmentOperators.has(operator.text)) {
    cursor.next();
    const value = parseExpression(cursor);
    cursor.expectSemicolon();
    const span = cursor.spanFrom(start);
    // The error has already been reported.
    if (expression.kind === 'error') return { kind: 'skip', span };
    const target = assignable(cursor, expression);
    const symbol = operator.text as Assignment['operator'];
    return { kind: 'assignment', target, operator: symbol, value, span };
  }
  const arrow = arrowAssignment(cursor, start, expression);
  if (arrow) return arrow;
  if (expression.kind === 'call') {
    cursor.expectSemicolon();
    return { kind: 'call-statement', call: expression, span: cursor.spanFrom(start) };
  }
  if (expression.kind === 'binary' && expression.operator === '==' && cursor.is(';')) {
    const { left, right } = expression;
    const place = between(cursor, left, right, '==');
    cursor.diagnostics.push(problems.comparisonAsStatement(place));
    cursor.next();
    return plainAssignment(cursor, start, left, right);
  }
  if (expression.kind === 'error') {
    cursor.expectSemicolon();
    return { kind: 'skip', span: cursor.spanFrom(start) };
  }
  if (!cursor.is(';')) cursor.failExpecting('`=`, `~` or another continuation of this statement');
  cursor.diagnostics.push(problems.notAStatement(expression.span));
  cursor.next();
  return { kind: 'skip', span: cursor.spanFrom(start) };
}

/** Two names in a row, the first of them nearly a type: `rael x;`. */
function failOnMisspeltType(cursor: Cursor): void {
  const [first, second] = [cursor.peek(), cursor.peek(1)];
  const opensType = cursor.is('[', 1) || cursor.is('<', 1) || second.kind === 'name';
  if (first.kind !== 'name' || !opensType) return;
  if (second.kind !== 'name' && !declaresBehindBracket(cursor)) return;
  const suggestion = closestName(first.text, typeWords);
  if (!suggestion) return;
  cursor.fail(problems.unknownType(first, first.text, suggestion));
}

/** Whether a bracket that opens after the current word is followed by a name: `vektor[3] x`. */
function declaresBehindBracket(cursor: Cursor): boolean {
  let open = 0;
  for (let ahead = 1; ; ahead++) {
    const { text, kind } = cursor.peek(ahead);
    if (kind === 'end' || text === ';') return false;
    if (text === '[' || text === '<') open++;
    if (text === ']' || text === '>') open--;
    if (open === 0 && !cursor.is('[', ahead + 1)) return cursor.peek(ahead + 1).kind === 'name';
  }
}

function assignable(cursor: Cursor, expression: Expression): Assignment['target'] {
  if (expression.kind === 'tuple') {
    for (const element of expression.elements) assignable(cursor, element);
    return expression;
  }
  const isPlace = ['variable', 'index', 'member'].includes(expression.kind);
  if (isPlace && rootOf(expression).kind === 'variable') return expression as Assignment['target'];
  return cursor.fail(problems.notAssignable(expression.span));
}

/** `x <- e` reads as `x < (-e)`; the two characters are adjacent only in old programs. */
function arrowAssignment(cursor: Cursor, start: Token, expression: Expression): Statement | null {
  if (expression.kind !== 'binary' || !cursor.is(';')) return null;
  // The comparison is the outermost operator unless a looser one follows; those programs are too rare to fix.
  const { left } = expression;
  if (expression.operator !== '<' || (left.kind !== 'variable' && left.kind !== 'index'))
    return null;
  const place = between(cursor, left, expression.right, '<');
  if (!cursor.textAt({ ...place, end: place.start + 2 }).startsWith('<-')) return null;
  cursor.diagnostics.push(problems.arrowAssignment({ ...place, end: place.start + 2 }));
  cursor.next();
  return plainAssignment(cursor, start, left, withoutLeadingMinus(expression.right));
}

function plainAssignment(cursor: Cursor, start: Token, to: Expression, value: Expression) {
  const target = assignable(cursor, to);
  const span = cursor.spanFrom(start);
  return { kind: 'assignment', target, operator: '=', value, span } as const;
}

function withoutLeadingMinus(expression: Expression): Expression {
  if (expression.kind === 'unary') return expression.operand;
  if (expression.kind !== 'binary') return expression;
  return { ...expression, left: withoutLeadingMinus(expression.left) };
}

/** Where the operator `text` is between two operands. */
function between(cursor: Cursor, left: Expression, right: Expression, text: string) {
  const gap = cursor.textAt({ ...left.span, start: left.span.end, end: right.span.end });
  const start = left.span.end + Math.max(0, gap.indexOf(text));
  return { file: left.span.file, start, end: start + text.length };
}

function parseTilde(cursor: Cursor, start: Token, variate: Expression): Tilde {
  cursor.next();
  const distribution = cursor.identifier('the name of a distribution');
  const args = parseArguments(cursor);
  const truncation = cursor.is('T') && cursor.is('[', 1) ? parseTruncation(cursor) : null;
  cursor.expectSemicolon();
  const span = cursor.spanFrom(start);
  return { kind: 'tilde', variate, distribution, arguments: args, truncation, span };
}

function parseTruncation(cursor: Cursor): Tilde['truncation'] {
  const start = cursor.next();
  const open = cursor.next();
  const lower = cursor.is(',') ? null : parseExpression(cursor);
  cursor.expect(',', '`,` between the bounds of the truncation');
  const upper = cursor.is(']') ? null : parseExpression(cursor);
  cursor.expectClosing(']', open);
  return { lower, upper, span: cursor.spanFrom(start) };
}
