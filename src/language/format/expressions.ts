/** Expressions: operators, calls and lists, with the places at which each may be broken. */
import { assertNever } from '../../shared/assert-never.ts';
import type { Call, Conditional, Expression, IndexItem } from '../syntax/ast.ts';
import type { Writer } from './writer.ts';

/** Arguments are aligned below the `(` of a short name, and two columns after the start of a long one. */
const longestName = 16;

/** Writes an expression with the brackets around it. The tree has no brackets: a token that begins earlier is one. */
export function writeExpression(writer: Writer, expression: Expression): void {
  if (writer.peek().start >= expression.span.start) {
    writeBare(writer, expression);
    return;
  }
  writer.take('(');
  writeExpression(writer, expression);
  writer.take(')');
}

function writeBare(writer: Writer, expression: Expression): void {
  switch (expression.kind) {
    case 'int':
    case 'real':
    case 'imaginary':
    case 'string':
    case 'variable':
      return writer.take();
    case 'unary':
      writer.commentsWithin(writer.peek(1).start);
      writer.take();
      writeExpression(writer, expression.operand);
      return;
    case 'postfix':
      writeExpression(writer, expression.operand);
      writer.take("'");
      return;
    case 'binary':
      writer.box('structure', () => {
        writeExpression(writer, expression.left);
        writeInfix(writer);
        writeExpression(writer, expression.right);
      });
      return;
    case 'conditional':
      return writer.box('structure', () => writeConditional(writer, expression));
    case 'call':
      return writeCall(writer, expression);
    case 'index':
      writeExpression(writer, expression.base);
      writeIndexes(writer, expression.indexes);
      return;
    case 'array':
    case 'row-vector':
      return writeElements(writer, expression.elements);
    case 'tuple':
      return writeTuple(writer, expression.elements);
    case 'member':
      writeExpression(writer, expression.base);
      writer.take();
      return;
    case 'target':
      writer.take();
      writer.take('(');
      writer.take(')');
      return;
    case 'error':
      return;
    default:
      assertNever(expression, 'expression');
  }
}

/** The next operator; a line may break before it. */
function writeInfix(writer: Writer): void {
  const next = writer.peek(1).start;
  writer.space();
  writer.commentsWithin(next, { upToSeparator: true });
  writer.take();
  writer.text(' ');
  writer.commentsWithin(next);
}

function writeConditional(writer: Writer, { condition, then, otherwise }: Conditional): void {
  writeExpression(writer, condition);
  for (const branch of [then, otherwise]) {
    writeInfix(writer);
    writeExpression(writer, branch);
  }
}

function writeCall(writer: Writer, call: Call): void {
  const start = writer.peek().start;
  writeCallBox(writer, () => {
    let rest = call.arguments;
    if (call.bar) {
      writeExpression(writer, call.arguments[0]);
      const lead = (): void => writer.space();
      if (call.arguments.length === 1) {
        // A bar with nothing after it is left out.
        writer.skip('|');
        writer.commentsWithin(call.span.end, { lead });
        return;
      }
      const next = writer.peek(1).start;
      writer.commentsWithin(next, { upToSeparator: true, lead });
      writer.text(' ');
      writer.take('|');
      writer.space();
      writer.commentsWithin(next);
      rest = rest.slice(1);
    }
    writeArguments(writer, rest, [start, call.span.end]);
  });
}

/** The next name and `(…)` with what `content` writes. */
export function writeCallBox(writer: Writer, content: () => void): void {
  const isLong = writer.peek().text.length > longestName;
  const inBrackets = (): void => {
    writer.take('(');
    writer.cut();
    content();
    writer.take(')');
  };
  if (!isLong) writer.take();
  const box = (): void => {
    if (isLong) writer.take();
    inBrackets();
  };
  writer.box('structure', box, isLong ? 2 : 1);
}

/** Expressions with commas, within the text from `start` to `end`. */
export function writeArguments(
  writer: Writer,
  expressions: readonly Expression[],
  place: readonly [start: number, end: number],
): void {
  writeList(
    writer,
    expressions.map((expression) => () => writeExpression(writer, expression)),
    place,
  );
}

/**
 * Items with commas between them, and the comments next to these. `keyAt`: how many tokens after its beginning an item
 * has the token before which its comments are written.
 */
export function writeList(
  writer: Writer,
  items: readonly (() => void)[],
  [start, end]: readonly [start: number, end: number],
  keyAt: (ahead: number) => number = (ahead) => writer.peek(ahead).start,
): void {
  writer.postponeComments(start);
  items.forEach((write, i) => {
    if (i === 0) {
      writer.commentsWithin(keyAt(0));
    } else {
      const next = keyAt(1);
      writer.commentsWithin(next, { upToSeparator: true, lead: () => writer.space() });
      writer.take(',');
      if (!writer.commentsWithin(next, { lead: () => writer.text(' ') })) writer.space();
    }
    write();
  });
  writer.commentsWithin(end, { lead: () => writer.text(' ') });
}

/** Items with commas between them, each followed by what `blank` writes. */
export function writeSeparated(
  writer: Writer,
  items: readonly (() => void)[],
  blank: () => void,
): void {
  items.forEach((write, i) => {
    if (i > 0) {
      writer.take(',');
      blank();
    }
    write();
  });
}

/** `{…}` or `[…]`. */
function writeElements(writer: Writer, elements: readonly Expression[]): void {
  const { start } = writer.peek();
  writer.take();
  writer.box('structure', () => {
    writeArguments(writer, elements, [start, closingEnd(writer, elements)]);
    writer.take();
  });
}

/** `(…)`; a single member of a tuple has a comma after it. */
function writeTuple(writer: Writer, elements: readonly Expression[]): void {
  const { start } = writer.peek();
  writer.take('(');
  writer.box('all-or-none', () => {
    writeArguments(writer, elements, [start, closingEnd(writer, elements)]);
    if (writer.is(',')) writer.take();
  });
  writer.take(')');
}

/** Where the bracket after `elements` ends; an end too far would include comments that follow it. */
function closingEnd(writer: Writer, elements: readonly Expression[]): number {
  if (elements.length === 0) return writer.peek().end;
  let open = 0;
  for (let ahead = 0; ; ahead++) {
    const { text, kind, end } = writer.peek(ahead);
    if (kind === 'end') return end;
    if (kind !== 'symbol') continue;
    if (text === '(' || text === '[' || text === '{') open++;
    if ((text === ')' || text === ']' || text === '}') && --open < 0) return end;
  }
}

/** `[…]` after what is indexed; an entry that selects all is written `:`. */
function writeIndexes(writer: Writer, indexes: readonly IndexItem[]): void {
  writer.take('[');
  const items = indexes.map((item) => () => writeIndex(writer, item));
  writeSeparated(writer, items, () => writer.text(' '));
  writer.take(']');
}

function writeIndex(writer: Writer, item: IndexItem): void {
  if (item.kind !== 'slice') {
    writeExpression(writer, item.expression);
    return;
  }
  if (item.from) writeExpression(writer, item.from);
  if (writer.is(':')) writer.skip();
  writer.text(' : ');
  if (item.to) writeExpression(writer, item.to);
}
