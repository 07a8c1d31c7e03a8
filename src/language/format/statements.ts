/** Statements, and lists of them with the blank lines and comments in between. */
import { assertNever } from '../../shared/assert-never.ts';
import type {
  Assignment,
  Declaration,
  Expression,
  FunctionDefinition,
  If,
  SizedType,
  Skip,
  Statement,
  Tilde,
} from '../syntax/ast.ts';
import { writeDeclaration, writeFunction } from './declarations.ts';
import {
  writeArguments,
  writeCallBox,
  writeExpression,
  writeList,
  writeSeparated,
} from './expressions.ts';
import type { Writer } from './writer.ts';

/** The items of a list of statements: a declaration of several names is one item. */
type Item = Exclude<Statement, Declaration | Skip> | FunctionDefinition | readonly Declaration[];

/** Statements up to `end`, the end of the block around them. */
export function writeStatements(
  writer: Writer,
  statements: readonly (Statement | FunctionDefinition)[],
  end: number,
): void {
  writer.box('always', () => {
    let previousEnd: number | null = null;
    const writeNext = (start: number, write: () => void): void => {
      if (previousEnd !== null) writer.postponeComments(previousEnd);
      writer.separate([previousEnd, start], start);
      write();
      previousEnd = writer.previousEnd;
    };
    // Blocks of declarations have no node for a separate `;`.
    const writeEmpty = (): void => {
      while (writer.is(';')) writeNext(writer.peek().start, () => writer.take(';'));
    };
    for (const item of itemsOf(statements)) {
      writeEmpty();
      writeNext(firstPlace(item), () => writeItem(writer, item));
    }
    writeEmpty();
    if (previousEnd !== null) writer.postponeComments(previousEnd);
    writer.separate([previousEnd, null], end);
  });
}

/** Declarations that begin at the same place were written as one. */
function itemsOf(statements: readonly (Statement | FunctionDefinition)[]): Item[] {
  const items: Item[] = [];
  let open: Declaration[] = [];
  for (const statement of statements) {
    if (statement.kind === 'skip') continue;
    if (statement.kind !== 'declaration') {
      items.push(statement);
    } else if (open.length > 0 && open[0].span.start === statement.span.start) {
      open.push(statement);
    } else {
      open = [statement];
      items.push(open);
    }
  }
  return items;
}

function isDeclaration(item: Item): item is readonly Declaration[] {
  return Array.isArray(item);
}

function writeItem(writer: Writer, item: Item): void {
  if (isDeclaration(item)) writeDeclaration(writer, item);
  else if (item.kind === 'function') {
    writeFunction(writer, item, () => {
      if (item.body) writeStatement(writer, item.body);
    });
  } else writeStatement(writer, item);
}

/** Comments before this place go before the statement: after its keywords, as in Stan's compiler. */
function firstPlace(item: Item): number {
  if (isDeclaration(item)) {
    const [first] = item;
    return firstSize(first) ?? firstBound(first) ?? first.name.span.start;
  }
  switch (item.kind) {
    case 'function':
      return item.name.span.start;
    case 'for':
    case 'for-each':
      return item.variable.name.span.start;
    case 'if':
    case 'while':
      return item.condition.span.start;
    case 'target-increment':
      return item.value.span.start;
    case 'return':
      return item.value?.span.start ?? item.span.start;
    default:
      return item.span.start;
  }
}

function firstSize({ arraySizes, baseSizes, name }: Declaration): number | undefined {
  return [...arraySizes, ...baseSizes].find(({ span }) => span.start < name.span.start)?.span.start;
}

function firstBound({ constraint }: SizedType): number | undefined {
  switch (constraint.kind) {
    case 'bounds':
      return (constraint.lower ?? constraint.upper)?.span.start;
    case 'offset-multiplier':
      return (constraint.offset ?? constraint.multiplier)?.span.start;
    default:
      return undefined;
  }
}

function writeStatement(writer: Writer, statement: Statement): void {
  switch (statement.kind) {
    case 'declaration':
      return writeDeclaration(writer, [statement]);
    case 'assignment':
      return writer.box('never', () => writeAssignment(writer, statement));
    case 'tilde':
      return writeTilde(writer, statement);
    case 'target-increment':
      writer.take();
      writer.spaced('+=');
      writeExpression(writer, statement.value);
      break;
    case 'call-statement':
      writeCallBox(writer, () =>
        writeArguments(writer, statement.call.arguments, [
          statement.span.start,
          statement.span.end,
        ]),
      );
      break;
    case 'print':
    case 'reject':
      writeReport(writer, statement.arguments);
      break;
    case 'return':
      writer.take('return');
      if (statement.value) writeReturned(writer, statement.value);
      break;
    case 'break':
    case 'continue':
      writer.take();
      break;
    case 'skip':
      break;
    default:
      writeCompound(writer, statement);
      return;
  }
  writer.take(';');
}

type Compound = Extract<
  Statement,
  { kind: 'if' | 'while' | 'for' | 'for-each' | 'block' | 'profile' }
>;

