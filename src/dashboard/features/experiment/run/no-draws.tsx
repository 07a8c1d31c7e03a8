/** What stands where draws will be, or why there are none. */
import { TextButton } from '../../../ui/text-button.tsx';
import classes from './experiment.module.css';
import type { LiveExperiment } from './use-live-experiment.ts';

export function NoDraws({ live }: { live: LiveExperiment }) {
  const hasFailed = live.summaryError !== null;
  return (
    <p className={classes.empty}>
      {absenceWords(live, hasFailed)}{' '}
      {hasFailed && <TextButton onClick={live.retry}>Try again</TextButton>}
    </p>
  );
}

function absenceWords({ isLive, experiment }: LiveExperiment, hasFailed: boolean): string {
  if (hasFailed) return 'The draws could not be loaded. They are safe on the server.';
  if (isLive) return 'The first draws appear here in a moment.';
  if (experiment.n_samples > 0) return 'Reading the draws…';
  if (experiment.status === 'ERR')
    return 'This run ended before its first draw. The log says more.';
  return 'This experiment has no draws.';
}
