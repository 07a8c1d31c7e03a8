/** Passes a runner's message on to all watchers when the transaction commits. */
import { LIVE_CHANNEL } from '../repositories/chains.ts';
import type { Executor } from '../repositories/database.ts';
import { notify } from '../repositories/database.ts';

export interface LiveMessage {
  readonly action: string;
  readonly data?: unknown;
}

/** PostgreSQL takes fewer than 8000 bytes. */
const maxBytes = 7600;

/**
 * JSON {id, what: 'message', message: {action, data}} on the live channel. Lines of output are not sent this way: for
 * them `what` is `log`, and a watcher continues reading the log. Long texts are truncated, and other large data left
 * out; the log and the experiment have them.
 */
export async function publishMessage(
  tx: Executor,
  shortId: string,
  message: LiveMessage,
): Promise<void> {
  await notify(tx, LIVE_CHANNEL, fit(shortId, message));
}

/** The text of the notification, at most {@link maxBytes}. */
export function fit(shortId: string, message: LiveMessage): string {
  const write = (one: LiveMessage) =>
    JSON.stringify({ id: shortId, what: 'message', message: one });
  const { data } = message;
  const action = message.action.slice(0, 200);
  const isSmall = (text: string) => Buffer.byteLength(text) <= maxBytes;
  const whole = write({ ...message, action });
  if (isSmall(whole)) return whole;
  if (typeof data !== 'string') return write({ action });
  for (let length = maxBytes; ; length = Math.floor(length * 0.7)) {
    const text = write({ action, data: `${data.slice(0, length)}…` });
    if (isSmall(text)) return text;
  }
}
