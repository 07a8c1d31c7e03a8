/** Progress of a transfer on standard error: one updating line on a terminal, otherwise a line per tenth. */
import { formatBytesOf, timeLeft } from '../shared/byte-counts.ts';
import { formatBytes } from '../shared/readable-numbers.ts';
import type { ProgressStream } from './run-progress.ts';

export interface ByteProgress {
  /** What is being done: "Uploading chain_1.csv". */
  update(what: string, done: number, total: number): void;
  /** Shown instead of numbers until the next update. */
  note(text: string): void;
  end(): void;
}

const REDRAW_MS = 200;

export function createByteProgress(
  stream: ProgressStream,
  now: () => number = () => performance.now(),
): ByteProgress {
  const clear = stream.isTTY ? '\r\u001b[K' : '';
  let task = { what: '', since: 0, from: 0, tenth: 0 };
  let drawnAt = -Infinity;
  let isOpen = false;
  const write = (text: string) => {
    stream.write(stream.isTTY ? `${clear}${text}` : `${text}\n`);
    isOpen = true;
    drawnAt = now();
  };
  return {
    update(what, done, total) {
      if (what !== task.what) {
        task = { what, since: now(), from: done, tenth: 0 };
        drawnAt = -Infinity;
      }
      const tenth = Math.floor((10 * done) / Math.max(1, total));
      const isDue = stream.isTTY
        ? now() - drawnAt >= REDRAW_MS || done >= total
        : tenth > task.tenth;
      if (!isDue) return;
      task.tenth = tenth;
      const seconds = (now() - task.since) / 1000;
      const speed = seconds >= 1 ? `, ${formatBytes((done - task.from) / seconds)}/s` : '';
      const left = timeLeft(done - task.from, total - task.from, seconds);
      write(`${what}: ${formatBytesOf(done, total)}${speed}${left === '' ? '' : `, ${left}`}`);
    },
    note(text) {
      task = { ...task, what: '' };
      write(text);
    },
    end() {
      if (stream.isTTY && isOpen) stream.write('\n');
      isOpen = false;
    },
  };
}
