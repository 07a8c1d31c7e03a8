/** Discrete Fourier transforms of any length. */
import { ComplexMatrix } from './complex.ts';

/** Σ_k x_k exp(sign · 2πi jk / n) of each column. */
export function fourierOfColumns(x: ComplexMatrix, sign: 1 | -1): ComplexMatrix {
  const { rows: n, cols } = x;
  const out = new ComplexMatrix(n, cols);
  const cosines = Float64Array.from({ length: n }, (_, k) => Math.cos((2 * Math.PI * k) / n));
  const sines = Float64Array.from({ length: n }, (_, k) => sign * Math.sin((2 * Math.PI * k) / n));
  for (let j = 0; j < cols; j++) {
    const [from, to] = [j * n, (j + 1) * n];
    const column = { re: x.re.subarray(from, to), im: x.im.subarray(from, to) };
    const { re, im } = transform(column, { start: 0, stride: 1, n }, { cosines, sines });
    out.re.set(re, from);
    out.im.set(im, from);
  }
  return out;
}

interface Values {
  readonly re: Float64Array;
  readonly im: Float64Array;
}

interface Part {
  readonly start: number;
  readonly stride: number;
  readonly n: number;
}

interface Roots {
  readonly cosines: Float64Array;
  readonly sines: Float64Array;
}

/** Cooley & Tukey (1965): as many transforms as the smallest factor of the length, summed with roots of unity. */
function transform(x: Values, { start, stride, n }: Part, roots: Roots): Values {
  if (n === 0) return { re: new Float64Array(0), im: new Float64Array(0) };
  if (n === 1) return { re: x.re.slice(start, start + 1), im: x.im.slice(start, start + 1) };
  const factor = smallestFactor(n);
  const m = n / factor;
  const parts = Array.from({ length: factor }, (_, r) =>
    transform(x, { start: start + r * stride, stride: stride * factor, n: m }, roots),
  );
  const re = new Float64Array(n);
  const im = new Float64Array(n);
  const { cosines, sines } = roots;
  for (let j = 0; j < n; j++) {
    for (let r = 0; r < factor; r++) {
      // the table holds the roots for the full length, which is stride · n
      const root = ((j * r) % n) * stride;
      const [a, b] = [parts[r].re[j % m], parts[r].im[j % m]];
      re[j] += a * cosines[root] - b * sines[root];
      im[j] += a * sines[root] + b * cosines[root];
    }
  }
  return { re, im };
}

function smallestFactor(n: number): number {
  for (let p = 2; p * p <= n; p++) if (n % p === 0) return p;
  return n;
}

/** Transforms columns and rows. */
export function fourierOfMatrix(x: ComplexMatrix, sign: 1 | -1): ComplexMatrix {
  return transposed(fourierOfColumns(transposed(fourierOfColumns(x, sign)), sign));
}

function transposed(x: ComplexMatrix): ComplexMatrix {
  const out = new ComplexMatrix(x.cols, x.rows);
  for (let j = 0; j < x.cols; j++) {
    for (let i = 0; i < x.rows; i++) {
      out.re[j + i * x.cols] = x.re[i + j * x.rows];
      out.im[j + i * x.cols] = x.im[i + j * x.rows];
    }
  }
  return out;
}
