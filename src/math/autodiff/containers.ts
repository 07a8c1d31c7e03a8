/**
 * How Stan values are stored at run time. Types are known when the program is emitted, so values carry no tags.
 *
 * | Stan                                  | data                          | active (depends on parameters) |
 * |---------------------------------------|-------------------------------|--------------------------------|
 * | int                                   | number                        | – |
 * | real                                  | number                        | number: a tape slot |
 * | vector, row_vector, array[] real      | Float64Array                  | ActiveVector |
 * | array[] int                           | Int32Array                    | – |
 * | matrix (column-major)                 | Matrix                        | ActiveMatrix |
 * | array[,…] of int or real; array of vector, row_vector, matrix | JS array of the row above, nested | likewise |
 *
 * *Kinds*, one letter per operand, name these in the library: `i` int, `r` data real, `v` active real, `I` Int32Array,
 * `R` Float64Array, `V` ActiveVector, `M` Matrix, `W` ActiveMatrix; an array of vectors or matrices is `[` followed by
 * the letter of its elements (`[R`, `[V`, `[[I`).
 */

/** n slots: `base … base + n - 1` when `slots` is null, otherwise `slots[0 … n - 1]`. Never changed once shared. */
export class ActiveVector {
  constructor(
    readonly n: number,
    readonly base: number,
    readonly slots: Int32Array | null = null,
  ) {}
}

/**
 * What is known about a matrix from how it was made: its halves are identical to the last bit, or it is square with
 * constant zeros above the diagonal, whose adjoints are never read.
 */
export type MatrixForm = 'symmetric' | 'lower' | null;

/**
 * rows × cols slots in column-major order: `base … base + rows cols - 1` when `slots` is null, otherwise those of the list.
 * Two sorts have a list only once somebody asks for it, which most programs never do: a matrix whose diagonal was replaced
 * (its elements are in order from `base`, except for those of the diagonal, which are in order from `diagonal`), and an
 * unassigned matrix (`base` and all slots are 0).
 */
export class ActiveMatrix {
  constructor(
    readonly rows: number,
    readonly cols: number,
    readonly base: number,
    private list: Int32Array | null = null,
    readonly form: MatrixForm = null,
    /** The first slot of a diagonal that is apart from the rest; 0 if it is not. */
    readonly diagonal = 0,
  ) {}

  get slots(): Int32Array | null {
    if (this.list === null && (this.diagonal !== 0 || this.base === 0)) this.list = listed(this);
    return this.list;
  }

  /** Whether elements off the diagonal are in order from `base`; those on it are at `diagonalSlot`. */
  get isInOrder(): boolean {
    return this.diagonal !== 0 || (this.list === null && this.base !== 0);
  }

  /** The slot of element (k, k) of a matrix in order. */
  diagonalSlot(k: number): number {
    return this.diagonal === 0 ? this.base + k * (this.rows + 1) : this.diagonal + k;
  }
}

function listed({ rows, cols, base, diagonal }: ActiveMatrix): Int32Array {
  const slots = new Int32Array(rows * cols);
  if (base === 0) return slots;
  for (let i = 0; i < slots.length; i++) slots[i] = base + i;
  for (let k = 0, n = Math.min(rows, cols); k < n; k++) slots[k * (rows + 1)] = diagonal + k;
  return slots;
}

/** rows × cols numbers in column-major order. */
export class Matrix {
  constructor(
    readonly rows: number,
    readonly cols: number,
    readonly data: Float64Array,
  ) {}
}

/** The slot of element `i` (0-based, column-major) of an active container. */
export function slotAt(x: ActiveVector | ActiveMatrix, i: number): number {
  return x.slots === null ? x.base + i : x.slots[i];
}

/** A private, writable list of the slots of `x`, for assignment to single elements. */
export function slotsOf(x: ActiveVector | ActiveMatrix, n: number): Int32Array {
  if (x.slots !== null) return x.slots.slice();
  const slots = new Int32Array(n);
  for (let i = 0; i < n; i++) slots[i] = x.base + i;
  return slots;
}
