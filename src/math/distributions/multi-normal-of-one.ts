/**
 * The multivariate normal density of one vector whose matrix fills consecutive slots of the tape: the reverse sweep adds
 * directly to the adjoints of the matrix, without copying it and without an edge for each of its elements.
 */
import { ActiveMatrix, ActiveVector, Matrix, slotAt } from '../autodiff/containers.ts';
import type { Tape } from '../autodiff/tape.ts';
import { choleskyInPlace } from '../linalg/cholesky.ts';
import { inverseOfFactored } from '../linalg/solve.ts';
import { whitenInOrder } from '../linalg/whiten.ts';
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
  if (kind === 'cholesky') return form === 'lower' ? ofFactor(tape, propto, scale, y, mu) : null;
  if (!isSymmetric(tape, scale)) return null;
  const d = new Float64Array(n);
  writeDifference(tape, y, mu, d, 0);
  return ofSymmetric(tape, propto, kind, scale, d, y, mu);
}

function writeDifference(
  tape: Tape,
  y: Numbers,
  mu: Numbers,
  ...[out, at]: [Float64Array, number]
): void {
  const n = sizeOf(y);
  if (y instanceof Float64Array && mu instanceof Float64Array)
    for (let i = 0; i < n; i++) out[at + i] = y[i] - mu[i];
  else for (let i = 0; i < n; i++) out[at + i] = valueAt(tape, y, i) - valueAt(tape, mu, i);
}

/** Both whitened vectors stay on the stack of kept numbers, where they cost no allocation. */
function ofFactor(
  tape: Tape,
  propto: boolean,
  { rows: n, base: l }: ActiveMatrix,
  ...[y, mu]: [Numbers, Numbers]
): number | null {
  const z = tape.numKept;
  const w = z + n;
  const numbers = tape.keepRoom(w + n);
  writeDifference(tape, y, mu, numbers, z);
  const lp = whitenInOrder(tape.value, l, numbers, z, n);
  if (!(Math.abs(lp) < Infinity)) return null;
  tape.numKept = w + n;
  const first = tape.block(1, ({ value, adjoint, kept }) => {
    const g = adjoint[first];
    for (let j = 0; j < n; j++) {
      const column = l + j * n;
      const f = g * kept[z + j];
      for (let i = j; i < n; i++) adjoint[column + i] += f * kept[w + i];
      adjoint[column + j] -= g / value[column + j];
    }
    addToVectors(adjoint, g, kept, w, n, y, mu);
  });
  tape.value[first] = lp - (propto ? 0 : 0.5 * n * logTwoPi);
  return first;
}

function addToVectors(
  adjoint: Float64Array,
  g: number,
  w: Float64Array,
  at: number,
  n: number,
  ...[y, mu]: [Numbers, Numbers]
): void {
  if (y instanceof ActiveVector) for (let j = 0; j < n; j++) adjoint[slotAt(y, j)] -= g * w[at + j];
  if (mu instanceof ActiveVector)
    for (let j = 0; j < n; j++) adjoint[slotAt(mu, j)] += g * w[at + j];
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
  // L⁻¹ d and w, or only w
  const x = new Float64Array(2 * n);
  const w = x.subarray(n);
  x.set(d);
  const lp = isCovariance ? whitenInOrder(l, 0, x, 0, n) : timesPrecision(l, d, w);
  if (!(Math.abs(lp) < Infinity)) return null;
  const first = tape.block(1, ({ adjoint }) => {
    const g = adjoint[first];
    const sign = isCovariance ? 0.5 * g : -0.5 * g;
    const v = isCovariance ? w : d;
    const inverse = inverseOfFactored(new Matrix(n, n, l)).data;
    for (let j = 0; j < n; j++) {
      const column = j * n;
      const factor = form === 'symmetric' ? 2 * sign : sign;
      if (form !== 'symmetric') {
        for (let i = 0; i < j; i++)
          adjoint[base + column + i] += factor * (v[i] * v[j] - inverse[column + i]);
      }
      adjoint[scale.diagonalSlot(j)] += sign * (v[j] * v[j] - inverse[column + j]);
      for (let i = j + 1; i < n; i++)
        adjoint[base + column + i] += factor * (v[i] * v[j] - inverse[column + i]);
    }
    addToVectors(adjoint, g, w, 0, n, y, mu);
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
