/** Named views of lists, by user. */
import type { SavedView } from '../../contract/views.ts';
import { type Executor, execute, json, selectValue, sql } from './database.ts';

export async function findViews(
  db: Executor,
  userId: number,
  list: string,
): Promise<readonly SavedView[]> {
  const query = sql`select views from saved_views where user_id = ${userId} and list = ${list}`;
  return (await selectValue<SavedView[]>(db, query)) ?? [];
}

/** Of one user. */
export const mostLists = 50;

/** Without views the list needs no row. False: the user already has views of the maximum number of lists. */
export async function storeViews(
  db: Executor,
  place: { readonly userId: number; readonly list: string },
  views: readonly SavedView[],
): Promise<boolean> {
  const { userId, list } = place;
  if (views.length === 0) {
    await execute(db, sql`delete from saved_views where user_id = ${userId} and list = ${list}`);
    return true;
  }
  const count = await execute(
    db,
    sql`insert into saved_views (user_id, list, views)
        select ${userId}, ${list}, ${json(views)}
        where (select count(*) from saved_views where user_id = ${userId} and list <> ${list}) < ${mostLists}
        on conflict (user_id, list) do update set views = excluded.views`,
  );
  return count > 0;
}
