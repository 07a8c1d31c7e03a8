/** `/api/notification`. */
import type { Handlers } from '../http/call.ts';
import { notSupported } from '../http/service-error.ts';
import type { ServiceContext } from '../service-deps.ts';

export function notificationHandlers(
  _context: ServiceContext,
): Pick<Handlers, 'listNotifications' | 'markNotifications'> {
  const refuse = async () => {
    throw notSupported('Notifications are not here yet.');
  };
  return { listNotifications: refuse, markNotifications: refuse };
}
