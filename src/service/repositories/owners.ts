/** Changes the owners of objects: from a person to a team, and back. */
import { publishAccessTo } from './access.ts';
import { array, type Executor, execute, hasRow, select, selectValues, sql } from './database.ts';
import type { Columns } from './tables.ts';

/**
 * An object and, for a project, its members, including deleted ones: all of this owner, locked until the transaction
 * ends. Empty if it has another owner by now.
 */
export async function lockWithMembers(
  tx: Executor,
  { id: objectId, owner_id: ownerId }: Columns<'objects', 'id' | 'owner_id'>,
): Promise<{ readonly id: number; readonly status: string | null }[]> {
  return select(
    tx,
    sql`select o.id, o.status from objects o
        where o.id in (select ${objectId}::bigint
            union all select m.object_id from project_members m where m.project_id = ${objectId})
          and o.owner_id = ${ownerId}
        order by o.id for update of o`,
  );
}

/** Events would continue to fire for the previous owner. */
export async function haveRelations(db: Executor, ids: readonly number[]): Promise<boolean> {
  return hasRow(
    db,
    sql`select 1 as found from relations r join objects o on o.id = r.id
        where o.deleted_at is null
          and (r.object1_id = any(${array(ids, 'bigint')}) or r.object2_id = any(${array(ids, 'bigint')})) limit 1`,
  );
}

/** Their shares move with them; projects that stay lose them. */
export async function changeOwner(
  tx: Executor,
  { ids, ownerId }: { readonly ids: readonly number[]; readonly ownerId: number },
): Promise<void> {
  const moved = array(ids, 'bigint');
  await execute(
    tx,
    sql`delete from project_members where object_id = any(${moved}) and not project_id = any(${moved})`,
  );
  const objects = await selectValues<string>(
    tx,
    sql`update objects set owner_id = ${ownerId}, updated_at = now() where id in (
          select unnest(${moved}) union select s.id from shares s where s.object_id = any(${moved}))
        returning short_id`,
  );
  await publishAccessTo(tx, objects);
}
