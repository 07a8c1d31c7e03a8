/** The `datas` of a `text_message`: what is written to the log, and what is passed on to watchers. */
import type { LiveMessage } from './live-messages.ts';

export interface TextMessages {
  /** Lines of `experiment:output`, each with a newline. */
  readonly output: string;
  /** The others, in order. */
  readonly messages: readonly LiveMessage[];
  /** The message of the last `experiment:error`; null: none. */
  readonly error: string | null;
}

const maxErrorLength = 4000;

/** Items that are not messages are ignored. */
export function readTextMessages(
  datas: readonly Readonly<Record<string, unknown>>[],
): TextMessages {
  let output = '';
  let error: string | null = null;
  const messages: LiveMessage[] = [];
  for (const { message } of datas) {
    if (typeof message !== 'object' || message === null) continue;
    const { action, data } = message as { action?: unknown; data?: unknown };
    if (typeof action !== 'string') continue;
    if (action === 'experiment:output') {
      output += lineOf(data);
      continue;
    }
    if (action === 'experiment:error') error = errorTextOf(data) ?? error;
    messages.push(data === undefined ? { action } : { action, data });
  }
  return { output, messages, error };
}

/** One message is one line, with or without a newline. */
function lineOf(data: unknown): string {
  if (data === undefined || data === null) return '';
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  return text.endsWith('\n') ? text : `${text}\n`;
}

/** A number is the exit code of a process; null: there is no error text. */
function errorTextOf(data: unknown): string | null {
  if (typeof data === 'number') return `The process ended with code ${data}.`;
  if (typeof data !== 'string' || data.trim() === '') return null;
  const text = data.trim();
  return text.length > maxErrorLength ? `${text.slice(0, maxErrorLength)}…` : text;
}
