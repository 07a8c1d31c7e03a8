/**
 * The simplex as a function of the language, as Stan has had it since 2.37: softmax of a vector that sums to zero, the inverse
 * of the isometric log-ratio transform (Egozcue et al. 2003, *Math. Geology* 35(3)). Declared simplexes break sticks.
 */
import type { StructuredConstraint } from './structured.ts';
import { checkSimplex, sumToZero } from './vector-constraints.ts';

/** log |Jacobian| is Σ log x_i + ½ log N. */
export const isometricSimplex: StructuredConstraint = {
  name: 'simplex_constrain',
  isMatrix: false,
  shape: (numFree) => ({ rows: numFree + 1, cols: 1 }),
  numFree: (rows) => rows - 1,
  forward(u, x, shape) {
    const n = x.length;
    sumToZero.forward(u, x, shape);
    const most = x.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
    let sum = 0;
    for (let i = 0; i < n; i++) sum += Math.exp(x[i] - most);
    const logSum = most + Math.log(sum);
    for (let i = 0; i < n; i++) x[i] = Math.exp(x[i] - logSum);
    return 0.5 * Math.log(n) - n * logSum;
  },
  reverse({ u, x, shape, dx, dJacobian, du }) {
    const n = x.length;
    let dot = 0;
    for (let i = 0; i < n; i++) dot += dx[i] * x[i];
    const dz = new Float64Array(n);
    for (let i = 0; i < n; i++) dz[i] = x[i] * (dx[i] - dot) - dJacobian * n * x[i];
    sumToZero.reverse({ u, x, shape, dx: dz, dJacobian: 0, du });
  },
};

export function isometricSimplexFree(x: Float64Array): Float64Array {
  checkSimplex('value', x);
  const u = new Float64Array(x.length - 1);
  let head = 0;
  for (let i = 1; i < x.length; i++) {
    head += Math.log(x[i - 1]);
    u[i - 1] = (head - i * Math.log(x[i])) / Math.sqrt(i * (i + 1));
  }
  return u;
}
