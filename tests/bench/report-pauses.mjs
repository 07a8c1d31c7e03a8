/**
 * Loaded into a service by `--import`: at each SIGUSR2 writes into a file with the number of its process, in the
 * folder ERGODIC_TEST_PAUSES, the longest pause of its event loop since the last, and the longest work between two turns
 * in processor time, which a busy machine does not lengthen (Linux only).
 */
import fs from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const TURN_MS = 5;

if (isMainThread) {
  const delay = monitorEventLoopDelay({ resolution: TURN_MS });
  delay.enable();
  const own = `/proc/self/task/${process.pid}/schedstat`;
  /** Milliseconds this thread has run; null where the system does not say. */
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
    // whole at once: somebody waits for it
    fs.writeFileSync(`${file}.draft`, `${pause} ${before === null ? pause : longest.toFixed(1)}`);
    fs.renameSync(`${file}.draft`, file);
    delay.reset();
    longest = 0;
  });
}
