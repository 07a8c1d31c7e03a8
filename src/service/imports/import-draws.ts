/** Finished runs from files: small ones within the call, larger ones in a job, with the same result. */
import type pg from 'pg';
import type { DrawFile } from '../../formats/draw-source.ts';
import { ImportError, type ImportType } from '../../formats/imported-draws.ts';
import { itemAt } from '../../shared/items.ts';
import type { CoreContext } from '../context.ts';
import { holdTask } from '../jobs/hold-task.ts';
import type { JobOutcome, JobQueue } from '../jobs/job-queue.ts';
import { findBlobs, insertBlobs } from '../repositories/blobs.ts';
import { publishLive } from '../repositories/chains.ts';
import {
  type Executor,
  inTransaction,
  isConflict,
  isDiskFull,
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
  MAX_ATTEMPTS,
  releaseLease,
} from '../repositories/tasks.ts';
import {
  deleteUploads,
  deleteUploadsOf,
  type UploadRow,
  useUploads,
} from '../repositories/uploads.ts';
import { finaliseRun } from '../runs/finalise.handler.ts';
import type { FileStore, PlacedUpload } from '../storage/file-store.ts';
import { followImport } from './follow-import.ts';
import { openStream } from './open-stream.ts';
import { readFiles } from './read-files.ts';
import type { PlacedFile, StreamRequest } from './reader-messages.ts';
import { type ImportOrigin, storeBatches, storeDraws } from './store-draws.ts';

/** Payload of an import task: its files, whose bytes are in the database, or on the disk where they were uploaded. */
interface ImportPayload {
  /** Null: detect it. */
  readonly type: ImportType | null;
  readonly files: readonly WaitingFile[];
}

type WaitingFile = { readonly name: string; readonly hash: string } | WaitingUpload;

interface WaitingUpload {
  readonly name: string;
  readonly upload: string;
  readonly size: number;
}

const payloadOf = ({ payload }: Lease) => payload as unknown as ImportPayload;

/** Total bytes of files that are read while the caller waits. */
export const SMALL_IMPORT_BYTES = 8 * 2 ** 20;

export interface NewImport {
  readonly experimentId: number;
  readonly files: readonly ImportFile[];
  /** Locked by the transaction. */
  readonly uploads?: readonly UploadRow[];
  readonly type: ImportType | null;
}

/** Stores the files and queues the job; both happen when `tx` commits. The experiment is `RUN` until the job ends. */
export async function requestImport(
  tx: Executor,
  queue: JobQueue,
  { experimentId, files, uploads = [], type }: NewImport,
): Promise<void> {
  const contents = files.map(({ bytes }) => bytes);
  const hashes = await insertBlobs(tx, experimentId, contents);
  const kept = files.map(({ name }, i): WaitingFile => ({ name, hash: itemAt(hashes, i) }));
  const placed = uploads.map(({ name, id, size }): WaitingFile => ({ name, upload: id, size }));
  await useUploads(
    tx,
    uploads.map(({ id }) => id),
    experimentId,
  );
  await insertTask(tx, {
    kind: 'import',
    subjectId: experimentId,
    payload: { type, files: [...kept, ...placed] },
  });
  await queue.send('import', { experimentId }, { tx, key: String(experimentId) });
}

type ImportDeps = Pick<CoreContext, 'pool' | 'logger' | 'files'>;

/** The job: reads the stored files, stores the draws and finishes the experiment, or records on it why that failed. */
export async function importDraws(
  deps: ImportDeps,
  { experimentId }: { readonly experimentId: number },
  workerId: number | null = null,
): Promise<JobOutcome> {
  const lease = await claimTask(deps.pool, { kind: 'import', subjectId: experimentId }, workerId);
  if (lease === null) return { kind: 'done' };
  return holdTask(deps, lease, () => carryOut(deps, lease));
}

async function carryOut(deps: ImportDeps, lease: Lease): Promise<JobOutcome> {
  const { pool } = deps;
  try {
    return (await readAndStore(deps, lease))
      ? await finaliseRun(pool, lease.subject_id)
      : { kind: 'done' };
  } catch (error) {
    const isElsewhere = error instanceof MissingUpload && lease.attempts < MAX_ATTEMPTS;
    if (isElsewhere || isUnavailable(error) || isConflict(error)) {
      await releaseLease(pool, lease).catch(() => {});
      return { kind: 'retry', afterSeconds: 2, reason: (error as Error).message };
    }
    const isTheirs = error instanceof ImportError;
    const message = isDiskFull(error)
      ? "The server's disk is full, so the draws could not be stored."
      : 'The draws could not be stored.';
    // the worker that took over the import may be reading them
    if (await failImport(pool, lease, isTheirs ? error.message : message))
      await deps.files.uploads.remove(uploadsOf(lease));
    // If files contain no draws, their sender is at fault; any other fault is ours and belongs in the log.
    return isTheirs ? { kind: 'done' } : { kind: 'failed', reason: (error as Error).message };
  }
}

/** False: the experiment was deleted or has ended, or another attempt stored it. Once undeleted, it is read again. */
async function readAndStore(deps: ImportDeps, lease: Lease): Promise<boolean> {
  const { pool } = deps;
  const { type, files } = payloadOf(lease);
  const blobs = await findBlobs(
    pool,
    files.flatMap((file) => ('hash' in file ? [file.hash] : [])),
  );
  const placed: PlacedUpload[] = [];
  try {
    const read: (DrawFile | PlacedFile)[] = [];
    for (const file of files) {
      if ('upload' in file) {
        const upload = await placeUpload(deps.files, file);
        placed.push(upload);
        read.push({ name: file.name, path: upload.path, size: file.size });
        continue;
      }
      const bytes = blobs.get(file.hash);
      if (bytes === undefined) throw new ImportError(`${file.name} no longer exists.`);
      read.push({ name: file.name, bytes });
    }
    if (placed.length > 0) return await storeStream(deps, lease, { stream: read, type });
    return await storeSmall(deps, lease, { files: read as DrawFile[], type });
  } finally {
    for (const upload of placed) await upload.release();
  }
}

