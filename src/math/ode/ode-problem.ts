/** Inputs and outputs of the solvers of ordinary differential equations. */

/** y′ = f(t, y, θ) with n states and m parameters whose sensitivities are wanted. */
export interface OdeSystem {
  readonly numStates: number;
  readonly numParameters: number;
  /** Writes f(t, y) into `dydt`. */
  derivative(t: number, y: Float64Array, dydt: Float64Array): void;
  /** Writes f and its derivatives: `jy` n × n in y and `jp` n × m in θ, both column-major. */
  linearise(t: number, y: Float64Array, out: Linearisation): void;
  /** Writes gᵀ ∂f/∂y into `gy`, and adds gᵀ ∂f/∂θ to `gp`. */
  pull(t: number, y: Float64Array, g: Float64Array, gy: Float64Array, gp: Float64Array): void;
}

export interface Linearisation {
  readonly f: Float64Array;
  readonly jy: Float64Array;
  readonly jp: Float64Array;
}

export function newLinearisation({ numStates: n, numParameters: m }: OdeSystem): Linearisation {
  return { f: new Float64Array(n), jy: new Float64Array(n * n), jp: new Float64Array(n * m) };
}

export interface OdeSettings {
  readonly relativeTolerance: number;
  readonly absoluteTolerance: number;
  /** Steps allowed between two output times; more is a DomainError, as in Stan. */
  readonly maxSteps: number;
}

/**
 * The initial value problem. Sensitivities are columns ∂y/∂(parameter k), n × `numColumns`; `initial` holds those at t0.
 * The columns from `firstParameter` on belong to the system's parameters in order, those before to the initial state.
 */
export interface OdeProblem {
  readonly system: OdeSystem;
  readonly t0: number;
  readonly y0: Float64Array;
  /** Strictly increasing, later than t0. */
  readonly times: Float64Array;
  readonly numColumns: number;
  readonly firstParameter: number;
  readonly initial: Float64Array;
  readonly settings: OdeSettings;
}

/** Receives state and sensitivities (n, then n × numColumns) at output time `k`, in an array that may change afterwards. */
export type VisitState = (state: Float64Array, k: number) => void;

/** Advances from one time to the next and stores the state and its sensitivities there. */
export interface Integrator {
  readonly y: Float64Array;
  readonly columns: Float64Array;
  advance(from: number, to: number): void;
}

/** Visits the state at each output time. */
export function visitStates(
  integrator: Integrator,
  { t0, times }: Pick<OdeProblem, 't0' | 'times'>,
  visit: VisitState,
): void {
  const state = new Float64Array(integrator.y.length + integrator.columns.length);
  let t = t0;
  for (const [k, end] of times.entries()) {
    integrator.advance(t, end);
    t = end;
    state.set(integrator.y);
    state.set(integrator.columns, integrator.y.length);
    visit(state, k);
  }
}
