/** A program that has not begun to run is removed from the queue when its owner stops it. */

import type { CoreContext } from '../context.ts';
import { sendFinalise } from '../jobs/job-queue.ts';
import { publishLive } from '../repositories/chains.ts';
import { inTransaction } from '../repositories/database.ts';
import { type ExperimentRow, updateExperiment } from '../repositories/experiments.ts';
import { appendLog } from '../repositories/logs.ts';
import { dropQueuedProgram } from '../repositories/program-runs.ts';

/** False: it no longer waits, or never did. */
export async function stopQueuedProgram(
  { pool, queue }: Pick<CoreContext, 'pool' | 'queue'>,
  row: Pick<ExperimentRow, 'id' | 'short_id'>,
): Promise<boolean> {
  return inTransaction(pool, async (tx) => {
    if (!(await dropQueuedProgram(tx, row.id))) return false;
    const meta = { action: 'stopped', run_info: { status: 'SAMPLE_FIN' } };
    await updateExperiment(tx, row.id, { status: 'SAMPLE_FIN', meta });
    const text = 'Stopped by its owner before it started.\n';
    await appendLog(tx, { experimentId: row.id, stream: 'platform', text });
    await sendFinalise(queue, tx, row.id, 0);
    await publishLive(tx, row.short_id, 'status');
    return true;
  });
}
