/** Marks made in one tab are published to the other tabs of this browser, which would show what is read as unread. */

const channelName = 'ergodic notifications';
/** A channel also receives what another channel of the same tab posts: that is not news. */
const thisTab = `${Date.now()} ${Math.random()}`;

interface Marked {
  readonly from: string;
}

/** The message names neither user nor notification, so a tab where somebody else is signed in learns nothing. */
export function publishMarks(): void {
  const channel = new BroadcastChannel(channelName);
  channel.postMessage({ from: thisTab } satisfies Marked);
  channel.close();
}

/** `onMarks`: another tab marked some; the returned function stops listening. */
export function onMarksChange(onMarks: () => void): () => void {
  const channel = new BroadcastChannel(channelName);
  channel.onmessage = ({ data }: MessageEvent<Marked>) => {
    if (data.from !== thisTab) onMarks();
  };
  return () => channel.close();
}
