/** Files in memory that a test writes, and a clock that moves only while someone waits. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { FileSource } from '../../src/cli/watch-files.ts';
import type { Clock } from '../../src/cli/watch-link.ts';

/** Four chains of CmdStan 2.35, as it wrote them. */
export const bernoulli = [1, 2, 3, 4].map((chain) =>
  readFileSync(new URL(`../fixtures/posterior/bern${chain}.csv`, import.meta.url)).toString(),
);

export class MemoryFiles implements FileSource {
  readonly files = new Map<string, { bytes: Buffer; modified: number }>();
  private time = 0;

  write(name: string, text: string): void {
    this.files.set(name, { bytes: Buffer.from(text), modified: ++this.time });
  }

  append(name: string, text: string): void {
    const before = this.files.get(name)?.bytes ?? Buffer.alloc(0);
    this.files.set(name, {
      bytes: Buffer.concat([before, Buffer.from(text)]),
      modified: ++this.time,
    });
  }

  async list(folder: string): Promise<string[] | null> {
    const names = [...this.files.keys()].filter((name) => path.dirname(name) === folder);
    return folder === '/none' ? null : names.map((name) => path.basename(name));
  }

  async stat(name: string) {
    const found = this.files.get(name);
    return found === undefined ? null : { size: found.bytes.length, modified: found.modified };
  }

  async read(name: string, from: number, length: number): Promise<Uint8Array> {
    return this.files.get(name)?.bytes.subarray(from, from + length) ?? new Uint8Array(0);
  }
}

/** Each wait advances the time and runs the next step; when none are left, `onIdle`. */
export function steppedClock(
  steps: (() => unknown)[],
  onIdle: () => unknown = () => {},
): Clock & { waits: number } {
  let now = 1_000_000;
  const clock = {
    waits: 0,
    now: () => now,
    async sleep(milliseconds: number) {
      now += milliseconds;
      clock.waits++;
      if (clock.waits > 2000) throw new Error('waited 2000 times');
      const step = steps.shift();
      await (step === undefined ? onIdle() : step());
    },
  };
  return clock;
}
