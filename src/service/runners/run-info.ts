/** An outside runner's run as the wire shows it. */
import type { RunStats } from '../../contract/experiment.ts';
import type { View } from '../../contract/objects.ts';
import type { RunnerRun } from '../repositories/runner-runs.ts';

/** A run is FIN once its experiment's files are made; one that its owner stopped has ended like the others. */
export function runInfoToWire(run: RunnerRun, experimentStatus: string | null): View {
  const isDone = run.status === 'SAMPLE_FIN' || run.status === 'STOPPED';
  return {
    object_type: 'experiment.run_info',
    status: isDone ? (experimentStatus === 'FIN' ? 'FIN' : 'SAMPLE_FIN') : run.status,
    started_at: run.started_at,
    last_message_at: run.last_message_at,
    error: run.error,
    stats: run.stats as RunStats,
  };
}
