/** Finished runs from files: small ones within the call, larger ones by a job, with the same result. */
import type pg from 'pg';
import { ImportError, type ImportType } from '../../formats/imported-draws.ts';
import type { JobOutcome, JobQueue } from '../jobs/job-queue.ts';
import { findBlobs, insertBlobs } from '../repositories/blobs.ts';
import { tellLive } from '../repositories/chains.ts';
import {
  type Executor,
  inTransaction,
  isConflict,
  isUnavailable,
} from '../repositories/database.ts';
import { findExperimentById, updateExperiment } from '../repositories/experiments.ts';
import {
  claimImport,
  endImport,
  type ImportOrder,
  insertImportOrder,
  RENEW_MS,
  recoverImports,
  releaseImport,
  renewImport,
} from '../repositories/import-orders.ts';
import { releaseBlobs } from '../repositories/imports.ts';
import { appendLog } from '../repositories/logs.ts';
import { finaliseRun } from '../runs/finalise.handler.ts';
import { readFiles } from './read-files.ts';
import { storeDraws } from './store-draws.ts';

export interface ImportFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Bytes of all files that are read while the caller waits. */
export const SMALL_IMPORT_BYTES = 8 * 2 ** 20;

/** Keeps the files and orders the job; both happen when `tx` commits. The experiment is `RUN` until then. */
export async function orderImport(
  tx: Executor,
  queue: JobQueue,
  {
    experimentId,
    files,
    type,
  }: {
    readonly experimentId: number;
    readonly files: readonly ImportFile[];
    readonly type: ImportType | null;
  },
): Promise<void> {
  const contents = files.map(({ bytes }) => bytes);
  const hashes = await insertBlobs(tx, experimentId, contents);
  const kept = files.map(({ name }, i) => ({ name, hash: hashes[i] }));
  await insertImportOrder(tx, experimentId, { type, files: kept });
  await queue.send('import', { experimentId }, { tx, key: String(experimentId) });
}

/** The job: reads what was kept, stores the draws and finishes the experiment, or says on it why not. */
export async function importDraws(
  pool: pg.Pool,
  { experimentId }: { readonly experimentId: number },
  workerId: number | null = null,
): Promise<JobOutcome> {
  const order = await claimImport(pool, experimentId, workerId);
  if (order === null) return { kind: 'done' };
  // a renewal that fails is followed by the next; without any, another worker takes the import up
  const renewing = setInterval(() => void renewImport(pool, order).catch(() => {}), RENEW_MS);
  try {
    return (await readOrder(pool, order))
      ? await finaliseRun(pool, experimentId)
      : { kind: 'done' };
  } catch (error) {
    if (isUnavailable(error) || isConflict(error)) {
      await releaseImport(pool, order).catch(() => {});
      return { kind: 'retry', afterSeconds: 2, reason: (error as Error).message };
    }
    const isTheirs = error instanceof ImportError;
    await failImport(pool, order, isTheirs ? error.message : 'The draws could not be stored.');
    // Files that are no draws are their sender's fault; the rest is ours and belongs into the log.
    return isTheirs ? { kind: 'done' } : { kind: 'failed', reason: (error as Error).message };
  } finally {
    clearInterval(renewing);
  }
}

/** False: the experiment was deleted or ended meanwhile, or another attempt stored it. Undeleted it is read again. */
async function readOrder(pool: pg.Pool, order: ImportOrder): Promise<boolean> {
  const { experiment_id: experimentId, files } = order;
  const hashes = files.files.map((file) => file.hash);
  const blobs = await findBlobs(pool, hashes);
  const content = await readFiles({
    type: files.type,
    files: files.files.map(({ name, hash }) => {
      const bytes = blobs.get(hash);
      if (bytes === undefined) throw new ImportError(`${name} is not there any more.`);
      return { name, bytes };
    }),
  });
  return inTransaction(pool, async (tx) => {
    const now = await findExperimentById(tx, experimentId);
    if (now === null) {
      await releaseImport(tx, order);
      return false;
    }
    if (!(await endImport(tx, order)) || now.status !== 'RUN') return false;
    await storeDraws(tx, experimentId, content, {
      fileNames: files.files.map((file) => file.name),
    });
    await releaseBlobs(tx, experimentId, hashes);
    return true;
  });
}

async function failImport(pool: pg.Pool, order: ImportOrder, message: string): Promise<void> {
  const { experiment_id: experimentId, files } = order;
  await inTransaction(pool, async (tx) => {
    const experiment = await findExperimentById(tx, experimentId);
    if (experiment === null) return releaseImport(tx, order);
    if (!(await endImport(tx, order))) return;
    await updateExperiment(tx, experimentId, {
      status: 'ERR',
      meta: { error: { code: 'IMPORT_FAILED', message }, run_info: { status: 'ERR' } },
    });
    const hashes = files.files.map((file) => file.hash);
    await releaseBlobs(tx, experimentId, hashes);
    await appendLog(tx, { experimentId, stream: 'platform', text: `${message}\n` });
    await tellLive(tx, experiment.short_id, 'status');
  });
}

/** Imports that lost their process wait again, or have failed; jobs that were lost are sent again. */
export async function recoverLostImports(pool: pg.Pool, queue: JobQueue): Promise<void> {
  const { waiting, failed } = await recoverImports(pool);
  for (const order of failed)
    await failImport(
      pool,
      order,
      `Reading the files ended its process ${order.attempts} times and was given up: they may be too large for this machine.`,
    );
  for (const experimentId of waiting)
    await queue.send('import', { experimentId }, { key: String(experimentId) });
}
