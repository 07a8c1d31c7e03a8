/** Finished runs from files: small ones within the call, larger ones by a job, with the same result. */
import type pg from 'pg';
import { ImportError, type ImportType } from '../../formats/imported-draws.ts';
import type { JobOutcome, JobQueue } from '../jobs/job-queue.ts';
import { findBlobs, insertBlob } from '../repositories/blobs.ts';
import { tellLive } from '../repositories/chains.ts';
import { type Executor, inTransaction, isUnavailable } from '../repositories/database.ts';
import { findExperimentById, updateExperiment } from '../repositories/experiments.ts';
import { releaseBlobs } from '../repositories/imports.ts';
import { appendLog } from '../repositories/logs.ts';
import { finaliseRun } from '../runs/finalise.handler.ts';
import type { ImportJob } from './import-job.ts';
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
  const kept: ImportJob['files'][number][] = [];
  for (const { name, bytes } of files)
    kept.push({ name, hash: await insertBlob(tx, experimentId, bytes) });
  await queue.send(
    'import',
    { experimentId, type, files: kept },
    { tx, key: String(experimentId) },
  );
}

/** The job: reads what was kept, stores the draws and finishes the experiment, or says on it why not. */
export async function importDraws(
  pool: pg.Pool,
  { experimentId, type, files }: ImportJob,
): Promise<JobOutcome> {
  const experiment = await findExperimentById(pool, experimentId);
  if (experiment === null || experiment.status !== 'RUN') return { kind: 'done' };
  try {
    const hashes = files.map((file) => file.hash);
    const blobs = await findBlobs(pool, hashes);
    const content = await readFiles({
      type,
      files: files.map(({ name, hash }) => {
        const bytes = blobs.get(hash);
        if (bytes === undefined) throw new ImportError(`${name} is not there any more.`);
        return { name, bytes };
      }),
    });
    const stored = await inTransaction(pool, async (tx) => {
      const now = await findExperimentById(tx, experimentId);
      if (now === null || now.status !== 'RUN') return false;
      await storeDraws(tx, experimentId, content, { fileNames: files.map((file) => file.name) });
      await releaseBlobs(tx, experimentId, hashes);
      return true;
    });
    return stored ? await finaliseRun(pool, experimentId) : { kind: 'done' };
  } catch (error) {
    if (isUnavailable(error))
      return { kind: 'retry', afterSeconds: 2, reason: (error as Error).message };
    const message = error instanceof ImportError ? error.message : 'The draws could not be stored.';
    await failImport(pool, experimentId, { hashes: files.map((file) => file.hash), message });
    // Files that are no draws are their sender's fault; the rest is ours and belongs into the log.
    if (error instanceof ImportError) return { kind: 'done' };
    return { kind: 'failed', reason: (error as Error).message };
  }
}

async function failImport(
  pool: pg.Pool,
  experimentId: number,
  { hashes, message }: { readonly hashes: readonly string[]; readonly message: string },
): Promise<void> {
  await inTransaction(pool, async (tx) => {
    const experiment = await findExperimentById(tx, experimentId);
    if (experiment === null) return;
    await updateExperiment(tx, experimentId, {
      status: 'ERR',
      meta: { error: { code: 'IMPORT_FAILED', message }, run_info: { status: 'ERR' } },
    });
    await releaseBlobs(tx, experimentId, hashes);
    await appendLog(tx, { experimentId, stream: 'platform', text: `${message}\n` });
    await tellLive(tx, experiment.short_id, 'status');
  });
}
