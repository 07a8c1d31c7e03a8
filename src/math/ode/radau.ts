/**
 * Stiff solver: the three-stage Radau IIA method of order 5, which is L-stable (Hairer & Wanner, *Solving Ordinary
 * Differential Equations II*, section IV.8). It implements Stan's `ode_bdf` when a problem is stiff. Sensitivities are
 * those of the discrete solution: each accepted step is differentiated exactly, given its step size.
 */
import { DomainError } from '../errors.ts';
import { factorLuInPlace, solveLuInto } from '../linalg/solve.ts';
import {
  type Linearisation,
  newLinearisation,
  type OdeProblem,
  type VisitState,
  visitStates,
} from './ode-problem.ts';
import { a, errorWeights, nodes, realEigenvalue } from './radau-method.ts';
import type { RadauRecord } from './radau-record.ts';

const maxNewton = 12;

export function solveRadau(
  problem: OdeProblem,
  visit: VisitState,
  record: RadauRecord | null = null,
): void {
  visitStates(new Integrator(problem, record), problem, (state, k) => {
    record?.addOutput();
    visit(state, k);
  });
}

class Integrator {
  y: Float64Array;
  /** Sensitivities, n × numColumns. */
  columns: Float64Array;
  private step = 0;
  private readonly n: number;
  private readonly stageLinear: Linearisation[];
  private readonly startLinear: Linearisation;
  /** Factors of the matrix of all stages, and of that of the error estimate. */
  private readonly stageFactors: Factors;
  private readonly errorFactors: Factors;
  /** Working space for one step. */
  private readonly z: Float64Array;
  private readonly change: Float64Array;
  private readonly residual: Float64Array;
  private readonly slopes: readonly Float64Array[];
  private readonly stage: Float64Array;
  private readonly right: Float64Array;
  private readonly moved: Float64Array;

  constructor(
    private readonly problem: OdeProblem,
    private readonly record: RadauRecord | null,
  ) {
    const n = problem.system.numStates;
    this.n = n;
    this.stageFactors = factorsOf(3 * n);
    this.errorFactors = factorsOf(n);
    this.z = new Float64Array(3 * n);
    this.change = new Float64Array(3 * n);
    this.residual = new Float64Array(3 * n);
    this.slopes = nodes.map(() => new Float64Array(n));
    this.stage = new Float64Array(n);
    this.right = new Float64Array(3 * n * problem.numColumns);
    this.moved = new Float64Array(3 * n * problem.numColumns);
    this.y = problem.y0.slice();
    this.columns = problem.initial.slice();
    this.startLinear = newLinearisation(problem.system);
    this.stageLinear = nodes.map(() => newLinearisation(problem.system));
  }

  advance(t: number, end: number): void {
    const { settings, system } = this.problem;
    system.linearise(t, this.y, this.startLinear);
    if (this.step === 0) this.step = this.firstStep(end - t);
    for (let count = 0; t < end; count++) {
      if (count >= settings.maxSteps) {
        throw new DomainError(
          `ode_bdf: Failed to integrate to next output time (${end}) in less than max_num_steps steps`,
        );
      }
      const isLast = t + 1.0000001 * this.step >= end;
      const h = isLast ? end - t : this.step;
      if (!(h > 1e-15 * Math.max(1e-10, Math.abs(t)))) {
        throw new DomainError(`ode_bdf: step size became too small at time ${t}`);
      }
      const z = this.solveStages(t, h);
      const error = z === null ? Number.NaN : this.errorOf(z, h);
      if (z === null || !(error < 1)) {
        this.step =
          h * (z === null || Number.isNaN(error) ? 0.25 : Math.max(0.2, 0.9 * error ** -0.25));
        continue;
      }
      this.record?.addStep(t, h, this.y, z);
      if (this.columns.length > 0) this.advanceColumns(t, h, z);
      for (let i = 0; i < this.n; i++) this.y[i] += z[i + 2 * this.n];
      t = isLast ? end : t + h;
      system.linearise(t, this.y, this.startLinear);
      const grown = h * Math.min(8, Math.max(0.2, 0.9 * Math.max(error, 1e-8) ** -0.25));
      this.step = isLast ? Math.max(this.step, grown) : grown;
    }
  }

  /** A hundredth of the time in which the state changes by its own size (ibid., volume I, section II.4). */
  private firstStep(interval: number): number {
    const change = this.norm(this.startLinear.f);
    const size = this.norm(this.y);
    const h = change > 1e-10 ? (0.01 * Math.max(size, 1e-3)) / change : 1e-3;
    return Math.min(h, interval);
  }

  /** Root mean square in units of the tolerance. */
  private norm(x: Float64Array, from = 0): number {
    const { absoluteTolerance, relativeTolerance } = this.problem.settings;
    let s = 0;
    for (let i = 0; i < this.n; i++) {
      s += (x[from + i] / (absoluteTolerance + relativeTolerance * Math.abs(this.y[i]))) ** 2;
    }
    return Math.sqrt(s / this.n);
  }

