/** Holds a claimed task while it is being run: renews its lease until the work has ended. */
import type { Logger } from '../logging.ts';
import type { Executor } from '../repositories/database.ts';
import { type Lease, RENEW_MS, renewLease } from '../repositories/tasks.ts';

/**
 * A failed renewal is followed by the next; without any, another process takes over the task. The signal of `work` is
 * aborted as soon as this process knows.
 */
export async function holdTask<T>(
  { pool, logger }: { readonly pool: Executor; readonly logger: Logger },
  lease: Lease,
  work: (lost: AbortSignal) => Promise<T>,
): Promise<T> {
  const losing = new AbortController();
  const renewing = setInterval(() => {
    renewLease(pool, lease).then(
      (isHeld) => isHeld || losing.abort(),
      (error: unknown) =>
        logger.warn({ err: error, task: lease.kind }, 'the lease of a task was not renewed'),
    );
  }, RENEW_MS);
  try {
    return await work(losing.signal);
  } finally {
    clearInterval(renewing);
  }
}
