/** Edits of one declaration: constraints added to it, and its place among the others, preserving comments. */
import type { CheckResult } from '../check.ts';
import type { Span } from '../source/span.ts';
import type { Declaration } from '../syntax/ast.ts';
import { printDeclaredType } from '../syntax/parse-declarations.ts';
import type { TextEdit } from './remedy.ts';

export interface DeclarationEdit {
  readonly declaration: string;
  readonly edits: readonly TextEdit[];
}

/**
 * Writes `constraint` (`<lower=0>`) into the declaration of a parameter that has none. With `after` the declaration
 * moves after that one, which its constraint names. Null when the text has a form that is not understood.
 */
export function constrainDeclaration(
  result: CheckResult,
  declaration: Declaration,
  constraint: string,
  after: Declaration | null = null,
): DeclarationEdit | null {
  const text = result.files[declaration.span.file]?.text;
  if (text === undefined) return null;
  const declared = declaredTogether(result, declaration);
  if (declared.length > 1)
    return after === null ? splitDeclaration(text, declared, declaration, constraint) : null;
  const { span } = declaration;
  const head = text.slice(span.start, declaration.name.span.start);
  const keyword = /\b(?:real|vector|row_vector|matrix)\b/.exec(head);
  if (keyword === null) return null;
  const at = span.start + keyword.index + keyword[0].length;
  const changed = text.slice(span.start, at) + constraint + text.slice(at, span.end);
  const edits =
    after === null
      ? [{ span: { ...span, start: at, end: at }, text: constraint }]
      : moveBehind(text, declaration, after, changed);
  return edits === null ? null : { declaration: oneLine(changed), edits };
}

/** The names of one declaration: `real mu, tau;`. */
function declaredTogether({ program }: CheckResult, { span }: Declaration): Declaration[] {
  return program.parameters.filter(
    (other) => other.span.file === span.file && other.span.start === span.start,
  );
}

/** `real mu, tau;` becomes one declaration per name. */
function splitDeclaration(
  text: string,
  declared: readonly Declaration[],
  changed: Declaration,
  constraint: string,
): DeclarationEdit | null {
  const span = { ...changed.span, end: Math.max(...declared.map((one) => one.span.end)) };
  if (/\/[/*]|#/.test(text.slice(span.start, span.end))) return null;
  const own = printDeclaredType(changed).replace(
    /\b(?:real|vector|row_vector|matrix)\b/,
    (keyword) => keyword + constraint,
  );
  const typeOf = (one: Declaration) => (one === changed ? own : printDeclaredType(one));
  const lines = declared.map((one) => `${typeOf(one)} ${one.name.name}`);
  const indent = /[ \t]*$/.exec(text.slice(lineStart(text, span.start), span.start))?.[0] ?? '';
  return {
    declaration: `${own} ${changed.name.name}`,
    edits: [{ span, text: lines.join(`;\n${indent}`) }],
  };
}

/** Takes the declaration out, with the rest of its line if nothing else is on it, and puts it after another. */
function moveBehind(
  text: string,
  { span }: Declaration,
  { span: other }: Declaration,
  changed: string,
): TextEdit[] | null {
  if (span.file !== other.file) return null;
  const end = semicolonAfter(text, span.end);
  const place = semicolonAfter(text, other.end);
  if (end === null || place === null) return null;
  const from = lineStart(text, span.start);
  const tail = ownTail(text, end);
  const isOwnLine = text.slice(from, span.start).trim() === '' && tail !== null;
  const removed: Span = isOwnLine
    ? { ...span, start: from, end: afterBreak(text, end + tail.length) }
    : { ...span, end };
  const behind = ownTail(text, place);
  const at = behind === null ? place : place + behind.length;
  const indent = text.slice(from, span.start).trim() === '' ? text.slice(from, span.start) : '  ';
  return [
    { span: removed, text: '' },
    {
      span: { ...span, start: at, end: at },
      text: `\n${indent}${changed};${isOwnLine ? tail.trimEnd() : ''}`,
    },
  ];
}

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

/** After the line break at the offset, if there is one. */
function afterBreak(text: string, offset: number): number {
  return offset + (/^\r?\n/.exec(text.slice(offset, offset + 2))?.[0].length ?? 0);
}

function semicolonAfter(text: string, offset: number): number | null {
  const found = /^\s*;/.exec(text.slice(offset));
  return found === null ? null : offset + found[0].length;
}

/** The rest of the line if that is blank or a comment; null if it contains other code. */
function ownTail(text: string, offset: number): string | null {
  const rest = /^[^\r\n]*/.exec(text.slice(offset))?.[0] ?? '';
  return /^[ \t]*(?:(?:\/\/|#).*)?$|^[ \t]*\/\*(?:(?!\*\/).)*\*\/[ \t]*$/.test(rest) ? rest : null;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}
