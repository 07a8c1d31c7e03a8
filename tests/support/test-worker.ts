/** A worker in the test's own process: two slots, quick rounds, no log. The test stops it. */
import type { JobQueue } from '../../src/service/jobs/job-queue.ts';
import { createLogger } from '../../src/service/logging.ts';
import { createDiskStore } from '../../src/service/storage/disk-store.ts';
import {
  startWorker,
  type Worker,
  type WorkerOptions,
} from '../../src/service/worker/worker-loop.ts';
import type { TestDatabase } from './database.ts';

/** A test's service is one. */
export interface WorkPlace {
  readonly database: Pick<TestDatabase, 'pool' | 'connection'>;
  readonly queue: JobQueue;
  readonly filesDir: string;
}

export function startTestWorker(
  { database: { pool, connection }, queue, filesDir }: WorkPlace,
  options: Partial<WorkerOptions> = {},
): Promise<Worker> {
  return startWorker({
    pool,
    connection,
    queue,
    files: createDiskStore(filesDir),
    logger: createLogger({ level: 'silent' }),
    slots: 2,
    pools: [],
    roundMs: 100,
    ...options,
  });
}
