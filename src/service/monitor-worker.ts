/** The monitoring port of a worker process that was started by itself. */
import type pg from 'pg';
import { createMetrics } from './metrics/metrics.ts';
import { startMonitor } from './metrics/monitor.ts';
import { explainMismatch, ownVersions } from './migrations/handshake.ts';
import { readVersion } from './read-version.ts';
import { findVersions } from './repositories/versions.ts';
import type { Worker } from './worker/worker-loop.ts';

/** Returns a function that closes it. */
export async function monitorWorker(
  address: { readonly port: number; readonly host: string },
  { pool, worker }: { readonly pool: pg.Pool; readonly worker: Worker },
): Promise<() => Promise<void>> {
  const metrics = createMetrics({ pool, version: readVersion(), ...ownVersions });
  const notReady = async () =>
    worker.isStopping ? 'The worker is stopping.' : explainMismatch(await findVersions(pool));
  const monitor = await startMonitor({ ...address, metrics, notReady });
  return () => monitor.close();
}
