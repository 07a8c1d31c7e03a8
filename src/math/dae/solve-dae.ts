/**
 * Solves differential-algebraic systems F(t, y, y′) = 0 of index 1 with the three-stage Radau IIA method of order 5, which is
 * L-stable and stiffly accurate, so the algebraic equations hold at the end of each step (Hairer & Wanner, *Solving Ordinary
 * Differential Equations II*, sections VI.1 and IV.8). Sensitivities are those of the discrete solution, as in `ode/radau.ts`.
 */
import { DomainError } from '../errors.ts';
import { factorLuInPlace, solveLuInto } from '../linalg/solve.ts';
import { type OdeSettings, type VisitState, visitStates } from '../ode/ode-problem.ts';
import { errorWeights, inverseOfA, nodes, realEigenvalue } from '../ode/radau-method.ts';
import type { ResidualLinearisation, ResidualSystem } from './residual-system.ts';

const maxNewton = 15;

export interface DaeProblem {
  readonly name: string;
  readonly system: ResidualSystem;
  readonly t0: number;
  readonly y0: Float64Array;
  /** Consistent with `y0`; determines the size and error of the first step. */
  readonly slope0: Float64Array;
  readonly times: Float64Array;
  /** Columns of sensitivities: first those of the initial state, if it is active, then those of the parameters. */
  readonly numColumns: number;
  readonly firstParameter: number;
  readonly settings: OdeSettings;
}

/** Visits the state at each output time. */
export function solveDae(problem: DaeProblem, visit: VisitState): void {
  visitStates(new DaeIntegrator(problem), problem, visit);
}

class DaeIntegrator {
  readonly y: Float64Array;
  readonly columns: Float64Array;
  private slope: Float64Array;
  private step = 0;
  private readonly n: number;
  private readonly linear: readonly ResidualLinearisation[];
  private readonly factors: Float64Array;
  private readonly rowOf: Int32Array;
  private readonly z: Float64Array;
  private readonly change: Float64Array;
  private readonly residual: Float64Array;

  constructor(private readonly problem: DaeProblem) {
    const { system, y0, slope0, numColumns, firstParameter } = problem;
    const n = system.numStates;
    this.n = n;
    this.y = y0.slice();
    this.slope = slope0.slice();
    this.columns = new Float64Array(n * numColumns);
    for (let i = 0; i < firstParameter; i++) this.columns[i + i * n] = 1;
    this.linear = nodes.map(() => system.newLinearisation());
    this.factors = new Float64Array(9 * n * n);
    this.rowOf = new Int32Array(3 * n);
    this.z = new Float64Array(3 * n);
    this.change = new Float64Array(3 * n);
    this.residual = new Float64Array(3 * n);
  }

  advance(start: number, end: number): void {
    const { name, settings } = this.problem;
    let t = start;
    if (this.step === 0) this.step = this.firstStep(end - t);
    for (let count = 0; t < end; count++) {
      if (count >= settings.maxSteps)
        throw new DomainError(
          `${name}: Failed to integrate to next output time (${end}) in less than max_num_steps steps`,
        );
      const isLast = t + 1.0000001 * this.step >= end;
      const h = isLast ? end - t : this.step;
      if (!(h > 1e-15 * Math.max(1e-10, Math.abs(t))))
        throw new DomainError(
          `${name}: step size became too small at time ${t}. The initial values may not be consistent, or the index may be larger than 1.`,
        );
      const error = this.solveStages(t, h) ? this.errorOf(t, h) : Number.NaN;
      if (!(error < 1)) {
        this.step = h * (Number.isNaN(error) ? 0.25 : Math.max(0.2, 0.9 * error ** -0.25));
        continue;
      }
      this.accept(t, h);
      t = isLast ? end : t + h;
      const grown = h * Math.min(8, Math.max(0.2, 0.9 * Math.max(error, 1e-8) ** -0.25));
      this.step = isLast ? Math.max(this.step, grown) : grown;
    }
  }

  private firstStep(interval: number): number {
    const change = this.norm(this.slope);
    const h = change > 1e-10 ? (0.01 * Math.max(this.norm(this.y), 1e-3)) / change : 1e-3;
    return Math.min(h, interval);
  }

  /** Root mean square in units of the tolerance. */
  private norm(x: Float64Array, from = 0): number {
    const { absoluteTolerance, relativeTolerance } = this.problem.settings;
    let s = 0;
    for (let i = 0; i < this.n; i++)
      s += (x[from + i] / (absoluteTolerance + relativeTolerance * Math.abs(this.y[i]))) ** 2;
    return Math.sqrt(s / this.n);
  }

