/** `/api/notification`. */
import type { Handlers } from '../http/call.ts';
import type { ServiceContext } from '../service-deps.ts';
import { mark, viewNotifications } from '../use-cases/notifications.ts';

export function notificationHandlers(
  context: ServiceContext,
): Pick<Handlers, 'listNotifications' | 'markNotifications'> {
  return {
    listNotifications: ({ user, query }) => viewNotifications(context, user, query),
    markNotifications: async ({ user, body }) => {
      await mark(context, user, body);
      return null;
    },
  };
}
