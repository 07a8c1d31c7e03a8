/** Linear algebra on a Taylor tape, written out of sums and products (Golub & Van Loan 2013, chapters 3, 4 and 5). */
import { DomainError, ShapeError } from '../errors.ts';
import { type Algebra, number, type Term } from './algebra.ts';
import { matrixOf, scalarOf, type TermContainer, vectorOf } from './operands.ts';

export type TermFunction = (m: Algebra, ...operands: TermContainer[]) => TermContainer;

const zero = number(0);

const at = ({ rows, terms }: TermContainer, i: number, j: number): Term => terms[i + j * rows];
const row = (x: TermContainer, i: number): Term[] =>
  Array.from({ length: x.cols }, (_, j) => at(x, i, j));
const column = (x: TermContainer, j: number): Term[] => x.terms.slice(j * x.rows, (j + 1) * x.rows);
const rowsOf = (x: TermContainer): Term[][] => Array.from({ length: x.rows }, (_, i) => row(x, i));
const columnsOf = (x: TermContainer): Term[][] =>
  Array.from({ length: x.cols }, (_, j) => column(x, j));

const mapped = (x: TermContainer, f: (term: Term, k: number) => Term): TermContainer =>
  matrixOf(x.rows, x.cols, x.terms.map(f));

function build(rows: number, cols: number, f: (i: number, j: number) => Term): TermContainer {
  return matrixOf(
    rows,
    cols,
    Array.from({ length: rows * cols }, (_, k) => f(k % rows, Math.floor(k / rows))),
  );
}

export const transposed = (x: TermContainer): TermContainer =>
  build(x.cols, x.rows, (i, j) => at(x, j, i));

const identity = (n: number): TermContainer => build(n, n, (i, j) => number(i === j ? 1 : 0));

export function product(m: Algebra, a: TermContainer, b: TermContainer): TermContainer {
  if (a.cols !== b.rows)
    throw new ShapeError(`${a.rows} × ${a.cols} and ${b.rows} × ${b.cols} do not fit together`);
  const [rows, cols] = [rowsOf(a), columnsOf(b)];
  return build(a.rows, b.cols, (i, j) => m.dot(rows[i], cols[j]));
}

/** A vector as a column. */
const asMatrix = (x: TermContainer): TermContainer =>
  x.shape === 'matrix' ? x : matrixOf(x.terms.length, 1, x.terms);

/** As a vector if the right-hand side was one. */
const shapedAs = (given: TermContainer, x: TermContainer): TermContainer =>
  given.shape === 'matrix' ? x : vectorOf(x.terms);

/** L with L Lᵀ = A, reading only the lower half of A. */
export function cholesky(m: Algebra, a: TermContainer): TermContainer {
  const n = a.rows;
  if (a.cols !== n) throw new ShapeError(`a ${n} × ${a.cols} matrix is not square`);
  const l: Term[] = Array.from({ length: n * n }, () => zero);
  const rowOf = (i: number, end: number) => Array.from({ length: end }, (_, k) => l[i + k * n]);
  for (let j = 0; j < n; j++) {
    const pivot = m.subtract(at(a, j, j), m.dot(rowOf(j, j), rowOf(j, j)));
    if (!(pivot.value > 0)) throw new DomainError('the matrix is not positive definite');
    const d = m.call('sqrt', pivot);
    l[j + j * n] = d;
    for (let i = j + 1; i < n; i++)
      l[i + j * n] = m.divide(m.subtract(at(a, i, j), m.dot(rowOf(i, j), rowOf(j, j))), d);
  }
  return matrixOf(n, n, l);
}

/** L⁻¹ B for a lower triangular L. */
export function solveLower(m: Algebra, l: TermContainer, b: TermContainer): TermContainer {
  const right = asMatrix(b);
  const n = l.rows;
  if (right.rows !== n) throw new ShapeError(`${n} and ${right.rows} rows do not fit together`);
  const x: Term[] = [];
  for (let j = 0; j < right.cols; j++) {
    for (let i = 0; i < n; i++) {
      const known = Array.from({ length: i }, (_, k) => at(l, i, k));
      const found = x.slice(j * n, j * n + i);
      x.push(m.divide(m.subtract(at(right, i, j), m.dot(known, found)), at(l, i, i)));
    }
  }
  return shapedAs(b, matrixOf(n, right.cols, x));
}

