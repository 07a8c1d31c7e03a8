/** Events, callbacks and the relations that join them. */
import { type Executor, execute, inTransaction, json, select, sql } from './database.ts';
import { insertObject, numbersOf, type ObjectRow, updateObject, withRows } from './objects.ts';
import type { Columns } from './tables.ts';

export async function insertEvent(db: Executor, ownerId: number, name: string): Promise<ObjectRow> {
  return inTransaction(db, async (tx) => {
    const object = await insertObject(tx, { kind: 'event', ownerId, name });
    await execute(tx, sql`insert into events (id) values (${object.id})`);
    return object;
  });
}

export interface CallbackRow
  extends ObjectRow,
    Columns<'callbacks', 'lang' | 'code' | 'single_instance' | 'token'> {}

export interface NewCallback {
  readonly ownerId: number;
  readonly lang: string;
  readonly code: string;
  readonly singleInstance: boolean;
  readonly token: string;
}

export async function insertCallback(db: Executor, callback: NewCallback): Promise<CallbackRow> {
  return inTransaction(db, async (tx) => {
    const object = await insertObject(tx, { kind: 'callback', ownerId: callback.ownerId });
    const { lang, code, singleInstance, token } = callback;
    await execute(
      tx,
      sql`insert into callbacks (id, lang, code, single_instance, token)
          values (${object.id}, ${lang}, ${code}, ${singleInstance}, ${token})`,
    );
    return { ...object, lang, code, single_instance: singleInstance, token };
  });
}

/** Absent or null: unchanged. */
export interface CallbackChange {
  readonly lang?: string | null;
  readonly code?: string | null;
  readonly singleInstance?: boolean | null;
}

export async function updateCallback(
  db: Executor,
  id: number,
  { lang = null, code = null, singleInstance = null }: CallbackChange,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await updateObject(tx, id, {});
    await execute(
      tx,
      sql`update callbacks set lang = coalesce(${lang}, lang), code = coalesce(${code}, code),
            single_instance = coalesce(${singleInstance}::boolean, single_instance) where id = ${id}`,
    );
  });
}

export async function listCallbacks(
  db: Executor,
  objects: readonly ObjectRow[],
): Promise<CallbackRow[]> {
  const rows = await select<CallbackRow>(
    db,
    sql`select id, lang, code, single_instance, token from callbacks where id = any(${numbersOf(objects)})`,
  );
  return withRows(objects, rows);
}

export interface RelationRow extends ObjectRow {
  readonly object1_id: string;
  readonly object2_id: string;
  readonly params: { readonly n?: number };
}

export async function insertRelation(
  db: Executor,
  ownerId: number,
  from: ObjectRow,
  to: ObjectRow,
  params: RelationRow['params'] = {},
): Promise<RelationRow> {
  return inTransaction(db, async (tx) => {
    const object = await insertObject(tx, { kind: 'relation', ownerId });
    await execute(
      tx,
      sql`insert into relations (id, object1_id, object2_id, params) values (${object.id}, ${from.id}, ${to.id}, ${json(params)})`,
    );
    return { ...object, object1_id: from.short_id, object2_id: to.short_id, params };
  });
}

export async function listRelations(
  db: Executor,
  objects: readonly ObjectRow[],
): Promise<RelationRow[]> {
  const rows = await select<RelationRow>(
    db,
    sql`select r.id, a.short_id as object1_id, b.short_id as object2_id, r.params from relations r
        join objects a on a.id = r.object1_id join objects b on b.id = r.object2_id where r.id = any(${numbersOf(objects)})`,
  );
  return withRows(objects, rows);
}
