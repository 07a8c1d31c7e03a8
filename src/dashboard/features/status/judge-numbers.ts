/** When a number of a finished run needs a look (amber) or rules out its use (red); nothing is judged before the end. */
import type { Experiment } from '../../../contract/experiment.ts';
import { failedChecks } from '../../../posterior/verdict-label.ts';

export type NumberTone = 'plain' | 'dim' | 'warn' | 'bad';

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

/** A number has the tone of its check in the verdict; before the run has ended it is dim. */
export function judgeNumbers({ status, meta }: Experiment): JudgedNumbers {
  const verdict = meta?.verdict;
  const parts = [verdict?.ess_bulk_min, verdict?.ess_tail_min].filter(
    (value) => typeof value === 'number',
  );
  const failed = failedChecks(verdict?.checks);
  const judged = (value: number | null | undefined, ...names: readonly string[]): JudgedNumber => {
    const tones = failed.filter(({ name }) => names.includes(name)).map(({ tone }) => tone);
    const tone = tones.includes('bad') ? 'bad' : tones.includes('warn') ? 'warn' : 'plain';
    return { value: value ?? null, tone: status === 'FIN' ? tone : 'dim' };
  };
  return {
    rhatMax: judged(verdict?.rhat_max, 'rhat'),
    essMin: judged(parts.length === 0 ? null : Math.min(...parts), 'ess_bulk', 'ess_tail'),
    divergences: judged(verdict?.divergences, 'divergences'),
  };
}