  /** Factors I − h (A ⊗ I) diag(J_1, J_2, J_3); `jacobianOf(s)` is that of stage s. */
  private factorStages(h: number, jacobianOf: (s: number) => Float64Array): void {
    const { n } = this;
    const { t, rowOf } = this.stageFactors;
    const size = 3 * n;
    for (let q = 0; q < 3; q++) {
      const jacobian = jacobianOf(q);
      for (let p = 0; p < 3; p++) {
        const factor = -h * a[p][q];
        for (let j = 0; j < n; j++) {
          for (let i = 0; i < n; i++) {
            t[p * n + i + (q * n + j) * size] = factor * jacobian[i + j * n];
          }
        }
      }
    }
    for (let i = 0; i < size; i++) t[i + i * size] += 1;
    factorLuInPlace(t, rowOf, size);
  }

  /** Simplified Newton for Z = h (A ⊗ I) F(y + Z); null if it does not converge. */
  private solveStages(t: number, h: number): Float64Array | null {
    const { n, y, z, change, residual, slopes, stage, stageFactors } = this;
    const { system } = this.problem;
    const { jy } = this.startLinear;
    this.factorStages(h, () => jy);
    z.fill(0);
    let last = Infinity;
    for (let iteration = 0; iteration < maxNewton; iteration++) {
      for (let s = 0; s < 3; s++) {
        for (let i = 0; i < n; i++) stage[i] = y[i] + z[s * n + i];
        system.derivative(t + nodes[s] * h, stage, slopes[s]);
      }
      for (let i = 0; i < 3 * n; i++) residual[i] = -z[i];
      for (let p = 0; p < 3; p++) {
        for (let q = 0; q < 3; q++) {
          const factor = h * a[p][q];
          for (let i = 0; i < n; i++) residual[p * n + i] += factor * slopes[q][i];
        }
      }
      solveLuInto(stageFactors.t, stageFactors.rowOf, residual, 1, change);
      for (let i = 0; i < 3 * n; i++) z[i] += change[i];
      const size = Math.max(this.norm(change), this.norm(change, n), this.norm(change, 2 * n));
      if (!(size < Infinity) || (iteration > 1 && size > 2 * last)) return null;
      if (size < 1e-4) return z;
      last = size;
    }
    return null;
  }

  /** (γ/h I − J)⁻¹ (f(t, y) + Σ e_i z_i / h) in units of the tolerance. */
  private errorOf(z: Float64Array, h: number): number {
    const { n, residual, change } = this;
    const { f, jy } = this.startLinear;
    const { t, rowOf } = this.errorFactors;
    for (let i = 0; i < n * n; i++) t[i] = -jy[i];
    for (let i = 0; i < n; i++) t[i + i * n] += realEigenvalue / h;
    for (let i = 0; i < n; i++) residual[i] = f[i];
    for (let s = 0; s < 3; s++) {
      for (let i = 0; i < n; i++) residual[i] += (errorWeights[s] / h) * z[s * n + i];
    }
    factorLuInPlace(t, rowOf, n);
    solveLuInto(t, rowOf, residual, 1, change);
    return this.norm(change);
  }

  /** dZ from the derivative of the stage equations at their solution; the columns change by its last block. */
  private advanceColumns(t: number, h: number, z: Float64Array): void {
    const { n, y, columns, stageLinear, stage, stageFactors, right, moved } = this;
    const { system, numColumns, firstParameter } = this.problem;
    for (let s = 0; s < 3; s++) {
      for (let i = 0; i < n; i++) stage[i] = y[i] + z[s * n + i];
      system.linearise(t + nodes[s] * h, stage, stageLinear[s]);
    }
    this.factorStages(h, (s) => stageLinear[s].jy);
    right.fill(0);
    for (let k = 0; k < numColumns; k++) {
      for (let q = 0; q < 3; q++) {
        const { jy, jp } = stageLinear[q];
        for (let i = 0; i < n; i++) {
          let g = k >= firstParameter ? jp[i + (k - firstParameter) * n] : 0;
          for (let j = 0; j < n; j++) g += jy[i + j * n] * columns[j + k * n];
          for (let p = 0; p < 3; p++) right[p * n + i + k * 3 * n] += h * a[p][q] * g;
        }
      }
    }
    solveLuInto(stageFactors.t, stageFactors.rowOf, right, numColumns, moved);
    for (let k = 0; k < numColumns; k++) {
      for (let i = 0; i < n; i++) columns[i + k * n] += moved[2 * n + i + k * 3 * n];
    }
  }
}

interface Factors {
  readonly t: Float64Array;
  readonly rowOf: Int32Array;
}

function factorsOf(n: number): Factors {
  return { t: new Float64Array(n * n), rowOf: new Int32Array(n) };
}