/** L⁻ᵀ B. */
function solveLowerTransposed(m: Algebra, l: TermContainer, b: TermContainer): TermContainer {
  const right = asMatrix(b);
  const n = l.rows;
  const x: Term[] = Array.from({ length: n * right.cols }, () => zero);
  for (let j = 0; j < right.cols; j++) {
    for (let i = n - 1; i >= 0; i--) {
      const known = Array.from({ length: n - 1 - i }, (_, k) => at(l, i + 1 + k, i));
      const found = x.slice(i + 1 + j * n, (j + 1) * n);
      x[i + j * n] = m.divide(m.subtract(at(right, i, j), m.dot(known, found)), at(l, i, i));
    }
  }
  return shapedAs(b, matrixOf(n, right.cols, x));
}

/** Σ log of the diagonal. */
export const logDiagonal = (m: Algebra, l: TermContainer): Term =>
  m.sum(Array.from({ length: l.rows }, (_, i) => m.call('log', at(l, i, i))));

function solveSpd(m: Algebra, a: TermContainer, b: TermContainer): TermContainer {
  const l = cholesky(m, a);
  return solveLowerTransposed(m, l, solveLower(m, l, b));
}

interface Eliminated {
  readonly solution: TermContainer;
  /** The pivots, whose product is the determinant up to `sign`. */
  readonly pivots: readonly Term[];
  readonly sign: number;
}

/** A⁻¹ B by elimination with partial pivoting. */
function eliminate(m: Algebra, a: TermContainer, b: TermContainer): Eliminated {
  const n = a.rows;
  const right = asMatrix(b);
  if (a.cols !== n || right.rows !== n)
    throw new ShapeError(`${n} × ${a.cols} and ${right.rows} rows do not fit together`);
  const rows = Array.from({ length: n }, (_, i) => [...row(a, i), ...row(right, i)]);
  let sign = 1;
  for (let k = 0; k < n; k++) {
    let best = k;
    for (let i = k + 1; i < n; i++)
      if (Math.abs(rows[i][k].value) > Math.abs(rows[best][k].value)) best = i;
    if (best !== k) {
      [rows[k], rows[best]] = [rows[best], rows[k]];
      sign = -sign;
    }
    for (let i = k + 1; i < n; i++) {
      const factor = m.divide(rows[i][k], rows[k][k]);
      for (let j = k + 1; j < rows[i].length; j++)
        rows[i][j] = m.subtract(rows[i][j], m.multiply(factor, rows[k][j]));
    }
  }
  const x: Term[] = Array.from({ length: n * right.cols }, () => zero);
  for (let j = 0; j < right.cols; j++) {
    for (let i = n - 1; i >= 0; i--) {
      const found = x.slice(i + 1 + j * n, (j + 1) * n);
      const rest = m.subtract(rows[i][n + j], m.dot(rows[i].slice(i + 1, n), found));
      x[i + j * n] = m.divide(rest, rows[i][i]);
    }
  }
  const pivots = rows.map((own, i) => own[i]);
  return { solution: shapedAs(b, matrixOf(n, right.cols, x)), pivots, sign };
}

function determinantParts(m: Algebra, a: TermContainer): Eliminated {
  return eliminate(m, a, matrixOf(a.rows, 0, []));
}

/** B A⁻¹ = (A⁻ᵀ Bᵀ)ᵀ; B may be a row. */
function fromRight(
  b: TermContainer,
  solve: (right: TermContainer) => TermContainer,
): TermContainer {
  if (b.shape !== 'matrix') return solve(b);
  return transposed(solve(transposed(b)));
}

/** The series of exp after halving until it converges fast. */
function exponential(m: Algebra, a: TermContainer): TermContainer {
  const norm = Math.max(0, ...a.terms.map(({ value }) => Math.abs(value))) * a.rows;
  const halvings = Math.max(0, Math.ceil(Math.log2(norm)) + 2);
  const scaled = mapped(a, (term) => m.scale(2 ** -halvings, term));
  let sum = identity(a.rows);
  let power = identity(a.rows);
  for (let k = 1; k <= 16; k++) {
    const next = product(m, power, scaled);
    power = mapped(next, (term) => m.scale(1 / k, term));
    sum = mapped(sum, (term, i) => m.add(term, power.terms[i]));
  }
  for (let k = 0; k < halvings; k++) sum = product(m, sum, sum);
  return sum;
}

function traceOf(m: Algebra, x: TermContainer): Term {
  return m.sum(Array.from({ length: Math.min(x.rows, x.cols) }, (_, i) => at(x, i, i)));
}

