/**
 * Loops that add the same multivariate density for each vector of an array, as one density of the array: its matrix is
 * factorised once, not once a vector.
 */
import type { IrExpression, IrStatement, IrVariable, StatementOf } from '../lower/ir.ts';
import { childrenOf, onlyStatement } from '../lower/walk-ir.ts';
import type { StanType } from '../types/stan-type.ts';

const intType: StanType = { base: 'int', arrayDepth: 0 };

type Loop = StatementOf<'for'>;

/** Densities that take arrays of vectors, and add nothing for empty ones. */
const ofArrays: ReadonlySet<string> = new Set([
  'multi_normal_lpdf',
  'multi_normal_prec_lpdf',
  'multi_normal_cholesky_lpdf',
  'multi_student_t_lpdf',
  'multi_student_t_cholesky_lpdf',
]);

/**
 * `if (1 <= J) x[1:J] ~ multi_normal(mu, S);` for `for (j in 1:J) x[j] ~ multi_normal(mu, S);`, where nothing is evaluated
 * if there are no turns; other statements as they are.
 */
export function densityOfArray(statement: IrStatement): IrStatement {
  if (statement.op !== 'for' || statement.until) return statement;
  const only = onlyStatement(statement.body);
  if (only?.op !== 'increment' || only.value.op !== 'density') return statement;
  const density = only.value;
  if (!ofArrays.has(density.name)) return statement;
  const { variable, from, to } = statement;
  if (!isInvariant(from, variable) || !isInvariant(to, variable)) return statement;
  const slices = density.arguments.map((argument) => sliceOf(argument, statement));
  const isWhole = density.arguments.every(
    (argument, k) => slices[k] !== null || isInvariant(argument, variable),
  );
  if (!isWhole || slices.every((slice) => slice === null)) return statement;
  const whole = density.arguments.map((argument, k) => slices[k] ?? argument);
  const test: IrExpression = {
    op: 'compare',
    operator: '<=',
    left: from,
    right: to,
    type: intType,
  };
  const sum: IrStatement = { ...only, value: { ...density, arguments: whole } };
  return { op: 'if', test, yes: [sum], no: [], location: statement.location };
}

/** {@link densityOfArray} of a statement and of those inside it. */
export function densitiesOfArrays(statement: IrStatement): IrStatement {
  const each = (list: readonly IrStatement[]) => list.map(densitiesOfArrays);
  switch (statement.op) {
    case 'if':
      return { ...statement, yes: each(statement.yes), no: each(statement.no) };
    case 'for':
      return densityOfArray({ ...statement, body: each(statement.body) });
    case 'while':
    case 'block':
      return { ...statement, body: each(statement.body) };
    default:
      return statement;
  }
}

/** `x[from:to]` for `x[j]` of an array of vectors. */
function sliceOf(e: IrExpression, { variable, from, to }: Loop): IrExpression | null {
  if (e.op !== 'index' || e.base.op !== 'variable' || e.entries.length !== 1) return null;
  const [entry] = e.entries;
  const isElement =
    entry.kind === 'single' && entry.at.op === 'variable' && entry.at.variable === variable;
  if (!isElement || e.base.type.arrayDepth !== 1) return null;
  return { ...e, type: e.base.type, entries: [{ kind: 'range', from, to }] };
}

/** The same for each vector, and without effects: evaluated once, nothing else changes. */
function isInvariant(e: IrExpression, turn: IrVariable): boolean {
  switch (e.op) {
    case 'variable':
      return e.variable !== turn;
    case 'int':
    case 'real':
    case 'call':
    case 'index':
    case 'list':
    case 'measure':
      return childrenOf(e).every((part) => isInvariant(part, turn));
    default:
      return false;
  }
}
