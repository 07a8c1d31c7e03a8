/** *Format document*: a program, or the functions or statements of an included file, as Stan's compiler writes it. */
import { hasErrors } from '../diagnostics.ts';
import { positionAt } from '../source/source-file.ts';
import type { FunctionDefinition, Program, Statement } from '../syntax/ast.ts';
import { type LexResult, lex } from '../syntax/lexer.ts';
import { blockNames, parse, parsePart } from '../syntax/parse.ts';
import type { Token } from '../syntax/token.ts';
import { writeBraces, writeStatements } from './statements.ts';
import { CannotFormat, Writer } from './writer.ts';

/** The formatted text, or a message why there is none. */
export type Formatted = { readonly text: string } | { readonly problem: string };

/** As in Stan's compiler. */
const usualLineLength = 78;

export function formatProgram(text: string, lineLength = usualLineLength): Formatted {
  const main = { name: '', text };
  // Included files are not written out, and do not affect how the rest is.
  const whole = parse(main, () => '');
  const parsed = hasErrors(whole.diagnostics) ? (parsePart(main) ?? whole) : whole;
  const error = parsed.diagnostics.find(({ severity }) => severity === 'error');
  if (error) {
    const { line } = positionAt(main, error.span.start);
    return {
      problem: `Not formatted: fix the syntax error on line ${line} first. ${error.message}`,
    };
  }
  const lexed = lex(text, 0);
  const writer = new Writer(text, lexed, lineLength);
  try {
    if ('program' in parsed) writeProgram(writer, parsed.program, text.length);
    else writePart(writer, parsed.statements, text.length);
  } catch (failure) {
    if (!(failure instanceof CannotFormat)) throw failure;
    return { problem: `Not formatted: ${failure.message}.` };
  }
  const formatted = writer.finish();
  if (!isSameProgram(lexed, lex(formatted, 0))) {
    return { problem: 'Not formatted: the layout of this program could not be preserved safely.' };
  }
  return { text: formatted === '' || formatted.endsWith('\n') ? formatted : `${formatted}\n` };
}

function writeProgram(writer: Writer, program: Program, end: number): void {
  const statements: Record<string, readonly (Statement | FunctionDefinition)[]> = {
    functions: program.functions,
    data: program.data,
    'transformed data': program.transformedData,
    parameters: program.parameters,
    'transformed parameters': program.transformedParameters,
    model: program.model,
    'generated quantities': program.generatedQuantities,
  };
  writer.box('always', () => {
    for (const name of blockNames) {
      const span = program.blocks[name];
      if (!span) continue;
      writer.separate([null, span.start], span.start);
      for (const _word of name.split(' ')) {
        writer.take();
        writer.text(' ');
      }
      writeBraces(writer, statements[name], span.end);
      writer.cut();
    }
    writer.separate([null, null], end + 1);
  });
}

function writePart(
  writer: Writer,
  statements: readonly (Statement | FunctionDefinition)[],
  end: number,
): void {
  writer.box('always', () => {
    writer.box('never', () => {
      writer.box('structure', () => writeStatements(writer, statements, end + 1));
    });
  });
}

/** A last safeguard: layout must never change a token, except `:` for a complete dimension and a bar before nothing. */
function isSameProgram(before: LexResult, after: LexResult): boolean {
  if (before.comments.length !== after.comments.length) return false;
  const [old, now] = [before.tokens, after.tokens];
  let j = 0;
  for (const [i, token] of old.entries()) {
    while (j < now.length && !isSame(token, now[j]) && mayBeLeftOut(now, j)) j++;
    if (j < now.length && isSame(token, now[j])) j++;
    else if (!mayBeLeftOut(old, i)) return false;
  }
  return j === now.length;
}

function isSame(a: Token, b: Token): boolean {
  return a.kind === b.kind && a.text === b.text;
}

function mayBeLeftOut(tokens: readonly Token[], i: number): boolean {
  const { kind, text } = tokens[i];
  if (kind !== 'symbol') return false;
  const [previous, next] = [tokens[i - 1]?.text, tokens[i + 1]?.text];
  if (text === '|') return next === ')';
  return text === ':' && (previous === '[' || previous === ',') && (next === ']' || next === ',');
}
