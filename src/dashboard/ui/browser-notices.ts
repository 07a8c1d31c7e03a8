/** Browser notifications, outside the page: only after the user asked for them here and allowed them there. */
import { readStored, writeStored } from './stored-text.ts';

const key = 'ergodic.notices';

export type NoticeState = 'off' | 'on' | 'forbidden' | 'missing';

export function noticeState(): NoticeState {
  if (typeof Notification === 'undefined') return 'missing';
  if (Notification.permission === 'denied') return 'forbidden';
  const isChosen = readStored(key) === 'on';
  return isChosen && Notification.permission === 'granted' ? 'on' : 'off';
}

/** Must be called from a click: asks for the browser's permission if it was not given yet. */
export async function turnOnNotices(): Promise<NoticeState> {
  if (typeof Notification === 'undefined') return 'missing';
  const permission = await Notification.requestPermission();
  if (permission === 'granted') writeStored(key, 'on');
  return noticeState();
}

export function turnOffNotices(): void {
  writeStored(key, '');
}

/** Does nothing if notices are off. `tag`: a later notice with the same tag replaces it. */
export function showNotice(notice: {
  readonly title: string;
  readonly body: string;
  readonly tag: string;
  readonly onClick: () => void;
}): void {
  if (noticeState() !== 'on') return;
  const { title, body, tag } = notice;
  try {
    const shown = new Notification(title, { body, tag });
    shown.onclick = () => {
      window.focus();
      shown.close();
      notice.onClick();
    };
  } catch {
    // Some browsers allow them only in service workers: the title's mark remains.
  }
}
