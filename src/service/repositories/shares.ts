/** Shares: frozen views of one object, open to anyone with the link, to a password's holders, or to one person. */
import type { ObjectKind } from '../../contract/common.ts';
import { publishAccessTo } from './access.ts';
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
import { newObjectId } from './ids.ts';
import { liveShare } from './object-lists.ts';
import { insertObject, type ObjectRow, objectColumns, updateObject } from './objects.ts';
import type { Columns } from './tables.ts';

/** A member of a shared project is like a separate share, except that password, person and end are the project's. */
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
  readonly object_deleted: boolean;
  readonly target_user: string | null;
  /** What was frozen, in the form chosen by its kind. */
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
  readonly members?: readonly NewShareMember[];
}

/** What a share of a project froze of one of its members. */
export interface NewShareMember {
  readonly objectId: number;
  readonly addedAt: string;
  /** Whether it opens, or is only named. */
  readonly isOpen: boolean;
  readonly snapshot: Readonly<Record<string, unknown>>;
}

const commonColumns: SQL = sql`${objectColumns}, x.id as object_id, x.short_id as object_short_id, x.kind as object_kind,
  x.name as object_name, x.deleted_at is not null as object_deleted, s.password_hash, s.password_version, s.target_user_id,
  t.name as target_user, s.include, s.expires_at, s.failed_attempts`;
const shareColumns: SQL = sql`${commonColumns}, s.snapshot`;
const shareJoins: SQL = sql`from shares s join objects o on o.id = s.id join users u on u.id = o.owner_id
  join objects x on x.id = s.object_id left join users t on t.id = s.target_user_id`;
/** Neither the share nor the object is deleted, and the share has not ended. */
const isLive: SQL = sql`${liveShare(sql`s`, sql`o`)} and x.deleted_at is null`;

/** For members of shared projects: `x` is the member, `p` the project. */
const memberColumns: SQL = sql`${commonColumns}, m.snapshot, m.short_id as member_short_id`;
const memberJoins: SQL = sql`from share_members m join shares s on s.id = m.share_id join objects o on o.id = s.id
  join users u on u.id = o.owner_id join objects x on x.id = m.object_id join objects p on p.id = s.object_id
  left join users t on t.id = s.target_user_id`;
const isLiveMember: SQL = sql`${isLive} and p.deleted_at is null and m.short_id is not null`;

interface MemberShareRow extends ShareRow {
  readonly member_short_id: string;
}

const asShare = ({ member_short_id: shortId, ...row }: MemberShareRow): ShareRow => ({
  ...row,
  short_id: shortId,
});

export async function insertShare(db: Executor, share: NewShare): Promise<ShareRow> {
  return inTransaction(db, async (tx) => {
    const object = await insertObject(tx, { kind: 'share', ownerId: share.ownerId });
    await execute(
      tx,
      sql`insert into shares (id, object_id, password_hash, target_user_id, include, expires_at, snapshot)
          values (${object.id}, ${share.objectId}, ${share.passwordHash ?? null}, ${share.targetUserId ?? null},
                  ${array(share.include ?? [], 'text')}, ${share.expiresAt ?? null}::timestamptz, ${json(share.snapshot)})`,
    );
    for (const member of share.members ?? []) await insertShareMember(tx, object.id, member);
    return (await selectOne<ShareRow>(
      tx,
      sql`select ${shareColumns} ${shareJoins} where s.id = ${object.id}`,
    )) as ShareRow;
  });
}

async function insertShareMember(
  tx: Executor,
  shareId: number,
  member: NewShareMember,
): Promise<void> {
  const shortId = member.isOpen ? await newShareId(tx) : null;
  await execute(
    tx,
    sql`insert into share_members (share_id, object_id, short_id, added_at, snapshot)
        values (${shareId}, ${member.objectId}, ${shortId}, ${member.addedAt}::timestamptz, ${json(member.snapshot)})`,
  );
}

/** An id that no share or member of one has. */
async function newShareId(tx: Executor): Promise<string> {
  for (;;) {
    const id = newObjectId('share');
    const taken = await selectOne(
      tx,
      sql`select 1 from objects where short_id = ${id} union all select 1 from share_members where short_id = ${id}`,
    );
    if (taken === null) return id;
  }
}

/** A share that still opens something, or null; includes members of shared projects. */
export async function findLiveShare(db: Executor, shortId: string): Promise<ShareRow | null> {
  const own = await selectOne<ShareRow>(
    db,
    sql`select ${shareColumns} ${shareJoins} where o.short_id = ${shortId} and ${isLive}`,
  );
  if (own !== null) return own;
  const member = await selectOne<MemberShareRow>(
    db,
    sql`select ${memberColumns} ${memberJoins} where m.short_id = ${shortId} and ${isLiveMember}`,
  );
  return member === null ? null : asShare(member);
}

export interface SharedMember extends Columns<'share_members', 'added_at' | 'short_id'> {
  readonly snapshot: Readonly<Record<string, unknown>>;
}

/** What a share of a project froze of its members, in the order in which they were added, without deleted ones. */
export async function listSharedMembers(db: Executor, shareId: number): Promise<SharedMember[]> {
  return select<SharedMember>(
    db,
    sql`select m.added_at, m.short_id, m.snapshot from share_members m join objects x on x.id = m.object_id
        where m.share_id = ${shareId} and x.deleted_at is null order by m.added_at, m.object_id`,
  );
}

/** A share that is not deleted, ended or not, for its owner to see and change. */
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

/** Live shares that may open an object, and those of projects that contain it, newest first. */
export async function listSharesThatOpen(db: Executor, objectId: number): Promise<ShareRow[]> {
  const own = await listLiveSharesOf(db, [objectId]);
  const members = await select<MemberShareRow>(
    db,
    sql`select ${memberColumns} ${memberJoins} where m.object_id = ${objectId} and ${isLiveMember}`,
  );
  return [...own, ...members.map(asShare)].toSorted((a, b) => b.id - a.id);
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
    await publishAccessTo(tx, []);
  });
}

/** Counts a wrong password, so that the owner can see it. */
export async function countFailedAttempt(db: Executor, id: number): Promise<void> {
  await execute(db, sql`update shares set failed_attempts = failed_attempts + 1 where id = ${id}`);
}
