/** The jobs a worker takes beside chains: one line each. */
import type pg from 'pg';
import { analyse, giveUpLostAnalysis } from '../analysis/analyse.handler.ts';
import { registerAnalysis } from '../analysis/register-analysis.ts';
import type { Fetcher } from '../fetching/fetcher.ts';
import type { ConfinedRunner } from '../functions/confined-runtimes.ts';
import type { GuestPool } from '../functions/guest-pool.ts';
import { createJobContext } from '../functions/job-context.ts';
import { carryOutCall } from '../functions/run-call.ts';
import { giveUpImport, importDraws } from '../imports/import-draws.ts';
import type { JobQueue } from '../jobs/job-queue.ts';
import type { Logger } from '../logging.ts';
import type { Connection } from '../repositories/database.ts';
import { giveUpCall, listReadyCalls } from '../repositories/function-calls.ts';
import { purgeNotifications } from '../repositories/notifications.ts';
import { purgeRemoved } from '../repositories/objects.ts';
import {
  endLease,
  type Lease,
  listWaitingTasks,
  purgeTasks,
  recoverTasks,
  type TaskKind,
} from '../repositories/tasks.ts';
import { giveUpProgram } from '../runtimes/program-runner.ts';
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
  /** The worker that takes them; absent: no worker's loop looks after them. */
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
    await purgeTasks(pool);
    await purgeNotifications(pool);
    for (const id of experimentIds) await files.removeFolder(`exports/${id}`);
    return { kind: 'done' };
  });
  await queue.work('import', (job) => importDraws(deps, job, deps.workerId), 1);
  registerAnalysis();
  const context = await createJobContext(deps);
  await queue.work('analyse', ({ analysisId }) => analyse(context, analysisId), 1);
  await queue.work('function_call', ({ callId }) => carryOutCall(context, callId), 4);
  await queue.work('data_script', ({ experimentId }) => runDataScript(context, experimentId), 2);
}

/** What becomes of a task that lost its process too often. */
const giveUp: Readonly<
  Record<TaskKind, (deps: Pick<JobDeps, 'pool' | 'queue'>, lease: Lease) => Promise<void>>
> = {
  analysis: ({ pool }, lease) => giveUpLostAnalysis(pool, lease),
  call: ({ pool }, lease) => giveUpCall(pool, lease),
  // the next request for the file makes it
  export: async ({ pool }, lease) => void (await endLease(pool, lease)),
  import: ({ pool }, lease) => giveUpImport(pool, lease),
  program: giveUpProgram,
};

/** Tasks that lost their process wait again or are given up; jobs that may be lost are sent again. */
export async function recoverLostTasks(deps: Pick<JobDeps, 'pool' | 'queue'>): Promise<void> {
  const { pool, queue } = deps;
  for (const lease of await recoverTasks(pool)) await giveUp[lease.kind](deps, lease);
  for (const callId of await listReadyCalls(pool))
    await queue.send('function_call', { callId }, { key: String(callId) });
  for (const analysisId of await listWaitingTasks(pool, 'analysis'))
    await queue.send('analyse', { analysisId }, { key: String(analysisId) });
  for (const experimentId of await listWaitingTasks(pool, 'import'))
    await queue.send('import', { experimentId }, { key: String(experimentId) });
}
