/** Keeps a claimed task while it is carried out: renews its lease until the work has ended. */
import type { Logger } from '../logging.ts';
import type { Executor } from '../repositories/database.ts';
import { type Lease, RENEW_MS, renewLease } from '../repositories/tasks.ts';

/** A renewal that fails is followed by the next; without any, another process takes the task up. */
export async function holdTask<T>(
  { pool, logger }: { readonly pool: Executor; readonly logger: Logger },
  lease: Lease,
  work: () => Promise<T>,
): Promise<T> {
  const renewing = setInterval(() => {
    renewLease(pool, lease).catch((error: unknown) =>
      logger.warn({ err: error, task: lease.kind }, 'the lease of a task was not renewed'),
    );
  }, RENEW_MS);
  try {
    return await work();
  } finally {
    clearInterval(renewing);
  }
}
