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

/** Where n × n numbers are: column-major from `base`, except for the diagonal: `diagonal`, `diagonal + step`, …. */
export interface InOrder {
  readonly n: number;
  readonly base: number;
  readonly diagonal: number;
  readonly step: number;
}

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

  /** Copies `x[from …]` to the diagonal of the n × n matrix at `position`. */
  putDiagonal(position: number, n: number, x: Float64Array, from: number): void {
    for (let k = 0; k < n; k++) this.numbers[position + k * (n + 1)] = x[from + k];
  }

  /** Adds the lower triangle of the n × n matrix at `position` to that of `m` in `out`. */
  addLower(position: number, out: Float64Array, { n, base, diagonal, step }: InOrder): void {
    const { numbers } = this;
    for (let j = 0; j < n; j++) {
      out[diagonal + j * step] += numbers[position + j * (n + 1)];
      const column = position + j * n;
      const to = base + j * n;
      for (let i = j + 1; i < n; i++) out[to + i] += numbers[column + i];
    }
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
/** How often the kernels were asked for. */
let uses = 0;

/** The kernels, if they have room for `count` numbers and `work` multiplications are worth copying them; otherwise null. */
export function denseFor(work: number, count: number): Dense | null {
  if (work < leastWork || count > mostNumbers) return null;
  if (dense === undefined) dense = createDense();
  if (count > mostUsed) mostUsed = count;
  uses++;
  return dense;
}

/** Counts uses of the kernels' memory: while it stays the same, whatever was left there is still there. */
export function kernelUses(): number {
  return uses;
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
