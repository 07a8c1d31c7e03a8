/**
 * The log density of a Gaussian dynamic linear model, y_t ~ normal(Fᵀθ_t, V) and θ_t ~ normal(Gθ_{t−1}, W), by the Kalman
 * filter (Durbin & Koopman 2001, section 4.2), using the library's own matrix functions.
 */
import { ActiveMatrix, type ActiveVector, Matrix, slotAt } from '../../autodiff/containers.ts';
import type { Tape } from '../../autodiff/tape.ts';
import { splitKinds } from '../../distributions/density.ts';
import { ShapeError } from '../../errors.ts';
import { mapped } from '../../linalg/products.ts';
import { isActiveKind } from '../../user-functions/handed-arguments.ts';
import type { LibraryFunction, LibraryPart } from '../machinery/implementation.ts';
import { activate, type Container } from '../machinery/memory.ts';
import { containerArithmeticPart } from './container-arithmetic.ts';
import { diagonalsPart } from './diagonals.ts';
import { elementwisePart } from './elementwise.ts';
import { linearAlgebraPart } from './linear-algebra.ts';
import { reductionsPart } from './reductions.ts';
import { structurePart } from './structure.ts';

const logTwoPi = 1.8378770664093456;

type Block = Matrix | ActiveMatrix;

// Assigned, not spread: a literal with this many names takes each thread of a run about 50 ms to build.
const functions: LibraryPart = Object.assign(
  {},
  containerArithmeticPart,
  diagonalsPart,
  elementwisePart,
  linearAlgebraPart,
  reductionsPart,
  structurePart,
);

/** The functions that the filter needs, all on data or all on the tape. */
class MatrixAlgebra {
  constructor(private readonly tape: Tape | null) {}

  private call(name: string, args: readonly (Block | ActiveVector | Float64Array)[]): unknown {
    const kinds = args.map((x) => {
      if (x instanceof Matrix) return 'M';
      if (x instanceof ActiveMatrix) return 'W';
      return x instanceof Float64Array ? 'R' : 'V';
    });
    const f: LibraryFunction = functions[`${name}__${kinds.join('')}`];
    // transposing shares slots and needs no tape, but accepts one
    return this.tape === null ? f(...args) : f(this.tape, ...args);
  }

  private block(name: string, ...args: readonly Block[]): Block {
    return this.call(name, args) as Block;
  }

  multiply(a: Block, b: Block): Block {
    return this.block('multiply', a, b);
  }
  add(a: Block, b: Block): Block {
    return this.block('add', a, b);
  }
  subtract(a: Block, b: Block): Block {
    return this.block('subtract', a, b);
  }
  transpose(a: Block): Block {
    return this.block('transpose', a);
  }
  /** L with L Lᵀ = A; only the lower triangle of A is read. */
  factor(a: Block): Block {
    return this.block('cholesky_decompose', mirrored(a));
  }
  solveLower(l: Block, b: Block): Block {
    return this.block('mdivide_left_tri_low', l, b);
  }
  /** Σ of squares of all elements: a number or a slot. */
  squares(a: Block): number {
    return this.call('dot_self', [a]) as number;
  }
  /** Σ log of the diagonal. */
  logDiagonal(l: Block): number {
    const diagonal = this.call('diagonal', [l]) as ActiveVector | Float64Array;
    const logs = this.call('log', [diagonal]) as ActiveVector | Float64Array;
    return this.call('sum', [logs]) as number;
  }
}

/** Copies the lower triangle to the upper one, so that rounding cannot make them differ. */
function mirrored(a: Block): Block {
  const n = a.rows;
  const from = (k: number) => (k % n >= Math.floor(k / n) ? k : Math.floor(k / n) + (k % n) * n);
  if (a instanceof Matrix) return mapped(a, (_, k) => a.data[from(k)]);
  return new ActiveMatrix(
    n,
    n,
    0,
    Int32Array.from({ length: n * n }, (_, k) => slotAt(a, from(k))),
  );
}

interface Model {
  readonly y: Block;
  readonly f: Block;
  readonly g: Block;
  readonly v: Block;
  readonly w: Block;
  readonly m0: Block;
  readonly c0: Block;
}

