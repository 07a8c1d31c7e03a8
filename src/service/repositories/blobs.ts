/** Bytes of model files and data, stored once for the same content. */

import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { itemAt } from '../../shared/items.ts';
import { array, type Executor, execute, select, sql } from './database.ts';

/** SHA-256 in hexadecimal. */
export type BlobHash = string;

export function hashBytes(bytes: Uint8Array): BlobHash {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Bytes that are hashed, or sent to the database, before other requests get a turn. */
const PIECE_BYTES = 4 * 2 ** 20;

function piecesOf(bytes: Uint8Array): Buffer[] {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = Math.ceil(whole.length / PIECE_BYTES);
  return Array.from({ length: count }, (_, i) =>
    whole.subarray(i * PIECE_BYTES, (i + 1) * PIECE_BYTES),
  );
}

async function hashInPieces(bytes: Uint8Array): Promise<BlobHash> {
  if (bytes.length <= PIECE_BYTES) return hashBytes(bytes);
  const hash = createHash('sha256');
  for (const piece of piecesOf(bytes)) {
    hash.update(piece);
    await setImmediate();
  }
  return hash.digest('hex');
}

/** Sends large content piece by piece: a single parameter of 60 MB is copied several times, blocking the event loop. */
async function sendContent(tx: Executor, hash: BlobHash, bytes: Uint8Array): Promise<void> {
  const pieces = piecesOf(bytes);
  if (pieces.length > 1) {
    await execute(
      tx,
      sql`create temporary table if not exists blob_pieces (hash bytea, place int, piece bytea) on commit drop`,
    );
    for (const [place, piece] of pieces.entries())
      await execute(tx, sql`insert into blob_pieces values (${hex(hash)}, ${place}, ${piece})`);
  }
  const content =
    pieces.length > 1
      ? sql`(select string_agg(piece, ''::bytea order by place) from blob_pieces where hash = ${hex(hash)})`
      : sql`${pieces[0] ?? Buffer.alloc(0)}`;
  // an old unused blob may be purged at this moment: this locks it and makes it young again
  await execute(
    tx,
    sql`insert into blobs as b (hash, bytes, size) values (${hex(hash)}, ${content}, ${bytes.byteLength})
        on conflict (hash) do update set created_at = now() where b.created_at < now() - interval '30 minutes'`,
  );
  // the same bytes may be sent again in this transaction
  if (pieces.length > 1) await execute(tx, sql`delete from blob_pieces`);
}

const hex = (hash: BlobHash) => Buffer.from(hash, 'hex');

/** Stores the bytes and notes that `objectId` needs them. */
export async function insertBlob(
  tx: Executor,
  objectId: number,
  bytes: Uint8Array,
): Promise<BlobHash> {
  return itemAt(await insertBlobs(tx, objectId, [bytes]), 0);
}

/**
 * Stores each of `contents` and notes that `objectId` needs them; returns their hashes in the same order. Callers with
 * the same bytes wait for each other, so all proceed in the order of the hashes to avoid a deadlock.
 */
export async function insertBlobs(
  tx: Executor,
  objectId: number,
  contents: readonly Uint8Array[],
): Promise<BlobHash[]> {
  const hashes: BlobHash[] = [];
  for (const bytes of contents) hashes.push(await hashInPieces(bytes));
  const byHash = new Map(hashes.map((hash, i) => [hash, contents[i]]));
  for (const hash of [...byHash.keys()].sort())
    await sendContent(tx, hash, byHash.get(hash) as Uint8Array);
  await keepBlobs(tx, objectId, hashes);
  return hashes;
}

/** Notes that `objectId` needs these stored bytes too. */
export async function keepBlobs(
  tx: Executor,
  objectId: number,
  hashes: readonly BlobHash[],
): Promise<void> {
  if (hashes.length === 0) return;
  await execute(
    tx,
    sql`insert into object_blobs (object_id, hash)
        select ${objectId}, unnest(${array([...new Set(hashes)].map(hex), 'bytea')}) on conflict do nothing`,
  );
}

export async function findBlob(db: Executor, hash: BlobHash): Promise<Buffer | null> {
  return (await findBlobs(db, [hash])).get(hash) ?? null;
}

/**
 * By hash; missing ones are absent from the map. Large content is read piece by piece: a row of 60 MB would be read in
 * one go and block the event loop.
 */
export async function findBlobs(
  db: Executor,
  hashes: readonly BlobHash[],
): Promise<Map<BlobHash, Buffer>> {
  const rows = await select<{ hash: Buffer; size: number; bytes: Buffer | null }>(
    db,
    sql`select hash, size, case when size <= ${PIECE_BYTES} then bytes end as bytes
        from blobs where hash = any(${array([...new Set(hashes)].map(hex), 'bytea')})`,
  );
  const found = new Map<BlobHash, Buffer>();
  for (const { hash, size, bytes } of rows)
    found.set(hash.toString('hex'), bytes ?? (await readInPieces(db, hash, size)));
  return found;
}

async function readInPieces(db: Executor, hash: Buffer, size: number): Promise<Buffer> {
  const whole = Buffer.allocUnsafeSlow(size);
  for (let from = 0; from < size; from += PIECE_BYTES) {
    const rows = await select<{ piece: Buffer }>(
      db,
      sql`select substring(bytes from ${from + 1}::int for ${PIECE_BYTES}::int) as piece from blobs where hash = ${hash}`,
    );
    // what was just looked up is not purged, unless its object was deleted meanwhile
    if (rows[0] === undefined) throw new Error('a stored file was deleted while it was read');
    rows[0].piece.copy(whole, from);
  }
  return whole;
}
