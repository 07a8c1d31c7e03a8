/** One worker at a time does a job of an experiment: the advisory lock, and the outcome for the queue. */
import type pg from 'pg';
import { GuestEnded } from '../guests/guest-process.ts';
import type { JobOutcome } from '../jobs/job-queue.ts';
import { workLocked } from '../repositories/advisory-locks.ts';
import { isConflict, isUnavailable } from '../repositories/database.ts';

export interface LockedJob {
  /** Of the advisory lock: a separate number for each kind of job. */
  readonly lockClass: number;
  readonly experimentId: number;
  readonly work: () => Promise<void>;
  /** Updates the experiment after a fault that a retry does not fix. */
  readonly onFault: (reason: string) => Promise<void>;
}

/** Done if another worker has the lock; retried if the database is away, on a deadlock, or when the process ends. */
export async function doLocked(pool: pg.Pool, job: LockedJob): Promise<JobOutcome> {
  try {
    const { lockClass, experimentId: id, work } = job;
    await workLocked(pool, { lockClass, id }, work);
    return { kind: 'done' };
  } catch (error) {
    const reason = (error as Error).message;
    if (isUnavailable(error) || isConflict(error) || error instanceof GuestEnded)
      return { kind: 'retry', afterSeconds: 2, reason };
    await job.onFault(reason);
    return { kind: 'failed', reason };
  }
}
