/** The verdict of a finished run in lists: icon and label; while it runs, its progress. */
import {
  IconAlertCircle,
  IconAlertTriangle,
  IconCircleCheck,
  IconHourglass,
} from '@tabler/icons-react';
import type { Experiment, VerdictInfo } from '../../../contract/experiment.ts';
import { isFailed } from './is-failed.ts';
import { runVerdict } from './run-verdict.ts';
import classes from './status.module.css';

const icons = {
  good: IconCircleCheck,
  warn: IconAlertTriangle,
  bad: IconAlertCircle,
  unknown: IconHourglass,
};

export function VerdictMark({
  experiment,
  computed = null,
}: {
  experiment: Experiment;
  /** The verdict on the available draws, if the server sends none. */
  computed?: VerdictInfo | null;
}) {
  const { status } = experiment;
  const isUnderWay = status === 'RUN' || status === 'SAMPLE_FIN';
  if (isUnderWay && !isFailed(experiment)) return <ProgressMark experiment={experiment} />;
  const said = runVerdict(experiment, computed);
  if (status === 'NEW' || said === null)
    return <span className={classes.none}>{said?.headline ?? '–'}</span>;
  return <Mark tone={said.tone} label={said.headline} />;
}

function Mark({ tone, label }: { tone: VerdictInfo['state']; label: string }) {
  const Icon = icons[tone];
  return (
    <span className={classes.verdict} data-tone={tone} title={label.replaceAll('`', '')}>
      <Icon size={16} aria-hidden="true" />
      <span>{label.replaceAll('`', '')}</span>
    </span>
  );
}

/** Percent of all iterations, warmup and sampling together; null when the server does not report it. */
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
      aria-label={experiment.meta?.progress?.step ? 'Imported' : 'Iterations done'}
    >
      <span className={classes.track}>
        <span style={{ width: `${percent}%` }} />
      </span>
      {percent} %
    </span>
  );
}
