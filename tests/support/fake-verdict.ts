/** Verdicts as a server sends them, about the numbers that a test uses. */
import type { VerdictInfo } from '../../src/contract/experiment.ts';
import { completeVerdict, type VerdictNumbers } from '../../src/posterior/verdict.ts';

export function createFakeVerdict(
  { state, ...numbers }: Pick<VerdictInfo, 'state'> & Partial<VerdictNumbers>,
  { numChains = 4, numDraws = 1000 } = {},
): VerdictInfo {
  const none = {
    rhat_max: null,
    ess_bulk_min: null,
    ess_tail_min: null,
    divergences: null,
    treedepth_hits: null,
    ebfmi_min: null,
  };
  const { checks, ...verdict } = completeVerdict(
    { state, ...none, ...numbers },
    { numChains, numDraws },
  );
  return { ...verdict, checks: [...checks] };
}
