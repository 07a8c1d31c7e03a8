/** Singular values and vectors of complex matrices, with their adjoint. */
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

export interface ComplexSvd {
  /** Descending; as many as the smaller side. */
  readonly values: Float64Array;
  /** The largest component of each vector on the smaller side is real and positive. */
  readonly u: ComplexMatrix;
  readonly v: ComplexMatrix;
}

const maxSweeps = 60;

/** A = U diag(σ) Vᴴ by one-sided Jacobi (Golub & Van Loan, section 8.6.3): columns of A V are made orthogonal. */
export function complexSvd(a: ComplexMatrix): ComplexSvd {
  if (a.rows < a.cols) {
    const { values, u, v } = complexSvd(adjointOf(a));
    return { values, u: v, v: u };
  }
  const n = a.cols;
  const w = new ComplexMatrix(a.rows, n, a.re.slice(), a.im.slice());
  const v = complexIdentity(n);
  for (let sweep = 0, rotated = true; rotated && sweep < maxSweeps; sweep++) {
    rotated = false;
    for (let p = 0; p < n - 1; p++) {
      for (let q = p + 1; q < n; q++) rotated = orthogonalise(w, v, p, q) || rotated;
    }
  }
  return ordered(w, v);
}

function orthogonalise(w: ComplexMatrix, v: ComplexMatrix, p: number, q: number): boolean {
  const m = w.rows;
  let [pp, qq, c, d] = [0, 0, 0, 0];
  for (let k = 0; k < m; k++) {
    const [a, b, x, y] = [w.re[k + p * m], w.im[k + p * m], w.re[k + q * m], w.im[k + q * m]];
    pp += a * a + b * b;
    qq += x * x + y * y;
    c += a * x + b * y;
    d += a * y - b * x;
  }
  const pq = Math.hypot(c, d);
  if (pq === 0 || pq <= 1e-17 * Math.sqrt(pp * qq)) return false;
  const tau = (qq - pp) / (2 * pq);
  const t = (tau >= 0 ? 1 : -1) / (Math.abs(tau) + Math.hypot(1, tau));
  const cosine = 1 / Math.hypot(1, t);
  const sine = t * cosine;
  for (const x of [w, v]) {
    // makes the inner product of the columns real
    scaleColumn(x, q, [c / pq, -d / pq]);
    for (const part of [x.re, x.im]) {
      for (let k = 0; k < x.rows; k++) {
        const [a, b] = [part[k + p * x.rows], part[k + q * x.rows]];
        part[k + p * x.rows] = cosine * a - sine * b;
        part[k + q * x.rows] = sine * a + cosine * b;
      }
    }
  }
  return pq > 1e-15 * Math.sqrt(pp * qq);
}

function ordered(w: ComplexMatrix, v: ComplexMatrix): ComplexSvd {
  const [m, n] = [w.rows, w.cols];
  const norms = Array.from({ length: n }, (_, j) =>
    Math.hypot(...w.re.subarray(j * m, (j + 1) * m), ...w.im.subarray(j * m, (j + 1) * m)),
  );
  const order = norms.map((_, j) => j).sort((i, j) => norms[j] - norms[i]);
  const u = new ComplexMatrix(m, n);
  const right = new ComplexMatrix(n, n);
  for (const [k, from] of order.entries()) {
    for (const part of ['re', 'im'] as const) {
      u[part].set(w[part].subarray(from * m, (from + 1) * m), k * m);
      right[part].set(v[part].subarray(from * n, (from + 1) * n), k * n);
    }
    const [c, d] = fixPhase(right, k);
    const size = norms[from] > 0 ? norms[from] : Number.POSITIVE_INFINITY;
    scaleColumn(u, k, [c / size, d / size]);
  }
  return { values: Float64Array.from(order, (j) => norms[j]), u, v: right };
}

export interface SvdAdjoint {
  readonly values: Float64Array | null;
  readonly u: ComplexMatrix | null;
  readonly v: ComplexMatrix | null;
}

/**
 * The adjoint of A. With P = Uᴴ dA V, F_ij = 1/(σ_j² − σ_i²), off the diagonal Uᴴ dU = F ∘ (PΣ + ΣPᴴ) and
 * Vᴴ dV = F ∘ (ΣP + PᴴΣ); on it dσ = Re P, and Uᴴ dU − Vᴴ dV = i Im P / σ (Wan & Zhang 2019, "Automatic differentiation for
 * complex valued SVD").
 */
export function complexSvdReverse(a: ComplexMatrix, d: SvdAdjoint): ComplexMatrix {
  if (a.rows < a.cols) {
    return adjointOf(complexSvdReverse(adjointOf(a), { values: d.values, u: d.v, v: d.u }));
  }
  const { values, u, v } = complexSvd(a);
  const k = values.length;
  const [uh, vh] = [adjointOf(u), adjointOf(v)];
  const du = d.u ?? new ComplexMatrix(u.rows, k);
  const dv = new ComplexMatrix(v.rows, k, d.v?.re.slice(), d.v?.im.slice());
  const gu = product(uh, du);
  const before = product(vh, dv);
  withoutPhase(dv, v, (j) => before.im[j + j * k] + gu.im[j + j * k]);
  const gv = product(vh, dv);
  const p = new ComplexMatrix(k, k);
  for (let j = 0; j < k; j++) {
    p.re[j + j * k] = d.values?.[j] ?? 0;
    p.im[j + j * k] = gu.im[j + j * k] / values[j];
    for (let i = 0; i < k; i++) {
      if (i === j) continue;
      const f = 1 / (values[j] ** 2 - values[i] ** 2);
      const [here, there] = [i + j * k, j + i * k];
      p.re[here] =
        f * (values[j] * (gu.re[here] - gu.re[there]) + values[i] * (gv.re[here] - gv.re[there]));
      p.im[here] =
        f * (values[j] * (gu.im[here] + gu.im[there]) + values[i] * (gv.im[here] + gv.im[there]));
    }
  }
  const out = product(product(u, p), vh);
  addTo(out, product(outside(u, du, values), vh));
  addTo(out, product(u, adjointOf(outside(v, dv, values))));
  return out;
}

/** (I − X Xᴴ) dX Σ⁻¹. */
function outside(x: ComplexMatrix, dx: ComplexMatrix, values: Float64Array): ComplexMatrix {
  const out = new ComplexMatrix(dx.rows, dx.cols, dx.re.slice(), dx.im.slice());
  addTo(out, product(x, product(adjointOf(x), dx)), -1);
  values.forEach((value, j) => {
    scaleColumn(out, j, [1 / value, 0]);
  });
  return out;
}
