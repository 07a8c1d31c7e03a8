/** Inverses of constraining transforms on the tape: `<kind>_unconstrain` of values that depend on parameters. */
import { ActiveMatrix, ActiveVector, Matrix, slotAt } from '../autodiff/containers.ts';
import { kindCode, Operand } from '../autodiff/operand.ts';
import type { Tape } from '../autodiff/tape.ts';
import { choleskyFactor } from '../linalg/cholesky.ts';
import { solveCholesky } from '../linalg/solve.ts';
import { type ScalarConstrain, ScalarStep } from './scalar-constraints.ts';
import type { Shape, StructuredConstraint } from './structured.ts';

const step = new ScalarStep();
const value = new Operand();
const first = new Operand();
const second = new Operand();

/**
 * Element by element. `free` is the inverse on numbers, for the values and parameters in `args`; any of them may be
 * active. With x = f(u, a, b): du/dx = 1 / f_u and du/da = −f_a / f_u. Returns slots in the container of the first.
 */
export function unconstrainElements(
  tape: Tape,
  kinds: readonly string[],
  args: readonly unknown[],
  { free, transform }: { readonly free: Float64Array; readonly transform: ScalarConstrain },
): number | ActiveVector | ActiveMatrix {
  const n = free.length;
  tape.reserveSlots(n);
  tape.reserveEdges(3 * n);
  const operands = [value, first, second].slice(0, args.length);
  for (const [k, operand] of operands.entries()) operand.open(tape, codeOf(kinds[k]), args[k]);
  const base = tape.numSlots;
  for (let i = 0; i < n; i++) {
    transform(step, free[i], first.at(i), args.length > 2 ? second.at(i) : 0);
    const partials = [1 / step.du, -step.da / step.du, -step.db / step.du];
    let e = tape.numEdges;
    for (const [k, operand] of operands.entries()) {
      if (!operand.active) continue;
      tape.edgeSlot[e] = operand.slot(i);
      tape.edgePartial[e++] = partials[k];
    }
    tape.endRow(free[i], e - tape.numEdges);
  }
  const [x] = args;
  if (x instanceof ActiveMatrix || x instanceof Matrix)
    return new ActiveMatrix(x.rows, x.cols, base);
  return typeof x === 'number' ? base : new ActiveVector(n, base);
}

const codeOf = (kind: string): number => kindCode[kind as keyof typeof kindCode];

/**
 * An entire vector or matrix. Values that satisfy the constraint form a surface; the inverse is defined only along it:
 * its derivative is the pseudo-inverse of the transform's, so that every path within the surface has the right one.
 */
export function unconstrainStructured(
  tape: Tape,
  x: ActiveVector | ActiveMatrix,
  { constraint, free }: { readonly constraint: StructuredConstraint; readonly free: Float64Array },
): ActiveVector {
  const shape: Shape = x instanceof ActiveVector ? { rows: x.n, cols: 1 } : x;
  const m = free.length;
  const base = tape.block(m, (t) => {
    const du = t.adjoint.slice(base, base + m);
    const dx = throughInverse(constraint, free, shape, du);
    for (const [i, d] of dx.entries()) t.adjoint[slotAt(x, i)] += d;
  });
  tape.value.set(free, base);
  return new ActiveVector(m, base);
}

/** J (Jᵀ J)⁻¹ du, where J (n × m) is the derivative of the constrained values. */
function throughInverse(
  constraint: StructuredConstraint,
  u: Float64Array,
  shape: Shape,
  du: Float64Array,
): Float64Array {
  const n = shape.rows * shape.cols;
  const m = u.length;
  const x = new Float64Array(n);
  constraint.forward(u, x, shape);
  const rows = Array.from({ length: n }, (_, i) => {
    const dx = new Float64Array(n);
    dx[i] = 1;
    const row = new Float64Array(m);
    constraint.reverse({ u, x, shape, dx, dJacobian: 0, du: row });
    return row;
  });
  const gram = new Float64Array(m * m);
  for (const row of rows)
    for (let j = 0; j < m; j++) for (let i = 0; i < m; i++) gram[i + j * m] += row[i] * row[j];
  const factor = choleskyFactor(gram, m);
  if (factor === null) return new Float64Array(n).fill(Number.NaN);
  const weights = solveCholesky(new Matrix(m, m, factor), new Matrix(m, 1, du.slice())).data;
  return Float64Array.from(rows, (row) => row.reduce((sum, d, j) => sum + d * weights[j], 0));
}