  /** The slope in stage `s`, Σ (A⁻¹)_sq z_q / h. */
  private slopeOf(s: number, h: number): Float64Array {
    const { n, z } = this;
    const out = new Float64Array(n);
    for (let q = 0; q < 3; q++) {
      for (let i = 0; i < n; i++) out[i] += (inverseOfA[s][q] / h) * z[q * n + i];
    }
    return out;
  }

  /** F and its derivatives in all stages, and the factors of those in z. */
  private lineariseStages(t: number, h: number): void {
    const { n, y, z, linear, factors } = this;
    const size = 3 * n;
    for (let s = 0; s < 3; s++) {
      const state = y.map((x, i) => x + z[s * n + i]);
      this.problem.system.linearise(t + nodes[s] * h, state, this.slopeOf(s, h), linear[s]);
      const { fy, fs } = linear[s];
      for (let q = 0; q < 3; q++) {
        const weight = inverseOfA[s][q] / h;
        for (let j = 0; j < n; j++) {
          for (let i = 0; i < n; i++) {
            const own = s === q ? fy[i + j * n] : 0;
            factors[s * n + i + (q * n + j) * size] = own + weight * fs[i + j * n];
          }
        }
      }
    }
    factorLuInPlace(factors, this.rowOf, size);
  }

  /** Newton's method for z = (Y₁ − y, Y₂ − y, Y₃ − y); false if it does not converge. Ends linearised at the solution. */
  private solveStages(t: number, h: number): boolean {
    const { n, z, change, residual, factors, rowOf } = this;
    // on the line through the state given by the last slope
    for (let s = 0; s < 3; s++)
      for (let i = 0; i < n; i++) z[s * n + i] = nodes[s] * h * this.slope[i];
    let last = Infinity;
    for (let iteration = 0; iteration < maxNewton; iteration++) {
      this.lineariseStages(t, h);
      for (let s = 0; s < 3; s++) residual.set(this.linear[s].f, s * n);
      solveLuInto(factors, rowOf, residual, 1, change);
      for (let i = 0; i < 3 * n; i++) z[i] -= change[i];
      const size = Math.max(this.norm(change), this.norm(change, n), this.norm(change, 2 * n));
      if (!(size < Infinity) || (iteration > 1 && size > 2 * last)) return false;
      // the next change would be on the order of the square of this one
      if (size < 1e-3) {
        this.lineariseStages(t, h);
        return true;
      }
      last = size;
    }
    return false;
  }

  /** (γ/h F_y′ + F_y)⁻¹ F_y′ (y′ + Σ eᵢ zᵢ / h), the embedded estimate, in units of the tolerance. */
  private errorOf(t: number, h: number): number {
    const { n, z } = this;
    const start = this.problem.system.newLinearisation();
    this.problem.system.linearise(t, this.y, this.slope, start);
    const slope = this.slope.slice();
    for (let s = 0; s < 3; s++) {
      for (let i = 0; i < n; i++) slope[i] += (errorWeights[s] / h) * z[s * n + i];
    }
    const right = new Float64Array(n);
    const matrix = start.fy.map((x, i) => x + (realEigenvalue / h) * start.fs[i]);
    for (let j = 0; j < n; j++)
      for (let i = 0; i < n; i++) right[i] += start.fs[i + j * n] * slope[j];
    const rowOf = new Int32Array(n);
    factorLuInPlace(matrix, rowOf, n);
    const error = new Float64Array(n);
    solveLuInto(matrix, rowOf, right, 1, error);
    return this.norm(error);
  }

  private accept(t: number, h: number): void {
    const { n, y, z } = this;
    if (this.columns.length > 0) this.advanceColumns();
    this.slope = this.slopeOf(2, h);
    for (let i = 0; i < n; i++) y[i] += z[i + 2 * n];
    if (!y.every(Number.isFinite))
      throw new DomainError(`${this.problem.name}: the solution is not finite after time ${t}`);
  }

  /** dz from the derivative of the stage equations at their solution. */
  private advanceColumns(): void {
    const { n, columns, linear, factors, rowOf } = this;
    const { numColumns, firstParameter } = this.problem;
    const right = new Float64Array(3 * n * numColumns);
    for (let k = 0; k < numColumns; k++) {
      for (let s = 0; s < 3; s++) {
        const { fy, fp } = linear[s];
        for (let i = 0; i < n; i++) {
          let g = k >= firstParameter ? fp[i + (k - firstParameter) * n] : 0;
          for (let j = 0; j < n; j++) g += fy[i + j * n] * columns[j + k * n];
          right[s * n + i + k * 3 * n] = -g;
        }
      }
    }
    const moved = new Float64Array(right.length);
    solveLuInto(factors, rowOf, right, numColumns, moved);
    for (let k = 0; k < numColumns; k++) {
      for (let i = 0; i < n; i++) columns[i + k * n] += moved[2 * n + i + k * 3 * n];
    }
  }
}
