/** The method that made the draws of a run, found from its columns, and what those columns say about the result. */
import { trueLogDensity } from './calibration-columns.ts';
import { psis } from './psis.ts';
import type { SummaryRow } from './summary.ts';

export type RunMethod = 'mcmc' | 'calibration' | FitMethod;
/** Draws that no Markov chain made: R-hat and ESS mean nothing. */
export type FitMethod = 'optimize' | 'laplace' | 'pathfinder' | 'advi' | 'fixed_param';

/** By the names of CmdStan's files, ours and imported ones alike; `converged__` marks an optimum. */
export function methodOf(columns: readonly string[]): RunMethod {
  const has = (name: string) => columns.includes(name);
  if (has(trueLogDensity)) return 'calibration';
  if (has('converged__')) return 'optimize';
  if (has('lp_approx__')) return 'pathfinder';
  if (has('log_p__') && has('log_q__')) return 'laplace';
  if (has('log_p__') && has('log_g__')) return 'advi';
  const own = columns.filter((name) => name.endsWith('__'));
  return own.length === 2 && has('lp__') && has('accept_stat__') ? 'fixed_param' : 'mcmc';
}

/** Evidence from one chain's own columns. Null: not recorded, or not of this method. */
export interface FitEvidence {
  /** Pareto k of the importance ratios; NaN: undefined. */
  readonly paretoK: number | null;
  readonly isConverged: boolean | null;
  /** The log density at which the optimiser ended. */
  readonly logDensity: number | null;
}

/** The columns that `fitEvidence` reads. */
export const evidenceColumns: Readonly<Record<FitMethod, readonly string[]>> = {
  optimize: ['converged__', 'lp__'],
  laplace: ['log_p__', 'log_q__'],
  pathfinder: ['pareto_k__'],
  advi: ['log_p__', 'log_g__'],
  fixed_param: [],
};

/** `columns`: the draws of one chain, at least of `evidenceColumns`. */
export function fitEvidence(
  method: FitMethod,
  columns: ReadonlyMap<string, Float64Array>,
): FitEvidence {
  const none: FitEvidence = { paretoK: null, isConverged: null, logDensity: null };
  const [first, second] = evidenceColumns[method].map((name) => columns.get(name));
  if (first === undefined || first.length === 0) return none;
  if (method === 'optimize')
    return { ...none, isConverged: first[0] === 1, logDensity: second?.[0] ?? null };
  if (method === 'pathfinder') return { ...none, paretoK: first[0] };
  if (second === undefined) return none;
  return { ...none, paretoK: paretoKOfRatios(first.map((value, i) => value - second[i])) };
}

/** Natural logs that differ by less are equal up to rounding. */
const rounding = 1e-8;

/**
 * Pareto k of importance ratios (natural log): below 0.7 the approximation can stand for the posterior, at least with
 * reweighting. 0 if all ratios are equal: it is then exact, with no tail to fit. Source: Yao, Vehtari, Simpson &
 * Gelman 2018, PMLR 80, section 3; Vehtari et al. 2024, JMLR 25(72).
 */
export function paretoKOfRatios(logRatios: Float64Array): number {
  let lowest = Infinity;
  let highest = -Infinity;
  for (const ratio of logRatios) {
    lowest = Math.min(lowest, ratio);
    highest = Math.max(highest, ratio);
  }
  return highest - lowest < rounding ? 0 : psis(logRatios).k;
}

/** A row without the statistics that only Markov chains have. */
export function withoutChainStatistics(row: SummaryRow): SummaryRow {
  return { ...row, rhat: NaN, ess_bulk: NaN, ess_tail: NaN };
}
