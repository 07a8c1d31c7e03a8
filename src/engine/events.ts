/** What a chain reports while it runs: typed values, never text to be parsed. */
import type { ProfileTimes } from './profiler.ts';

export type Phase = 'warmup' | 'sampling';

/** Columns every draw has before those of the model, in CmdStan's order. */
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
 * What stands before the model's columns of the other algorithms, by CmdStan's names. Two are ours: `converged__` of an
 * optimum, and `pareto_k__`, since resampled draws no longer show how well the paths covered the posterior.
 */
export const fitColumns = {
  optimize: ['lp__', 'converged__'],
  laplace: ['log_p__', 'log_q__'],
  pathfinder: ['lp_approx__', 'lp__', 'path__', 'pareto_k__'],
  advi: ['lp__', 'log_p__', 'log_g__'],
  fixed_param: ['lp__', 'accept_stat__'],
  // those of the draws that are read stand here
  generate_quantities: [],
} as const;

/** Consecutive saved draws of one phase of one chain. */
export interface DrawBlock {
  /** 1-based. */
  readonly chain: number;
  readonly phase: Phase;
  /** 1-based among the saved draws of its phase, as on the wire: with `thin` it counts what was saved. */
  readonly firstIteration: number;
  readonly count: number;
  /** The algorithm's columns, then the model's, `count` values each, column after column. */
  readonly values: Float64Array;
}

/** The values of column `c`: a view, not a copy. */
export function blockColumn(block: DrawBlock, c: number): Float64Array {
  return block.values.subarray(c * block.count, (c + 1) * block.count);
}

export interface ChainProgress {
  readonly chain: number;
  readonly phase: Phase;
  /** Iterations done, over both phases, and how many there will be. */
  readonly iteration: number;
  readonly of: number;
  readonly stepSize: number;
  /** Counted while sampling, as are the next two. */
  readonly divergences: number;
  readonly treeDepthHits: number;
  readonly leapfrogs: number;
  readonly warmupLeapfrogs: number;
  /** Time spent advancing, pauses left out. */
  readonly warmupSeconds: number;
  readonly samplingSeconds: number;
  /** Of the program's profiles, warmup included; absent where it has none. */
  readonly profiles?: readonly ProfileTimes[];
}

/** Why a chain cannot go on. */
export type FailureReason =
  /** The program does not compile or does not fit the data. */
  | 'program-invalid'
  /** No finite log density among the starting points tried, or inits that break a constraint. */
  | 'no-start'
  /** The heuristic found no step size: improper or discontinuous. */
  | 'no-step-size'
  /** No approximation of this posterior was found. */
  | 'no-approximation'
  /** A calibration: the prior cannot be sampled, or the data drawn from it do not fit the program. */
  | 'no-simulation'
  /** The program threw something else than a domain error. */
  | 'program-failed'
  /** More memory or steps than allowed. */
  | 'budget-exceeded'
  | 'iteration-timeout'
  | 'run-timeout'
  /** A checkpoint of another model, seed or version. */
  | 'bad-checkpoint'
  /** The thread exited without an error message. */
  | 'worker-failed';

export interface ChainFailure {
  readonly chain: number;
  readonly reason: FailureReason;
  /** One or two sentences for people. */
  readonly message: string;
}
