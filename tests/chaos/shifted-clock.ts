/**
 * A clock that jumps, for the processes of one service: through libfaketime if installed (Debian: libfaketime), which
 * every program of the service sees; otherwise through our own `Date` in its Node.js processes.
 */
import fs from 'node:fs';
import { pathToFileURL } from 'node:url';

const libraries = [
  '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1',
  '/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1',
  '/usr/lib/faketime/libfaketimeMT.so.1',
];

export interface Clock {
  /** How it is done, for the report. */
  readonly how: string;
  /** Set for every process of the service. */
  readonly env: Readonly<Record<string, string>>;
  /** Seconds ahead of this machine's clock, from now on (within a second). */
  set(seconds: number): void;
  /** The PostgreSQL copied into the data folder keeps this time after its next start. */
  remove(): void;
}

export function prepareClock(folder: string): Clock {
  const file = `${folder}.clock`;
  const set = (seconds: number) =>
    fs.writeFileSync(file, `${seconds < 0 ? '-' : '+'}${Math.abs(seconds)}\n`, { mode: 0o644 });
  set(0);
  const remove = () => fs.rmSync(file, { force: true });
  const library = libraries.find((place) => fs.existsSync(place));
  if (library !== undefined)
    return {
      how: 'libfaketime, in the Node.js processes',
      env: {
        LD_PRELOAD: library,
        FAKETIME_TIMESTAMP_FILE: file,
        FAKETIME_CACHE_DURATION: '1',
        FAKETIME_DONT_RESET: '1',
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
        DONT_FAKE_MONOTONIC: '1',
        FAKETIME_DISABLE_SHM: '1',
        NO_FAKE_STAT: '1',
      },
      set,
      remove,
    };
  const hook = pathToFileURL(`${import.meta.dirname}/shift-date.mjs`).href;
  return {
    how: 'a Date of our own in the Node.js processes (libfaketime is not installed)',
    env: { NODE_OPTIONS: `--import=${hook}`, ERGODIC_TEST_CLOCK: file },
    set,
    remove,
  };
}
