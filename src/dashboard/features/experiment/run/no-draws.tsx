/** Placeholder for draws to come, or why there are none. */
import { Link } from '@tanstack/react-router';
import type { ChainProgress, Experiment } from '../../../../contract/experiment.ts';
import { TextButton } from '../../../ui/text-button.tsx';
import { isFailed } from '../../status/is-failed.ts';
import { statusOf } from '../../status/status-badge.tsx';
import classes from './experiment.module.css';
import type { LiveExperiment } from './use-live-experiment.ts';

export function NoDraws({ live }: { live: LiveExperiment }) {
  const hasFailed = live.summaryError !== null;
  return (
    <p className={classes.empty}>
      {absenceText(live, hasFailed)}{' '}
      {live.experiment.status === 'ERR' && live.access.shareId === undefined && !hasFailed && (
        <Link
          to="/experiments/$experimentId"
          params={{ experimentId: live.experiment.short_id }}
          search={{ tab: 'logs' }}
        >
          See the log
        </Link>
      )}
      {hasFailed && <TextButton onClick={live.retry}>Try again</TextButton>}
    </p>
  );
}

function absenceText({ isLive, experiment }: LiveExperiment, hasFailed: boolean): string {
  if (hasFailed) return 'The draws could not be loaded. They are safe on the server.';
  if (isLive) return expectedText(experiment);
  if (experiment.n_samples > 0) return 'Reading the draws…';
  if (experiment.status === 'ERR') return 'This run ended before its first draw.';
  return 'This experiment has no draws.';
}

/** When a running run's first draws are expected; never soon if no chain can produce any. */
function expectedText(experiment: Experiment): string {
  if (isFailed(experiment)) return 'This run failed before its first draw.';
  if (experiment.meta?.progress?.step) return 'Draws appear here once all of them are stored.';
  const { label } = statusOf(experiment);
  if (label === 'Paused') return 'This run is paused. Draws appear here once it is resumed.';
  const phases = experiment.meta?.progress?.chains.map(({ phase }) => phase) ?? [];
  const hasEnded = phases.length > 0 && phases.every((one) => one === 'done' || one === 'failed');
  if (label === 'Stopping' || label === 'Finishing' || hasEnded)
    return 'This run is ending without draws.';
  if (
    experiment.status === 'NEW' ||
    (phases.length > 0 && phases.every((one) => one === 'waiting'))
  )
    return 'Draws appear here once a chain has started.';
  if (experiment.meta?.silent_since)
    return 'Nothing has been received for more than five minutes: the runner may have stopped.';
  const isQuiet = ({ phase, iteration }: ChainProgress) => phase === 'warmup' && iteration > 50;
  if (experiment.meta?.progress?.chains.some(isQuiet))
    return 'Draws appear here once warmup has ended.';
  return 'The first draws appear here in a moment.';
}
