/** The Schur decomposition of complex matrices by shifted QR steps, and eigenvalues and eigenvectors from it. */
import { DomainError } from '../errors.ts';
import {
  addTo,
  adjointOf,
  ComplexMatrix,
  complexIdentity,
  fixPhase,
  product,
  scaleColumn,
  withoutPhase,
} from './complex.ts';

export interface Schur {
  /** Upper triangular. */
  readonly t: ComplexMatrix;
  /** Unitary; the largest component of each column is real and positive. */
  readonly u: ComplexMatrix;
}

/** A = U T Uᴴ (Golub & Van Loan, *Matrix Computations*, sections 7.4 to 7.6, with rotations throughout). */
export function complexSchur(name: string, a: ComplexMatrix): Schur {
  const n = a.rows;
  if ([...a.re, ...a.im].some((x) => !Number.isFinite(x))) {
    throw new DomainError(`${name}: the matrix must be finite`);
  }
  const t = new ComplexMatrix(n, n, a.re.slice(), a.im.slice());
  const u = complexIdentity(n);
  for (let k = 0; k < n - 2; k++) {
    for (let i = n - 1; i > k + 1; i--) {
      rotate(t, u, i - 1, givens(t, i - 1 + k * n, i + k * n));
      t.re[i + k * n] = t.im[i + k * n] = 0;
    }
  }
  let turns = 0;
  for (let end = n - 1; end > 0; ) {
    const start = startOfBlock(t, end);
    if (start === end) {
      end--;
      turns = 0;
      continue;
    }
    if (++turns > 300) throw new DomainError(`${name}: the eigenvalues do not converge`);
    step(t, u, { start, end, exceptional: turns % 10 === 0 });
  }
  for (let j = 0; j < n; j++) {
    const [c, d] = fixPhase(u, j);
    scaleColumn(t, j, [c, d]);
    for (let k = 0; k < n; k++) {
      const at = j + k * n;
      const [x, y] = [t.re[at], t.im[at]];
      t.re[at] = x * c + y * d;
      t.im[at] = y * c - x * d;
    }
    for (let i = j + 1; i < n; i++) t.re[i + j * n] = t.im[i + j * n] = 0;
  }
  return { t, u };
}

/** Where the block that ends at `end` begins; sets what is negligible below the diagonal to 0. */
function startOfBlock(t: ComplexMatrix, end: number): number {
  const n = t.rows;
  const size = (i: number) => Math.hypot(t.re[i], t.im[i]);
  for (let k = end; k > 0; k--) {
    const below = k + (k - 1) * n;
    const scale = size(k + k * n) + size(k - 1 + (k - 1) * n);
    if (size(below) > 1.1e-16 * scale && size(below) > 1e-300) continue;
    t.re[below] = t.im[below] = 0;
    return k;
  }
  return 0;
}

interface Rotation {
  readonly c: number;
  readonly s: readonly [number, number];
}

/** [c, s; −s̄, c] takes (x, y) to (r, 0). */
function givens(
  t: ComplexMatrix,
  x: number,
  y: number,
  shift: readonly [number, number] = [0, 0],
): Rotation {
  const [a, b] = [t.re[x] - shift[0], t.im[x] - shift[1]];
  const [p, q] = [t.re[y], t.im[y]];
  const first = Math.hypot(a, b);
  const second = Math.hypot(p, q);
  if (second === 0) return { c: 1, s: [0, 0] };
  if (first === 0) return { c: 0, s: [p / second, -q / second] };
  const r = Math.hypot(first, second) * first;
  return { c: (first * first) / r, s: [(a * p + b * q) / r, (b * p - a * q) / r] };
}

/** Rows and then columns k and k + 1 of `t`, columns of `u`. */
function rotate(t: ComplexMatrix, u: ComplexMatrix, k: number, rotation: Rotation): void {
  const n = t.rows;
  for (let j = 0; j < n; j++) turn(t, k + j * n, k + 1 + j * n, rotation);
  const { c, s } = rotation;
  const conjugate: Rotation = { c, s: [s[0], -s[1]] };
  for (const x of [t, u]) {
    for (let i = 0; i < n; i++) turn(x, i + k * n, i + (k + 1) * n, conjugate);
  }
}

function turn({ re, im }: ComplexMatrix, p: number, q: number, { c, s: [s, v] }: Rotation): void {
  const [a, b, x, y] = [re[p], im[p], re[q], im[q]];
  re[p] = c * a + s * x - v * y;
  im[p] = c * b + s * y + v * x;
  re[q] = c * x - s * a - v * b;
  im[q] = c * y - s * b + v * a;
}