async function storeSmall(
  { pool }: ImportDeps,
  lease: Lease,
  request: { readonly files: readonly DrawFile[]; readonly type: ImportType | null },
): Promise<boolean> {
  const content = await readFiles(request);
  return storeUnderLease(pool, lease, (tx, origin) =>
    storeDraws(tx, lease.subject_id, content, origin),
  );
}

/** The upload is in another machine's own folder, or in a store that does not respond: worth another attempt. */
class MissingUpload extends ImportError {}

async function placeUpload(files: FileStore, file: WaitingUpload): Promise<PlacedUpload> {
  const placed = await files.uploads.place(file.upload, file.size).catch((error: unknown) => {
    // a store that cannot be reached now still has it
    if (isDiskFull(error)) throw error;
    throw new MissingUpload(
      `${file.name} could not be read from the file store: ${(error as Error).message}`,
    );
  });
  if (placed !== null) return placed;
  throw new MissingUpload(
    `${file.name} is not among the files of this worker: workers on other machines need those of the service (--files).`,
  );
}

async function storeStream(
  deps: ImportDeps,
  lease: Lease,
  request: Pick<StreamRequest, 'stream' | 'type'>,
): Promise<boolean> {
  if (!(await isAwaited(deps.pool, lease))) return false;
  const folder = deps.files.scratch;
  const total = request.stream.reduce((sum, file) => sum + sizeOf(file), 0);
  const progress = followImport(deps, lease, {
    total,
    onOver: () => stream.stop(new ImportOver()),
  });
  const stream = openStream({ ...request, folder }, { onBytes: progress.read });
  try {
    const head = await stream.head;
    const stored = await storeUnderLease(deps.pool, lease, (tx, origin) =>
      storeBatches(
        tx,
        lease.subject_id,
        { head, batches: progress.watch(head, stream.batches) },
        origin,
      ),
    );
    if (stored) await deps.files.uploads.remove(uploadsOf(lease));
    return stored;
  } catch (error) {
    if (!(error instanceof ImportOver)) throw error;
    await isAwaited(deps.pool, lease);
    return false;
  } finally {
    await progress.end();
    await stream.close();
  }
}

/** If not, the task waits for a deleted experiment to be restored, or has ended with the run. */
async function isAwaited(db: Executor, lease: Lease): Promise<boolean> {
  const now = await findExperimentById(db, lease.subject_id);
  if (now === null) await releaseLease(db, lease);
  // the next purge removes their files
  else if (now.status !== 'RUN' && (await endLease(db, lease)))
    await deleteUploadsOf(db, lease.subject_id);
  return now?.status === 'RUN';
}

/** The import's draws are no longer wanted. */
class ImportOver extends Error {}

const sizeOf = (file: DrawFile | PlacedFile): number =>
  'bytes' in file ? file.bytes.length : file.size;

const uploadsOf = (lease: Lease): string[] =>
  payloadOf(lease).files.flatMap((file) => ('upload' in file ? [file.upload] : []));

/** All or nothing, and only while the lease is valid: ending the lease is the last write. */
async function storeUnderLease(
  pool: pg.Pool,
  lease: Lease,
  store: (tx: Executor, origin: ImportOrigin) => Promise<void>,
): Promise<boolean> {
  const { files } = payloadOf(lease);
  try {
    return await inTransaction(pool, async (tx) => {
      if (!(await isAwaited(tx, lease))) return false;
      await store(tx, { fileNames: files.map((file) => file.name) });
      await releaseFiles(tx, lease);
      if (!(await endLease(tx, lease))) throw new ImportOver();
      return true;
    });
  } catch (error) {
    if (error instanceof ImportOver) return false;
    throw error;
  }
}

async function releaseFiles(tx: Executor, lease: Lease): Promise<void> {
  const { files } = payloadOf(lease);
  const hashes = files.flatMap((file) => ('hash' in file ? [file.hash] : []));
  await releaseBlobs(tx, lease.subject_id, hashes);
  await deleteUploads(tx, uploadsOf(lease));
}

/** False: nothing was ended, since the task waits for a deleted experiment, or another attempt has it. */
async function failImport(pool: pg.Pool, lease: Lease, message: string): Promise<boolean> {
  const { subject_id: experimentId } = lease;
  return inTransaction(pool, async (tx) => {
    const experiment = await findExperimentById(tx, experimentId);
    if (experiment === null) await releaseLease(tx, lease);
    if (experiment === null || !(await endLease(tx, lease))) return false;
    await updateExperiment(tx, experimentId, {
      status: 'ERR',
      meta: {
        error: { code: 'IMPORT_FAILED', message },
        run_info: { status: 'ERR' },
        progress: null,
      },
    });
    await releaseFiles(tx, lease);
    await appendLog(tx, { experimentId, stream: 'platform', text: `${message}\n` });
    await publishLive(tx, experiment.short_id, 'status');
    return true;
  });
}

/** An import whose process was lost too often has failed. */
export async function giveUpImport(pool: pg.Pool, lease: Lease): Promise<void> {
  await failImport(
    pool,
    lease,
    `The process that reads the files ended ${lease.attempts} times, so the import was abandoned: the files may be too large for this machine.`,
  );
}
