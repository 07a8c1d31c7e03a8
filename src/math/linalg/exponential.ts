/** The matrix exponential and its reverse derivative. */
import type { Matrix } from '../autodiff/containers.ts';
import { addScaled, mapped, multiply, transpose, zeros } from './products.ts';
import { factorLu, identity, requireSquare, solveLu } from './solve.ts';

/** Coefficients of the (13, 13) Padé approximant (Higham 2005, "The scaling and squaring method", eq. 2.3). */
const pade = [
  64764752532480000, 32382376266240000, 7771770303897600, 1187353796428800, 129060195264000,
  10559470521600, 670442572800, 33522128640, 1323241920, 40840800, 960960, 16380, 182, 1,
];
/** Norm below which that approximant is accurate to rounding (ibid., table 2.3). */
const maxNorm = 5.371920351148152;

/** exp(A) by scaling and squaring (Higham 2005, algorithm 2.3, order 13 throughout). */
export function matrixExponential(a: Matrix): Matrix {
  requireSquare('matrix_exp', a);
  const n = a.rows;
  if (n === 0) return a;
  let norm = 0;
  for (let j = 0; j < n; j++) {
    let sum = 0;
    for (let i = 0; i < n; i++) sum += Math.abs(a.data[i + j * n]);
    norm = Math.max(norm, sum);
  }
  const squarings = norm > maxNorm ? Math.ceil(Math.log2(norm / maxNorm)) : 0;
  const scaled = mapped(a, (x) => x * 2 ** -squarings);
  const square = multiply(scaled, scaled);
  // odd and even parts of the numerator; the denominator has the sign of the odd part flipped
  let power = identity(n);
  const even = zeros(n, n);
  const oddOverA = zeros(n, n);
  for (let k = 0; k < pade.length; k += 2) {
    addScaled(even.data, power.data, pade[k]);
    addScaled(oddOverA.data, power.data, pade[k + 1]);
    power = multiply(power, square);
  }
  const odd = multiply(scaled, oddOverA).data;
  const numerator = mapped(even, (x, i) => x + odd[i]);
  const denominator = mapped(even, (x, i) => x - odd[i]);
  let result = solveLu(factorLu('matrix_exp', denominator), numerator);
  for (let k = 0; k < squarings; k++) result = multiply(result, result);
  return result;
}

/**
 * Adjoint of A from that of exp(A): the Fréchet derivative at Aᵀ in the direction G, read off
 * exp([[Aᵀ, G], [0, Aᵀ]]) (Higham, *Functions of Matrices*, theorem 3.6).
 */
export function matrixExponentialReverse(a: Matrix, g: Matrix): Matrix {
  const n = a.rows;
  const t = transpose(a);
  const big = zeros(2 * n, 2 * n);
  for (let j = 0; j < n; j++) {
    for (let i = 0; i < n; i++) {
      big.data[i + j * 2 * n] = t.data[i + j * n];
      big.data[i + n + (j + n) * 2 * n] = t.data[i + j * n];
      big.data[i + (j + n) * 2 * n] = g.data[i + j * n];
    }
  }
  const e = matrixExponential(big);
  const out = zeros(n, n);
  for (let j = 0; j < n; j++) {
    for (let i = 0; i < n; i++) out.data[i + j * n] = e.data[i + (j + n) * 2 * n];
  }
  return out;
}
