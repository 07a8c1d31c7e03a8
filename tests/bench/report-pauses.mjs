/**
 * Loaded into a service with `--import`. On each SIGUSR2 it writes to a file named after its process id, in the
 * folder ERGODIC_TEST_PAUSES: the longest pause of its event loop since the last signal, and the longest work between
 * two turns in processor time, which a busy machine does not lengthen (Linux only).
 */
import fs from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const TURN_MS = 5;

if (isMainThread) {
  const delay = monitorEventLoopDelay({ resolution: TURN_MS });
  delay.enable();
  const own = `/proc/self/task/${process.pid}/schedstat`;
  /** Milliseconds this thread has run; null if the system does not report it. */
  const ranFor = () =>
    fs.existsSync(own) ? Number(fs.readFileSync(own, 'utf8').split(' ')[0]) / 1e6 : null;
  let before = ranFor();
  let longest = 0;
  setInterval(() => {
    const now = ranFor();
    if (now === null || before === null) return;
    longest = Math.max(longest, now - before);
    before = now;
  }, TURN_MS).unref();
  process.on('SIGUSR2', () => {
    const pause = (delay.max / 1e6).toFixed(1);
    const file = `${process.env.ERGODIC_TEST_PAUSES}/${process.pid}`;
    // written atomically: another process waits for it
    fs.writeFileSync(`${file}.draft`, `${pause} ${before === null ? pause : longest.toFixed(1)}`);
    fs.renameSync(`${file}.draft`, file);
    delay.reset();
    longest = 0;
  });
}
