/** Notifications of a user: runs that ended, shares received. */
import { array, type Executor, execute, select, selectOne, sql } from './database.ts';
import type { ObjectPage, Page } from './object-lists.ts';
import type { Columns } from './tables.ts';

export type NotificationRow = Columns<
  'notifications',
  | 'id'
  | 'event'
  | 'title'
  | 'message'
  | 'msg_object'
  | 'msg_verb'
  | 'share_id'
  | 'created_at'
  | 'read_at'
>;

export interface NewNotification {
  readonly userId: number;
  readonly event: string;
  readonly title: string;
  readonly message?: string;
  readonly object?: string;
  readonly verb?: string;
  /** Id of the share that opens the object. */
  readonly share?: string;
}

/** Channel of PostgreSQL that carries a new notification's user and number. */
export const NOTIFICATION_CHANNEL = 'ergodic_notification';

const columns = sql`id, event, title, message, msg_object, msg_verb, share_id, created_at, read_at`;

export async function insertNotification(
  db: Executor,
  notification: NewNotification,
): Promise<NotificationRow> {
  const { userId, event, title, message = '', object = '', verb = '', share = '' } = notification;
  const row = await selectOne<NotificationRow>(
    db,
    sql`insert into notifications (user_id, event, title, message, msg_object, msg_verb, share_id)
        values (${userId}, ${event}, ${title}, ${message}, ${object}, ${verb}, ${share}) returning ${columns}`,
  );
  const payload = JSON.stringify({ user_id: userId, id: (row as NotificationRow).id });
  await execute(db, sql`select pg_notify(${NOTIFICATION_CHANNEL}, ${payload})`);
  return row as NotificationRow;
}

export async function findNotification(db: Executor, id: number): Promise<NotificationRow | null> {
  return selectOne<NotificationRow>(db, sql`select ${columns} from notifications where id = ${id}`);
}

export async function listNotifications(
  db: Executor,
  filter: { userId: number; status: 'all' | 'read' | 'unread' },
  page: Page,
): Promise<Omit<ObjectPage, 'rows'> & { rows: NotificationRow[] }> {
  const { userId, status } = filter;
  const read =
    status === 'all'
      ? sql``
      : status === 'read'
        ? sql`and read_at is not null`
        : sql`and read_at is null`;
  const from = sql`from notifications where user_id = ${userId} ${read}`;
  const rows = await select<NotificationRow>(
    db,
    sql`select ${columns} ${from} order by id desc limit ${page.size} offset ${(page.number - 1) * page.size}`,
  );
  const count = await selectOne<{ total: number }>(db, sql`select count(*) as total ${from}`);
  return { total: count?.total ?? 0, rows };
}

/** No ids: all of the user's. */
export async function markNotifications(
  db: Executor,
  which: { userId: number; ids: readonly number[] | null; isRead: boolean },
): Promise<void> {
  const { userId, ids, isRead } = which;
  await execute(
    db,
    sql`update notifications set read_at = ${isRead ? sql`coalesce(read_at, now())` : sql`null`}
        where user_id = ${userId} ${ids === null ? sql`` : sql`and id = any(${array(ids, 'bigint')})`}`,
  );
}

/** Days for which a notification is stored after it was read. */
const READ_DAYS = 90;

/** Removes those that were read long ago; gives how many. */
export async function purgeNotifications(db: Executor): Promise<number> {
  return execute(
    db,
    sql`delete from notifications where read_at < now() - make_interval(days => ${READ_DAYS}::int)`,
  );
}
