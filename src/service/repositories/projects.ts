/** Projects: their note, their members, and the entries of their notebooks. */
import type { MemberKind } from '../../contract/project.ts';
import {
  array,
  cleanText,
  type Executor,
  execute,
  inTransaction,
  isGiven,
  select,
  selectCount,
  selectOne,
  sql,
} from './database.ts';
import {
  type ChangeOutcome,
  findObject,
  insertObject,
  lockVersion,
  numbersOf,
  type ObjectRow,
  objectColumns,
  ofKind,
  updateObject,
  updateVersioned,
  type VersionedChange,
  withRows,
} from './objects.ts';
import type { Columns } from './tables.ts';

export interface ProjectRow extends ObjectRow, Columns<'projects', 'note'> {
  /** Members by kind, without deleted ones. */
  readonly counts: Readonly<Partial<Record<MemberKind, number>>>;
}

export interface NewProject {
  readonly ownerId: number;
  readonly name: string;
  readonly note: string;
  readonly tags: readonly string[];
}

export async function insertProject(db: Executor, project: NewProject): Promise<ProjectRow> {
  return inTransaction(db, async (tx) => {
    const { ownerId, name, note, tags } = project;
    const object = await insertObject(tx, { kind: 'project', ownerId, name, tags });
    await execute(
      tx,
      sql`insert into projects (id, note) values (${object.id}, ${cleanText(note)})`,
    );
    return (await findProject(tx, object.short_id)) as ProjectRow;
  });
}

export async function findProject(db: Executor, shortId: string): Promise<ProjectRow | null> {
  return ofKind('project', await findObject(db, shortId), (objects) => listProjects(db, objects));
}

/** The projects of a page of objects, in its order. */
export async function listProjects(
  db: Executor,
  objects: readonly ObjectRow[],
): Promise<ProjectRow[]> {
  const ids = numbersOf(objects);
  const rows = await select<Pick<ProjectRow, 'id' | 'note' | 'counts'>>(
    db,
    sql`select p.id, p.note, coalesce(counted.counts, '{}') as counts from projects p
        left join (select project_id, jsonb_object_agg(kind, n) as counts from (
          select m.project_id, o.kind, count(*) as n from project_members m join objects o on o.id = m.object_id
          where m.project_id = any(${ids}) and o.deleted_at is null group by 1, 2) kinds
          group by 1) counted on counted.project_id = p.id
        where p.id = any(${ids})`,
  );
  return withRows(objects, rows);
}

/** Absent or null: unchanged. The version is that of the note. */
export interface ProjectChange extends VersionedChange {
  readonly note?: string | null;
}

/** A new note makes the next version. */
export async function updateProject(
  db: Executor,
  id: number,
  { note, ...change }: ProjectChange,
): Promise<ChangeOutcome> {
  return updateVersioned(db, id, change, async (tx, version) => {
    if (!isGiven(note)) return version;
    await execute(tx, sql`update projects set note = ${cleanText(note)} where id = ${id}`);
    return version + 1;
  });
}

export interface MemberRow extends ObjectRow {
  readonly added_at: string;
}

/** In the order in which they were added, without deleted ones. */
export async function listMembers(db: Executor, id: number): Promise<MemberRow[]> {
  return select<MemberRow>(
    db,
    sql`select ${objectColumns}, m.added_at from project_members m join objects o on o.id = m.object_id
        join users u on u.id = o.owner_id where m.project_id = ${id} and o.deleted_at is null
        order by m.added_at, m.object_id`,
  );
}

export interface MemberChange {
  /** Numbers of objects. */
  readonly add: readonly number[];
  readonly remove: readonly number[];
  /** The maximum number. */
  readonly most: number;
}

/** False if there would be too many; then nothing is changed. */
export async function changeMembers(
  db: Executor,
  id: number,
  { add, remove, most }: MemberChange,
): Promise<boolean> {
  if (add.length === 0 && remove.length === 0) return true;
  return inTransaction(db, async (tx) => {
    await lockVersion(tx, id);
    const count = await selectCount(
      tx,
      sql`select count(*) from (
            select object_id from project_members where project_id = ${id}
              and object_id <> all(${array(remove, 'bigint')})
            union select unnest(${array(add, 'bigint')})) all_members`,
    );
    if (add.length > 0 && count > most) return false;
    await execute(
      tx,
      sql`delete from project_members where project_id = ${id} and object_id = any(${array(remove, 'bigint')})`,
    );
    await execute(
      tx,
      sql`insert into project_members (project_id, object_id)
          select ${id}, added.id from unnest(${array(add, 'bigint')}) with ordinality added(id, place)
          order by added.place on conflict do nothing`,
    );
    await updateObject(tx, id);
    return true;
  });
}

export type EntryRow = Columns<
  'project_entries',
  'id' | 'text' | 'version' | 'created_at' | 'updated_at'
>;

/** Oldest first, without deleted ones. */
export async function listEntries(db: Executor, id: number): Promise<EntryRow[]> {
  return select<EntryRow>(
    db,
    sql`select id, text, version, created_at, updated_at from project_entries
        where project_id = ${id} and deleted_at is null order by id`,
  );
}

/** False when there are too many. */
export async function insertEntry(
  db: Executor,
  id: number,
  { text, most }: { readonly text: string; readonly most: number },
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    await lockVersion(tx, id);
    const count = await selectCount(
      tx,
      sql`select count(*) from project_entries where project_id = ${id} and deleted_at is null`,
    );
    if (count >= most) return false;
    await execute(
      tx,
      sql`insert into project_entries (project_id, text) values (${id}, ${cleanText(text)})`,
    );
    await updateObject(tx, id);
    return true;
  });
}

export interface EntryChange {
  readonly entryId: number;
  readonly text?: string | null;
  readonly isDeleted?: boolean | null;
  readonly baseVersion?: number | null;
}

/** Null: the project has no such entry. A deleted one can only be restored. */
export async function updateEntry(
  db: Executor,
  id: number,
  { entryId, text, isDeleted, baseVersion }: EntryChange,
): Promise<ChangeOutcome | null> {
  return inTransaction(db, async (tx) => {
    await lockVersion(tx, id);
    const current = await selectOne<Columns<'project_entries', 'version' | 'deleted_at'>>(
      tx,
      sql`select version, deleted_at from project_entries where project_id = ${id} and id = ${entryId}`,
    );
    if (current === null || (current.deleted_at !== null && isDeleted !== false)) return null;
    const { version } = current;
    if (isGiven(baseVersion) && baseVersion !== version) return { kind: 'conflict', version };
    if (isGiven(text))
      await execute(
        tx,
        sql`update project_entries set text = ${cleanText(text)}, version = version + 1, updated_at = now()
            where id = ${entryId}`,
      );
    if (isGiven(isDeleted))
      await execute(
        tx,
        sql`update project_entries set deleted_at = ${isDeleted ? sql`now()` : sql`null`} where id = ${entryId}`,
      );
    await updateObject(tx, id);
    return { kind: 'done' };
  });
}