const quadratic = (m: Algebra, a: TermContainer, b: TermContainer): TermContainer => {
  const right = asMatrix(b);
  const found = product(m, transposed(right), product(m, a, right));
  return b.shape === 'matrix' ? found : scalarOf(found.terms[0]);
};

/** The lower half of a factor only. */
const lowerOf = (l: TermContainer): TermContainer =>
  build(l.rows, l.cols, (i, j) => (i < j ? zero : at(l, i, j)));

/** The products of matching lines. */
const dots = (m: Algebra, a: readonly Term[][], b: readonly Term[][]): TermContainer =>
  vectorOf(a.map((line, i) => m.dot(line, b[i])));

export const matrixFunctions: Readonly<Record<string, TermFunction>> = {
  diag_matrix: (_, v) =>
    build(v.terms.length, v.terms.length, (i, j) => (i === j ? v.terms[i] : zero)),
  add_diag: (m, a, d) =>
    build(a.rows, a.cols, (i, j) =>
      i === j ? m.add(at(a, i, j), d.shape === 'scalar' ? d.terms[0] : d.terms[i]) : at(a, i, j),
    ),
  crossprod: (m, a) => product(m, transposed(a), a),
  tcrossprod: (m, a) => product(m, a, transposed(a)),
  multiply_lower_tri_self_transpose: (m, l) => product(m, lowerOf(l), transposed(lowerOf(l))),
  columns_dot_product: (m, a, b) => dots(m, columnsOf(a), columnsOf(b)),
  rows_dot_product: (m, a, b) => dots(m, rowsOf(a), rowsOf(b)),
  columns_dot_self: (m, a) => dots(m, columnsOf(a), columnsOf(a)),
  rows_dot_self: (m, a) => dots(m, rowsOf(a), rowsOf(a)),
  cholesky_decompose: cholesky,
  inverse: (m, a) => eliminate(m, a, identity(a.rows)).solution,
  inverse_spd: (m, a) => solveSpd(m, a, identity(a.rows)),
  chol2inv: (m, l) => solveLowerTransposed(m, l, solveLower(m, l, identity(l.rows))),
  determinant: (m, a) => {
    const { pivots, sign } = determinantParts(m, a);
    return scalarOf(
      m.scale(
        sign,
        pivots.reduce((all, pivot) => m.multiply(all, pivot), number(1)),
      ),
    );
  },
  log_determinant: (m, a) => {
    const { pivots } = determinantParts(m, a);
    return scalarOf(m.sum(pivots.map((pivot) => m.call('log', m.call('abs', pivot)))));
  },
  log_determinant_spd: (m, a) => scalarOf(m.scale(2, logDiagonal(m, cholesky(m, a)))),
  matrix_power: (m, a, n) => {
    let result = identity(a.rows);
    for (let k = 0; k < n.terms[0].value; k++) result = product(m, result, a);
    return result;
  },
  matrix_exp: exponential,
  matrix_exp_multiply: (m, a, b) => shapedAs(b, product(m, exponential(m, a), asMatrix(b))),
  scale_matrix_exp_multiply: (m, t, a, b) => {
    const scaled = mapped(a, (term) => m.multiply(t.terms[0], term));
    return shapedAs(b, product(m, exponential(m, scaled), asMatrix(b)));
  },
  mdivide_left: (m, a, b) => eliminate(m, a, b).solution,
  mdivide_right: (m, b, a) => fromRight(b, (x) => eliminate(m, transposed(a), x).solution),
  mdivide_left_spd: solveSpd,
  mdivide_right_spd: (m, b, a) => fromRight(b, (x) => solveSpd(m, a, x)),
  mdivide_left_tri_low: solveLower,
  mdivide_right_tri_low: (m, b, l) => fromRight(b, (x) => solveLowerTransposed(m, l, x)),
  quad_form: quadratic,
  quad_form_sym: quadratic,
  quad_form_diag: (m, a, v) =>
    build(a.rows, a.cols, (i, j) => m.multiply(m.multiply(v.terms[i], at(a, i, j)), v.terms[j])),
  trace_quad_form: (m, a, b) => {
    const form = quadratic(m, a, b);
    return form.shape === 'scalar' ? form : scalarOf(traceOf(m, form));
  },
  trace_gen_quad_form: (m, d, a, b) => scalarOf(traceOf(m, product(m, d, quadratic(m, a, b)))),
  trace_dot: (m, a, b) => scalarOf(traceOf(m, product(m, a, b))),
};
