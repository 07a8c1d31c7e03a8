/** Where a log comes from: byte ranges from our server, or the entire text as documented, with the same interface. */
import { ApiError } from '../../../../client/api-error.ts';
import type { Client } from '../../../../client/create-client.ts';

export type LogStream = 'stdlog' | 'platform';

export interface LogPart {
  /** Bytes, `to` exclusive, at whole characters. */
  readonly from: number;
  readonly to: number;
  readonly text: string;
  /** Current size of the entire log, in bytes and lines. */
  readonly size: number;
  readonly lines: number;
}

export interface LogSource {
  /** `to` 0 = the end. A source may return less than requested; see `to` of the result. Throws `ApiError`. */
  read(from: number, to: number, signal?: AbortSignal): Promise<LogPart>;
  /** Where the lines containing `text` begin, ignoring case; the first 10 000. Throws `ApiError`. */
  search(text: string, signal?: AbortSignal): Promise<readonly number[]>;
}

const mostMatches = 10_000;

/** Capability `log_range`. */
export function rangeSource(client: Client, id: string, stream: LogStream): LogSource {
  const view = (query: { from: number; to: number; q?: string }, signal?: AbortSignal) =>
    client.viewLog({ params: { objid: id }, query: { stream, ...query }, signal });
  return {
    read: (from, to, signal) => view({ from, to }, signal),
    search: async (text, signal) => (await view({ from: 0, to: 1, q: text }, signal)).matches ?? [],
  };
}

/** The documented way: every read that reaches the end fetches the entire output. */
export function wholeSource(client: Client, id: string): LogSource {
  let held: WholeText | null = null;
  const fetchWhole = async (signal?: AbortSignal) => {
    const answer = await client.viewObject({
      params: { objid: id },
      query: { stdlog: true },
      signal,
    });
    if (!('logs' in answer) || typeof answer.logs !== 'string')
      throw new ApiError('schema', 'The server’s answer lacks the output of the run.');
    return new WholeText(answer.logs);
  };
  return {
    read: async (from, to, signal) => {
      if (held === null || to === 0) held = await fetchWhole(signal);
      return held.part(from, to);
    },
    search: async (text, signal) => {
      held ??= await fetchWhole(signal);
      return held.search(text);
    },
  };
}

/** A text that can be read by byte range, as from our server. */
export class WholeText {
  private readonly bytes: Uint8Array;
  private readonly lines: number;

  constructor(private readonly text: string) {
    this.bytes = new TextEncoder().encode(text);
    this.lines = text === '' ? 0 : text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
  }

  part(from: number, to: number): LogPart {
    const size = this.bytes.length;
    let begin = Math.min(size, Math.max(0, from));
    let end = Math.max(begin, to === 0 ? size : Math.min(size, to));
    // A byte of the form 10xxxxxx continues a character.
    const isInside = (place: number) => ((this.bytes[place] ?? 0) & 0xc0) === 0x80;
    while (begin > 0 && isInside(begin)) begin -= 1;
    while (isInside(end)) end += 1;
    const text = new TextDecoder().decode(this.bytes.subarray(begin, end));
    return { from: begin, to: end, text, size, lines: this.lines };
  }

  search(text: string): readonly number[] {
    const needle = text.toLowerCase();
    const matches: number[] = [];
    let offset = 0;
    for (const line of this.text.split('\n')) {
      if (line.toLowerCase().includes(needle)) matches.push(offset);
      if (matches.length >= mostMatches) break;
      offset += byteLength(line) + 1;
    }
    return matches;
  }
}

const encoder = new TextEncoder();

/** Bytes of `text` in UTF-8. */
export function byteLength(text: string): number {
  // Most lines are ASCII and need no encoding.
  for (let i = 0; i < text.length; i++) {
    if (text.charCodeAt(i) > 127) return encoder.encode(text).length;
  }
  return text.length;
}
