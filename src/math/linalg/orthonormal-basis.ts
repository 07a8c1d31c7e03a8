/** An orthonormal basis of the space that columns span, by Gram–Schmidt applied twice. */
import { Matrix } from '../autodiff/containers.ts';
import { denseFor } from './dense.ts';
import { dotRange } from './products.ts';

/** What a column must have left of its length, once the columns before it are taken out, to be a direction of its own. */
const leastLeft = 1e-8;

/** One column for each column of `a` that the ones before it do not span, in this order. */
export function orthonormalBasis(a: Matrix): Matrix {
  const { rows: n, cols } = a;
  const dense = denseFor(n * cols * cols, n * cols);
  if (dense === null) return basisInJavaScript(a);
  dense.put(0, a.data, 0, n * cols);
  const rank = dense.orthonormalise(n, cols);
  const basis = new Matrix(n, rank, new Float64Array(n * rank));
  dense.take(0, n * rank, basis.data, 0);
  return basis;
}

function basisInJavaScript(a: Matrix): Matrix {
  const { rows: n, cols } = a;
  const v = a.data.slice();
  let rank = 0;
  for (let j = 0; j < cols; j++) {
    const from = j * n;
    const before = Math.sqrt(dotRange(v, from, v, from, n));
    for (let pass = 0; pass < 2; pass++) {
      for (let k = 0; k < rank; k++) {
        const dot = dotRange(v, from, v, k * n, n);
        for (let i = 0; i < n; i++) v[from + i] -= dot * v[k * n + i];
      }
    }
    const left = Math.sqrt(dotRange(v, from, v, from, n));
    if (!(left > leastLeft * before)) continue;
    for (let i = 0; i < n; i++) v[rank * n + i] = v[from + i] / left;
    rank++;
  }
  return new Matrix(n, rank, v.slice(0, n * rank));
}
