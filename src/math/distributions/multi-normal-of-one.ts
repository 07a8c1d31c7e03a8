/**
 * The multivariate normal density of one vector whose matrix fills consecutive slots of the tape: the reverse sweep adds
 * directly to the adjoints of the matrix, without copying it and without an edge for each of its elements.
 */
import { ActiveMatrix, ActiveVector, Matrix, slotAt } from '../autodiff/containers.ts';
import type { Tape } from '../autodiff/tape.ts';
import { choleskyInPlace } from '../linalg/cholesky.ts';
import { inverseOfFactored } from '../linalg/solve.ts';
import { logTwoPi } from '../special/constants.ts';

/** How the matrix argument describes the scale. */
export type ScaleKind = 'covariance' | 'precision' | 'cholesky';

type Numbers = Float64Array | ActiveVector;

const isVector = (x: unknown): x is Numbers =>
  x instanceof Float64Array || x instanceof ActiveVector;
const sizeOf = (x: Numbers): number => (x instanceof ActiveVector ? x.n : x.length);

function valueAt(tape: Tape, x: Numbers, i: number): number {
  return x instanceof ActiveVector ? tape.value[slotAt(x, i)] : x[i];
}

/** The slot of the density; null if the arguments are different, or wrong: then the general form takes them, or says why. */
export function multiNormalOfOne(
  tape: Tape | null,
  propto: boolean,
  kind: ScaleKind,
  [y, mu, scale]: readonly unknown[],
): number | null {
  if (tape === null || !(scale instanceof ActiveMatrix) || !isVector(y) || !isVector(mu))
    return null;
  const { rows: n, cols, form, isInOrder } = scale;
  if (n === 0 || cols !== n || !isInOrder || sizeOf(y) !== n || sizeOf(mu) !== n) return null;
  const d = new Float64Array(n);
  for (let i = 0; i < n; i++) d[i] = valueAt(tape, y, i) - valueAt(tape, mu, i);
  if (kind === 'cholesky') return form === 'lower' ? ofFactor(tape, propto, scale, d, y, mu) : null;
  return isSymmetric(tape, scale) ? ofSymmetric(tape, propto, kind, scale, d, y, mu) : null;
}

function ofFactor(
  tape: Tape,
  propto: boolean,
  { base: l }: ActiveMatrix,
  z: Float64Array,
  ...[y, mu]: [Numbers, Numbers]
): number | null {
  const n = z.length;
  const w = new Float64Array(n);
  const lp = whitenInOrder(tape.value, l, z, w);
  if (!(Math.abs(lp) < Infinity)) return null;
  const first = tape.block(1, ({ value, adjoint }) => {
    const g = adjoint[first];
    for (let j = 0; j < n; j++) {
      const column = l + j * n;
      const f = g * z[j];
      for (let i = j; i < n; i++) adjoint[column + i] += f * w[i];
      adjoint[column + j] -= g / value[column + j];
    }
    addToVectors(adjoint, g, w, y, mu);
  });
  tape.value[first] = lp - (propto ? 0 : 0.5 * n * logTwoPi);
  return first;
}

function addToVectors(
  adjoint: Float64Array,
  g: number,
  w: Float64Array,
  ...[y, mu]: [Numbers, Numbers]
): void {
  for (let j = 0; j < w.length; j++) {
    if (y instanceof ActiveVector) adjoint[slotAt(y, j)] -= g * w[j];
    if (mu instanceof ActiveVector) adjoint[slotAt(mu, j)] += g * w[j];
  }
}

/** As far as the densities require. */
function isSymmetric({ value }: Tape, { rows: n, base, form }: ActiveMatrix): boolean {
  if (form === 'symmetric') return true;
  for (let j = 0; j < n; j++) {
    for (let i = j + 1; i < n; i++)
      if (!(Math.abs(value[base + i + j * n] - value[base + j + i * n]) <= 1e-8)) return false;
  }
  return true;
}

/**
 * The derivative in a covariance is ½ (w w′ − Σ⁻¹), in a precision ½ (Ω⁻¹ − d d′), where w = Σ⁻¹ d and Ω d; that of elements
 * above the diagonal is added to those below if the matrix is known to be symmetric.
 */
function ofSymmetric(
  tape: Tape,
  propto: boolean,
  kind: 'covariance' | 'precision',
  scale: ActiveMatrix,
  d: Float64Array,
  ...[y, mu]: [Numbers, Numbers]
): number | null {
  const n = d.length;
  const { base, form } = scale;
  const isCovariance = kind === 'covariance';
  const l = tape.value.slice(base, base + n * n);
  if (scale.diagonal !== 0)
    for (let k = 0; k < n; k++) l[k * (n + 1)] = tape.value[scale.diagonalSlot(k)];
  if (!choleskyInPlace(l, n)) return null;
  const w = new Float64Array(n);
  const lp = isCovariance ? whitenInOrder(l, 0, d.slice(), w) : timesPrecision(l, d, w);
  if (!(Math.abs(lp) < Infinity)) return null;
  const first = tape.block(1, ({ adjoint }) => {
    const g = adjoint[first];
    const sign = isCovariance ? 0.5 * g : -0.5 * g;
    const x = isCovariance ? w : d;
    const inverse = inverseOfFactored(new Matrix(n, n, l)).data;
    for (let j = 0; j < n; j++) {
      const column = j * n;
      const factor = form === 'symmetric' ? 2 * sign : sign;
      if (form !== 'symmetric') {
        for (let i = 0; i < j; i++)
          adjoint[base + column + i] += factor * (x[i] * x[j] - inverse[column + i]);
      }
      adjoint[scale.diagonalSlot(j)] += sign * (x[j] * x[j] - inverse[column + j]);
      for (let i = j + 1; i < n; i++)
        adjoint[base + column + i] += factor * (x[i] * x[j] - inverse[column + i]);
    }
    addToVectors(adjoint, g, w, y, mu);
  });
  tape.value[first] = lp - (propto ? 0 : 0.5 * n * logTwoPi);
  return first;
}

/** w = L L′ d; −½ d′ w + log |L|. */
function timesPrecision(l: Float64Array, d: Float64Array, w: Float64Array): number {
  const n = d.length;
  let lp = 0;
  for (let j = 0; j < n; j++) {
    const column = j * n;
    let z = 0;
    for (let i = j; i < n; i++) z += l[column + i] * d[i];
    for (let i = j; i < n; i++) w[i] += l[column + i] * z;
    lp += Math.log(l[column + j]) - 0.5 * z * z;
  }
  return lp;
}

/** z ← L⁻¹ z and w = L⁻ᵀ z for L at `l`; −½ z′z − log |L|, NaN if L is not a factor. */
function whitenInOrder(value: Float64Array, l: number, z: Float64Array, w: Float64Array): number {
  const n = z.length;
  let lp = 0;
  for (let j = 0; j < n; j++) {
    const column = l + j * n;
    const diagonal = value[column + j];
    if (!(diagonal > 0)) return Number.NaN;
    const f = z[j] / diagonal;
    z[j] = f;
    for (let i = j + 1; i < n; i++) z[i] -= f * value[column + i];
    lp -= 0.5 * f * f + Math.log(diagonal);
  }
  for (let j = n - 1; j >= 0; j--) {
    const column = l + j * n;
    let s = z[j];
    for (let i = j + 1; i < n; i++) s -= value[column + i] * w[i];
    w[j] = s / value[column + j];
  }
  return lp;
}
