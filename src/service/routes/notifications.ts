/** `/api/notification`. */

import type { WebContext } from '../context.ts';
import type { Handlers } from '../http/call.ts';
import { mark, viewNotifications } from '../use-cases/notifications.ts';

export function notificationHandlers(
  context: WebContext,
): Pick<Handlers, 'listNotifications' | 'markNotifications'> {
  return {
    listNotifications: ({ user, query }) => viewNotifications(context, user, query),
    markNotifications: async ({ user, body }) => {
      await mark(context, user, body);
      return null;
    },
  };
}
