/** Calls as they are written: the places of their commas and brackets, which the tree does not contain. */
import type { CheckResult } from '../check.ts';
import type { Span } from '../source/span.ts';
import type { Call, Expression } from '../syntax/ast.ts';
import { lex } from '../syntax/lexer.ts';
import { spanOf, type Token } from '../syntax/token.ts';
import { walkProgram } from '../syntax/walk.ts';

export interface CallParts {
  readonly open: Span;
  /** Commas and the bar between the arguments. */
  readonly separators: readonly Span[];
  readonly close: Span;
  /** Text of each argument with what surrounds it. */
  readonly texts: readonly string[];
}

export function partsOf({ files }: CheckResult, call: Call): CallParts | null {
  const { file, end } = call.span;
  const text = files[file]?.text ?? '';
  const tokens = tokensBetween(text, { file, start: call.name.span.end, end });
  let depth = 0;
  const separators: Span[] = [];
  for (const token of tokens) {
    if ('([{'.includes(token.text)) depth++;
    if (depth === 1 && (token.text === ',' || token.text === '|')) separators.push(spanOf(token));
    if (')]}'.includes(token.text) && --depth === 0) {
      const open = spanOf(tokens[0]);
      const close = spanOf(token);
      const edges = [open, ...separators, close];
      const texts = edges.slice(1).map((edge, i) => text.slice(edges[i].end, edge.start));
      return { open, separators, close, texts };
    }
  }
  return null;
}

/** Only symbols; their places are those in the file. */
export function tokensBetween(text: string, { file, start, end }: Span): Token[] {
  return lex(text.slice(start, end), file)
    .tokens.filter(({ kind }) => kind === 'symbol')
    .map((token) => ({ ...token, start: token.start + start, end: token.end + start }));
}

export function callAt({ program }: CheckResult, name: Span): Call | null {
  return find(
    program,
    (node): node is Call => node.kind === 'call' && isSame(node.name.span, name),
  );
}

/** The call that spans exactly this. */
export function callSpanning({ program }: CheckResult, span: Span): Call | null {
  return find(program, (node): node is Call => node.kind === 'call' && isSame(node.span, span));
}

function find<T extends Expression>(
  program: CheckResult['program'],
  test: (node: Expression) => node is T,
): T | null {
  let found: T | null = null;
  walkProgram(program, {
    expression: (node) => {
      if (found === null && test(node)) found = node;
    },
  });
  return found;
}

function isSame(a: Span, b: Span): boolean {
  return a.file === b.file && a.start === b.start && a.end === b.end;
}
