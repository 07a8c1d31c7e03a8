/** What a program that starts workers sees: waiting work, chains that the last worker lost, and whether it may. */
import { beforeEach, expect, it } from 'vitest';
import { leadVersions, ownVersions } from '../../../src/service/migrations/handshake.ts';
import { claimChain } from '../../../src/service/repositories/chains.ts';
import { execute, inTransaction, sql } from '../../../src/service/repositories/database.ts';
import { raiseEngine } from '../../../src/service/repositories/versions.ts';
import {
  insertWorker,
  listWorkers,
  updateWorkerState,
} from '../../../src/service/repositories/workers.ts';
import { startRun } from '../../../src/service/runs/start-run.ts';
import { type DemandWatch, watchDemand } from '../../../src/service/worker/demand-watch.ts';
import { testGuests } from '../../support/guests.ts';
import { makeWorkflow } from '../../support/service-objects.ts';
import { useWorkPlace } from '../../support/work-place.ts';

const place = useWorkPlace({ guests: testGuests });

const watch = (...pools: string[]) =>
  watchDemand(place.pool, { pools, userChains: 0, runsPrograms: false, version: '' });

async function order(engine = ''): Promise<void> {
  const settings = `sampling: {num_chains: 2, seed: 1}\nserverless: {engine: "${engine}"}`;
  const workflow = await makeWorkflow(place.pool, place.user.id, { settings });
  await startRun(place.pool, { workflowId: workflow.id, ownerId: place.user.id });
}

beforeEach(async () => {
  await leadVersions(place.pool);
  await execute(place.pool, sql`delete from objects where kind = 'experiment'`);
  await execute(place.pool, sql`delete from workers`);
});

it('a demand watch sees chains that a worker lost, even if no worker is alive', async () => {
  await order();
  const dead = { host: 'h', pid: 1, pools: [], slots: 2, version: '', engine: 1, job: '17' };
  const workerId = await insertWorker(place.pool, dead);
  for (let i = 0; i < 2; i++) await claimChain(place.pool, { workerId, pools: [], userChains: 0 });
  const one = await watch();
  expect(await one.look()).toEqual({
    chains: 2,
    programs: 0,
    tasks: 0,
    workers: 0,
    jobs: ['17'],
    state: 'work',
  });
  await place.work();
  expect((await one.look()).workers).toBe(1);
  await one.end();
  expect((await listWorkers(place.pool)).map(({ slots }) => slots)).toEqual([2, 2]);
});

it('a demand watch reserves the chains of its pools, even if it has no running worker', async () => {
  await order('Big');
  const takes = async (one: DemandWatch) => (await one.look()).chains;
  const everything = await watch();
  expect(await takes(everything)).toBe(2);
  const big = await watch('big');
  expect(await Promise.all([everything, big].map(takes))).toEqual([0, 2]);
  await Promise.all([everything.end(), big.end()]);
});

it('a demand watch counts runs that wait for their statistics as work', async () => {
  await order();
  await execute(place.pool, sql`update experiment_chains set state = 'done'`);
  await execute(
    place.pool,
    sql`update objects set status = 'SAMPLE_FIN' where kind = 'experiment'`,
  );
  const one = await watch();
  expect(await one.look()).toMatchObject({ chains: 0, tasks: 1 });
  await one.end();
});

it('one demand watch at a time acts for the same pools, in whatever order they are named', async () => {
  const [one, two, other] = [await watch('a', 'B'), await watch('b', 'A'), await watch('a')];
  expect([two.key === one.key, other.key === one.key]).toEqual([true, false]);
  let isDone = false;
  const answers: boolean[] = [];
  isDone = await one.alone(async () => {
    answers.push(await two.alone(async () => {}), await other.alone(async () => {}));
  });
  expect([isDone, ...answers]).toEqual([true, false, true]);
  await Promise.all([one, two, other].map((each) => each.end()));
});

it('a demand watch follows the state set by an administrator, and ends with a newer engine', async () => {
  const one = await watch();
  const [{ id, can_retire }] = (await listWorkers(place.pool)).map((row) => ({
    ...row,
    can_retire: row.is_own_process,
  }));
  expect(can_retire).toBe(true);
  await inTransaction(place.pool, (tx) => updateWorkerState(tx, id, 'drain'));
  expect((await one.look()).state).toBe('drain');
  await execute(place.pool, sql`delete from workers`);
  expect((await one.look()).state).toBe('work');
  expect(await listWorkers(place.pool)).toHaveLength(1);
  await raiseEngine(place.pool, ownVersions.engine + 1);
  await expect(one.look()).rejects.toThrow('newer engine');
});
