/** What the server notifies a user of: runs that ended, shares received. */
import * as z from 'zod/mini';
import { dateTime, integer, pageQueryShape } from './common.ts';

export const notificationSchema = z.looseObject({
  id: integer,
  event: z.string(),
  title: z.string(),
  message: z.string(),
  /** Id of the object it is about; empty if there is none. */
  msg_object: z._default(z.string(), ''),
  msg_verb: z._default(z.string(), ''),
  /** Ours: the share that gives access to the object; empty if it is the user's own. */
  share_id: z.optional(z.string()),
  created_at: dateTime,
  read_at: z.nullable(dateTime),
});
export type Notification = z.infer<typeof notificationSchema>;

export const notificationQuerySchema = z.object({
  status: z.enum(['all', 'read', 'unread']),
  ...pageQueryShape,
});

/** Without `notification_ids` all are marked (our reading). */
export const markNotificationsSchema = z.object({
  notification_ids: z.optional(z.nullable(z.array(integer))),
  status: z.enum(['read', 'unread']),
});

/** A pushed frame of the notification socket. */
export const notificationFrameSchema = z.looseObject({
  type: z.literal('on.notification'),
  message: notificationSchema,
});
