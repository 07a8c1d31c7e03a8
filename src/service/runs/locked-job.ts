/** One worker at a time does a job of an experiment: the advisory lock, and what its end means to the queue. */
import type pg from 'pg';
import type { JobOutcome } from '../jobs/job-queue.ts';
import {
  execute,
  isConflict,
  isUnavailable,
  selectOne,
  sql,
  withClient,
} from '../repositories/database.ts';

export interface LockedJob {
  /** Of the advisory lock: a number of its own for each kind of job. */
  readonly lockClass: number;
  readonly experimentId: number;
  readonly work: () => Promise<void>;
  /** A fault that trying again does not mend: what becomes of the experiment. */
  readonly onFault: (reason: string) => Promise<void>;
}

/** Done as well when another worker is at it; later again while the database is away, or after a deadlock. */
export async function doLocked(pool: pg.Pool, job: LockedJob): Promise<JobOutcome> {
  try {
    await withClient(pool, (holder) => workLocked(holder, job));
    return { kind: 'done' };
  } catch (error) {
    const reason = (error as Error).message;
    if (isUnavailable(error) || isConflict(error))
      return { kind: 'retry', afterSeconds: 2, reason };
    await job.onFault(reason);
    return { kind: 'failed', reason };
  }
}

async function workLocked(holder: pg.PoolClient, job: LockedJob): Promise<void> {
  const lock = sql`${job.lockClass}::int, ${job.experimentId}::int`;
  const row = await selectOne<{ got: boolean }>(
    holder,
    sql`select pg_try_advisory_lock(${lock}) as got`,
  );
  if (row?.got !== true) return;
  try {
    await job.work();
  } finally {
    await execute(holder, sql`select pg_advisory_unlock(${lock})`);
  }
}
