/** `/api/queue`. */
import { changeQueueShare, changeWorker, viewQueue } from '../account/queue.ts';
import type { WebContext } from '../context.ts';
import type { Handlers } from '../http/call.ts';

export function queueHandlers(context: WebContext) {
  return {
    viewQueue: ({ user }) => viewQueue(context, user),
    updateWorker: ({ user, params, body }) =>
      changeWorker(context, user, { id: params.worker_id, desired: body.desired_state }),
    updateQueueUser: ({ user, body }) => changeQueueShare(context, user, body),
  } satisfies Partial<Handlers>;
}
