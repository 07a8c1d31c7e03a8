/** Completes verdicts that an earlier version stored or froze to today's form; nothing is judged a second time. */
import { type Experiment, type VerdictInfo, verdictSchema } from '../../contract/experiment.ts';
import { completeVerdict } from '../../posterior/verdict.ts';

interface Size {
  readonly n_chains: number;
  readonly n_samples: number;
}

export function wholeVerdict(stored: VerdictInfo, { n_chains, n_samples }: Size): VerdictInfo {
  if (stored.headline !== undefined) return stored;
  const { rhat_max = null, ess_bulk_min = null, ess_tail_min = null } = stored;
  const { divergences = null, treedepth_hits = null, ebfmi_min = null } = stored;
  const numbers = { rhat_max, ess_bulk_min, ess_tail_min };
  const { checks, ...verdict } = completeVerdict(
    { state: stored.state, ...numbers, divergences, treedepth_hits, ebfmi_min },
    { numChains: Math.max(1, n_chains), numDraws: n_samples },
  );
  return { ...verdict, checks: [...checks] };
}

/** The experiment with a complete verdict; a `verdict` that a client wrote in another form does not change. */
export function withWholeVerdict(experiment: Experiment): Experiment {
  const { meta } = experiment;
  if (!meta?.verdict || meta.verdict.headline !== undefined) return experiment;
  const read = verdictSchema.safeParse(meta.verdict);
  if (!read.success) return experiment;
  return { ...experiment, meta: { ...meta, verdict: wholeVerdict(read.data, experiment) } };
}
