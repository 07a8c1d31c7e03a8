/** Draining a worker: it accepts no more work, or gives back what it has and stops; its chains continue elsewhere. */
import { expect, it, vi } from 'vitest';
import { updateDesiredState } from '../../../src/service/repositories/chains.ts';
import { inTransaction, selectOne, sql } from '../../../src/service/repositories/database.ts';
import { updateWorkerState, type WorkerState } from '../../../src/service/repositories/workers.ts';
import { startRun } from '../../../src/service/runs/start-run.ts';
import { testGuests } from '../../support/guests.ts';
import { waitForRun } from '../../support/run-waiting.ts';
import { makeWorkflow } from '../../support/service-objects.ts';
import { useWorkPlace } from '../../support/work-place.ts';

const place = useWorkPlace({ guests: testGuests, slots: 1, roundMs: 50 });

async function order(samples: number) {
  const settings = `sampling: {num_chains: 1, num_warmup: 50, num_samples: ${samples}, seed: 1}`;
  const workflow = await makeWorkflow(place.pool, place.user.id, { settings });
  return startRun(place.pool, { workflowId: workflow.id, ownerId: place.user.id });
}
const untilState = (id: number, state: string) =>
  vi.waitFor(async () => expect(await stateOf(id)).toBe(state), { timeout: 20_000 });
const stateOf = async (id: number) =>
  (
    await selectOne<{ state: string }>(
      place.pool,
      sql`select state from experiment_chains where experiment_id = ${id}`,
    )
  )?.state;
const want = (id: number, desired: WorkerState) =>
  inTransaction(place.pool, (tx) => updateWorkerState(tx, id, desired));
const newest = async () =>
  (await selectOne<{ id: number; heartbeat_at: string }>(
    place.pool,
    sql`select id, heartbeat_at from workers order by id desc limit 1`,
  )) as { id: number; heartbeat_at: string };

/** In each round a worker takes what waits. */
async function untilRounds(count: number): Promise<void> {
  const seen = new Set<string>();
  await vi.waitFor(
    async () => {
      seen.add((await newest()).heartbeat_at);
      expect(seen.size).toBeGreaterThan(count);
    },
    { timeout: 20_000 },
  );
}

it('a drained worker continues its chain, and takes no other until work is enabled again', async () => {
  await place.work();
  const { id } = await newest();
  const long = await order(100_000_000);
  await untilState(long.id, 'running');
  const next = await order(50);
  await want(id, 'drain');
  await untilRounds(2);
  expect(await stateOf(long.id)).toBe('running');
  await inTransaction(place.pool, (tx) => updateDesiredState(tx, long.id, 'stop'));
  await untilState(long.id, 'stopped');
  await untilRounds(2);
  expect(await stateOf(next.id)).toBe('queued');
  await want(id, 'work');
  expect((await waitForRun(place.pool, next.id)).status).toBe('FIN');
});

it('a retired worker is asked to stop once, and its chain continues in another worker', async () => {
  let retired = 0;
  await place.work({ isOwnProcess: true, onRetired: () => retired++ });
  const { id } = await newest();
  const run = await order(20_000);
  await untilState(run.id, 'running');
  await want(id, 'retire');
  await untilRounds(2);
  expect(retired).toBe(1);
  await place.stopWork();
  await place.work();
  expect((await waitForRun(place.pool, run.id)).status).toBe('FIN');
});

it('only a worker in its own process can be retired; any worker can be drained', async () => {
  await place.work();
  const { id } = await newest();
  expect(await want(id, 'retire')).toBe(false);
  expect(await want(id, 'drain')).toBe(true);
  expect(await want(999_999, 'drain')).toBe(false);
});
