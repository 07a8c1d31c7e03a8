/** The verdict of a finished run in lists: icon and words; while it runs, its progress. */
import {
  IconAlertCircle,
  IconAlertTriangle,
  IconCircleCheck,
  IconHourglass,
} from '@tabler/icons-react';
import type { Experiment, VerdictInfo } from '../../../contract/experiment.ts';
import { formatCount } from '../../ui/numbers.ts';
import { isFailed } from './is-failed.ts';
import classes from './status.module.css';

const icons = {
  good: IconCircleCheck,
  warn: IconAlertTriangle,
  bad: IconAlertCircle,
  unknown: IconHourglass,
};

/** "Converged", "4 divergences", "ESS low: 212", "Too few draws". */
export function verdictWords(verdict: VerdictInfo, numChains: number): string {
  if (verdict.state === 'good') return 'Converged';
  if (verdict.state === 'unknown') return 'Too early to tell';
  const essFloor = 100 * Math.max(1, numChains);
  const ess = Math.min(
    verdict.ess_bulk_min ?? Number.POSITIVE_INFINITY,
    verdict.ess_tail_min ?? Number.POSITIVE_INFINITY,
  );
  const failed = [
    (verdict.rhat_max ?? 0) > 1.01 ? `R-hat ${verdict.rhat_max?.toFixed(3)}` : null,
    (verdict.divergences ?? 0) > 0
      ? `${formatCount(verdict.divergences)} ${verdict.divergences === 1 ? 'divergence' : 'divergences'}`
      : null,
    ess < essFloor ? `ESS low: ${formatCount(ess)}` : null,
    (verdict.ebfmi_min ?? 1) < 0.3 ? `E-BFMI ${verdict.ebfmi_min?.toFixed(2)}` : null,
    (verdict.treedepth_hits ?? 0) > 0
      ? `${formatCount(verdict.treedepth_hits)} tree depth hits`
      : null,
  ].filter((words) => words !== null);
  if (failed.length > 1) return `${failed.length} checks failed`;
  return failed[0] ?? 'Needs a look';
}

export function VerdictMark({ experiment }: { experiment: Experiment }) {
  const { status, meta } = experiment;
  if (isFailed(experiment)) {
    return <Mark tone="bad" words={meta?.error?.message.split('\n')[0] ?? 'Failed'} />;
  }
  if (status === 'RUN' || status === 'SAMPLE_FIN') return <ProgressMark experiment={experiment} />;
  const verdict = meta?.verdict;
  if (status === 'NEW') return <span className={classes.none}>Not run yet</span>;
  if (!verdict) return <span className={classes.none}>–</span>;
  return <Mark tone={verdict.state} words={verdictWords(verdict, experiment.n_chains)} />;
}

function Mark({ tone, words }: { tone: VerdictInfo['state']; words: string }) {
  const Icon = icons[tone];
  return (
    <span className={classes.verdict} data-tone={tone} title={words}>
      <Icon size={16} stroke={1.6} aria-hidden="true" />
      <span>{words}</span>
    </span>
  );
}

/** Percent of all iterations, warmup and sampling together; null when the server does not tell. */
export function percentDone(experiment: Pick<Experiment, 'meta'>): number | null {
  const progress = experiment.meta?.progress;
  if (!progress || progress.total === 0) return null;
  return Math.floor((100 * progress.done) / progress.total);
}

function ProgressMark({ experiment }: { experiment: Experiment }) {
  const percent = percentDone(experiment);
  if (percent === null) return <span className={classes.none}>–</span>;
  return (
    <span
      className={classes.progress}
      data-paused={experiment.meta?.action === 'paused' || undefined}
      role="progressbar"
      aria-valuenow={percent}
      aria-label="Iterations done"
    >
      <span className={classes.track}>
        <span style={{ width: `${percent}%` }} />
      </span>
      {percent} %
    </span>
  );
}
