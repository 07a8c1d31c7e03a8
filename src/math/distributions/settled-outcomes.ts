/**
 * Multivariate normal outcomes that are data: the QR factorisation of [1 Y], computed once, turns the differences of N
 * vectors from one location into those of K + 1, so a gradient takes K³ operations instead of N K². The errors are as small
 * as those of the direct sum (Golub & Van Loan, *Matrix Computations*, section 5.3), since Y is never squared.
 */
import { type ActiveMatrix, type ActiveVector, Matrix } from '../autodiff/containers.ts';
import type { Tape } from '../autodiff/tape.ts';
import { mostOperations, reflectBelow } from '../linalg/householder.ts';
import { logTwoPi } from '../special/constants.ts';
import { type Density, type PlainStep, plainDensity } from './density.ts';
import {
  factorOf,
  matrixOf,
  multiNormalCholeskyLpdf,
  multiNormalLpdf,
  multiNormalPrecLpdf,
  ScaleGradient,
  sumLogDiagonal,
  whiten,
} from './multi-normal.ts';
import type { ScaleKind } from './multi-normal-of-one.ts';

const densities: Readonly<Record<string, readonly [ScaleKind, Density]>> = {
  multi_normal_lpdf: ['covariance', multiNormalLpdf],
  multi_normal_prec_lpdf: ['precision', multiNormalPrecLpdf],
  multi_normal_cholesky_lpdf: ['cholesky', multiNormalCholeskyLpdf],
};

/** R of [1 Y], row by row without its first column, which is `ones` and zeros. */
interface Factors {
  readonly ones: number;
  readonly rows: readonly Float64Array[];
}

/** Vectors that are data, and one of the densities above of all of them. */
export class SettledOutcomes {
  private readonly factors: Factors | null;
  private readonly kind: ScaleKind;
  private readonly asWritten: Density;
  private readonly reduced: Density;

  constructor(
    private readonly y: readonly Float64Array[],
    private readonly name: string,
  ) {
    [this.kind, this.asWritten] = densities[name];
    this.factors = factorsOf(y);
    const labels = ['Random variable', 'Location parameter', 'Scale'];
    this.reduced = plainDensity(name, labels, (step) => this.sum(step));
  }

  /** `kinds` of mu and the scale. Invalid input is left to the density as written, which reports what is wrong. */
  density(
    tape: Tape,
    propto: boolean,
    kinds: string,
    mu: Float64Array | ActiveVector,
    scale: Matrix | ActiveMatrix,
  ): number {
    const { factors, y } = this;
    const size = y[0]?.length ?? 0;
    const sizes = [mu instanceof Float64Array ? mu.length : mu.n, scale.rows, scale.cols];
    if (factors === null || sizes.some((other) => other !== size))
      return this.asWritten(tape, propto, `[R${kinds}`, y, mu, scale);
    return this.reduced(tape, propto, `R${kinds}`, factors.rows[0], mu, scale);
  }

  private sum({ call, operands: [, mu, scale] }: PlainStep): number {
    const { kind, name, y } = this;
    const { ones, rows } = this.factors as Factors;
    call.checkFinite(mu);
    const [count, size] = [y.length, rows[0].length];
    const l = factorOf(name, matrixOf(scale, size), kind);
    const gradient = scale.active ? new ScaleGradient(scale, size, kind) : null;
    let lp = call.propto ? 0 : -0.5 * count * size * logTwoPi;
    if (call.includes(scale)) lp += (kind === 'precision' ? count : -count) * sumLogDiagonal(l);
    const d = new Matrix(size, rows.length, new Float64Array(size * rows.length));
    rows.forEach((row, k) => {
      d.data.set(row, k * size);
    });
    for (let i = 0; i < size; i++) d.data[i] -= ones * mu.at(i);
    const whitened = whiten(l, d, kind);
    for (const q of whitened.q) lp -= 0.5 * q;
    if (mu.active) for (let i = 0; i < size; i++) mu.add(i, ones * whitened.w.data[i]);
    gradient?.add(whitened, null);
    gradient?.finish(l, count);
    return lp;
  }
}

/** Null if nothing is saved, or values are not finite. */
function factorsOf(y: readonly Float64Array[]): Factors | null {
  const [n, size] = [y.length, y[0]?.length ?? 0];
  const fits = size > 0 && n > 2 * (size + 1) && n * size * size <= mostOperations;
  if (!fits || !y.every((row) => row.length === size && row.every(Number.isFinite))) return null;
  const w = new Float64Array(n * (size + 1));
  w.fill(1, 0, n);
  for (let j = 0; j < size; j++) for (let i = 0; i < n; i++) w[i + (j + 1) * n] = y[i][j];
  for (let j = 0; j <= size; j++) reflectBelow(w, n, size, j);
  const rows = Array.from({ length: size + 1 }, (_, i) =>
    Float64Array.from({ length: size }, (_value, j) => (i <= j + 1 ? w[i + (j + 1) * n] : 0)),
  );
  return rows.every((row) => row.every(Number.isFinite)) ? { ones: w[0], rows } : null;
}
