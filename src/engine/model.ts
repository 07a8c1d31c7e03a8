/** The interface between a compiled program with its data and its sampler (BridgeStan's functions). */
import type { OutputVariable } from '../language/program.ts';
import type { Rng } from '../math/random/rng.ts';
import type { ProfileTimes } from './profiler.ts';

export interface Model {
  /** D: the length of unconstrained vectors. */
  readonly numUnconstrained: number;
  /** Parameters, transformed parameters, generated quantities, in the order of `constrain`'s output. */
  readonly variables: readonly OutputVariable[];
  /** Flat names of that output, 1-based, last-index-major: `theta[1,2]`. */
  readonly columns: readonly string[];
  /**
   * Natural-log density at `theta` (D values, unconstrained scale, constants dropped) and its gradient into `gradient`
   * (D values). Throws `DomainError` where the density is undefined: a sampler treats that as −∞. Anything else thrown
   * ends the chain. `jacobian` (default true): with the log Jacobian of the constraints.
   */
  logDensityGradient(theta: Float64Array, gradient: Float64Array, jacobian?: boolean): number;
  /** Writes all columns for `theta` into `out`; generated quantities draw from `rng`. Throws like the density. */
  constrain(theta: Float64Array, rng: Rng, out: Float64Array): void;
  /**
   * Unconstrained values of the parameters named in `inits` (JSON, constrained scale). Those not named keep what
   * `theta` holds. Throws `DomainError` naming the variable when a value breaks its constraint.
   */
  unconstrain(inits: Readonly<Record<string, unknown>>, theta: Float64Array): void;
  /** Time in the program's profiles since it was linked; absent if it is not measured. */
  readonly profiles?: () => ProfileTimes[];
}
