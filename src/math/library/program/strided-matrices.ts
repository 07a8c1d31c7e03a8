/**
 * Matrix algebra inside regions (see language/adjoint/matrix-operations.ts). An operand is an array with the place of its
 * first element and the distances to the next row and to the next column: a vector has one column, a transposed matrix
 * its distances exchanged, and a repeated column a distance of 0. Results go to the kept numbers `K`, adjoints to `D`.
 */
import { Matrix } from '../../autodiff/containers.ts';
import { ShapeError } from '../../errors.ts';
import { tableExp } from '../../special/table-functions.ts';
import type { LibraryPart } from '../machinery/implementation.ts';

function requireFactors(rows: number, inner: number, innerOfRight: number, cols: number): void {
  if (inner === innerOfRight) return;
  throw new ShapeError(
    `multiply: ${rows} × ${inner} times ${innerOfRight} × ${cols}: columns and rows must match`,
  );
}

function requireDiagonal(name: string, n: number, m: number): void {
  if (n !== m) throw new ShapeError(`${name}: sizes ${n} and ${m} must match`);
}

function requireElementSizes(
  given: readonly [rows: number, cols: number],
  wanted: readonly [rows: number, cols: number],
  label: string,
): void {
  if (given[0] === wanted[0] && given[1] === wanted[1]) return;
  throw new ShapeError(
    `assigning to \`${label}\`: a value of size ${given.join(' × ')}, but the element has size ${wanted.join(' × ')}`,
  );
}

/**
 * A times B, of `rows` × `inner` and `inner` × `cols`. Four columns of A at a time, so that an element of the result is
 * read and written once for all of them; it is the same sum in the same order.
 */
function multiplyStrided(
  a: Float64Array,
  aStart: number,
  aRow: number,
  aCol: number,
  rows: number,
  inner: number,
  b: Float64Array,
  bStart: number,
  bRow: number,
  bCol: number,
  cols: number,
  K: Float64Array,
  to: number,
  toRow: number,
  toCol: number,
): void {
  for (let j = 0; j < cols; j++) {
    const column = to + j * toCol;
    const factors = bStart + j * bCol;
    for (let i = 0; i < rows; i++) K[column + i * toRow] = 0;
    let k = 0;
    for (; k + 3 < inner; k += 4) {
      const f0 = b[factors + k * bRow];
      const f1 = b[factors + (k + 1) * bRow];
      const f2 = b[factors + (k + 2) * bRow];
      const f3 = b[factors + (k + 3) * bRow];
      let from0 = aStart + k * aCol;
      let at = column;
      for (let i = 0; i < rows; i++, from0 += aRow, at += toRow) {
        const from1 = from0 + aCol;
        const from2 = from1 + aCol;
        K[at] = K[at] + a[from0] * f0 + a[from1] * f1 + a[from2] * f2 + a[from2 + aCol] * f3;
      }
    }
    for (; k < inner; k++) {
      const factor = b[factors + k * bRow];
      let from = aStart + k * aCol;
      let at = column;
      for (let i = 0; i < rows; i++, from += aRow, at += toRow) K[at] += a[from] * factor;
    }
  }
}

/** Adds G Bᵀ to the adjoint of A, where G is the adjoint of the product. */
function leftFactorAdjoint(
  D: Float64Array,
  aStart: number,
  aRow: number,
  aCol: number,
  rows: number,
  inner: number,
  b: Float64Array,
  bStart: number,
  bRow: number,
  bCol: number,
  cols: number,
  from: number,
  fromRow: number,
  fromCol: number,
): void {
  for (let j = 0; j < cols; j++) {
    const column = from + j * fromCol;
    for (let k = 0; k < inner; k++) {
      const factor = b[bStart + k * bRow + j * bCol];
      let to = aStart + k * aCol;
      let at = column;
      for (let i = 0; i < rows; i++, to += aRow, at += fromRow) D[to] += D[at] * factor;
    }
  }
}

