/** Members of tuples for the editor: what may follow a `.`, and what a `.2` is. */
import type { CheckResult } from '../check.ts';
import type { Span } from '../source/span.ts';
import type { Expression, Named } from '../syntax/ast.ts';
import { printExpression, printType } from '../syntax/printer.ts';
import type { Token } from '../syntax/token.ts';
import { walkProgram } from '../syntax/walk.ts';
import type { StanType } from '../types/stan-type.ts';
import type { Completion, Completions } from './complete.ts';
import type { Hover } from './hover.ts';
import type { TokenContext } from './token-at.ts';
import { visibleNames } from './visible-names.ts';

/** The member whose `.2` touches the offset. */
export function memberAt(result: CheckResult, offset: number, file: number): Hover | null {
  let found: Hover | null = null;
  const visit = (node: Expression): void => {
    if (node.kind !== 'member' || node.span.file !== file || !node.type) return;
    const { end } = node.span;
    const start = end - String(node.position).length - 1;
    if (offset < start || offset > end) return;
    const count = node.base.type?.members?.length ?? 0;
    found = {
      span: { file, start, end },
      code: `${printType(node.type)} ${printExpression(node)}`,
      text: `Member ${node.position} of ${count}.`,
    };
  };
  walkProgram(result.program, { expression: visit });
  return found;
}

/** The positions of the members after `x.`, `x[1].` and `x.2.`, none if that is not a tuple; null without a dot. */
export function membersBefore(
  result: CheckResult,
  { tokens, block, touched, comment }: TokenContext,
  place: Span,
): Completions | null {
  if (!block || comment) return null;
  const before = tokens.filter((token) => token.end <= place.start);
  const dot = before.at(-1);
  const isDot = dot?.text === '.' || (dot === touched && /^\.\d+$/.test(dot?.text ?? ''));
  if (!dot || !isDot || dot.end !== place.end) return null;
  const names = visibleNames(result.program, place, block);
  const type = typeOfPath(names, before.slice(0, -1));
  const members = type?.arrayDepth === 0 ? (type.members ?? []) : [];
  const items = members.map((member, i): Completion => {
    const label = String(i + 1);
    const meaning = `Member ${label} of ${members.length}.`;
    return { label, kind: 'variable', detail: printType(member), meaning, insert: label };
  });
  return { span: { ...place, start: dot.start + 1 }, items };
}

/** The type of `x[1].2` at the end of the tokens, where `x` is one of the names. */
function typeOfPath(names: readonly Named[], tokens: readonly Token[]): StanType | null {
  const last = tokens.at(-1);
  if (!last) return null;
  if (last.kind === 'real') {
    const tuple = typeOfPath(names, tokens.slice(0, -1));
    if (tuple?.arrayDepth !== 0) return null;
    return tuple.members?.[Number(last.text.slice(1)) - 1] ?? null;
  }
  if (last.text === ']') {
    const { start, indexes } = openingOf(tokens);
    const array = typeOfPath(names, tokens.slice(0, start));
    if (!array || array.arrayDepth < indexes) return null;
    return { ...array, arrayDepth: array.arrayDepth - indexes };
  }
  if (last.kind !== 'name') return null;
  return names.findLast(({ name }) => name.name === last.text)?.type ?? null;
}

/** Where the bracket that the last token closes is opened, and how many indexes it contains. */
function openingOf(tokens: readonly Token[]): { start: number; indexes: number } {
  let open = 0;
  let indexes = 1;
  for (let i = tokens.length - 1; i >= 0; i--) {
    const { text } = tokens[i];
    if (')]}'.includes(text)) open++;
    if ('([{'.includes(text)) open--;
    if (text === ',' && open === 1) indexes++;
    if (open === 0) return { start: i, indexes };
  }
  return { start: 0, indexes };
}

/** Whether the bracket open at the end is that of `tuple(`, which contains types. */
export function isInTupleType(tokens: readonly Token[]): boolean {
  let open = 0;
  for (let i = tokens.length - 1; i > 0; i--) {
    const { text } = tokens[i];
    if (text === ';' || text === '{' || text === '}') return false;
    if (text === ')' || text === ']') open++;
    if ((text === '(' || text === '[') && open-- === 0) {
      return text === '(' && tokens[i - 1].text === 'tuple';
    }
  }
  return false;
}
