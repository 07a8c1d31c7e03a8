/** Block-diagonal matrices, n × n with `size` × `size` blocks, alongside dense column-major ones. */

export interface Blocks {
  readonly n: number;
  readonly size: number;
  /** The blocks one after another, each column-major. */
  readonly data: Float64Array;
}

export function newBlocks(n: number, size: number): Blocks {
  return { n, size, data: new Float64Array(n * size) };
}

/** B X for a dense X with `cols` columns; Bᵀ X if `transposed`. */
export function timesBlocks(
  { n, size, data }: Blocks,
  x: Float64Array,
  cols: number,
  transposed = false,
): Float64Array {
  const out = new Float64Array(n * cols);
  for (let c = 0; c < cols; c++) {
    for (let j = 0; j < n; j++) {
      const start = j - (j % size);
      const factor = x[j + c * n];
      for (let k = 0; k < size; k++) {
        const entry = transposed ? data[start * size + (j % size) + k * size] : data[j * size + k];
        out[start + k + c * n] += entry * factor;
      }
    }
  }
  return out;
}

/** The lower triangular C with C Cᵀ = B, zero where B is; null if B has a negative direction. `scale`: see below. */
export function rootOfBlocks({ n, size, data }: Blocks, scale = 0): Blocks | null {
  const root = newBlocks(n, size);
  for (let start = 0; start < n; start += size) {
    const block = data.subarray(start * size, (start + size) * size);
    const factor = semidefiniteRoot(block, size, scale);
    if (factor === null) return null;
    root.data.set(factor, start * size);
  }
  return root;
}

/** Rounding leaves this fraction of the largest entry where there should be 0. */
const rounding = 1e-13;

/**
 * L with L Lᵀ = A for a positive semidefinite n × n A, whose empty directions become columns of zeros; null otherwise.
 * `scale`: the size of the terms whose difference is A, by which its rounding is judged.
 */
export function semidefiniteRoot(a: Float64Array, n: number, scale = 0): Float64Array | null {
  const l = new Float64Array(n * n);
  let largest = scale;
  for (let i = 0; i < n; i++) largest = Math.max(largest, Math.abs(a[i + i * n]));
  const least = rounding * n * largest;
  for (let j = 0; j < n; j++) {
    let pivot = a[j + j * n];
    for (let k = 0; k < j; k++) pivot -= l[j + k * n] ** 2;
    if (!(pivot >= -least)) return null;
    if (pivot <= least) continue;
    const d = Math.sqrt(pivot);
    l[j + j * n] = d;
    for (let i = j + 1; i < n; i++) {
      let s = a[i + j * n];
      for (let k = 0; k < j; k++) s -= l[i + k * n] * l[j + k * n];
      l[i + j * n] = s / d;
    }
  }
  return l;
}
