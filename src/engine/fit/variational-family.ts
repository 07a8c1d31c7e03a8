/** The normal distributions that ADVI fits: independent, or with all covariances through a Cholesky factor. */
import type { Rng } from '../../math/random/rng.ts';
import type { LogDensity } from './fit.ts';

export interface GradientRequest {
  readonly logDensity: LogDensity;
  readonly rng: Rng;
  /** Draws per estimate. */
  readonly count: number;
}

export interface VariationalFamily {
  /** D. */
  readonly size: number;
  /** The mean first; changed in place. */
  readonly parameters: Float64Array;
  mean(): Float64Array;
  /** Up to a constant. */
  entropy(): number;
  /** Writes a draw into `q`; returns zᵀz of its standard normals. */
  draw(rng: Rng, q: Float64Array): number;
  /** Estimate of the gradient of the ELBO with respect to `parameters`; draws without a density do not count. */
  elboGradient(request: GradientRequest, out: Float64Array): void;
}

/** Means, then the logarithms of the standard deviations, which start at 0. */
export function createMeanField(start: Float64Array): VariationalFamily {
  const size = start.length;
  const parameters = new Float64Array(2 * size);
  parameters.set(start);
  const z = new Float64Array(size);
  const q = new Float64Array(size);
  const slopes = new Float64Array(size);
  const place = (out: Float64Array) => {
    for (let i = 0; i < size; i++) out[i] = parameters[i] + Math.exp(parameters[size + i]) * z[i];
  };
  return {
    size,
    parameters,
    mean: () => parameters.slice(0, size),
    entropy: () => parameters.subarray(size).reduce((sum, omega) => sum + omega, 0),
    draw(rng, out) {
      const square = fillNormals(rng, z);
      place(out);
      return square;
    },
    elboGradient({ logDensity, rng, count }, out) {
      out.fill(0);
      for (let n = 0; n < count; n++) {
        fillNormals(rng, z);
        place(q);
        if (logDensity(q, slopes) === Number.NEGATIVE_INFINITY) continue;
        for (let i = 0; i < size; i++) {
          out[i] += slopes[i] / count;
          out[size + i] += (slopes[i] * z[i] * Math.exp(parameters[size + i])) / count;
        }
      }
      for (let i = 0; i < size; i++) out[size + i] += 1;
    },
  };
}

/** Means, then the lower triangle of the Cholesky factor row by row, which starts as the identity. */
export function createFullRank(start: Float64Array): VariationalFamily {
  const size = start.length;
  const parameters = new Float64Array(size + (size * (size + 1)) / 2);
  parameters.set(start);
  const diagonal = Array.from({ length: size }, (_, i) => size + (i * (i + 1)) / 2 + i);
  for (const place of diagonal) parameters[place] = 1;
  const z = new Float64Array(size);
  const q = new Float64Array(size);
  const slopes = new Float64Array(size);
  const place = (out: Float64Array) => {
    let at = size;
    for (let i = 0; i < size; i++) {
      let sum = parameters[i];
      for (let j = 0; j <= i; j++) sum += parameters[at++] * z[j];
      out[i] = sum;
    }
  };
  return {
    size,
    parameters,
    mean: () => parameters.slice(0, size),
    entropy: () => diagonal.reduce((sum, at) => sum + Math.log(Math.abs(parameters[at])), 0),
    draw(rng, out) {
      const square = fillNormals(rng, z);
      place(out);
      return square;
    },
    elboGradient({ logDensity, rng, count }, out) {
      out.fill(0);
      for (let n = 0; n < count; n++) {
        fillNormals(rng, z);
        place(q);
        if (logDensity(q, slopes) === Number.NEGATIVE_INFINITY) continue;
        let at = size;
        for (let i = 0; i < size; i++) {
          out[i] += slopes[i] / count;
          for (let j = 0; j <= i; j++) out[at++] += (slopes[i] * z[j]) / count;
        }
      }
      for (const at of diagonal) out[at] += 1 / parameters[at];
    },
  };
}

function fillNormals(rng: Rng, z: Float64Array): number {
  let square = 0;
  for (let i = 0; i < z.length; i++) {
    z[i] = rng.normal();
    square += z[i] * z[i];
  }
  return square;
}
