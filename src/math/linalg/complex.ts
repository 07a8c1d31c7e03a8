/** Dense complex matrices with separate real and imaginary parts, column-major. */
import { Matrix } from '../autodiff/containers.ts';
import { factorLu, solveLu } from './solve.ts';

export class ComplexMatrix {
  constructor(
    readonly rows: number,
    readonly cols: number,
    readonly re: Float64Array = new Float64Array(rows * cols),
    readonly im: Float64Array = new Float64Array(rows * cols),
  ) {}
}

export function fromParts(re: Matrix, im: Matrix): ComplexMatrix {
  return new ComplexMatrix(re.rows, re.cols, re.data.slice(), im.data.slice());
}

/** The real parts on top of the imaginary ones. */
export function stacked({ rows, cols, re, im }: ComplexMatrix): Matrix {
  const data = new Float64Array(2 * rows * cols);
  for (let j = 0; j < cols; j++) {
    data.set(re.subarray(j * rows, (j + 1) * rows), 2 * j * rows);
    data.set(im.subarray(j * rows, (j + 1) * rows), (2 * j + 1) * rows);
  }
  return new Matrix(2 * rows, cols, data);
}

/** The inverse of `stacked`. */
export function unstacked({ rows, cols, data }: Matrix): ComplexMatrix {
  const half = rows / 2;
  const out = new ComplexMatrix(half, cols);
  for (let j = 0; j < cols; j++) {
    out.re.set(data.subarray(2 * j * half, (2 * j + 1) * half), j * half);
    out.im.set(data.subarray((2 * j + 1) * half, (2 * j + 2) * half), j * half);
  }
  return out;
}

export function complexIdentity(n: number): ComplexMatrix {
  const out = new ComplexMatrix(n, n);
  for (let i = 0; i < n; i++) out.re[i + i * n] = 1;
  return out;
}

export function product(a: ComplexMatrix, b: ComplexMatrix): ComplexMatrix {
  const out = new ComplexMatrix(a.rows, b.cols);
  for (let j = 0; j < b.cols; j++) {
    for (let k = 0; k < a.cols; k++) {
      const [c, d] = [b.re[k + j * b.rows], b.im[k + j * b.rows]];
      if (c === 0 && d === 0) continue;
      for (let i = 0; i < a.rows; i++) {
        const [x, y] = [a.re[i + k * a.rows], a.im[i + k * a.rows]];
        out.re[i + j * a.rows] += x * c - y * d;
        out.im[i + j * a.rows] += x * d + y * c;
      }
    }
  }
  return out;
}

/** The conjugate transpose. */
export function adjointOf(a: ComplexMatrix): ComplexMatrix {
  const out = new ComplexMatrix(a.cols, a.rows);
  for (let j = 0; j < a.cols; j++) {
    for (let i = 0; i < a.rows; i++) {
      out.re[j + i * a.cols] = a.re[i + j * a.rows];
      out.im[j + i * a.cols] = -a.im[i + j * a.rows];
    }
  }
  return out;
}

export function addTo(target: ComplexMatrix, source: ComplexMatrix, factor = 1): void {
  for (let i = 0; i < source.re.length; i++) {
    target.re[i] += factor * source.re[i];
    target.im[i] += factor * source.im[i];
  }
}

/** A⁻¹ B, as a real system of twice the size. */
export function solveComplex(name: string, a: ComplexMatrix, b: ComplexMatrix): ComplexMatrix {
  const n = a.rows;
  const whole = new Matrix(2 * n, 2 * n, new Float64Array(4 * n * n));
  for (let j = 0; j < n; j++) {
    for (let i = 0; i < n; i++) {
      const [x, y] = [a.re[i + j * n], a.im[i + j * n]];
      whole.data[i + 2 * n * j] = x;
      whole.data[n + i + 2 * n * (n + j)] = x;
      whole.data[n + i + 2 * n * j] = y;
      whole.data[i + 2 * n * (n + j)] = -y;
    }
  }
  return unstacked(solveLu(factorLu(name, whole), stacked(b)));
}

/**
 * The row of the largest component of a column, or the first if there are several. That component is made real and positive,
 * which fixes the phase of a unit vector.
 */
function phaseRow({ re, im, rows }: ComplexMatrix, j: number): number {
  let largest = 0;
  for (let i = 0; i < rows; i++)
    largest = Math.max(largest, Math.hypot(re[i + j * rows], im[i + j * rows]));
  for (let i = 0; i < rows; i++) {
    if (Math.hypot(re[i + j * rows], im[i + j * rows]) >= largest * (1 - 1e-8)) return i;
  }
  return 0;
}

/** Multiplies column j by `c + di`. */
export function scaleColumn(
  { re, im, rows }: ComplexMatrix,
  j: number,
  [c, d]: readonly [number, number],
): void {
  for (let i = j * rows; i < (j + 1) * rows; i++) {
    const [x, y] = [re[i], im[i]];
    re[i] = x * c - y * d;
    im[i] = x * d + y * c;
  }
}

/** Makes the component of `phaseRow` real and positive; returns the factor. */
export function fixPhase(a: ComplexMatrix, j: number): readonly [number, number] {
  const at = phaseRow(a, j) + j * a.rows;
  const size = Math.hypot(a.re[at], a.im[at]);
  if (size === 0) return [1, 0];
  const factor = [a.re[at] / size, -a.im[at] / size] as const;
  scaleColumn(a, j, factor);
  a.im[at] = 0;
  return factor;
}

/**
 * Removes from the adjoint of unit vectors the part that changes their phase, which is fixed. For each column, `turn` is
 * the derivative in the phase.
 */
export function withoutPhase(
  dx: ComplexMatrix,
  x: ComplexMatrix,
  turn: (j: number) => number,
): void {
  for (let j = 0; j < x.cols; j++) {
    const at = phaseRow(x, j) + j * x.rows;
    if (x.re[at] !== 0) dx.im[at] -= turn(j) / x.re[at];
  }
}
