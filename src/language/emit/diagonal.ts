/** Loops over the diagonal of a matrix that add the same number to each of its elements. */
import type { IrExpression, IrIndex, IrVariable, StatementOf } from '../lower/ir.ts';
import { isScalar } from '../lower/kinds.ts';
import { onlyStatement } from '../lower/walk-ir.ts';

interface DiagonalAddition {
  readonly matrix: IrVariable;
  readonly added: IrExpression;
}

/** What `for (n in 1:N) K[n, n] += s;` or `K[n, n] = K[n, n] + s;` adds, if s consists of scalars other than n. */
export function diagonalAddition({
  variable,
  from,
  until,
  body,
}: StatementOf<'for'>): DiagonalAddition | null {
  const statement = onlyStatement(body);
  if (until || from.op !== 'int' || from.value !== 1 || statement?.op !== 'store') return null;
  const { variable: matrix, entries, value } = statement;
  const isMatrix = matrix.type.base === 'matrix' && matrix.type.arrayDepth === 0;
  if (!isMatrix || !isDiagonal(entries, variable)) return null;
  if (value.op !== 'call' || value.name !== 'add') return null;
  const isElement = (e: IrExpression) =>
    e.op === 'index' &&
    e.base.op === 'variable' &&
    e.base.variable === matrix &&
    isDiagonal(e.entries, variable);
  const [left, right] = value.arguments;
  const added = isElement(left) ? right : isElement(right) ? left : null;
  return added !== null && isOfScalars(added, variable) ? { matrix, added } : null;
}

function isDiagonal(entries: readonly IrIndex[], variable: IrVariable): boolean {
  const isAt = (entry: IrIndex) =>
    entry.kind === 'single' && entry.at.op === 'variable' && entry.at.variable === variable;
  return entries.length === 2 && entries.every(isAt);
}

/** Computed from numbers and scalar variables: the same in each iteration, even if there is none. */
function isOfScalars(e: IrExpression, turn: IrVariable): boolean {
  if (e.op === 'int' || e.op === 'real') return true;
  if (e.op === 'variable') return isScalar(e.type) && e.variable !== turn;
  return e.op === 'call' && e.arguments.every((part) => isOfScalars(part, turn));
}
