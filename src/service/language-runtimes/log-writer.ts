/** Collects a program's output into complete lines and writes them in intervals, not line by line. */
import type { TextStream } from './run-confined.ts';

export interface LogWriter {
  /** Waits while much is to be written, which slows down a program that floods its output. */
  push(stream: TextStream, text: string): Promise<void> | undefined;
  /** Writes the rest, including unfinished lines. */
  end(): Promise<void>;
}

const WAIT_MS = 300;
const MUCH = 256 * 1024;
/** A line longer than this is written in parts. */
const LONGEST_LINE = 64 * 1024;

export function createLogWriter(write: (text: string) => Promise<void>): LogWriter {
  const open: Record<TextStream, string> = { stdout: '', stderr: '' };
  let lines = '';
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> = Promise.resolve();

  const flush = (): Promise<void> => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const text = lines;
    lines = '';
    if (text !== '') writing = writing.then(() => write(text));
    return writing;
  };

  return {
    push(stream, text) {
      const all = open[stream] + text;
      const end = all.length > LONGEST_LINE ? all.length : all.lastIndexOf('\n') + 1;
      open[stream] = all.slice(end);
      const whole = all.slice(0, end);
      if (whole !== '') lines += whole.endsWith('\n') ? whole : `${whole}\n`;
      if (lines.length > MUCH) return flush();
      timer ??= setTimeout(() => {
        // the next push, or the end, reports the same fault
        flush().catch(() => {});
      }, WAIT_MS);
      return undefined;
    },
    end() {
      for (const stream of ['stdout', 'stderr'] as const) {
        if (open[stream] !== '') lines += `${open[stream]}\n`;
        open[stream] = '';
      }
      return flush();
    },
  };
}
