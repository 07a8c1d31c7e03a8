/** The jobs a worker takes beside chains: one line each. */
import type pg from 'pg';
import { analyse } from '../analysis/analyse.handler.ts';
import { registerAnalysis } from '../analysis/register-analysis.ts';
import type { Fetcher } from '../fetching/fetcher.ts';
import type { ConfinedRunner } from '../functions/confined-runtimes.ts';
import type { GuestPool } from '../functions/guest-pool.ts';
import { createJobContext } from '../functions/job-context.ts';
import { carryOutCall } from '../functions/run-call.ts';
import { importDraws } from '../imports/import-draws.ts';
import type { JobQueue } from '../jobs/job-queue.ts';
import type { Logger } from '../logging.ts';
import type { Connection } from '../repositories/database.ts';
import { purgeNotifications } from '../repositories/notifications.ts';
import { purgeRemoved } from '../repositories/objects.ts';
import type { FileStore } from '../storage/file-store.ts';
import { runDataScript } from './data-script.handler.ts';
import { finaliseRun } from './finalise.handler.ts';

/** What every job handler may use. */
export interface JobDeps {
  readonly pool: pg.Pool;
  readonly queue: JobQueue;
  readonly files: FileStore;
  readonly logger: Logger;
  readonly connection: Connection;
  /** The worker that takes them; absent: no worker'''s loop looks after them. */
  readonly workerId?: number;
  readonly guests: GuestPool;
  readonly confined?: ConfinedRunner;
  readonly fetcher?: Fetcher;
}

export async function takeJobs(deps: JobDeps): Promise<void> {
  const { pool, queue, files } = deps;
  await queue.work('finalise', ({ experimentId }) => finaliseRun(pool, experimentId), 2);
  await queue.work('purge', async () => {
    const { experimentIds } = await purgeRemoved(pool);
    await purgeNotifications(pool);
    for (const id of experimentIds) await files.removeFolder(`exports/${id}`);
    return { kind: 'done' };
  });
  await queue.work('import', (job) => importDraws(pool, job, deps.workerId), 1);
  registerAnalysis();
  const context = await createJobContext(deps);
  await queue.work('analyse', ({ analysisId }) => analyse(context, analysisId), 1);
  await queue.work('function_call', ({ callId }) => carryOutCall(context, callId), 4);
  await queue.work('data_script', ({ experimentId }) => runDataScript(context, experimentId), 2);
}
