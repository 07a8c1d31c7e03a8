/** A user's notifications, and marking them as read. */
import type * as z from 'zod/mini';
import type {
  markNotificationsSchema,
  Notification,
  notificationQuerySchema,
} from '../../contract/notification.ts';
import type { CoreContext } from '../context.ts';
import type { User } from '../http/call.ts';
import { invalidField } from '../http/service-error.ts';
import { listNotifications, markNotifications } from '../repositories/notifications.ts';

type NotificationQuery = z.output<typeof notificationQuerySchema>;
type Mark = z.output<typeof markNotificationsSchema>;

/** Numbers one call may name; without any, all are marked as read. */
const maxIds = 10_000;

export async function viewNotifications(
  { pool }: CoreContext,
  user: User,
  { status, page_no: number, page_size: size }: NotificationQuery,
): Promise<{ total: number; page: number; count_per_page: number; objects: Notification[] }> {
  const { total, rows } = await listNotifications(
    pool,
    { userId: user.id, status },
    { number, size },
  );
  const objects = rows.map((row) => ({ ...row }));
  return { total, page: number, count_per_page: size, objects };
}

/** Unknown numbers and other users' numbers are ignored, so the call can be repeated. */
export async function mark(
  { pool }: CoreContext,
  user: User,
  { notification_ids: ids, status }: Mark,
): Promise<void> {
  const field = 'notification_ids';
  if (ids && ids.length > maxIds) throw invalidField(field, `has more than ${maxIds} numbers.`);
  const wrong = ids?.find((id) => !Number.isSafeInteger(id) || id < 0);
  if (wrong !== undefined) throw invalidField(field, `must be whole numbers, not ${wrong}.`);
  await markNotifications(pool, { userId: user.id, ids: ids ?? null, isRead: status === 'read' });
}
