/** Gauss–Legendre quadrature with 20 nodes: exact for polynomials of degree 39 (DLMF 3.5(v)). */

const numNodes = 20;
/** On [−1, 1]. */
export const legendreNodes = new Float64Array(numNodes);
export const legendreWeights = new Float64Array(numNodes);
const [nodes, weights] = [legendreNodes, legendreWeights];

// nodes are the zeros of the Legendre polynomial, by Newton's method from Tricomi's estimate (DLMF 18.16)
for (let i = 0; i < numNodes; i++) {
  let x = Math.cos((Math.PI * (i + 0.75)) / (numNodes + 0.5));
  let derivative = 0;
  for (let step = 0; step < 8; step++) {
    let p0 = 1;
    let p1 = x;
    for (let k = 2; k <= numNodes; k++) [p0, p1] = [p1, ((2 * k - 1) * x * p1 - (k - 1) * p0) / k];
    derivative = (numNodes * (x * p1 - p0)) / (x * x - 1);
    x -= p1 / derivative;
  }
  nodes[i] = x;
  weights[i] = 2 / ((1 - x * x) * derivative * derivative);
}

/** ∫ f from `a` to `b` in one panel. */
export function gaussLegendre20(a: number, b: number, f: (x: number) => number): number {
  const half = 0.5 * (b - a);
  const middle = 0.5 * (a + b);
  let sum = 0;
  for (let i = 0; i < numNodes; i++) sum += weights[i] * f(middle + half * nodes[i]);
  return half * sum;
}
