/**
 * Kernels for matrices (`kernels/assembly/`): from sixteen rows on four to ten times faster than the same loops in JavaScript.
 * Operands are copied into the module's memory and results out of it.
 */
import { type Kernels, openKernels } from '../kernels/open-kernels.ts';

/** Below this many multiplications (those of a product of 16 × 16), the copies cost as much as they gain. */
const leastWork = 4096;
/** 64 MB, of which the system provides what is used. Larger operands take the loops in JavaScript. */
const mostNumbers = 2 ** 23;
const bytes = 8;

/** Memory of the kernels as numbers, and the calls that work there; positions count numbers. */
class Dense {
  constructor(
    private readonly numbers: Float64Array,
    private readonly kernels: Kernels,
  ) {}

  put(position: number, x: Float64Array, from: number, count: number): void {
    const isWhole = from === 0 && count === x.length;
    this.numbers.set(isWhole ? x : x.subarray(from, from + count), position);
  }

  take(position: number, count: number, out: Float64Array, to: number): void {
    out.set(this.numbers.subarray(position, position + count), to);
  }

  /** The matrix at 0 becomes its factor; false if it is not positive definite. */
  factor(n: number): boolean {
    return this.kernels.factor(0, n) === 1;
  }

  /** The adjoint of the factor at 0 becomes that of the matrix, at n². */
  factorAdjoint(n: number): void {
    this.kernels.factorAdjoint(0, n * n * bytes, n);
  }

  /** A B at `c`, with A at 0 and B at `b`. */
  multiply(c: number, b: number, rows: number, inner: number, cols: number): void {
    this.kernels.multiply(c * bytes, 0, b * bytes, rows, inner, cols, 1, inner);
  }

  /** A Bᵀ at `c`. */
  multiplyByTransposed(c: number, b: number, rows: number, inner: number, cols: number): void {
    this.kernels.multiply(c * bytes, 0, b * bytes, rows, inner, cols, cols, 1);
  }

  /** Aᵀ B at `c`. */
  multiplyTransposed(c: number, b: number, rows: number, inner: number, cols: number): void {
    this.kernels.multiplyTransposed(c * bytes, 0, b * bytes, rows, inner, cols);
  }

  /** L⁻¹ X in the place of X, at n², with L at 0. */
  solveLower(n: number, cols: number): void {
    this.kernels.solveLower(0, n * n * bytes, n, cols);
  }

  /** L⁻ᵀ X in the place of X. */
  solveLowerTransposed(n: number, cols: number): void {
    this.kernels.solveLowerTransposed(0, n * n * bytes, n, cols);
  }

  /** (L Lᵀ)⁻¹ at n², with L at 0; 3 n² numbers are used. */
  inverseOfFactored(n: number): void {
    const size = n * n * bytes;
    this.kernels.inverseOfFactored(0, 2 * size, size, n);
  }

  /**
   * Vectors behind X and G of n × `cols`, which are at 0, and values behind them: see `geometric-mean.ts`. False if there
   * are none; 4 n² + 4 n numbers behind X and G are used.
   */
  eigenOfMean(n: number, cols: number, weight: number): boolean {
    const size = n * cols * bytes;
    return this.kernels.eigenOfMean(0, size, n, cols, weight, 2 * size) === 1;
  }

  /** A basis of what the columns at 0 span, in their place; returns its rank. */
  orthonormalise(n: number, cols: number): number {
    return this.kernels.orthonormalise(0, n, cols);
  }
}

let dense: Dense | null | undefined;
let mostUsed = 0;

/** The kernels, if they have room for `count` numbers and `work` multiplications are worth copying them; otherwise null. */
export function denseFor(work: number, count: number): Dense | null {
  if (work < leastWork || count > mostNumbers) return null;
  if (dense === undefined) dense = createDense();
  if (count > mostUsed) mostUsed = count;
  return dense;
}

/** Bytes of the kernels' memory: how many are reserved, and how many have ever been used. */
export function kernelMemory(): { readonly reserved: number; readonly used: number } {
  if (!dense) return { reserved: 0, used: 0 };
  return { reserved: mostNumbers * bytes, used: mostUsed * bytes };
}

function createDense(): Dense | null {
  const open = openKernels(mostNumbers * bytes);
  return open && new Dense(open.numbers, open.calls);
}

export type { Dense };
