/** Shares: frozen looks at one object, open to anyone with the link, to a password, or to one person. */
import type { ObjectKind } from '../../contract/common.ts';
import { publishAccess } from './access.ts';
import {
  array,
  type Executor,
  execute,
  inTransaction,
  join,
  json,
  type SQL,
  select,
  selectOne,
  sql,
} from './database.ts';
import { liveShare } from './object-lists.ts';
import { insertObject, type ObjectRow, objectColumns, updateObject } from './objects.ts';
import type { Columns } from './tables.ts';

export interface ShareRow
  extends ObjectRow,
    Columns<
      'shares',
      | 'object_id'
      | 'password_hash'
      | 'password_version'
      | 'target_user_id'
      | 'include'
      | 'expires_at'
      | 'failed_attempts'
    > {
  readonly object_short_id: string;
  readonly object_kind: ObjectKind;
  readonly object_name: string;
  readonly target_user: string | null;
  /** What was frozen, in the form its kind chose. */
  readonly snapshot: Readonly<Record<string, unknown>>;
}

export interface NewShare {
  readonly ownerId: number;
  readonly objectId: number;
  readonly passwordHash?: string | null;
  readonly targetUserId?: number | null;
  readonly include?: readonly string[];
  readonly expiresAt?: string | null;
  readonly snapshot: Readonly<Record<string, unknown>>;
}

const shareColumns: SQL = sql`${objectColumns}, s.object_id, x.short_id as object_short_id, x.kind as object_kind,
  x.name as object_name, s.password_hash, s.password_version, s.target_user_id, t.name as target_user, s.include,
  s.expires_at, s.failed_attempts, s.snapshot`;
const shareJoins: SQL = sql`from shares s join objects o on o.id = s.id join users u on u.id = o.owner_id
  join objects x on x.id = s.object_id left join users t on t.id = s.target_user_id`;
/** Neither the share nor the object is deleted, and it has not ended. */
const isLive: SQL = sql`${liveShare(sql`s`, sql`o`)} and x.deleted_at is null`;

export async function insertShare(db: Executor, share: NewShare): Promise<ShareRow> {
  return inTransaction(db, async (tx) => {
    const object = await insertObject(tx, { kind: 'share', ownerId: share.ownerId });
    await execute(
      tx,
      sql`insert into shares (id, object_id, password_hash, target_user_id, include, expires_at, snapshot)
          values (${object.id}, ${share.objectId}, ${share.passwordHash ?? null}, ${share.targetUserId ?? null},
                  ${array(share.include ?? [], 'text')}, ${share.expiresAt ?? null}::timestamptz, ${json(share.snapshot)})`,
    );
    return (await selectOne<ShareRow>(
      tx,
      sql`select ${shareColumns} ${shareJoins} where s.id = ${object.id}`,
    )) as ShareRow;
  });
}

/** A share that still opens something, or null. */
export async function findLiveShare(db: Executor, shortId: string): Promise<ShareRow | null> {
  return selectOne<ShareRow>(
    db,
    sql`select ${shareColumns} ${shareJoins} where o.short_id = ${shortId} and ${isLive}`,
  );
}

/** A share that is not deleted, ended or not: what its owner may see and change. */
export async function findShare(db: Executor, shortId: string): Promise<ShareRow | null> {
  return selectOne<ShareRow>(
    db,
    sql`select ${shareColumns} ${shareJoins} where o.short_id = ${shortId} and o.deleted_at is null`,
  );
}

/** The shares of a page of objects, in its order. */
export async function listShares(db: Executor, objects: readonly ObjectRow[]): Promise<ShareRow[]> {
  const ids = objects.map((object) => object.id);
  const rows = await select<ShareRow>(
    db,
    sql`select ${shareColumns} ${shareJoins} where s.id = any(${array(ids, 'bigint')})`,
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return objects.flatMap((object) => byId.get(object.id) ?? []);
}

/** Live shares of these objects, newest first. */
export async function listLiveSharesOf(
  db: Executor,
  objectIds: readonly number[],
): Promise<ShareRow[]> {
  if (objectIds.length === 0) return [];
  return select<ShareRow>(
    db,
    sql`select ${shareColumns} ${shareJoins}
        where s.object_id = any(${array(objectIds, 'bigint')}) and ${isLive} order by s.id desc`,
  );
}

/** Absent: unchanged. A null password makes the link public, a null end never ends it. */
export interface ShareChange {
  readonly passwordHash?: string | null;
  readonly expiresAt?: string | null;
}

export async function updateShare(db: Executor, id: number, change: ShareChange): Promise<void> {
  const parts: SQL[] = [];
  if (change.passwordHash !== undefined) {
    parts.push(
      sql`password_hash = ${change.passwordHash}, password_version = password_version + 1, failed_attempts = 0`,
    );
  }
  if (change.expiresAt !== undefined)
    parts.push(sql`expires_at = ${change.expiresAt}::timestamptz`);
  await inTransaction(db, async (tx) => {
    await updateObject(tx, id);
    if (parts.length > 0)
      await execute(tx, sql`update shares set ${join(parts, ', ')} where id = ${id}`);
    await publishAccess(tx, null);
  });
}

/** Counts a wrong password, for the owner to see. */
export async function countFailedAttempt(db: Executor, id: number): Promise<void> {
  await execute(db, sql`update shares set failed_attempts = failed_attempts + 1 where id = ${id}`);
}
