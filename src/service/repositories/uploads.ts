/** Uploads: files sent in pieces. Their bytes are in the file store. */
import { customAlphabet } from 'nanoid';
import { array, type Executor, execute, select, selectOne, selectValues, sql } from './database.ts';
import type { Columns, Tables } from './tables.ts';

/** 131 random bits. */
const newUploadId = customAlphabet(
  '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz',
  22,
);

/** After the last piece. */
const KEPT_HOURS = 24;

export interface UploadRow
  extends Columns<'uploads', 'id' | 'name' | 'size' | 'received' | 'fingerprint'> {
  readonly expires_at: string;
}

const columns = sql`id, name, size, received, fingerprint,
  touched_at + make_interval(hours => ${KEPT_HOURS}::int) as expires_at`;
/** No import uses it yet. */
const isFree = sql`experiment_id is null`;

export interface NewUpload {
  readonly ownerId: number;
  readonly name: string;
  readonly size: number;
  readonly fingerprint: string;
}

export interface UploadTally {
  readonly count: number;
  readonly bytes: number;
}

/** Current and announced size of an owner's uploads, including those being imported. New ones wait for `tx`. */
export async function tallyUploads(tx: Executor, ownerId: number): Promise<UploadTally> {
  await execute(tx, sql`select id from users where id = ${ownerId} for no key update`);
  return (await selectOne<UploadTally>(
    tx,
    sql`select count(*)::int as count, coalesce(sum(size), 0)::bigint as bytes from uploads where owner_id = ${ownerId}`,
  )) as UploadTally;
}

/** Bytes of all uploads: announced, and received. */
export async function measureUploads(db: Executor): Promise<{ size: number; received: number }> {
  return (await selectOne<{ size: number; received: number }>(
    db,
    sql`select coalesce(sum(size), 0)::bigint as size, coalesce(sum(received), 0)::bigint as received from uploads`,
  )) as { size: number; received: number };
}

export async function insertUpload(tx: Executor, upload: NewUpload): Promise<UploadRow> {
  const { ownerId, name, size, fingerprint } = upload;
  return (await selectOne<UploadRow>(
    tx,
    sql`insert into uploads (id, owner_id, name, size, fingerprint)
        values (${newUploadId()}, ${ownerId}, ${name}, ${size}, ${fingerprint}) returning ${columns}`,
  )) as UploadRow;
}

export async function listUploads(db: Executor, ownerId: number): Promise<UploadRow[]> {
  return select<UploadRow>(
    db,
    sql`select ${columns} from uploads where owner_id = ${ownerId} and ${isFree} order by created_at, id`,
  );
}

/** Null: it does not exist, belongs to another user, or an import uses it. Others wait for it until `tx` ends. */
export async function lockUpload(
  tx: Executor,
  { id, ownerId }: { readonly id: string; readonly ownerId: number },
): Promise<UploadRow | null> {
  return selectOne<UploadRow>(
    tx,
    sql`select ${columns} from uploads where id = ${id} and owner_id = ${ownerId} and ${isFree} for update`,
  );
}

/** The bytes up to `received` are on the disk. */
export async function updateUpload(tx: Executor, id: string, received: number): Promise<UploadRow> {
  return (await selectOne<UploadRow>(
    tx,
    sql`update uploads set received = ${received}, touched_at = now() where id = ${id} returning ${columns}`,
  )) as UploadRow;
}

/** From now on, only the import uses them. */
export async function useUploads(
  tx: Executor,
  ids: readonly string[],
  experimentId: number,
): Promise<void> {
  await execute(
    tx,
    sql`update uploads set experiment_id = ${experimentId} where id = any(${array(ids, 'text')})`,
  );
}

export async function deleteUploads(tx: Executor, ids: readonly string[]): Promise<void> {
  await execute(tx, sql`delete from uploads where id = any(${array(ids, 'text')})`);
}

/** Those that an import uses; their ids. */
export async function deleteUploadsOf(tx: Executor, experimentId: number): Promise<string[]> {
  return selectValues<Tables['uploads']['id']>(
    tx,
    sql`delete from uploads where experiment_id = ${experimentId} returning id`,
  );
}

/** Removes uploads that were abandoned. */
export async function expireUploads(db: Executor): Promise<void> {
  await execute(
    db,
    sql`delete from uploads where ${isFree} and touched_at < now() - make_interval(hours => ${KEPT_HOURS}::int)`,
  );
}

/** Those of `ids` that exist. */
export async function knownUploads(db: Executor, ids: readonly string[]): Promise<Set<string>> {
  return new Set(
    await selectValues<Tables['uploads']['id']>(
      db,
      sql`select id from uploads where id = any(${array(ids, 'text')})`,
    ),
  );
}
