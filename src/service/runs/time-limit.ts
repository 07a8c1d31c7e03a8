/** Runs with a `time_limit` are stopped in an orderly way once it is reached: draws are kept, and the log says why. */
import type pg from 'pg';
import type { JobQueue } from '../jobs/job-queue.ts';
import { lockChains, publishLive, updateDesiredState } from '../repositories/chains.ts';
import { inTransaction } from '../repositories/database.ts';
import {
  countIdleSeconds,
  findExperimentById,
  updateExperiment,
} from '../repositories/experiments.ts';
import { appendLog } from '../repositories/logs.ts';
import { listOverdueRuns } from '../repositories/stalled-runs.ts';
import { endRunIfOver } from './end-run.ts';

/**
 * A limit applies until the run first ends: later requests of its owner, for more draws or to resume, are not limited.
 * It includes pauses, so a paused run is stopped as well.
 */
export async function stopOverdueRuns(pool: pg.Pool, queue: JobQueue): Promise<void> {
  for (const { id, seconds } of await listOverdueRuns(pool)) {
    await inTransaction(pool, async (tx) => {
      const chains = await lockChains(tx, id);
      const experiment = await findExperimentById(tx, id);
      const isOpen = chains.some(({ state }) => ['queued', 'running', 'paused'].includes(state));
      if (experiment === null || !isOpen) return;
      const idle = await countIdleSeconds(tx, id);
      await updateDesiredState(tx, id, 'stop');
      const meta = { action: 'stopping', time_limit_reached: true, idle_seconds: idle };
      await updateExperiment(tx, id, { meta });
      const text = `The time limit of ${seconds} seconds (time_limit) has been reached: the run stops and keeps its draws.\n`;
      await appendLog(tx, { experimentId: id, stream: 'platform', text });
      await endRunIfOver(tx, queue, id);
      await publishLive(tx, experiment.short_id, 'status');
    });
  }
}
