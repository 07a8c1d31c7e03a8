/** The jobs a worker takes beside chains: one line each. */
import type pg from 'pg';
import type { JobQueue } from '../jobs/job-queue.ts';
import type { Logger } from '../logging.ts';
import { purgeRemoved } from '../repositories/objects.ts';
import type { FileStore } from '../storage/file-store.ts';
import { finaliseRun } from './finalise.handler.ts';

/** What every job handler may use. */
export interface JobDeps {
  readonly pool: pg.Pool;
  readonly queue: JobQueue;
  readonly files: FileStore;
  readonly logger: Logger;
}

export async function takeJobs(deps: JobDeps): Promise<void> {
  const { pool, queue, files } = deps;
  await queue.work('finalise', ({ experimentId }) => finaliseRun(pool, experimentId), 2);
  await queue.work('purge', async () => {
    const { experimentIds } = await purgeRemoved(pool);
    for (const id of experimentIds) await files.removeFolder(`exports/${id}`);
    return { kind: 'done' };
  });
}
