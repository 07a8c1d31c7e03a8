/** Finished runs from files: small ones within the call, larger ones by a job, with the same result. */
import type pg from 'pg';
import { ImportError, type ImportType } from '../../formats/imported-draws.ts';
import { holdTask } from '../jobs/hold-task.ts';
import type { JobOutcome, JobQueue } from '../jobs/job-queue.ts';
import type { Logger } from '../logging.ts';
import { findBlobs, insertBlobs } from '../repositories/blobs.ts';
import { publishLive } from '../repositories/chains.ts';
import {
  type Executor,
  inTransaction,
  isConflict,
  isUnavailable,
} from '../repositories/database.ts';
import { findExperimentById, updateExperiment } from '../repositories/experiments.ts';
import { type ImportFile, releaseBlobs } from '../repositories/imports.ts';
import { appendLog } from '../repositories/logs.ts';
import {
  claimTask,
  endLease,
  insertTask,
  type Lease,
  releaseLease,
} from '../repositories/tasks.ts';
import { finaliseRun } from '../runs/finalise.handler.ts';
import { readFiles } from './read-files.ts';
import { storeDraws } from './store-draws.ts';

/** What an import task carries: its files, whose bytes wait in the database. */
interface ImportPayload {
  /** Null: guess. */
  readonly type: ImportType | null;
  readonly files: readonly { readonly name: string; readonly hash: string }[];
}

const payloadOf = ({ payload }: Lease) => payload as unknown as ImportPayload;

/** Bytes of all files that are read while the caller waits. */
export const SMALL_IMPORT_BYTES = 8 * 2 ** 20;

/** Stores the files and queues the job; both happen when `tx` commits. The experiment is `RUN` until then. */
export async function requestImport(
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
  await insertTask(tx, {
    kind: 'import',
    subjectId: experimentId,
    payload: { type, files: kept },
  });
  await queue.send('import', { experimentId }, { tx, key: String(experimentId) });
}

/** The job: reads what was kept, stores the draws and finishes the experiment, or says on it why not. */
export async function importDraws(
  { pool, logger }: { readonly pool: pg.Pool; readonly logger: Logger },
  { experimentId }: { readonly experimentId: number },
  workerId: number | null = null,
): Promise<JobOutcome> {
  const lease = await claimTask(pool, { kind: 'import', subjectId: experimentId }, workerId);
  if (lease === null) return { kind: 'done' };
  return holdTask({ pool, logger }, lease, () => carryOut(pool, lease));
}

async function carryOut(pool: pg.Pool, lease: Lease): Promise<JobOutcome> {
  try {
    return (await readAndStore(pool, lease))
      ? await finaliseRun(pool, lease.subject_id)
      : { kind: 'done' };
  } catch (error) {
    if (isUnavailable(error) || isConflict(error)) {
      await releaseLease(pool, lease).catch(() => {});
      return { kind: 'retry', afterSeconds: 2, reason: (error as Error).message };
    }
    const isTheirs = error instanceof ImportError;
    await failImport(pool, lease, isTheirs ? error.message : 'The draws could not be stored.');
    // Files without draws are their sender's fault; any other fault is ours and belongs in the log.
    return isTheirs ? { kind: 'done' } : { kind: 'failed', reason: (error as Error).message };
  }
}

/** False: the experiment was deleted or ended in the meantime, or another attempt stored it. Once undeleted it is read again. */
async function readAndStore(pool: pg.Pool, lease: Lease): Promise<boolean> {
  const { subject_id: experimentId } = lease;
  const { type, files } = payloadOf(lease);
  const hashes = files.map((file) => file.hash);
  const blobs = await findBlobs(pool, hashes);
  const content = await readFiles({
    type,
    files: files.map(({ name, hash }) => {
      const bytes = blobs.get(hash);
      if (bytes === undefined) throw new ImportError(`${name} no longer exists.`);
      return { name, bytes };
    }),
  });
  return inTransaction(pool, async (tx) => {
    const now = await findExperimentById(tx, experimentId);
    if (now === null) {
      await releaseLease(tx, lease);
      return false;
    }
    if (!(await endLease(tx, lease)) || now.status !== 'RUN') return false;
    await storeDraws(tx, experimentId, content, {
      fileNames: files.map((file) => file.name),
    });
    await releaseBlobs(tx, experimentId, hashes);
    return true;
  });
}

async function failImport(pool: pg.Pool, lease: Lease, message: string): Promise<void> {
  const { subject_id: experimentId } = lease;
  await inTransaction(pool, async (tx) => {
    const experiment = await findExperimentById(tx, experimentId);
    if (experiment === null) return releaseLease(tx, lease);
    if (!(await endLease(tx, lease))) return;
    await updateExperiment(tx, experimentId, {
      status: 'ERR',
      meta: { error: { code: 'IMPORT_FAILED', message }, run_info: { status: 'ERR' } },
    });
    const hashes = payloadOf(lease).files.map((file) => file.hash);
    await releaseBlobs(tx, experimentId, hashes);
    await appendLog(tx, { experimentId, stream: 'platform', text: `${message}\n` });
    await publishLive(tx, experiment.short_id, 'status');
  });
}

/** An import that lost its process too often has failed. */
export async function giveUpImport(pool: pg.Pool, lease: Lease): Promise<void> {
  await failImport(
    pool,
    lease,
    `Reading the files ended its process ${lease.attempts} times, so the import was abandoned: the files may be too large for this machine.`,
  );
}
