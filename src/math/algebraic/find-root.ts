/**
 * Roots of f(y) = 0 with as many equations as unknowns: Newton's method with a line search on ‖f‖² and, if the Jacobian is
 * singular or its direction makes no progress, Levenberg–Marquardt steps (Nocedal & Wright 2006, *Numerical
 * Optimization*, sections 10.3 and 11.2).
 */
import { DomainError } from '../errors.ts';
import { factorLuInPlace, solveLuInto } from '../linalg/solve.ts';

export interface AlgebraicSystem {
  readonly numUnknowns: number;
  /** Writes f(y). */
  evaluate(y: Float64Array, f: Float64Array): void;
  /** Writes f(y) and its Jacobian in y, n × n, column-major. */
  linearise(y: Float64Array, f: Float64Array, jacobian: Float64Array): void;
}

export interface RootSettings {
  /** Largest ‖f‖ at a root. */
  readonly functionTolerance: number;
  readonly maxSteps: number;
}

/** Relative to y; smaller steps no longer change anything. */
const smallStep = 1e-12;
const maxHalvings = 30;
/** The Levenberg–Marquardt parameter, relative to the largest entry of JᵀJ. */
const firstDamping = 1e-3;

/** The root found when starting at `guess`. Throws DomainError if none is found. */
export function findRoot(
  name: string,
  system: AlgebraicSystem,
  guess: Float64Array,
  settings: RootSettings,
): Float64Array {
  const search = new Search(system, guess);
  for (let step = 0; ; step++) {
    if (search.norm === 0 || !search.advance()) break;
    if (step + 1 >= settings.maxSteps && search.norm > settings.functionTolerance)
      throw new DomainError(
        `${name}: maximum number of iterations (${settings.maxSteps}) was exceeded in the solve.`,
      );
    if (step + 1 >= settings.maxSteps) break;
  }
  if (search.norm <= settings.functionTolerance) return search.y;
  throw new DomainError(
    `${name}: the norm of the algebraic function is ${search.norm} but should be lower than the function tolerance: ${settings.functionTolerance}. Consider decreasing the relative tolerance and increasing max_num_steps.`,
  );
}

class Search {
  y: Float64Array;
  norm: number;
  private readonly f: Float64Array;
  private readonly jacobian: Float64Array;
  private readonly factors: Float64Array;
  private readonly rowOf: Int32Array;
  private readonly direction: Float64Array;
  private readonly trial: Float64Array;
  private readonly trialF: Float64Array;

  constructor(
    private readonly system: AlgebraicSystem,
    guess: Float64Array,
  ) {
    const n = system.numUnknowns;
    this.y = guess.slice();
    this.f = new Float64Array(n);
    this.jacobian = new Float64Array(n * n);
    this.factors = new Float64Array(n * n);
    this.rowOf = new Int32Array(n);
    this.direction = new Float64Array(n);
    this.trial = new Float64Array(n);
    this.trialF = new Float64Array(n);
    system.linearise(this.y, this.f, this.jacobian);
    this.norm = length(this.f);
    if (!Number.isFinite(this.norm))
      throw new DomainError(`the algebraic function is not finite at the initial guess`);
  }

  /** One step that makes ‖f‖ smaller; false if no such step changes y. */
  advance(): boolean {
    const isDown = this.newtonDirection() ? this.lineSearch() : false;
    if (!isDown && !this.dampedStep()) return false;
    const change = length(this.trial.map((x, i) => x - this.y[i]));
    const size = length(this.y);
    this.y.set(this.trial);
    this.system.linearise(this.y, this.f, this.jacobian);
    this.norm = length(this.f);
    return change > smallStep * (smallStep + size);
  }

  private newtonDirection(): boolean {
    const { f, jacobian, factors, rowOf, direction } = this;
    factors.set(jacobian);
    factorLuInPlace(factors, rowOf, f.length);
    solveLuInto(factors, rowOf, f, 1, direction);
    for (let i = 0; i < direction.length; i++) direction[i] = -direction[i];
    return direction.every(Number.isFinite);
  }

  /** Halves the step until ‖f‖ falls; the Newton direction is a descent direction, with slope −‖f‖². */
  private lineSearch(): boolean {
    let t = 1;
    for (let k = 0; k < maxHalvings; k++, t /= 2) {
      this.tryStep(t);
      if (length(this.trialF) <= (1 - 1e-4 * t) * this.norm) return true;
    }
    return false;
  }

  private tryStep(t: number): void {
    const { y, direction, trial } = this;
    for (let i = 0; i < y.length; i++) trial[i] = y[i] + t * direction[i];
    this.system.evaluate(trial, this.trialF);
  }

  /** −(JᵀJ + μ I)⁻¹ Jᵀ f for growing μ until ‖f‖ falls. */
  private dampedStep(): boolean {
    const { f, jacobian, factors, rowOf, direction } = this;
    const n = f.length;
    const right = new Float64Array(n);
    const square = new Float64Array(n * n);
    for (let i = 0; i < n; i++) {
      for (let k = 0; k < n; k++) right[i] -= jacobian[k + i * n] * f[k];
      for (let j = 0; j < n; j++) {
        for (let k = 0; k < n; k++) square[i + j * n] += jacobian[k + i * n] * jacobian[k + j * n];
      }
    }
    const largest = square.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
    if (largest === 0) return false;
    for (let damping = firstDamping * largest; damping < 1e20 * largest; damping *= 10) {
      factors.set(square);
      for (let i = 0; i < n; i++) factors[i + i * n] += damping;
      factorLuInPlace(factors, rowOf, n);
      solveLuInto(factors, rowOf, right, 1, direction);
      this.tryStep(1);
      if (length(this.trialF) < this.norm) return true;
    }
    return false;
  }
}

function length(x: Float64Array): number {
  let s = 0;
  for (const value of x) s += value * value;
  return Math.sqrt(s);
}
