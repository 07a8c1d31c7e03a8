/** When a notification arrives, lists are refetched, a toast is shown, and a hidden tab gets a mark in its title. */

import { openNotificationSocket } from '../../../client/sockets.ts';
import type { Notification } from '../../../contract/notification.ts';
import { notificationKeys, objectKeys } from '../../objects/query-keys.ts';
import type { Services } from '../../services.ts';
import { showNotice } from '../../ui/browser-notices.ts';
import { setTitleMark } from '../../ui/page-title.ts';
import { showToast } from '../../ui/toasts.tsx';
import { isWatched } from '../live/watched-runs.ts';
import { onMarksChange } from './marks-channel.ts';
import { notificationPath } from './notification-path.ts';

/** Opens the socket, which stays open in a hidden tab; the returned function closes it. */
export function watchNotifications(
  { client, queryClient }: Services,
  open: (path: string) => void,
): () => void {
  let unseen = 0;
  let wasLost = false;
  // A hidden tab fetches nothing: what arrived is fetched on return.
  let isStale = false;
  const refresh = () => {
    isStale = document.hidden;
    if (isStale) return;
    void queryClient.invalidateQueries({ queryKey: notificationKeys.all });
    // Most notifications are about the end of a run.
    void queryClient.invalidateQueries({ queryKey: objectKeys('experiment').lists });
  };
  const onVisibility = () => {
    if (document.hidden) return;
    unseen = 0;
    setTitleMark('');
    if (isStale) refresh();
  };
  const receive = (notification: Notification) => {
    const path = notificationPath(notification);
    const { title, message, msg_object: id } = notification;
    refresh();
    if (document.hidden) {
      unseen += 1;
      setTitleMark(`(${unseen})`);
      if (isWatched(id)) {
        const onClick = () => path !== null && open(path);
        showNotice({ title, body: message, tag: `ergodic ${id}`, onClick });
      }
    }
    // The run's own page shows its end itself.
    if (path !== null && window.location.pathname === path) return;
    showToast({
      message: (
        <>
          {path === null ? title : <ToastLink path={path} open={open} label={title} />}
          {message !== '' && <div>{message}</div>}
        </>
      ),
      tone: notification.msg_verb === 'failed' ? 'bad' : 'plain',
    });
  };
  const socket = openNotificationSocket(client, {
    onNotification: receive,
    onState: ({ state }) => {
      // What came meanwhile was missed.
      if (state === 'open' && wasLost) refresh();
      wasLost = state === 'waiting' || (wasLost && state !== 'open');
    },
  });
  const stopMarks = onMarksChange(() => {
    // A user who marks them has noticed them.
    unseen = 0;
    setTitleMark('');
    refresh();
  });
  document.addEventListener('visibilitychange', onVisibility);
  return () => {
    socket.close();
    stopMarks();
    document.removeEventListener('visibilitychange', onVisibility);
    setTitleMark('');
  };
}

/** Toasts are outside the router, so the link navigates in code. */
function ToastLink({
  path,
  open,
  label,
}: {
  path: string;
  open: (path: string) => void;
  label: string;
}) {
  return (
    <a
      href={path}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        open(path);
      }}
    >
      {label}
    </a>
  );
}
