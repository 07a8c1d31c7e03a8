/** What all kinds share: rows of `objects`, found, made, renamed, soft-deleted and restored. */
import { randomUUID } from 'node:crypto';
import type { ObjectKind } from '../../contract/common.ts';
import { publishAccessTo } from './access.ts';
import {
  array,
  cleanText,
  type Executor,
  execute,
  hasRow,
  inTransaction,
  isGiven,
  join,
  prepared,
  type SQL,
  select,
  selectOne,
  selectValue,
  selectValues,
  sql,
} from './database.ts';
import { newObjectId } from './ids.ts';
import type { Columns } from './tables.ts';

/** A row as repositories return it; `owner` is the user's name, times are ISO 8601. */
export interface ObjectRow
  extends Columns<
    'objects',
    | 'id'
    | 'row_number'
    | 'short_id'
    | 'owner_id'
    | 'name'
    | 'description'
    | 'status'
    | 'tags'
    | 'version'
    | 'created_at'
    | 'updated_at'
    | 'deleted_at'
  > {
  readonly kind: ObjectKind;
  readonly owner: string;
}

/** Columns of an `ObjectRow`, for queries over `objects o join users u`. */
export const objectColumns: SQL = sql`o.id, o.kind, o.row_number, o.short_id, o.owner_id, u.name as owner, o.name,
  o.description, o.status, o.tags, o.version, o.created_at, o.updated_at, o.deleted_at`;

export interface NewObject {
  readonly kind: ObjectKind;
  readonly ownerId: number;
  readonly name?: string;
  readonly description?: string;
  readonly status?: string | null;
  readonly tags?: readonly string[];
}

/** Makes the row; the caller adds the kind's own in the same transaction. */
export async function insertObject(tx: Executor, object: NewObject): Promise<ObjectRow> {
  const { kind, ownerId, name = '', description = '', status = null, tags = [] } = object;
  for (let attempt = 0; ; attempt++) {
    const shortId = newObjectId(kind);
    const row = await selectOne<Columns<'objects', 'short_id'>>(
      tx,
      sql`insert into objects (kind, row_number, short_id, owner_id, name, description, status, tags)
          values (${kind}, nextval(${`row_number_${kind}`}), ${shortId}, ${ownerId}, ${cleanText(name)},
                  ${cleanText(description)}, ${status}, ${array(tags, 'text')})
          on conflict (short_id) do nothing returning short_id`,
    );
    if (row !== null) return (await findObject(tx, shortId)) as ObjectRow;
    if (attempt > 10) throw new Error('no free object id was found in ten tries');
  }
}

/** A page of objects, in its order, each with the row of its kind; those without one are omitted. */
export function withRows<T extends { readonly id: number }>(
  objects: readonly ObjectRow[],
  rows: readonly T[],
): (T & ObjectRow)[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return objects.flatMap((object) => {
    const row = byId.get(object.id);
    return row === undefined ? [] : [{ ...row, ...object }];
  });
}

/** Their numbers, for `= any(…)`. */
export const numbersOf = (objects: readonly ObjectRow[]): SQL =>
  array(
    objects.map((object) => object.id),
    'bigint',
  );

/** The object with the row of its kind, from the list of that kind; null for another kind. */
export async function ofKind<Row>(
  kind: ObjectKind,
  object: ObjectRow | null,
  list: (objects: readonly ObjectRow[]) => Promise<Row[]>,
): Promise<Row | null> {
  return object?.kind === kind ? ((await list([object]))[0] ?? null) : null;
}

const findWhere = (db: Executor, which: SQL): Promise<ObjectRow | null> =>
  selectOne<ObjectRow>(
    db,
    prepared(sql`select ${objectColumns} from objects o join users u on u.id = o.owner_id
        where ${which} and o.deleted_at is null`),
  );

/** Not a deleted one. */
export async function findObject(db: Executor, shortId: string): Promise<ObjectRow | null> {
  return findWhere(db, sql`o.short_id = ${shortId}`);
}

