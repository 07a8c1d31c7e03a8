import { Matrix } from '../../src/math/autodiff/containers.ts';
import { type Eigen, eigenOfMean } from '../../src/math/linalg/geometric-mean.ts';

/** V Λ Vᵀ, a sum for each element. */
export function composed({ values, vectors }: Eigen): Matrix {
  const n = values.length;
  const v = vectors.data;
  const element = (_: unknown, at: number) => {
    const [i, j] = [at % n, Math.floor(at / n)];
    return values.reduce((sum, value, k) => sum + v[i + k * n] * value * v[j + k * n], 0);
  };
  return new Matrix(n, n, Float64Array.from({ length: n * n }, element));
}

/** The geometric mean of `eigenOfMean` as a matrix. */
export function geometricMean(x: Matrix, g: Matrix, weight: number): Matrix | null {
  const eigen = eigenOfMean(x, g, weight);
  return eigen === null ? null : composed(eigen);
}
