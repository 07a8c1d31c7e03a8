/** What a chain reports while it runs: typed values, never text to be parsed. */
import type { ProfileTimes } from './profiler.ts';

export type Phase = 'warmup' | 'sampling';

/** Columns that precede those of the model in every draw, in CmdStan's order. */
export const samplerColumns = [
  'lp__',
  'accept_stat__',
  'stepsize__',
  'treedepth__',
  'n_leapfrog__',
  'divergent__',
  'energy__',
] as const;

/**
 * Columns that precede the model's for the other algorithms, with CmdStan's names. Two are ours: `converged__` of an
 * optimum, and `pareto_k__`, since resampled draws no longer show how well the paths covered the posterior.
 */
export const fitColumns = {
  optimize: ['lp__', 'converged__'],
  laplace: ['log_p__', 'log_q__'],
  pathfinder: ['lp_approx__', 'lp__', 'path__', 'pareto_k__'],
  advi: ['lp__', 'log_p__', 'log_g__'],
  fixed_param: ['lp__', 'accept_stat__'],
  // the columns of the draws that are read go here
  generate_quantities: [],
} as const;

/** Consecutive saved draws of one phase of one chain. */
export interface DrawBlock {
  /** 1-based. */
  readonly chain: number;
  readonly phase: Phase;
  /** 1-based among the saved draws of its phase, as on the wire: with `thin` it counts saved draws. */
  readonly firstIteration: number;
  readonly count: number;
  /** The algorithm's columns, then the model's, `count` values each, column by column. */
  readonly values: Float64Array;
}

/** The values of column `c`: a view, not a copy. */
export function blockColumn(block: DrawBlock, c: number): Float64Array {
  return block.values.subarray(c * block.count, (c + 1) * block.count);
}

export interface ChainProgress {
  readonly chain: number;
  readonly phase: Phase;
  /** Iterations done over both phases, and the total. */
  readonly iteration: number;
  readonly of: number;
  readonly stepSize: number;
  /** Counted during sampling, as are the next two. */
  readonly divergences: number;
  readonly treeDepthHits: number;
  readonly leapfrogs: number;
  readonly warmupLeapfrogs: number;
  /** Time spent advancing, without pauses. */
  readonly warmupSeconds: number;
  readonly samplingSeconds: number;
  /** Time in the program's profiles, warmup included; absent if it has none. */
  readonly profiles?: readonly ProfileTimes[];
}

/** Why a chain cannot continue. */
export type FailureReason =
  /** The program does not compile or does not fit the data. */
  | 'program-invalid'
  /** No finite log density at any starting point tried, or inits that violate a constraint. */
  | 'no-start'
  /** The heuristic found no step size: improper or discontinuous. */
  | 'no-step-size'
  /** No approximation of this posterior was found. */
  | 'no-approximation'
  /** For a calibration: the prior cannot be sampled, or the data drawn from it do not fit the program. */
  | 'no-simulation'
  /** The program threw something other than a domain error. */
  | 'program-failed'
  /** It used more memory or steps than allowed. */
  | 'budget-exceeded'
  | 'iteration-timeout'
  | 'run-timeout'
  /** A checkpoint from another model, seed or version. */
  | 'bad-checkpoint'
  /** The thread exited without an error message. */
  | 'worker-failed';

export interface ChainFailure {
  readonly chain: number;
  readonly reason: FailureReason;
  /** One or two sentences for people. */
  readonly message: string;
}