/** Adds Aᵀ G to the adjoint of B. Four columns of A at a time, whose sums do not wait for each other. */
function rightFactorAdjoint(
  a: Float64Array,
  aStart: number,
  aRow: number,
  aCol: number,
  rows: number,
  inner: number,
  D: Float64Array,
  bStart: number,
  bRow: number,
  bCol: number,
  cols: number,
  from: number,
  fromRow: number,
  fromCol: number,
): void {
  for (let j = 0; j < cols; j++) {
    const column = from + j * fromCol;
    const target = bStart + j * bCol;
    let k = 0;
    for (; k + 3 < inner; k += 4) {
      let from0 = aStart + k * aCol;
      let at = column;
      let [total0, total1, total2, total3] = [0, 0, 0, 0];
      for (let i = 0; i < rows; i++, from0 += aRow, at += fromRow) {
        const g = D[at];
        const from1 = from0 + aCol;
        const from2 = from1 + aCol;
        total0 += a[from0] * g;
        total1 += a[from1] * g;
        total2 += a[from2] * g;
        total3 += a[from2 + aCol] * g;
      }
      D[target + k * bRow] += total0;
      D[target + (k + 1) * bRow] += total1;
      D[target + (k + 2) * bRow] += total2;
      D[target + (k + 3) * bRow] += total3;
    }
    for (; k < inner; k++) {
      let from = aStart + k * aCol;
      let at = column;
      let total = 0;
      for (let i = 0; i < rows; i++, from += aRow, at += fromRow) total += a[from] * D[at];
      D[target + k * bRow] += total;
    }
  }
}

/** The rows of a matrix times the elements of a vector. */
function scaleRows(
  x: Float64Array,
  xStart: number,
  xStep: number,
  a: Float64Array,
  aStart: number,
  aRow: number,
  aCol: number,
  rows: number,
  cols: number,
  K: Float64Array,
  to: number,
  toRow: number,
  toCol: number,
): void {
  for (let j = 0; j < cols; j++) {
    const [from, column] = [aStart + j * aCol, to + j * toCol];
    for (let i = 0; i < rows; i++) {
      K[column + i * toRow] = a[from + i * aRow] * x[xStart + i * xStep];
    }
  }
}

/** Of the vector of {@link scaleRows}. */
function rowScalesAdjoint(
  D: Float64Array,
  xStart: number,
  xStep: number,
  a: Float64Array,
  aStart: number,
  aRow: number,
  aCol: number,
  rows: number,
  cols: number,
  from: number,
  fromRow: number,
  fromCol: number,
): void {
  for (let i = 0; i < rows; i++) {
    let total = 0;
    for (let j = 0; j < cols; j++) {
      total += a[aStart + i * aRow + j * aCol] * D[from + i * fromRow + j * fromCol];
    }
    D[xStart + i * xStep] += total;
  }
}

/** Of the matrix of {@link scaleRows}. */
function scaledRowsAdjoint(
  x: Float64Array,
  xStart: number,
  xStep: number,
  D: Float64Array,
  aStart: number,
  aRow: number,
  aCol: number,
  rows: number,
  cols: number,
  from: number,
  fromRow: number,
  fromCol: number,
): void {
  for (let j = 0; j < cols; j++) {
    const [to, column] = [aStart + j * aCol, from + j * fromCol];
    for (let i = 0; i < rows; i++) {
      D[to + i * aRow] += D[column + i * fromRow] * x[xStart + i * xStep];
    }
  }
}

function copyStrided(
  a: Float64Array,
  aStart: number,
  aRow: number,
  aCol: number,
  rows: number,
  cols: number,
  K: Float64Array,
  to: number,
  toRow: number,
  toCol: number,
): void {
  for (let j = 0; j < cols; j++) {
    for (let i = 0; i < rows; i++) {
      K[to + i * toRow + j * toCol] = a[aStart + i * aRow + j * aCol];
    }
  }
}

