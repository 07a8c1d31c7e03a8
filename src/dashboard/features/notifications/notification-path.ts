/** The page of the object that a notification is about. */
import { kindOfId } from '../../../contract/common.ts';
import type { Notification } from '../../../contract/notification.ts';

const pages = {
  model: 'models',
  experiment: 'experiments',
  workflow: 'workflows',
  data: 'data',
  project: 'projects',
};

/** Null: it is not about an object with a page. */
export function notificationPath({
  msg_object: id,
  share_id: share,
}: Pick<Notification, 'msg_object' | 'share_id'>): string | null {
  const kind = kindOfId(id);
  if (kind === null || !(kind in pages)) return null;
  if (share) return kindOfId(share) === 'share' ? `/s/${id}/${share}` : null;
  return `/${pages[kind as keyof typeof pages]}/${id}`;
}
