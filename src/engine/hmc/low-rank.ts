/**
 * The metric diag(σ) (I + U (Λ − I) Uᵀ) diag(σ): a diagonal with corrections along k orthonormal directions U, whose
 * cost is O(d k) instead of the O(d²) of a dense one.
 */

/** One array, as in a checkpoint: d scales σ, then k values Λ, then k directions of d values each. */
export type LowRankValues = Float64Array;

function rankOf(values: LowRankValues, dimension: number): number {
  return (values.length - dimension) / (dimension + 1);
}

/** `out` = M⁻¹ p; `out` must not be `p`. */
export function multiplyLowRank(values: LowRankValues, p: Float64Array, out: Float64Array): void {
  const n = p.length;
  for (let i = 0; i < n; i++) out[i] = values[i] * p[i];
  correct(values, out, addedByVelocity);
  for (let i = 0; i < n; i++) out[i] *= values[i];
}

/** Turns the standard normals in `p` into a momentum: diag(σ)⁻¹ (I + U (Λ^−½ − I) Uᵀ) p has covariance M. */
export function momentumOfLowRank(values: LowRankValues, p: Float64Array): void {
  correct(values, p, addedByMomentum);
  for (let i = 0; i < p.length; i++) p[i] /= values[i];
}

const addedByVelocity = (value: number) => value - 1;
const addedByMomentum = (value: number) => 1 / Math.sqrt(value) - 1;

/**
 * x + U f(Λ) Uᵀ x in place. The directions are orthonormal, so some may be added before others are computed: four at a
 * time, whose sums do not wait for each other.
 */
function correct(values: LowRankValues, x: Float64Array, added: (value: number) => number): void {
  const n = x.length;
  const rank = rankOf(values, n);
  const first = n + rank;
  const inFours = rank - (rank % 4);
  for (let k = 0; k < inFours; k += 4) {
    const [a, b] = [first + k * n, first + (k + 1) * n];
    const [c, d] = [b + n, b + 2 * n];
    let [dotA, dotB, dotC, dotD] = [0, 0, 0, 0];
    for (let i = 0; i < n; i++) {
      dotA += values[a + i] * x[i];
      dotB += values[b + i] * x[i];
      dotC += values[c + i] * x[i];
      dotD += values[d + i] * x[i];
    }
    dotA *= added(values[n + k]);
    dotB *= added(values[n + k + 1]);
    dotC *= added(values[n + k + 2]);
    dotD *= added(values[n + k + 3]);
    for (let i = 0; i < n; i++)
      x[i] +=
        dotA * values[a + i] + dotB * values[b + i] + dotC * values[c + i] + dotD * values[d + i];
  }
  for (let k = inFours; k < rank; k++) {
    const at = first + k * n;
    let dot = 0;
    for (let i = 0; i < n; i++) dot += values[at + i] * x[i];
    dot *= added(values[n + k]);
    for (let i = 0; i < n; i++) x[i] += dot * values[at + i];
  }
}

/** The same metric as a D × D covariance. */
export function denseOfLowRank(values: LowRankValues, dimension: number): Float64Array {
  const dense = new Float64Array(dimension * dimension);
  const unit = new Float64Array(dimension);
  for (let j = 0; j < dimension; j++) {
    unit.fill(0);
    unit[j] = 1;
    multiplyLowRank(values, unit, dense.subarray(j * dimension, (j + 1) * dimension));
  }
  return dense;
}

/** The variances alone, for file formats without low-rank metrics. */
export function diagonalOfLowRank(values: LowRankValues, dimension: number): Float64Array {
  const rank = rankOf(values, dimension);
  return Float64Array.from({ length: dimension }, (_, i) => {
    let sum = 1;
    for (let k = 0; k < rank; k++) {
      sum += (values[dimension + k] - 1) * values[dimension + rank + k * dimension + i] ** 2;
    }
    return sum * values[i] ** 2;
  });
}
