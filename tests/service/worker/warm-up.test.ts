/** An idle worker prepares for its first run. */
import { expect, it, vi } from 'vitest';
import { countIdleThreads, endThreads } from '../../../src/engine/workers/node-threads.ts';
import { startRun } from '../../../src/service/runs/start-run.ts';
import { warmUp } from '../../../src/service/worker/warm-up.ts';
import { waitForRun } from '../../support/run-waiting.ts';
import { makeWorkflow } from '../../support/service-objects.ts';
import { useWorkPlace } from '../../support/work-place.ts';

const place = useWorkPlace({ slots: 2, roundMs: 20 });

const idleThreads = (count: number) =>
  vi.waitFor(() => expect(countIdleThreads()).toBe(count), { timeout: 30_000, interval: 5 });

it('leaves a thread for each chain that runs simultaneously, which the first run takes', async () => {
  await place.work({ warmsUp: true });
  await idleThreads(2);
  // the second program, in the same threads
  await idleThreads(0);
  await idleThreads(2);
  // threads are kept for their own run for a moment
  const now = performance.now.bind(performance);
  const later = vi.spyOn(performance, 'now').mockImplementation(() => now() + 1000);
  const { pool, user } = place;
  const settings = 'sampling: {seed: 1, num_chains: 4, num_warmup: 50, num_samples: 50}';
  const { id: workflowId } = await makeWorkflow(pool, user.id, { settings });
  const { id } = await startRun(pool, { workflowId, ownerId: user.id });
  expect(await waitForRun(pool, id)).toMatchObject({ status: 'FIN', n_samples: 50 });
  await idleThreads(2);
  later.mockRestore();
  await place.stopWork();
  expect(countIdleThreads()).toBe(0);
});

it('ends with its worker', async () => {
  await place.work({ warmsUp: true, roundMs: 1 });
  await place.stopWork();
  expect(countIdleThreads()).toBe(0);
});

it('prepares four threads at most, and none when it is asked to end', async () => {
  const options = { slots: 64, workerUrl: undefined, heapMiB: undefined };
  await warmUp({ ...options, signal: AbortSignal.abort() });
  expect(countIdleThreads()).toBe(0);
  await warmUp({ ...options, signal: new AbortController().signal });
  expect(countIdleThreads()).toBe(4);
  await endThreads();
});
