/**
 * The Laplace approximation: a normal at the mode of the unconstrained posterior with the inverse of the negative
 * Hessian as its covariance. The Hessian comes from finite differences of the gradient, as in Stan.
 */
import { choleskyFactor } from '../../math/linalg/cholesky.ts';
import { ChainEnd } from '../chain-end.ts';
import {
  type Approximation,
  createLogDensity,
  dot,
  type Fit,
  type FitRequest,
  type LogDensity,
} from './fit.ts';
import { climb } from './optimize.ts';

/** Maximum number of parameters: the Hessian has D² values. */
const mostParameters = 5000;

export function* fitLaplace(request: FitRequest): Fit {
  const size = request.model.numUnconstrained;
  if (size > mostParameters)
    throw new ChainEnd(
      'no-approximation',
      `The Laplace approximation needs a Hessian of ${size} × ${size} values, more than fit in memory: choose Pathfinder or ADVI (meanfield).`,
    );
  const logDensity = createLogDensity(request.model, request.fit.jacobian);
  const { point } = yield* climb(request, logDensity);
  const precision = new Float64Array(size * size);
  for (let column = 0; column < size; column++) {
    negativeHessianColumn(logDensity, point.x, column, precision);
    yield null;
  }
  averageTriangles(precision, size);
  const factor = choleskyFactor(precision, size);
  if (factor === null)
    throw new ChainEnd(
      'no-approximation',
      'The Laplace approximation needs a maximum, but the Hessian is not negative definite where the optimiser stopped. The posterior may have no mode, or be flat in some direction: try NUTS or Pathfinder.',
    );
  return normalAtMode(logDensity, point.x, factor);
}

/** Column of the Hessian by central differences of the gradient; throws if a neighbour has no density. */
function negativeHessianColumn(
  logDensity: LogDensity,
  mode: Float64Array,
  column: number,
  out: Float64Array,
): void {
  const size = mode.length;
  const width = Math.cbrt(Number.EPSILON) * Math.max(1, Math.abs(mode[column]));
  const x = mode.slice();
  const above = new Float64Array(size);
  const below = new Float64Array(size);
  x[column] = mode[column] + width;
  const isInside = logDensity(x, above) > Number.NEGATIVE_INFINITY;
  const high = x[column];
  x[column] = mode[column] - width;
  if (!(logDensity(x, below) > Number.NEGATIVE_INFINITY && isInside))
    throw new ChainEnd(
      'no-approximation',
      'The Laplace approximation needs a smooth maximum, but the log density is undefined right next to it.',
    );
  const distance = high - x[column];
  for (let row = 0; row < size; row++)
    out[column * size + row] = (below[row] - above[row]) / distance;
}

/** Sets the lower triangle, the only part that is read, to the mean of both. */
function averageTriangles(matrix: Float64Array, size: number): void {
  for (let column = 0; column < size; column++) {
    for (let row = 0; row < column; row++) {
      const mean = 0.5 * (matrix[column * size + row] + matrix[row * size + column]);
      matrix[row * size + column] = mean;
    }
  }
}

/** `factor`: lower L, column by column, with L Lᵀ the precision. Then θ = mode + L⁻ᵀ z. */
function normalAtMode(
  logDensity: LogDensity,
  mode: Float64Array,
  factor: Float64Array,
): Approximation {
  const size = mode.length;
  const z = new Float64Array(size);
  const gradient = new Float64Array(size);
  return {
    draw(_index, rng, q, statistics) {
      for (let i = 0; i < size; i++) z[i] = rng.normal();
      for (let i = size - 1; i >= 0; i--) {
        let sum = z[i];
        for (let k = i + 1; k < size; k++) sum -= factor[i * size + k] * q[k];
        q[i] = sum / factor[i * size + i];
      }
      for (let i = 0; i < size; i++) q[i] += mode[i];
      statistics[0] = logDensity(q, gradient);
      // without the constant, as CmdStan writes it
      statistics[1] = -0.5 * dot(z, z);
    },
  };
}
