/** What a worker finds after a fault of the database or the network: its row is gone, commits are gone, rows are locked. */
import { expect, it, vi } from 'vitest';
import { requeueLostChains } from '../../../src/service/repositories/chains.ts';
import { execute, inTransaction, select, sql } from '../../../src/service/repositories/database.ts';
import { readDraws } from '../../../src/service/repositories/draws.ts';
import { updateQueueShare } from '../../../src/service/repositories/run-queue.ts';
import { WORKER_LOCK_CLASS } from '../../../src/service/repositories/workers.ts';
import { startRun } from '../../../src/service/runs/start-run.ts';
import { waitForRun } from '../../support/run-waiting.ts';
import { makeWorkflow } from '../../support/service-objects.ts';
import { useWorkPlace } from '../../support/work-place.ts';

const place = useWorkPlace({ flushMs: 10 });

async function order(samples: number, chains = 1) {
  const settings = `sampling: {seed: 4, num_chains: ${chains}, num_warmup: 50, num_samples: ${samples}}`;
  const workflow = await makeWorkflow(place.pool, place.user.id, { settings });
  return startRun(place.pool, { workflowId: workflow.id, ownerId: place.user.id });
}
const iterationOf = async (id: number) =>
  (
    await select<{ iteration: number }>(
      place.pool,
      sql`select iteration from experiment_chains where experiment_id = ${id}`,
    )
  )[0].iteration;
const untilIteration = (id: number, least: number) =>
  vi.waitFor(async () => expect(await iterationOf(id)).toBeGreaterThan(least), { timeout: 60_000 });

it('a run continues from the state of a standby that lost the last commits', async () => {
  await place.work();
  const whole = await order(6000);
  await waitForRun(place.pool, whole.id);
  const run = await order(6000);
  await untilIteration(run.id, 200);
  await inTransaction(place.pool, async (tx) => {
    await tx.query(
      'create table chains_then as select * from experiment_chains where experiment_id = $1',
      [run.id],
    );
    await tx.query(
      'create table draws_then as select * from draw_batches where experiment_id = $1',
      [run.id],
    );
  });
  await untilIteration(run.id, (await iterationOf(run.id)) + 200);
  await inTransaction(place.pool, async (tx) => {
    await execute(
      tx,
      sql`update experiment_chains c set iteration = t.iteration, checkpoint = t.checkpoint, phase = t.phase,
            saved_warmup = t.saved_warmup, saved_samples = t.saved_samples
          from chains_then t where c.experiment_id = t.experiment_id and c.chain = t.chain`,
    );
    await execute(tx, sql`delete from draw_batches where experiment_id = ${run.id}`);
    await tx.query('insert into draw_batches select * from draws_then');
  });
  expect((await waitForRun(place.pool, run.id)).status).toBe('FIN');
  const valuesOf = async (id: number) =>
    (await readDraws(place.pool, { experimentId: id })).map(
      ({ variable, firstIteration, values }) => ({ variable, firstIteration, values }),
    );
  expect(await valuesOf(run.id)).toEqual(await valuesOf(whole.id));
});

it('a worker whose row was removed is listed again, and keeps its chains', async () => {
  await place.work();
  const run = await order(20_000);
  await untilIteration(run.id, 100);
  const ids = () => select<{ id: number }>(place.pool, sql`select id from workers`);
  const [before] = await ids();
  await execute(place.pool, sql`delete from workers`);
  await vi.waitFor(async () => expect(await ids()).toEqual([before]), { timeout: 20_000 });
  expect((await waitForRun(place.pool, run.id)).status).toBe('FIN');
});

it('a chain locked by a frozen worker does not block the requeueing of other chains', async () => {
  const run = await order(10, 2);
  await execute(
    place.pool,
    sql`update experiment_chains set state = 'running', worker_id = 999
    where experiment_id = ${run.id}`,
  );
  const requeued = await inTransaction(place.pool, async (frozen) => {
    await frozen.query(
      'select 1 from experiment_chains where experiment_id = $1 and chain = 1 for update',
      [run.id],
    );
    return requeueLostChains(place.pool, WORKER_LOCK_CLASS);
  });
  expect(requeued).toBe(1);
  expect(await requeueLostChains(place.pool, WORKER_LOCK_CLASS)).toBe(1);
});

it('the places of a long queue are stored by a worker, not counted for each request', async () => {
  await updateQueueShare(place.pool, place.user.id, { weight: 1, chain_limit: 0 });
  const { id } = await order(10);
  await execute(
    place.pool,
    sql`insert into experiment_chains (experiment_id, chain, name, iterations, state)
        select ${id}, n, 'c' || n, 10, 'queued' from generate_series(2, 2001) n`,
  );
  const kept = () => select(place.pool, sql`select experiment_id, waiting from queue_places`);
  await place.work();
  await vi.waitFor(
    async () => expect(await kept()).toContainEqual({ experiment_id: id, waiting: 2001 }),
    { timeout: 30_000 },
  );
  await execute(place.pool, sql`delete from objects where id = ${id}`);
  await vi.waitFor(async () => expect(await kept()).toEqual([]), { timeout: 30_000 });
});

it('the server ends idle transactions of frozen workers after 20 seconds', async () => {
  const { rows } = await place.pool.query<{ idle: string }>(
    `select setting as idle from pg_settings where name = 'idle_in_transaction_session_timeout'`,
  );
  expect(Number(rows[0].idle)).toBe(20_000);
});
