/** The functions block: definitions and forward declarations. */
import type { FunctionArgument, FunctionDefinition } from './ast.ts';
import type { Cursor } from './cursor.ts';
import { parseBraces } from './parse-statements.ts';
import { parseUnsizedType } from './parse-types.ts';
import * as problems from './syntax-problems.ts';

/** Reads definitions up to the `}` of the block. */
export function parseFunctions(cursor: Cursor): FunctionDefinition[] {
  const functions: FunctionDefinition[] = [];
  while (!cursor.atEnd && !cursor.is('}') && !cursor.startsBlock()) {
    const before = cursor.taken;
    try {
      functions.push(parseFunction(cursor));
    } catch (failure) {
      cursor.recover(failure);
      if (cursor.taken === before) cursor.next();
    }
  }
  return functions;
}

function parseFunction(cursor: Cursor): FunctionDefinition {
  const start = cursor.peek();
  const returnType = parseUnsizedType(cursor);
  const name = cursor.identifier('the name of a function');
  const open = cursor.expect('(');
  const args: FunctionArgument[] = [];
  if (!cursor.is(')')) {
    do args.push(parseArgument(cursor));
    while (cursor.accept(','));
  }
  cursor.expectClosing(')', open);
  const body = cursor.accept(';') ? null : parseBraces(cursor, `\`${name.name}\``);
  return {
    kind: 'function',
    name,
    returnType,
    arguments: args,
    body,
    span: cursor.spanFrom(start),
  };
}

function parseArgument(cursor: Cursor): FunctionArgument {
  const dataOnly = cursor.accept('data');
  const start = cursor.peek();
  const type = parseUnsizedType(cursor);
  if (type.base === 'void') cursor.diagnostics.push(problems.voidVariable(cursor.spanFrom(start)));
  return { name: cursor.identifier('the name of an argument'), type, dataOnly };
}
