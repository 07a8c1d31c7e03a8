/** Reading and writing `x[…]`: direct text for single indexes and slices, a general call for the rest. */
import type { IndexExpression, IrExpression, IrIndex, IrVariable } from '../lower/ir.ts';
import { isContainerKind, type Kind } from '../lower/kinds.ts';
import { type Code, emitAs, emitExpression } from './emit-expression.ts';
import { type Frame, isWritten, kindOfVariable } from './frame.ts';
import { quote } from './printer.ts';
import { ownershipName, variableName } from './unit.ts';

/** Deeper than any nesting. */
const allLevels = 99;

/** `borrowed`: the reader does not store the container it is given. */
export function emitIndex(
  frame: Frame,
  e: IndexExpression,
  { kind, borrowed }: { readonly kind: Kind; readonly borrowed: boolean },
): Code {
  const { base } = e;
  const variable = base.op === 'variable' ? base.variable : null;
  const start: Code = variable
    ? { text: variableName(variable), kind: kindOfVariable(frame, variable) }
    : emitExpression(frame, base);
  const label = quote(e.label);
  const { code, rest, levels } = descend(frame, start, e.entries, label);
  const text = rest.length === 0 ? code.text : emitRest(frame, { code, rest, label, kind });
  const written = variable && isWritten(frame, variable) ? variable.writtenLevel : -1;
  // What is still part of the variable must not change when the variable does.
  const shared = isWholeRead(rest) ? levels : levels + 1;
  if (isContainerKind(kind) && written >= shared && !borrowed) {
    return { text: `${frame.unit.use('$own')}(${text}, ${allLevels})`, kind };
  }
  return { text, kind };
}

function isWholeRead(rest: readonly IrIndex[]): boolean {
  return rest.every((entry) => entry.kind === 'all');
}

/** Follows single indexes through arrays down to scalars, as far as possible. */
function descend(
  frame: Frame,
  start: Code,
  entries: readonly IrIndex[],
  label: string,
): { code: Code; rest: readonly IrIndex[]; levels: number } {
  const { unit } = frame;
  let code = start;
  let k = 0;
  for (; k < entries.length; k++) {
    const entry = entries[k];
    if (entry.kind !== 'single') break;
    if (code.kind === 'M' || code.kind === 'W') break;
    const at = emitExpression(frame, entry.at).text;
    code = stepInto(code, (read) => `${unit.use(read)}(${code.text}, ${at}, ${label})`);
  }
  return { code, rest: entries.slice(k), levels: k };
}

function stepInto({ kind }: Code, text: (read: string) => string): Code {
  if (kind === 'I') return { text: text('$at_I'), kind: 'i' };
  if (kind === 'R') return { text: text('$at_R'), kind: 'r' };
  if (kind === 'V') return { text: text('$element_V'), kind: 'v' };
  return { text: text('$at_A'), kind: kind.slice(1) };
}

interface Rest {
  readonly code: Code;
  readonly rest: readonly IrIndex[];
  readonly label: string;
  /** Kind of the result. */
  readonly kind: Kind;
}

function emitRest(frame: Frame, { code, rest, label, kind }: Rest): string {
  const { unit } = frame;
  const x = code.text;
  if (code.kind === 'M' || code.kind === 'W') {
    const direct = emitMatrixIndex(frame, code, rest, label);
    if (direct !== null) return direct;
  } else if (rest.length === 1) {
    const [entry] = rest;
    if (entry.kind === 'all') return x;
    if (entry.kind === 'range') {
      const from = entry.from ? emitExpression(frame, entry.from).text : '1';
      const to = entry.to ? emitExpression(frame, entry.to).text : 'null';
      return `${unit.use('$slice')}(${x}, ${from}, ${to}, ${label})`;
    }
  }
  const entries = rest.map((entry) => emitEntry(frame, entry)).join(', ');
  return `${unit.use('$index')}(${x}, [${entries}], ${quote(kind)}, ${label})`;
}