interface Block {
  readonly start: number;
  readonly end: number;
  readonly exceptional: boolean;
}

function step(t: ComplexMatrix, u: ComplexMatrix, { start, end, exceptional }: Block): void {
  const n = t.rows;
  const last = end + end * n;
  const shift: readonly [number, number] = exceptional
    ? [t.re[last] + Math.hypot(t.re[last - n], t.im[last - n]), t.im[last]]
    : wilkinson(t, end);
  rotate(t, u, start, givens(t, start + start * n, start + 1 + start * n, shift));
  for (let k = start + 1; k < end; k++) {
    rotate(t, u, k, givens(t, k + (k - 1) * n, k + 1 + (k - 1) * n));
    t.re[k + 1 + (k - 1) * n] = t.im[k + 1 + (k - 1) * n] = 0;
  }
}

/** The eigenvalue of the last 2 × 2 block that is closest to its last element. */
function wilkinson({ re, im, rows: n }: ComplexMatrix, end: number): readonly [number, number] {
  const at = (i: number, j: number) => [re[i + j * n], im[i + j * n]] as const;
  const [a, b] = at(end - 1, end - 1);
  const [c, d] = at(end, end);
  const [e, f] = at(end - 1, end);
  const [g, h] = at(end, end - 1);
  const [x, y] = [(a - c) / 2, (b - d) / 2];
  const [p, q] = [e * g - f * h, e * h + f * g];
  const [u, v] = squareRoot(x * x - y * y + p, 2 * x * y + q);
  const sign = x * u + y * v < 0 ? -1 : 1;
  const [r, s] = [x + sign * u, y + sign * v];
  const size = r * r + s * s;
  if (size === 0) return [c, d];
  return [c - (p * r + q * s) / size, d - (q * r - p * s) / size];
}

function squareRoot(x: number, y: number): readonly [number, number] {
  const size = Math.hypot(x, y);
  if (size === 0) return [0, 0];
  const root = Math.sqrt((Math.abs(x) + size) / 2);
  return x >= 0 ? [root, y / (2 * root)] : [Math.abs(y) / (2 * root), y < 0 ? -root : root];
}

/**
 * The adjoint of A from those of T and U. With P = Uᴴ dA U and dU = U Ω, Ω skew-Hermitian: dT = P + TΩ − ΩT, whose strict
 * lower triangle is 0, which gives that of Ω; its diagonal keeps the phases.
 */
export function schurReverse({ t, u }: Schur, dt: ComplexMatrix, du: ComplexMatrix): ComplexMatrix {
  const n = t.rows;
  const upper = new ComplexMatrix(n, n, dt.re.slice(), dt.im.slice());
  for (let j = 0; j < n; j++) {
    for (let i = j + 1; i < n; i++) upper.re[i + j * n] = upper.im[i + j * n] = 0;
  }
  const uh = adjointOf(u);
  const th = adjointOf(t);
  const omega = product(th, upper);
  addTo(omega, product(upper, th), -1);
  const fixed = new ComplexMatrix(n, n, du.re.slice(), du.im.slice());
  const before = product(uh, du);
  withoutPhase(fixed, u, (j) => omega.im[j + j * n] + before.im[j + j * n]);
  addTo(omega, product(uh, fixed));
  addTo(upper, lowerOf(th, omega), -1);
  return product(product(u, upper), uh);
}

/** The strictly lower Y for which the adjoint of X ↦ TX − XT, taken below the diagonal, gives Ω − Ωᴴ. */
function lowerOf(th: ComplexMatrix, omega: ComplexMatrix): ComplexMatrix {
  const n = th.rows;
  const y = new ComplexMatrix(n, n);
  for (let l = n - 2; l >= 0; l--) {
    for (let k = l + 1; k < n; k++) {
      let a = omega.re[k + l * n] - omega.re[l + k * n];
      let b = omega.im[k + l * n] + omega.im[l + k * n];
      for (let i = l + 1; i < k; i++) {
        const [left, right] = [k + i * n, i + l * n];
        a -= th.re[left] * y.re[right] - th.im[left] * y.im[right];
        b -= th.re[left] * y.im[right] + th.im[left] * y.re[right];
        a += y.re[left] * th.re[right] - y.im[left] * th.im[right];
        b += y.re[left] * th.im[right] + y.im[left] * th.re[right];
      }
      const c = th.re[k + k * n] - th.re[l + l * n];
      const d = th.im[k + k * n] - th.im[l + l * n];
      const size = c * c + d * d;
      y.re[k + l * n] = (a * c + b * d) / size;
      y.im[k + l * n] = (b * c - a * d) / size;
    }
  }
  return y;
}