function requireSizes({ y, f, g, v, w, m0, c0 }: Model): void {
  const [n, r] = [f.rows, f.cols];
  for (const [what, x, rows, cols] of [
    ['y', y, r, y.cols],
    ['G', g, n, n],
    ['V', v, r, r],
    ['W', w, n, n],
    ['m0', m0, n, 1],
    ['C0', c0, n, n],
  ] as const) {
    if (x.rows !== rows || x.cols !== cols)
      throw new ShapeError(
        `gaussian_dlm_obs_lpdf: ${what} is ${x.rows} × ${x.cols}, but with F ${n} × ${r} it must be ${rows} × ${cols}`,
      );
  }
}

/** One column, sharing its slots. */
function column(a: Block, j: number): Block {
  const [from, to] = [j * a.rows, (j + 1) * a.rows];
  if (a instanceof Matrix) return new Matrix(a.rows, 1, a.data.slice(from, to));
  const slots = Int32Array.from({ length: a.rows }, (_, i) => slotAt(a, from + i));
  return new ActiveMatrix(a.rows, 1, 0, slots);
}

/** Terms of the log density: log diagonals of factors, and sums of squares. */
function filterTerms(m: MatrixAlgebra, model: Model) {
  const { y, f, g, v, w } = model;
  const ft = m.transpose(f);
  const gt = m.transpose(g);
  const logs: number[] = [];
  const squares: number[] = [];
  let [state, c] = [model.m0, model.c0];
  for (let t = 0; t < y.cols; t++) {
    const a = m.multiply(g, state);
    const r = m.add(m.multiply(g, m.multiply(c, gt)), w);
    const error = m.subtract(column(y, t), m.multiply(ft, a));
    const fr = m.multiply(ft, r);
    const l = m.factor(m.add(m.multiply(fr, f), v));
    const z = m.solveLower(l, error);
    const b = m.solveLower(l, fr);
    const bt = m.transpose(b);
    logs.push(m.logDiagonal(l));
    squares.push(m.squares(z));
    state = m.add(a, m.multiply(bt, z));
    c = m.subtract(r, m.multiply(bt, b));
  }
  return { logs, squares };
}

/** A vector as a matrix of one column, or with its elements on the diagonal. */
function asBlock(tape: Tape | null, x: Container, isDiagonal: boolean): Block {
  const own = tape === null ? x : activate(tape, x);
  if (own instanceof Matrix || own instanceof ActiveMatrix) return own;
  const n = own instanceof Float64Array ? own.length : (own as ActiveVector).n;
  if (own instanceof Float64Array) {
    if (!isDiagonal) return new Matrix(n, 1, own);
    const data = new Float64Array(n * n);
    for (let i = 0; i < n; i++) data[i + i * n] = own[i];
    return new Matrix(n, n, data);
  }
  const vector = own as ActiveVector;
  if (!isDiagonal)
    return new ActiveMatrix(
      n,
      1,
      0,
      Int32Array.from({ length: n }, (_, i) => slotAt(vector, i)),
    );
  const slots = new Int32Array(n * n).fill((tape as Tape).constant(0));
  for (let i = 0; i < n; i++) slots[i + i * n] = slotAt(vector, i);
  return new ActiveMatrix(n, n, 0, slots);
}

function gaussianDlm(tape: Tape, propto: boolean, kindText: string, ...args: Container[]): number {
  const kinds = splitKinds(kindText);
  const own = kinds.some(isActiveKind) ? tape : null;
  if (own === null && propto) return 0;
  const [y, f, g, v, w, m0, c0] = args.map((x, k) => asBlock(own, x, k === 3));
  const model = { y, f, g, v, w, m0, c0 };
  requireSizes(model);
  const { logs, squares } = filterTerms(new MatrixAlgebra(own), model);
  const constant = propto ? 0 : -0.5 * logTwoPi * y.rows * y.cols;
  const valueOf = (x: number) => (own === null ? x : own.value[x]);
  let value = constant;
  for (const x of logs) value -= valueOf(x);
  for (const x of squares) value -= 0.5 * valueOf(x);
  if (own === null) return value;
  own.reserveEdges(logs.length + squares.length);
  let e = own.numEdges;
  for (const [terms, weight] of [
    [logs, -1],
    [squares, -0.5],
  ] as const) {
    for (const slot of terms) {
      own.edgeSlot[e] = slot;
      own.edgePartial[e++] = weight;
    }
  }
  return own.endRow(value, e - own.numEdges);
}

export const gaussianDlmPart: LibraryPart = { gaussian_dlm_obs_lpdf: gaussianDlm };