export async function findObjectById(db: Executor, id: number): Promise<ObjectRow | null> {
  return findWhere(db, sql`o.id = ${id}`);
}

export interface ObjectChange {
  readonly name?: string | null;
  readonly description?: string | null;
  readonly tags?: readonly string[] | null;
  readonly status?: string | null;
}

/** Changes what is neither absent nor null, and updates the time of the last change. */
export async function updateObject(
  db: Executor,
  id: number,
  change: ObjectChange = {},
): Promise<void> {
  const parts = [sql`updated_at = now()`];
  if (isGiven(change.name)) parts.push(sql`name = ${cleanText(change.name)}`);
  if (isGiven(change.description)) parts.push(sql`description = ${cleanText(change.description)}`);
  if (isGiven(change.tags)) parts.push(sql`tags = ${array(change.tags, 'text')}`);
  if (isGiven(change.status)) parts.push(sql`status = ${change.status}`);
  await execute(db, sql`update objects set ${join(parts, ', ')} where id = ${id}`);
}

export interface VersionedChange extends ObjectChange {
  /** The version that was edited; if another is current, there is a conflict. */
  readonly baseVersion?: number | null;
}

export type ChangeOutcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'conflict'; readonly version: number };

/** Changes an object, and with `work` the rows of its kind; that returns the version that is current from now on. */
export async function updateVersioned(
  db: Executor,
  id: number,
  change: VersionedChange,
  work: (tx: Executor, version: number) => Promise<number>,
): Promise<ChangeOutcome> {
  return inTransaction(db, async (tx) => {
    const version = await lockVersion(tx, id);
    const { baseVersion } = change;
    if (isGiven(baseVersion) && baseVersion !== version) return { kind: 'conflict', version };
    await updateObject(tx, id, change);
    const next = await work(tx, version);
    if (next !== version)
      await execute(tx, sql`update objects set version = ${next} where id = ${id}`);
    return { kind: 'done' };
  });
}

/** The version; prevents other changes of the object until the transaction ends. */
export async function lockVersion(tx: Executor, id: number): Promise<number> {
  const version = await selectValue<number>(
    tx,
    sql`select version from objects where id = ${id} for no key update`,
  );
  if (version === null) throw new Error(`object ${id} is not there`);
  return version;
}

/** Newest first. `versions`: the table of the kind, and which rows. */
export function listVersions(
  db: Executor,
  versions: SQL,
): Promise<{ version: number; created_at: string }[]> {
  return select(db, sql`select version, created_at from ${versions} order by version desc`);
}

/** Soft deletion; returns the key that restores them. */
export async function removeObjects(
  db: Executor,
  userId: number,
  ids: readonly number[],
): Promise<string> {
  return inTransaction(db, async (tx) => {
    const key = await insertDeletion(tx, userId);
    const gone = await selectValues<string>(
      tx,
      sql`update objects set deleted_key = ${key}::uuid, deleted_at = now()
          where id = any(${array(ids, 'bigint')}) and deleted_at is null returning short_id`,
    );
    await publishAccessTo(tx, gone);
    return key;
  });
}

export async function insertDeletion(tx: Executor, userId: number): Promise<string> {
  const key = randomUUID();
  await execute(tx, sql`insert into deletions (key, user_id) values (${key}::uuid, ${userId})`);
  return key;
}

/** Days for which a deletion key is valid. */
const UNDO_DAYS = 30;

/**
 * Restores every object and token removed under `key`. True if the key is the user's own and recent enough, also when
 * repeated; false otherwise.
 */
export async function undoRemoval(db: Executor, userId: number, key: string): Promise<boolean> {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(key)) return false;
  return inTransaction(db, async (tx) => {
    const isTheirs = await hasRow(
      tx,
      sql`select 1 from deletions where key = ${key}::uuid and user_id = ${userId}
          and created_at > now() - make_interval(days => ${UNDO_DAYS}::int)`,
    );
    if (!isTheirs) return false;
    const back = sql`set deleted_key = null, deleted_at = null where deleted_key = ${key}::uuid`;
    // members who have left a team cannot restore its objects
    await execute(
      tx,
      sql`update objects ${back} and (owner_id not in (select id from teams)
          or owner_id in (select team_id from team_members where user_id = ${userId})
          or (select super from users where id = ${userId}))`,
    );
    await execute(tx, sql`update tokens ${back}`);
    return true;
  });
}

