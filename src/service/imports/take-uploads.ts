/** Uploads, from their creation until an import uses them or they are removed. */
import type pg from 'pg';
import { limits } from '../../contract/limits.ts';
import type { Upload } from '../../contract/upload.ts';
import { formatBytes } from '../../shared/readable-numbers.ts';
import type { CoreContext } from '../context.ts';
import { diskFull } from '../http/error-handler.ts';
import {
  conflict,
  invalidField,
  invalidParameter,
  limitExceeded,
  notFound,
} from '../http/service-error.ts';
import { type Executor, inTransaction } from '../repositories/database.ts';
import {
  deleteUploads,
  expireUploads,
  insertUpload,
  knownUploads,
  listUploads,
  lockUpload,
  measureUploads,
  type NewUpload,
  tallyUploads,
  type UploadRow,
  updateUpload,
} from '../repositories/uploads.ts';
import type { FileStore } from '../storage/file-store.ts';

export type UploadContext = Pick<CoreContext, 'pool' | 'files'>;

/** Space that must remain free: the reserve, and what a database needs in addition. */
const MARGIN_BYTES = 256 * 2 ** 20;
/** The file, its numbers while they are being reordered, and its draws in the database. */
const ROOM_A_BYTE = 3;

const uploadToWire = (row: UploadRow): Upload => ({
  upload_id: row.id,
  name: row.name,
  size: row.size,
  offset: row.received,
  fingerprint: row.fingerprint,
  expires_at: new Date(row.expires_at).toISOString(),
});

export type NewFile = Omit<NewUpload, 'ownerId'>;

/** `allowed`: bytes that all uploads of one user may take. Throws `LIMIT_EXCEEDED`, or an error if the disk is full. */
export async function beginUpload(
  { pool, files }: UploadContext,
  ownerId: number,
  file: NewFile,
  allowed: number,
): Promise<Upload> {
  return inTransaction(pool, async (tx) => {
    const taken = await tallyUploads(tx, ownerId);
    if (taken.count >= limits.uploads_per_user)
      throw limitExceeded(
        `There are ${taken.count} uploads already, as many as uploads_per_user allows. Delete some first.`,
        { limit: 'uploads_per_user', allowed: limits.uploads_per_user },
      );
    if (taken.bytes + file.size > allowed) {
      const others =
        taken.bytes === 0 ? '' : `, and your other uploads ${formatBytes(taken.bytes)}`;
      throw limitExceeded(
        `${file.name} has ${formatBytes(file.size)}${others}; uploads may take ${formatBytes(allowed)} in all (upload_bytes).`,
        { limit: 'upload_bytes', allowed, taken: taken.bytes },
      );
    }
    await checkRoom(tx, files, file);
    return uploadToWire(await insertUpload(tx, { ownerId, ...file }));
  });
}

async function checkRoom(tx: Executor, files: FileStore, { name, size }: NewFile): Promise<void> {
  const others = await measureUploads(tx);
  const room =
    (await files.uploads.freeBytes()) -
    MARGIN_BYTES -
    (ROOM_A_BYTE * others.size - others.received);
  const needed = ROOM_A_BYTE * size;
  if (needed <= room) return;
  throw limitExceeded(
    `${name} has ${formatBytes(size)} and needs ${formatBytes(needed)} of the server's disk while it is imported; the disk has ${formatBytes(Math.max(0, room))} left.`,
    { reason: 'disk_full', room: Math.max(0, room) },
  );
}

export interface Piece {
  readonly id: string;
  readonly offset: number;
  readonly blocks: readonly Uint8Array[];
}

/**
 * Answers when the piece is on the disk. Concurrent appends take turns, and the second finds its offset wrong:
 * `CONFLICT` with the right one in `details.offset`.
 */
export async function appendToUpload(
  { pool, files }: UploadContext,
  ownerId: number,
  { id, offset, blocks }: Piece,
): Promise<Upload> {
  const size = blocks.reduce((sum, block) => sum + block.length, 0);
  if (size === 0) throw invalidParameter('The body must be bytes of the file.');
  return inTransaction(pool, async (tx) => {
    const row = await lockUpload(tx, { id, ownerId });
    if (row === null) throw noUpload();
    if (row.received !== offset)
      throw conflict(`The next piece of ${row.name} begins at ${row.received}, not at ${offset}.`, {
        offset: row.received,
      });
    if (offset + size > row.size)
      throw invalidParameter(
        `${row.name} was declared with ${row.size} bytes; this piece would make it ${offset + size}.`,
        { field: 'offset' },
      );
    if ((await files.uploads.freeBytes()) < size + MARGIN_BYTES) throw diskFull();
    if (!(await files.uploads.write(row.id, { offset, blocks }))) {
      await updateUpload(tx, row.id, 0);
      return uploadToWire({ ...row, received: 0 });
    }
    return uploadToWire(await updateUpload(tx, row.id, offset + size));
  });
}

export async function removeUpload(
  { pool, files }: UploadContext,
  ownerId: number,
  id: string,
): Promise<void> {
  await inTransaction(pool, async (tx) => {
    if ((await lockUpload(tx, { id, ownerId })) === null) throw noUpload();
    await deleteUploads(tx, [id]);
  });
  await files.uploads.remove([id]);
}

export const uploadsOf = async ({ pool }: UploadContext, ownerId: number): Promise<Upload[]> =>
  (await listUploads(pool, ownerId)).map(uploadToWire);

/** Complete uploads in the order of `ids`, locked for `tx`. Throws `INVALID_PARAMETER` or `NOT_FOUND`. */
export async function takeUploads(
  tx: Executor,
  ownerId: number,
  ids: readonly string[],
): Promise<UploadRow[]> {
  const field = 'payload.data_uploads';
  if (new Set(ids).size < ids.length) throw invalidField(field, 'names an upload twice.');
  const rows = new Map<string, UploadRow>();
  // always in the same order, or two requests for the same uploads would wait for each other
  for (const id of ids.toSorted()) {
    const row = await lockUpload(tx, { id, ownerId });
    if (row === null) throw noUpload();
    if (row.received < row.size)
      throw invalidParameter(
        `${row.name} is incomplete: ${row.received} of ${row.size} bytes have been received.`,
        { field },
      );
    rows.set(id, row);
  }
  return ids.map((id) => rows.get(id) as UploadRow);
}

/** Removes abandoned uploads, and files whose upload is gone: leftovers of a crash or a deleted import. */
export async function sweepUploads(pool: pg.Pool, files: FileStore): Promise<void> {
  await expireUploads(pool);
  // Files are listed before their rows are looked up: a file whose row is missing then belongs to no upload.
  const there = await files.uploads.list();
  const known = await knownUploads(pool, there);
  await files.uploads.remove(there.filter((id) => !known.has(id)));
}

const noUpload = () =>
  notFound('There is no such upload: it has expired, was deleted, or an import has used it.');