function copyStridedAdjoint(
  D: Float64Array,
  aStart: number,
  aRow: number,
  aCol: number,
  rows: number,
  cols: number,
  from: number,
  fromRow: number,
  fromCol: number,
): void {
  for (let j = 0; j < cols; j++) {
    for (let i = 0; i < rows; i++) {
      D[aStart + i * aRow + j * aCol] += D[from + i * fromRow + j * fromCol];
    }
  }
}

/** Of a view; NaN if one is. */
function largest(x: Float64Array, start: number, stride: number, count: number): number {
  let max = -Infinity;
  for (let i = 0; i < count; i++) {
    const value = x[start + i * stride];
    if (!(value <= max)) max = value;
  }
  return max;
}

/** From a view of `x` to the numbers at `to`, `to + step`, … of `K`. */
type VectorFunction = (
  x: Float64Array,
  start: number,
  stride: number,
  count: number,
  K: Float64Array,
  to: number,
  step: number,
) => void;

/** `from`: the result and, among the adjoints, its adjoint. */
type VectorAdjoint = (
  K: Float64Array,
  D: Float64Array,
  start: number,
  stride: number,
  count: number,
  from: number,
  step: number,
) => void;

/** exp(x − max x) over its sum. */
const softmax: VectorFunction = (x, start, stride, count, K, to, step) => {
  const max = largest(x, start, stride, count);
  let total = 0;
  for (let i = 0; i < count; i++) {
    const e = tableExp(x[start + i * stride] - max);
    K[to + i * step] = e;
    total += e;
  }
  // the largest is infinite: as the library's function
  if (max - max !== 0) return;
  for (let i = 0; i < count; i++) K[to + i * step] /= total;
};

/** `from`: the result and, among the adjoints, its adjoint. */
const softmaxAdjoint: VectorAdjoint = (K, D, start, stride, count, from, step) => {
  let inner = 0;
  for (let i = 0; i < count; i++) inner += K[from + i * step] * D[from + i * step];
  for (let i = 0; i < count; i++) {
    const at = from + i * step;
    D[start + i * stride] += K[at] * (D[at] - inner);
  }
};

/** x − log Σ exp x. */
const logSoftmax: VectorFunction = (x, start, stride, count, K, to, step) => {
  const max = largest(x, start, stride, count);
  let total = 0;
  for (let i = 0; i < count; i++) total += tableExp(x[start + i * stride] - max);
  const shift = max - max === 0 ? Math.log(total) : 0;
  for (let i = 0; i < count; i++) K[to + i * step] = x[start + i * stride] - max - shift;
};

const logSoftmaxAdjoint: VectorAdjoint = (K, D, start, stride, count, from, step) => {
  let total = 0;
  for (let i = 0; i < count; i++) total += D[from + i * step];
  for (let i = 0; i < count; i++) {
    const at = from + i * step;
    D[start + i * stride] += D[at] - tableExp(K[at]) * total;
  }
};

/** Functions that emitted programs call as `$…`. */
export const stridedMatrixPart: LibraryPart = {
  $check_factors: requireFactors,
  $check_diagonal: requireDiagonal,
  $check_element_sizes: requireElementSizes,
  $blank_matrix: (rows: number, cols: number) =>
    new Matrix(rows, cols, new Float64Array(rows * cols)),
  $multiply_strided: multiplyStrided,
  $left_factor_adjoint: leftFactorAdjoint,
  $right_factor_adjoint: rightFactorAdjoint,
  $scale_rows: scaleRows,
  $row_scales_adjoint: rowScalesAdjoint,
  $scaled_rows_adjoint: scaledRowsAdjoint,
  $copy_strided: copyStrided,
  $copy_strided_adjoint: copyStridedAdjoint,
  $softmax: softmax,
  $softmax_adjoint: softmaxAdjoint,
  $log_softmax: logSoftmax,
  $log_softmax_adjoint: logSoftmaxAdjoint,
};