export interface PurgeResult {
  readonly objects: number;
  readonly blobs: number;
  /** Ids of experiments whose files may be deleted. */
  readonly experimentIds: readonly string[];
}

/**
 * Permanently removes what was deleted long enough ago (`now`: at any time), and bytes that nothing needs. `userId`:
 * only what this user owned and deleted, which then cannot be restored.
 */
export async function purgeRemoved(
  db: Executor,
  options: { now?: boolean; userId?: number } = {},
): Promise<PurgeResult> {
  const age = options.now
    ? sql``
    : sql`and deleted_at < now() - make_interval(days => ${UNDO_DAYS}::int)`;
  const { userId = null } = options;
  const isTheirs = sql`deleted_key in (select d.key from deletions d where d.user_id = ${userId})`;
  const ofObjects = userId === null ? sql`` : sql`and owner_id = ${userId} and ${isTheirs}`;
  const ofTokens = userId === null ? sql`` : sql`and user_id = ${userId} and ${isTheirs}`;
  return inTransaction(db, async (tx) => {
    const gone = await select<Columns<'objects', 'kind' | 'short_id'>>(
      tx,
      sql`delete from objects where deleted_at is not null ${age} ${ofObjects} returning kind, short_id`,
    );
    await execute(tx, sql`delete from tokens where deleted_at is not null ${age} ${ofTokens}`);
    // sign-ins that expired; tokens made on purpose are listed until their owner removes them
    await execute(
      tx,
      sql`delete from tokens where kind <> 'api' and expires_at < now() - make_interval(days => ${UNDO_DAYS}::int)`,
    );
    const ofEntries =
      userId === null
        ? sql``
        : sql`and project_id in (select id from objects where owner_id = ${userId})`;
    await execute(
      tx,
      sql`delete from project_entries where deleted_at is not null ${age} ${ofEntries}`,
    );
    const blobs = await purgeBlobs(tx);
    await execute(
      tx,
      sql`delete from deletions d where not exists (select 1 from objects o where o.deleted_key = d.key)
          and not exists (select 1 from tokens t where t.deleted_key = d.key)
          and (d.user_id = ${userId} or created_at < now() - make_interval(days => ${UNDO_DAYS}::int))`,
    );
    const experimentIds = gone
      .filter((row) => row.kind === 'experiment')
      .map((row) => row.short_id);
    return { objects: gone.length, blobs, experimentIds };
  });
}

/** Candidates that one purge checks; the next one continues. */
const MOST_CANDIDATES = 100_000;

/**
 * Removes bytes that an object once needed and none does now. A candidate is put back if another transaction has locked
 * it, or if it is too young: an object being saved may use it.
 */
async function purgeBlobs(tx: Executor): Promise<number> {
  const candidates = await selectValues<Buffer>(
    tx,
    sql`with taken as (delete from blob_candidates where id in (
          select id from blob_candidates order by id limit ${MOST_CANDIDATES} for update skip locked) returning hash)
        select distinct hash from taken`,
  );
  const unneeded = sql`b.hash = any(${array(candidates, 'bytea')}) and not exists (select 1 from object_blobs r where r.hash = b.hash)
    and not exists (select 1 from data_versions d where d.hash = b.hash)`;
  const gone = await execute(
    tx,
    // one that is being used again is locked, and stays
    sql`delete from blobs where hash in (select b.hash from blobs b
        where ${unneeded} and b.created_at < now() - interval '1 hour' for update of b skip locked)`,
  );
  await execute(
    tx,
    sql`insert into blob_candidates (hash) select b.hash from blobs b where ${unneeded}`,
  );
  return gone;
}
