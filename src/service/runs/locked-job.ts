/** One worker at a time does a job of an experiment: the advisory lock, and what its end means to the queue. */
import type pg from 'pg';
import { GuestEnded } from '../guests/guest-process.ts';
import type { JobOutcome } from '../jobs/job-queue.ts';
import { workLocked } from '../repositories/advisory-locks.ts';
import { isConflict, isUnavailable } from '../repositories/database.ts';

export interface LockedJob {
  /** Of the advisory lock: a number of its own for each kind of job. */
  readonly lockClass: number;
  readonly experimentId: number;
  readonly work: () => Promise<void>;
  /** A fault that a retry does not fix: what becomes of the experiment. */
  readonly onFault: (reason: string) => Promise<void>;
}

/** Done as well when another worker is at it; later again while the database is away, after a deadlock, or when this process ends. */
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
