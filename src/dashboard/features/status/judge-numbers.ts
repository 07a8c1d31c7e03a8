/** When a number of a finished run needs a look (amber) or forbids its use (red); nothing is judged before it is done. */
import type { Experiment } from '../../../contract/experiment.ts';

export type NumberTone = 'plain' | 'dim' | 'warn' | 'bad';

function toneOf(isBad: boolean, isWarn: boolean): NumberTone {
  if (isBad) return 'bad';
  return isWarn ? 'warn' : 'plain';
}

export interface JudgedNumber {
  readonly value: number | null;
  readonly tone: NumberTone;
}

export interface JudgedNumbers {
  readonly rhatMax: JudgedNumber;
  /** The smaller of bulk and tail. */
  readonly essMin: JudgedNumber;
  readonly divergences: JudgedNumber;
}

/** Amber begins at R-hat 1.01, ESS 100 × chains, one divergence; red at 1.05, 50 × chains, 1 % of the draws. */
export function judgeNumbers({ status, meta, n_chains, n_samples }: Experiment): JudgedNumbers {
  const verdict = meta?.verdict;
  const rhat = verdict?.rhat_max ?? null;
  const parts = [verdict?.ess_bulk_min, verdict?.ess_tail_min].filter(
    (value) => typeof value === 'number',
  );
  const ess = parts.length === 0 ? null : Math.min(...parts);
  const divergences = verdict?.divergences ?? null;
  const chains = Math.max(1, n_chains);
  const judged = (value: number | null, tone: NumberTone): JudgedNumber => ({
    value,
    tone: status === 'FIN' ? tone : 'dim',
  });
  return {
    rhatMax: judged(rhat, toneOf((rhat ?? 0) > 1.05, (rhat ?? 0) > 1.01)),
    essMin: judged(
      ess,
      toneOf(ess !== null && ess < 50 * chains, ess !== null && ess < 100 * chains),
    ),
    divergences: judged(
      divergences,
      toneOf(
        divergences !== null && divergences > 0 && divergences >= 0.01 * chains * n_samples,
        (divergences ?? 0) > 0,
      ),
    ),
  };
}
