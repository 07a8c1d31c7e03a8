/**
 * The worker process: its parent sends what to join; it samples at lower priority until it is asked to stop or the
 * parent is gone.
 */
import { setPriority } from 'node:os';
import { pathToFileURL } from 'node:url';
import { builtServerFile } from './built-file.ts';
import { createFetcher } from './fetching/fetcher.ts';
import { createPgBossQueue } from './jobs/pg-boss-queue.ts';
import { rememberRuntimes } from './language-runtimes/confinement.ts';
import { endAfterFault } from './last-resort.ts';
import { createLogger } from './logging.ts';
import { monitorWorker } from './monitor-worker.ts';
import { readVersion } from './read-version.ts';
import { openDatabase } from './repositories/database.ts';
import { hasSpareMemory } from './spare-memory.ts';
import { createDiskReserve } from './storage/disk-reserve.ts';
import { openFileStore } from './storage/open-file-store.ts';
import { startTracing } from './tracing/start-tracing.ts';
import { startWorker, type Worker } from './worker/worker-loop.ts';
import type { FromWorker, ToWorker, WorkerSettings } from './worker-messages.ts';

const logger = createLogger();
/** Lower than the priority of everything that answers requests. */
const NICE = 10;

let worker: Worker | null = null;
let closeDatabase = async () => {};
let closeMonitor = async () => {};
let stopTracing = async () => {};
let isEnding = false;
let stopping: Promise<void> | null = null;

function send(message: FromWorker): void {
  // If the parent is gone, no process needs the message.
  if (process.connected) process.send?.(message, () => {});
}

async function start(settings: WorkerSettings): Promise<void> {
  const { connection, slots, idleSeconds, isOwnProcess } = settings;
  const version = readVersion();
  stopTracing = await startTracing({ name: 'ergodic-worker', version, logger });
  const database = openDatabase(connection, {
    maxConnections: slots + 6,
    onError: (error) => logger.warn({ err: error }, 'an idle database connection was lost'),
  });
  closeDatabase = () => database.close();
  const reserve = createDiskReserve(settings.dataDir);
  worker = await startWorker({
    pool: database.pool,
    connection,
    queue: createPgBossQueue({ connection, logger, supervise: true }),
    logger,
    files: await openFileStore(settings),
    slots,
    pools: settings.pools,
    runtimes: rememberRuntimes({ trust: settings.trustRuntimes }),
    serviceUrl: settings.serviceUrl,
    fetcher: createFetcher({ allowFetch: settings.allowFetch ?? [] }),
    userChains: settings.userChains,
    flushMs: settings.flushMs,
    version,
    onOutdated: (reason) => void endAs({ reason, isFault: true }),
    isOwnProcess,
    // one that ends when idle was started for a run that waits
    warmsUp: idleSeconds === undefined && hasSpareMemory(),
    job: settings.job,
    onRetired: () => void endAs({ reason: 'It was retired on the Queue page.', isFault: false }),
    ...(idleSeconds === undefined
      ? {}
      : {
          idleMs: idleSeconds * 1000,
          onIdle: () => void endAs({ reason: 'There was nothing to do.', isFault: false }),
        }),
    isDiskFull: () => reserve.isGivenUp(),
    workerUrl: pathToFileURL(builtServerFile('chain-worker.js')),
  });
  const mine = worker;
  if (settings.metrics !== undefined)
    closeMonitor = await monitorWorker(settings.metrics, { pool: database.pool, worker: mine });
  send({ type: 'ready', id: worker.id });
}

/** The parent receives the reason and starts no other worker. */
async function endAs(end: { reason: string; isFault: boolean }): Promise<void> {
  if (isEnding) return;
  isEnding = true;
  await stop();
  const message: FromWorker = { type: 'over', ...end };
  await new Promise<void>((resolve) => {
    if (process.connected && process.send) process.send(message, () => resolve());
    else resolve();
  });
  process.exit(0);
}

/** Runs once, though Slurm sends SIGTERM to this process while its parent asks for the same. */
function stop(): Promise<void> {
  stopping ??= (async () => {
    await closeMonitor();
    await worker?.stop();
    await closeDatabase();
    await stopTracing();
  })();
  return stopping;
}

async function stopAndExit(): Promise<void> {
  await stop();
  process.exit(0);
}

try {
  setPriority(NICE);
} catch {
  // Some containers do not allow this; sampling then competes with serving.
}
process.on('message', (message: ToWorker) => {
  const work = message.type === 'start' ? start(message.settings) : stopAndExit();
  work.catch((error: unknown) => {
    logger.error({ err: error }, 'the worker failed');
    process.exit(1);
  });
});
endAfterFault(logger, stop);
// The parent died without a message: its next start creates a new worker.
process.on('disconnect', () => process.exit(1));
// Ctrl-C and closing the terminal signal the entire process group; the parent says when to stop.
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
// Its chains return to the queue; the parent starts another worker, unless it is stopping too.
process.on('SIGTERM', () => void stopAndExit());
