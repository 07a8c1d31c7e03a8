/** `/api/notification`. */

import { mark, viewNotifications } from '../account/notifications.ts';
import type { WebContext } from '../context.ts';
import type { Handlers } from '../http/call.ts';

export function notificationHandlers(context: WebContext) {
  return {
    listNotifications: ({ user, query }) => viewNotifications(context, user, query),
    markNotifications: async ({ user, body }) => {
      await mark(context, user, body);
      return null;
    },
  } satisfies Partial<Handlers>;
}
