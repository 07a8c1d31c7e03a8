/** Data objects and their immutable versions. */
import { findBlob, insertBlob } from './blobs.ts';
import {
  type Executor,
  execute,
  inTransaction,
  isGiven,
  prepared,
  select,
  selectOne,
  sql,
} from './database.ts';
import {
  type ChangeOutcome,
  findObject,
  insertObject,
  listVersions,
  numbersOf,
  type ObjectRow,
  ofKind,
  updateVersioned,
  type VersionedChange,
  withRows,
} from './objects.ts';
import type { Columns } from './tables.ts';

export interface DataRow extends ObjectRow, Columns<'data_objects', 'fmt' | 'size'> {}

export interface DataVersion
  extends Columns<'data_versions', 'version' | 'fmt' | 'size' | 'created_at'> {
  readonly hash: string;
}

export interface DataContent {
  readonly bytes: Uint8Array;
  readonly fmt: string;
}

export interface NewData {
  readonly ownerId: number;
  readonly name: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly content: DataContent;
}

export async function insertData(db: Executor, data: NewData): Promise<DataRow> {
  return inTransaction(db, async (tx) => {
    const { ownerId, name, description, tags, content } = data;
    const object = await insertObject(tx, { kind: 'data', ownerId, name, description, tags });
    await execute(
      tx,
      sql`insert into data_objects (id, fmt, size) values (${object.id}, ${content.fmt}, ${content.bytes.byteLength})`,
    );
    await insertVersion(tx, object.id, 1, content);
    return (await findData(tx, object.short_id)) as DataRow;
  });
}

async function insertVersion(
  tx: Executor,
  id: number,
  version: number,
  content: DataContent,
): Promise<void> {
  const hash = await insertBlob(tx, id, content.bytes);
  await execute(
    tx,
    sql`insert into data_versions (data_id, version, hash, fmt, size)
        values (${id}, ${version}, decode(${hash}, 'hex'), ${content.fmt}, ${content.bytes.byteLength})`,
  );
}

export async function findData(db: Executor, shortId: string): Promise<DataRow | null> {
  return ofKind('data', await findObject(db, shortId), (objects) => listData(db, objects));
}

/** The data objects of a page of objects, in its order. */
export async function listData(db: Executor, objects: readonly ObjectRow[]): Promise<DataRow[]> {
  const rows = await select<Columns<'data_objects', 'id' | 'fmt' | 'size'>>(
    db,
    prepared(sql`select id, fmt, size from data_objects where id = any(${numbersOf(objects)})`),
  );
  return withRows(objects, rows);
}

/** A version of a data object; the current one when `version` is absent or 0. */
export async function findDataVersion(
  db: Executor,
  id: number,
  version = 0,
): Promise<DataVersion | null> {
  return selectOne<DataVersion>(
    db,
    prepared(sql`select v.version, encode(v.hash, 'hex') as hash, v.fmt, v.size, v.created_at
        from data_versions v join objects o on o.id = v.data_id
        where v.data_id = ${id} and v.version = ${version === 0 ? sql`o.version` : sql`${version}`}`),
  );
}

export async function findDataBytes(db: Executor, id: number, version = 0): Promise<Buffer | null> {
  const found = await findDataVersion(db, id, version);
  return found === null ? null : findBlob(db, found.hash);
}

export function listDataVersions(db: Executor, id: number) {
  return listVersions(db, sql`data_versions where data_id = ${id}`);
}

export interface DataChange extends VersionedChange {
  readonly content?: DataContent | null;
}

/** Changes a data object; new bytes create the next version. */
export async function updateData(
  db: Executor,
  id: number,
  change: DataChange,
): Promise<ChangeOutcome> {
  return updateVersioned(db, id, change, async (tx, version) => {
    if (!isGiven(change.content)) return version;
    const { bytes, fmt } = change.content;
    await insertVersion(tx, id, version + 1, change.content);
    await execute(
      tx,
      sql`update data_objects set fmt = ${fmt}, size = ${bytes.byteLength} where id = ${id}`,
    );
    return version + 1;
  });
}
