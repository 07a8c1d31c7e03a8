/** Loaded into a service by `--import`: at each SIGUSR2 prints the longest pause of its event loop since the last. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  process.on('SIGUSR2', () => {
    process.stdout.write(`pause ${(delay.max / 1e6).toFixed(1)}\n`);
    delay.reset();
  });
}