function emitMatrixIndex(
  frame: Frame,
  { text, kind }: Code,
  rest: readonly IrIndex[],
  label: string,
): string | null {
  const { unit } = frame;
  const [row] = rest;
  const col: IrIndex = rest.length > 1 ? rest[1] : { kind: 'all' };
  if (row.kind === 'single') {
    const i = emitExpression(frame, row.at).text;
    if (col.kind === 'single') {
      const j = emitExpression(frame, col.at).text;
      return `${unit.use(`$element_${kind}`)}(${text}, ${i}, ${j}, ${label})`;
    }
    return col.kind === 'all' ? `${unit.use(`$row_${kind}`)}(${text}, ${i}, ${label})` : null;
  }
  if (row.kind === 'all' && col.kind === 'single') {
    const j = emitExpression(frame, col.at).text;
    return `${unit.use(`$column_${kind}`)}(${text}, ${j}, ${label})`;
  }
  return row.kind === 'all' && col.kind === 'all' ? text : null;
}

/** An entry for the general functions. */
function emitEntry(frame: Frame, entry: IrIndex): string {
  if (entry.kind === 'all') return 'null';
  if (entry.kind !== 'range') return emitExpression(frame, entry.at).text;
  const from = entry.from ? emitExpression(frame, entry.from).text : '1';
  const to = entry.to ? emitExpression(frame, entry.to).text : 'null';
  return `${frame.unit.use('$range')}(${from}, ${to})`;
}

// ---------------------------------------------------------------- writing

/** `x[entries] = value`, as statements; `valueKind` is the kind of the elements of `x`. */
export function emitStore(
  frame: Frame,
  variable: IrVariable,
  entries: readonly IrIndex[],
  value: { readonly expression: IrExpression; readonly kind: Kind },
): string[] {
  const { unit } = frame;
  const name = variableName(variable);
  const label = quote(variable.name);
  const kind = kindOfVariable(frame, variable);
  const own = ownershipName(variable);
  const stored = emitStored(frame, variable, entries, value);
  const temporary = unit.temporary();
  const level = variable.writtenLevel;
  return [
    `const ${temporary} = ${stored};`,
    `if (!${own}) { ${name} = ${unit.use('$own')}(${name}, ${level}); ${own} = true; }`,
    storeText(frame, { text: name, kind }, entries, { value: temporary, label }),
  ];
}

/** A container stored in an array whose elements are written to must belong to the array alone. */
function emitStored(
  frame: Frame,
  variable: IrVariable,
  entries: readonly IrIndex[],
  { expression, kind }: { readonly expression: IrExpression; readonly kind: Kind },
): string {
  const text = emitAs(frame, expression, kind);
  const deeper = isContainerKind(kind) && variable.writtenLevel >= entries.length;
  return deeper ? `${frame.unit.use('$own')}(${text}, ${allLevels})` : text;
}

function storeText(
  frame: Frame,
  start: Code,
  entries: readonly IrIndex[],
  { value, label }: { readonly value: string; readonly label: string },
): string {
  const { unit } = frame;
  const general = (x: string, rest: readonly IrIndex[]) => {
    const list = rest.map((entry) => emitEntry(frame, entry)).join(', ');
    return `${unit.use('$assign')}(${x}, [${list}], ${value}, ${label});`;
  };
  const last = entries.at(-1);
  if (!last || entries.some((entry) => entry.kind !== 'single'))
    return general(start.text, entries);
  const isMatrix = start.kind.endsWith('M') || start.kind.endsWith('W');
  const arrays = isMatrix ? start.kind.length - 1 : entries.length - 1;
  const steps = entries.slice(0, Math.min(arrays, entries.length - 1));
  const { code } = descend(frame, start, steps, label);
  const rest = entries.slice(steps.length);
  const at = rest.map((entry) =>
    entry.kind === 'single' ? emitExpression(frame, entry.at).text : '',
  );
  const x = code.text;
  if (code.kind === 'M' || code.kind === 'W') {
    if (rest.length === 1) return general(x, rest);
    return `${unit.use(`$put_${code.kind}`)}(${x}, ${at[0]}, ${at[1]}, ${value}, ${label});`;
  }
  const put = { I: '$put_I', R: '$put_R', V: '$put_V' }[code.kind] ?? '$put_A';
  return `${unit.use(put)}(${x}, ${at[0]}, ${value}, ${label});`;
}