function writeCompound(writer: Writer, statement: Compound): void {
  switch (statement.kind) {
    case 'if':
      return writer.box('always', () => writeIf(writer, statement));
    case 'while': {
      writeCondition(writer, statement.condition);
      if (isBraced(writer, statement.body)) writeStatement(writer, statement.body);
      else writeInner(writer, statement.body);
      return;
    }
    case 'for':
      writer.box('always', () => {
        writeLoopHead(writer);
        writeExpression(writer, statement.from);
        writer.spaced(':');
        writeExpression(writer, statement.to);
        writeLoopBody(writer, statement.body);
      });
      return;
    case 'for-each':
      writeLoopHead(writer);
      writeExpression(writer, statement.over);
      writeLoopBody(writer, statement.body);
      return;
    case 'block':
    case 'profile':
      if (statement.kind === 'profile') {
        writer.take('profile');
        writer.take('(');
        writer.take();
        writer.take(')');
        writer.text(' ');
      }
      writeBraces(writer, statement.statements, statement.span.end);
      return;
    default:
      assertNever(statement, 'statement');
  }
}

/** `{…}`, its lines indented. */
export function writeBraces(
  writer: Writer,
  statements: readonly (Statement | FunctionDefinition)[],
  end: number,
): void {
  writer.take('{');
  writer.cut();
  writer.indented(() => writeStatements(writer, statements, end));
  writer.cut();
  writer.take('}');
}

function writeAssignment(writer: Writer, { target, value }: Assignment): void {
  writeTarget(writer, target);
  writer.spaced();
  writeExpression(writer, value);
  writer.take(';');
}

/** What is assigned to; several values together are a tuple that is filled line by line. */
function writeTarget(writer: Writer, target: Expression): void {
  if (target.kind !== 'tuple') {
    writeExpression(writer, target);
    return;
  }
  writer.take('(');
  writer.box('structure', () => {
    const items = target.elements.map((element) => () => writeTarget(writer, element));
    writeList(writer, items, [target.span.start, target.span.end]);
  });
  writer.take(')');
}

function writeTilde(writer: Writer, { variate, truncation, span, ...tilde }: Tilde): void {
  writeExpression(writer, variate);
  writer.spaced('~');
  writeCallBox(writer, () => writeArguments(writer, tilde.arguments, [span.start, span.end]));
  if (truncation) writeTruncation(writer, truncation);
  writer.take(';');
}

function writeTruncation(writer: Writer, { lower, upper }: NonNullable<Tilde['truncation']>): void {
  writer.text(' ');
  writer.take('T');
  writer.take('[');
  if (lower) writeExpression(writer, lower);
  else writer.text(' ');
  writer.take(',');
  writer.text(' ');
  if (upper) writeExpression(writer, upper);
  writer.take(']');
}

function writeReport(writer: Writer, values: readonly Expression[]): void {
  writer.take();
  writer.take('(');
  writer.box('fill', () => {
    const items = values.map((value) => () => writeExpression(writer, value));
    writeSeparated(writer, items, () => writer.space());
  });
  writer.take(')');
}

function writeReturned(writer: Writer, value: Expression): void {
  writer.text(' ');
  writer.box('never', () => writeExpression(writer, value));
}

/** `if (…) ` or `while (…) `; returns where the condition ends. */
function writeCondition(writer: Writer, condition: Expression): number {
  writer.take();
  writer.text(' ');
  writer.take('(');
  writeExpression(writer, condition);
  const end = writer.previousEnd;
  writer.take(')');
  writer.text(' ');
  return end;
}

/** `if` and its branches; `else if` continues in the same box. */
function writeIf(writer: Writer, { condition, then, otherwise }: If): void {
  const conditionEnd = writeCondition(writer, condition);
  const braced = isBraced(writer, then);
  writeBody(writer, then, conditionEnd);
  if (!otherwise) return;
  const end = writer.previousEnd;
  // The token after `else` begins the other branch.
  const next = writer.peek(1).start;
  writer.separate([end, end], next, { newline: !braced, upToSeparator: true });
  writer.take('else');
  writer.text(' ');
  writer.commentsWithin(next);
  if (otherwise.kind === 'if') writeIf(writer, otherwise);
  // The line of the `else` does not count as a blank line.
  else writeBody(writer, otherwise, end, 1);
}

function writeLoopHead(writer: Writer): void {
  writer.take('for');
  writer.text(' ');
  writer.take('(');
  writer.take();
  writer.spaced('in');
}

function writeLoopBody(writer: Writer, body: Statement): void {
  const end = writer.previousEnd;
  writer.take(')');
  writer.text(' ');
  writeBody(writer, body, end);
}

/** A declaration without braces is also a block in the tree. */
function isBraced(writer: Writer, statement: Statement): boolean {
  return statement.kind === 'block' && writer.is('{');
}

/** The body of a condition or a loop: braces on its line, anything else on a separate line. */
function writeBody(writer: Writer, body: Statement, headEnd: number, headLines = 0): void {
  if (isBraced(writer, body)) {
    writeStatement(writer, body);
    return;
  }
  const { start } = body.span;
  writer.separate([headEnd, start], start, { headLines });
  writer.indented(() => writeInner(writer, body));
}

function writeInner(writer: Writer, body: Statement): void {
  if (body.kind === 'block' && !writer.is('{')) {
    writeDeclaration(writer, body.statements as Declaration[]);
  } else writeStatement(writer, body);
}
