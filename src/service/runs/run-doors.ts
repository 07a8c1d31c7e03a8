/** Starting and steering runs, as the routes call it. */
import type pg from 'pg';
import type { RunAction } from '../../contract/experiment.ts';
import type { JobQueue } from '../jobs/job-queue.ts';
import type { ReadingThreads } from '../reading/reading-threads.ts';
import type { Executor } from '../repositories/database.ts';
import { controlRun } from './control-run.ts';
import { type RunOrder, startRun } from './start-run.ts';

export interface RunDoors {
  /**
   * Makes an experiment of a workflow and orders its chains; durable when it returns. Throws `ServiceError` when the
   * workflow cannot be run; a program that does not compile gives an experiment that is `ERR` at once.
   */
  start(order: RunOrder): Promise<{ readonly shortId: string; readonly name: string }>;
  /** Throws CONFLICT with the state when it does not fit the action. `extendBy`: more draws a chain. */
  control(experimentId: number, action: RunAction, extendBy: number): Promise<void>;
  /** Orders statistics, counts and tidy storage of an outside run whose status is set, when the transaction commits. */
  finalise(tx: Executor, experimentId: number, afterSeconds: number): Promise<void>;
}

/** `reading`: for a process that answers others meanwhile. */
export function createRunDoors(pool: pg.Pool, queue: JobQueue, reading?: ReadingThreads): RunDoors {
  return {
    async start(order) {
      const { short_id: shortId, name } = await startRun(pool, { ...order, queue, reading });
      return { shortId, name };
    },
    control: (experimentId, action, extendBy) =>
      controlRun(pool, queue, { experimentId, action, extendBy }),
    finalise: (tx, experimentId, afterSeconds) =>
      queue.send('finalise', { experimentId }, { tx, key: String(experimentId), afterSeconds }),
  };
}
