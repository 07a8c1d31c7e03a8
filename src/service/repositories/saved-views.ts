/** Named views of lists, by user. */
import type { SavedView } from '../../contract/views.ts';
import { type Executor, execute, json, selectOne, sql } from './database.ts';

export async function findViews(
  db: Executor,
  userId: number,
  list: string,
): Promise<readonly SavedView[]> {
  const row = await selectOne<{ views: SavedView[] }>(
    db,
    sql`select views from saved_views where user_id = ${userId} and list = ${list}`,
  );
  return row?.views ?? [];
}

/** Without views the list needs no row. */
export async function storeViews(
  db: Executor,
  place: { readonly userId: number; readonly list: string },
  views: readonly SavedView[],
): Promise<void> {
  const { userId, list } = place;
  await execute(
    db,
    views.length === 0
      ? sql`delete from saved_views where user_id = ${userId} and list = ${list}`
      : sql`insert into saved_views (user_id, list, views) values (${userId}, ${list}, ${json(views)})
          on conflict (user_id, list) do update set views = excluded.views`,
  );
}
