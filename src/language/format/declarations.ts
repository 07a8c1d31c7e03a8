/** Declarations, types and the heads of functions. */
import type { Declaration, Expression, FunctionDefinition, SizedType } from '../syntax/ast.ts';
import { writeArguments, writeExpression, writeList, writeSeparated } from './expressions.ts';
import type { Writer } from './writer.ts';

/** One declaration of one or several names; all share the type of the first. */
export function writeDeclaration(writer: Writer, declarations: readonly Declaration[]): void {
  const [first] = declarations;
  writer.box('never', () => {
    writeSizedType(writer, first);
    writer.text(' ');
    const names = declarations.map((declaration) => () => writeDeclarator(writer, declaration));
    writeList(writer, names, [first.span.start, declarationEnd(writer, declarations)]);
    writer.take(';');
  });
}

/** The end of the last name, with its `;`. */
function declarationEnd(writer: Writer, declarations: readonly Declaration[]): number {
  const last = declarations[declarations.length - 1].span.end;
  for (let ahead = 0; ; ahead++) {
    const { kind, text, start, end } = writer.peek(ahead);
    if (kind === 'end' || (start >= last && text === ';')) return end;
  }
}

function writeDeclarator(writer: Writer, { initialiser }: Declaration): void {
  writer.take();
  // Array sizes in the old syntax, after the name.
  if (writer.is('[')) writeBrackets(writer);
  if (!initialiser) return;
  writer.spaced('=');
  writeExpression(writer, initialiser);
}

/** `[…]` as it is, with blanks after its commas. */
function writeBrackets(writer: Writer): void {
  let open = 0;
  do {
    if (writer.is('[')) open++;
    if (writer.is(']')) open--;
    const isComma = writer.is(',');
    writer.take();
    if (isComma && !writer.is(',') && !writer.is(']')) writer.text(' ');
  } while (open > 0);
}

function writeSizedType(writer: Writer, declared: SizedType): void {
  const { constraint, arraySizes, baseSizes, members } = declared;
  if (writer.is('array')) writeArraySizes(writer, arraySizes);
  writer.take();
  if (members) {
    writeMembers(
      writer,
      members.map((member) => () => writeSizedType(writer, member)),
    );
    return;
  }
  if (constraint.kind === 'bounds') {
    writeConstraint(writer, { lower: constraint.lower, upper: constraint.upper });
  } else if (constraint.kind === 'offset-multiplier') {
    writeConstraint(writer, { offset: constraint.offset, multiplier: constraint.multiplier });
  }
  if (!writer.is('[')) return;
  if (constraint.kind !== 'none') writeBaseSizes(writer, baseSizes, () => writer.text(' '));
  else writer.box('structure', () => writeBaseSizes(writer, baseSizes, () => writer.space()), 1);
}

function writeBaseSizes(writer: Writer, sizes: readonly Expression[], blank: () => void): void {
  writer.take('[');
  const items = sizes.map((size) => () => writeExpression(writer, size));
  writeSeparated(writer, items, blank);
  writer.take(']');
}

function writeArraySizes(writer: Writer, sizes: readonly Expression[]): void {
  writer.take('array');
  writer.take('[');
  const place = [writer.peek().start, sizes[sizes.length - 1].span.end] as const;
  // Sizes after the name are counted among those of the array, before it.
  const here = sizes.filter(
    ({ span }) => span.start >= place[0] && span.start < bracketEnd(writer),
  );
  writer.box('structure', () => {
    writeArguments(writer, here, place);
    writer.take(']');
  });
  writer.space();
}

function bracketEnd(writer: Writer): number {
  let open = 1;
  for (let ahead = 0; ; ahead++) {
    const { kind, text, end } = writer.peek(ahead);
    if (text === '[') open++;
    if (kind === 'end' || (text === ']' && --open === 0)) return end;
  }
}

function writeConstraint(writer: Writer, parts: Readonly<Record<string, Expression | null>>): void {
  writer.take('<');
  writer.box('structure', () => {
    for (;;) {
      const word = writer.peek().text;
      writer.take();
      writer.take('=');
      const value = parts[word];
      if (value) writeExpression(writer, value);
      if (!writer.is(',')) break;
      writer.take(',');
      writer.space();
    }
  });
  writer.take('>');
}

/** `(…)` after `tuple`; a single member has a comma after it. */
function writeMembers(writer: Writer, members: readonly (() => void)[]): void {
  writer.take('(');
  writer.box('structure', () => {
    writeSeparated(writer, members, () => writer.space());
    if (writer.is(',')) writer.take();
  });
  writer.take(')');
}

/** A type without sizes, read from the tokens: the tree contains only its meaning. */
function writeUnsizedType(writer: Writer): void {
  if (writer.is('array')) {
    writer.take();
    writeBrackets(writer);
    writer.text(' ');
  }
  const isTuple = writer.is('tuple');
  writer.take();
  if (!isTuple) {
    if (writer.is('[')) writeBrackets(writer);
    return;
  }
  writer.take('(');
  writer.box('structure', () => {
    writeUnsizedType(writer);
    while (writer.is(',')) {
      writer.take();
      if (writer.is(')')) break;
      writer.space();
      writeUnsizedType(writer);
    }
  });
  writer.take(')');
}

/** A function with its body, written by `writeBody`. */
export function writeFunction(
  writer: Writer,
  definition: FunctionDefinition,
  writeBody: () => void,
): void {
  // One argument per line if there are many or the name is long, unless they fit on one.
  const isLong = definition.name.name.length > Math.floor(writer.lineLength / 3);
  const hasMany = definition.arguments.length > Math.floor(writer.lineLength / 10);
  const { start } = definition.span;
  writer.box('structure', () => {
    writeUnsizedType(writer);
    writer.space();
  });
  const box = (): void => {
    writer.take('(');
    if (isLong) writer.cut();
    if (isLong) writeParameters(writer, definition, start);
    else writer.box(hasMany ? 'all-or-none' : 'structure', closing);
  };
  const closing = (): void => {
    writeParameters(writer, definition, start);
    writer.take(')');
  };
  if (isLong) {
    writer.box('structure', () => {
      const head = (): void => {
        writer.take();
        box();
      };
      writer.box('all-or-none', head, 2);
      writer.cut();
      writer.take(')');
    });
  } else {
    writer.take();
    box();
  }
  if (definition.body) {
    writer.text(' ');
    writeBody();
  } else writer.take(';');
}

function writeParameters(writer: Writer, definition: FunctionDefinition, start: number): void {
  const parameters = definition.arguments.map(({ dataOnly }) => () => {
    if (dataOnly) {
      writer.take('data');
      writer.text(' ');
    }
    writeUnsizedType(writer);
    writer.text(' ');
    writer.take();
  });
  const bodyStart = definition.body?.span.start ?? definition.span.end;
  // Comments on an argument are written before its name.
  const keyAt = (ahead: number): number => {
    const from = writer.peek(ahead).start;
    const found = definition.arguments.find(({ name }) => name.span.start > from);
    return found?.name.span.start ?? from;
  };
  writeList(writer, parameters, [start, bodyStart], keyAt);
}
