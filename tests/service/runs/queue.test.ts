/** The order in which chains and programs are taken. One long file: each rule is tried against the same few people and runs. */
import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readSettingsText } from '../../../src/service/content/settings-text.ts';
import {
  type ClaimedChain,
  claimChain,
  releaseChain,
  updateDesiredState,
} from '../../../src/service/repositories/chains.ts';
import {
  type Executor,
  execute,
  inTransaction,
  select,
  sql,
} from '../../../src/service/repositories/database.ts';
import {
  type ExperimentRow,
  findExperimentById,
  insertExperiment,
} from '../../../src/service/repositories/experiments.ts';
import {
  claimProgramRun,
  insertProgramRun,
} from '../../../src/service/repositories/program-runs.ts';
import {
  keepQueuePlaces,
  listQueuedRuns,
  listQueuePlaces,
} from '../../../src/service/repositories/queue-places.ts';
import {
  countTakeable,
  listQueueUsers,
  updateQueueShare,
} from '../../../src/service/repositories/run-queue.ts';
import { insertTeam, replaceMembers } from '../../../src/service/repositories/teams.ts';
import type { UserRow } from '../../../src/service/repositories/users.ts';
import { insertWorker } from '../../../src/service/repositories/workers.ts';
import { updateWorkflow } from '../../../src/service/repositories/workflows.ts';
import { startRun } from '../../../src/service/runs/start-run.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { createMemoryQueue } from '../../support/memory-queue.ts';
import { makeUser, makeWorkflow } from '../../support/service-objects.ts';

let database: TestDatabase;
let ada: UserRow;
let bob: UserRow;

beforeAll(async () => {
  database = await createTestDatabase(12);
  ada = await makeUser(database.pool, 'ada');
  bob = await makeUser(database.pool, 'bob');
});
beforeEach(async () => {
  await execute(database.pool, sql`delete from objects where kind = 'experiment'`);
  await execute(database.pool, sql`delete from queue_turns`);
  await execute(database.pool, sql`delete from queue_places`);
});

/** In memory: jobs sent to it are inspected and never carried out. */
const jobs = createMemoryQueue();

async function order(
  user: Pick<UserRow, 'id'>,
  { chains = 1, priority = 0, engine = '', by = user, dataScript = '' } = {},
): Promise<ExperimentRow> {
  const settings = `sampling: {num_chains: ${chains}, seed: 1, priority: ${priority}}\nserverless: {engine: "${engine}"}`;
  const workflow = await makeWorkflow(database.pool, user.id, { settings });
  if (dataScript !== '') await updateWorkflow(database.pool, workflow.id, { dataScript });
  return startRun(database.pool, {
    queue: jobs,
    workflowId: workflow.id,
    ownerId: user.id,
    startedBy: by.id,
  });
}

/** Adds `count` copies of a run, with everything it has. */
async function copyRun({ id }: ExperimentRow, count: number): Promise<void> {
  await execute(
    database.pool,
    sql`with made as (
          insert into objects (kind, row_number, short_id, owner_id, name, status)
          select kind, nextval('row_number_experiment'), 'XC' || n || 'x' || id, owner_id, name, status
            from objects, generate_series(1, ${count}::int) n where id = ${id} returning id
        ), kept as (
          insert into experiments (id, settings, program, started_by)
          select made.id, settings, program, started_by from experiments e, made where e.id = ${id} returning id)
        insert into experiment_chains (experiment_id, chain, name, state, iterations, queued_at)
        select kept.id, c.chain, c.name, 'queued', c.iterations, c.queued_at
          from kept, experiment_chains c where c.experiment_id = ${id}`,
  );
}

async function makeTeam(name: string, ...members: UserRow[]): Promise<{ readonly id: number }> {
  return inTransaction(database.pool, async (tx) => {
    const team = await insertTeam(tx, { name });
    if (team === null) throw new Error(`${name} is taken`);
    await replaceMembers(
      tx,
      team.id,
      members.map(({ id }) => id),
    );
    return team;
  });
}

const end = (taken: ClaimedChain | null | undefined) =>
  inTransaction(database.pool, (tx) => releaseChain(tx, taken as ClaimedChain, { state: 'done' }));

const claim = (options: { userChains?: number; pools?: string[] } = {}) =>
  claimChain(database.pool, { workerId: 1, pools: [], userChains: 0, ...options });
/** Who is served, in order, until nothing is left: each chain ends before the next is taken. */
async function serveAll(): Promise<[owner: number, experiment: number][]> {
  const served: [number, number][] = [];
  for (;;) {
    const taken = await claim();
    if (taken === null) return served;
    served.push([taken.owner_id, taken.experiment_id]);
    await inTransaction(database.pool, (tx) => releaseChain(tx, taken, { state: 'done' }));
  }
}
const placeOf = async ({ id }: ExperimentRow) =>
  (await findExperimentById(database.pool, id))?.meta.queue_place;

describe('the queue of chains', () => {
  it('does not let the many chains of one user delay another', async () => {
    const many = await order(ada, { chains: 6 });
    const few = await order(bob, { chains: 2 });
    expect((await serveAll()).map(([owner]) => owner)).toEqual(
      [ada, bob, ada, bob, ada, ada, ada, ada].map((user) => user.id),
    );
    const again = await order(ada, { chains: 3 });
    const alone = await order(bob);
    // four places at once: the person with fewer running is next
    const taken = [await claim(), await claim(), await claim(), await claim()];
    expect(taken.map((chain) => chain?.owner_id)).toEqual(
      [bob, ada, ada, ada].map((user) => user.id),
    );
    expect(new Set([many, few, again, alone].map((run) => run.id)).size).toBe(4);
  });

  it('takes the only run of a user next, however many runs of another came first', async () => {
    await copyRun(await order(ada), 999);
    const places = [await claim(), await claim(), await claim(), await claim()];
    expect(places.map((chain) => chain?.owner_id)).toEqual(
      [ada, ada, ada, ada].map(({ id }) => id),
    );
    const small = await order(bob, { chains: 2 });
    expect(await placeOf(small)).toBe(1);
    for (const first of places.slice(0, 2)) {
      await end(first);
      expect((await claim())?.experiment_id).toBe(small.id);
    }
    await end(places[2]);
    expect((await claim())?.owner_id).toBe(ada.id);
    const [left] = await select<{ n: number }>(
      database.pool,
      sql`select count(*)::int as n from experiment_chains where state = 'queued'`,
    );
    expect(left?.n).toBe(995);
  });

  it('divides the share of a team among its members, however many runs one of them has', async () => {
    const team = await makeTeam('lab', ada, bob);
    await copyRun(await order(team, { by: ada }), 999);
    const small = await order(team, { chains: 3, by: bob });
    const carol = await makeUser(database.pool, 'carol of another team');
    await order(carol, { chains: 2 });
    const started: (number | undefined)[] = [];
    for (let i = 0; i < 8; i++) started.push((await claim())?.owner_id);
    // the team and carol take turns until she has no more
    expect(started.filter((owner) => owner === carol.id)).toHaveLength(2);
    expect(started.slice(0, 4).filter((owner) => owner === team.id)).toHaveLength(2);
    const running = await select<{ experiment_id: number }>(
      database.pool,
      sql`select experiment_id from experiment_chains where state = 'running'`,
    );
    expect(running.filter(({ experiment_id }) => experiment_id === small.id)).toHaveLength(3);
    expect(await listQueueUsers(database.pool)).toMatchObject([
      { name: 'ada', is_team: false, waiting: 997, running: 3 },
      { name: 'bob', is_team: false, waiting: 0, running: 3 },
      { name: 'carol of another team', waiting: 0, running: 2 },
      { name: 'lab', is_team: true, waiting: 997, running: 6 },
    ]);
  });

  it('counts runs for teams towards the limit of the user; each team has its own limit', async () => {
    const { pool } = database;
    const [one, two] = [await makeTeam('one', ada, bob), await makeTeam('two', ada)];
    for (const owner of [ada, one, two]) await order(owner, { chains: 4, by: ada });
    const take = () => claim({ userChains: 3 });
    const asked = await Promise.all(Array.from({ length: 9 }, take));
    expect(asked.filter((chain) => chain !== null)).toHaveLength(3);
    await order(one, { chains: 9, by: bob });
    await updateQueueShare(pool, one.id, { weight: 1, chain_limit: 4 });
    const more = await Promise.all(Array.from({ length: 9 }, take));
    const ofTeam = [...asked, ...more].filter((chain) => chain?.owner_id === one.id);
    expect(ofTeam.length).toBeLessThanOrEqual(4);
    expect(more.filter((chain) => chain !== null).length).toBeGreaterThan(0);
    await updateQueueShare(pool, one.id, { weight: 1, chain_limit: 0 });
    expect(await take()).toBeNull();
    await updateQueueShare(pool, one.id, { weight: 1, chain_limit: null });
    await updateQueueShare(pool, bob.id, { weight: 1, chain_limit: 9 });
    const rest = await Promise.all(Array.from({ length: 12 }, take));
    expect(rest.filter((chain) => chain?.owner_id === one.id).length).toBeGreaterThan(3);
  });

  it('reserves no slots for users who have reached their limit', async () => {
    const { pool } = database;
    const team = await makeTeam('waiting', ada, bob);
    await updateQueueShare(pool, ada.id, { weight: 1, chain_limit: 0 });
    await order(team, { chains: 6, by: ada });
    await order(team, { chains: 6, by: bob });
    const carol = await makeUser(pool, 'carol of no team');
    await order(carol, { chains: 6 });
    const owners: (number | undefined)[] = [];
    for (let i = 0; i < 6; i++) owners.push((await claim())?.owner_id);
    expect(owners.filter((owner) => owner === team.id)).toHaveLength(3);
  });

  it("takes data scripts in turn too: each user's first before another user's second", async () => {
    const script = { dataScript: 'output = {}' };
    const hers = [await order(ada, script), await order(ada, script), await order(ada, script)];
    const his = await order(bob, script);
    const of = (run?: ExperimentRow) =>
      jobs.waiting.find(({ data }) => 'experimentId' in data && data.experimentId === run?.id)
        ?.priority;
    expect(hers.map(of)).toEqual([0, -1, -2]);
    expect(of(his)).toBe(0);
  });

  it('takes programs in turn too, each as one chain', async () => {
    const { pool } = database;
    const program = async (user: UserRow) => {
      const { id } = await insertExperiment(pool, { ownerId: user.id, name: 'a program' });
      const run = { experimentId: id, runtime: 'python', batchId: `${id}`, runId: `${id}` };
      await inTransaction(pool, (tx) => insertProgramRun(tx, { ...run, settings: {} }));
      return id;
    };
    const hers: number[] = [];
    for (let i = 0; i < 12; i++) hers.push(await program(ada));
    const his = await program(bob);
    const take = async (userChains = 0) =>
      (await claimProgramRun(pool, { workerId: 1, pools: [], userChains }))?.run.experiment_id;
    expect(
      (await listQueuedRuns(pool, 20)).find(({ owner_id }) => owner_id === bob.id)?.place,
    ).toBe(2);
    expect([await take(), await take(), await take()]).toEqual([hers[0], his, hers[1]]);
    // two running: another chain would make three
    await order(ada);
    expect(await claim({ userChains: 2 })).toBeNull();
    expect(await take(2)).toBeUndefined();
    expect((await claim({ userChains: 3 }))?.owner_id).toBe(ada.id);
    const asked = await Promise.all(Array.from({ length: 4 }, () => take(5)));
    expect(asked.filter((id) => id !== undefined)).toHaveLength(2);
    await execute(pool, sql`delete from tasks`);
  });

  it("orders a user's own runs by priority, and puts those below zero behind all others", async () => {
    const normal = await order(ada);
    const urgent = await order(ada, { priority: 10 });
    const patient = await order(ada, { priority: -1 });
    const last = await order(ada, { priority: -10 });
    const bobs = await order(bob, { chains: 3 });
    const served = (await serveAll()).map(([, id]) => id);
    expect(served.filter((id) => id !== bobs.id)).toEqual(
      [urgent, normal, patient, last].map((run) => run.id),
    );
    // his three came before her patient ones; her urgent one did not come before all of his
    expect(served.indexOf(patient.id)).toBe(5);
    expect(served.indexOf(bobs.id)).toBe(1);
  });

  it('reports the place of each waiting run, in the order in which runs are taken', async () => {
    const first = await order(ada, { chains: 4 });
    const second = await order(ada);
    const third = await order(bob);
    const urgent = await order(ada, { priority: 3 });
    const patient = await order(bob, { priority: -2 });
    const runs = [first, second, third, urgent, patient];
    const places = await Promise.all(runs.map(placeOf));
    expect(new Set(places)).toEqual(new Set([1, 2, 3, 4, 5]));
    const served = [...new Set((await serveAll()).map(([, id]) => id))];
    expect(served.map((id) => runs.findIndex((run) => run.id === id))).toEqual(
      [1, 2, 3, 4, 5].map((place) => places.indexOf(place)),
    );
  });

  it('counts the places of each lane, without paused runs', async () => {
    const pools = ['gpu'];
    const workerId = await insertWorker(database.pool, {
      host: 'h',
      pid: 1,
      pools,
      slots: 1,
      version: '',
      engine: 1,
    });
    const ours = await order(ada);
    const gpu = await order(ada, { engine: 'GPU' });
    const unknown = await order(bob, { engine: 'lambda' });
    expect(await Promise.all([ours, gpu, unknown].map(placeOf))).toEqual([1, 1, 2]);
    await inTransaction(database.pool, (tx) => updateDesiredState(tx, ours.id, 'pause'));
    expect(await placeOf(unknown)).toBe(1);
    expect((await claim())?.experiment_id).toBe(unknown.id);
    expect(await claim()).toBeNull();
    expect((await claim({ pools }))?.experiment_id).toBe(gpu.id);
    await execute(database.pool, sql`delete from workers where id = ${workerId}`);
  });

  it('takes one chain at a time, even if the planner expects hardly any', async () => {
    const { pool } = database;
    await order(ada, { chains: 1 });
    await pool.query('vacuum analyze experiment_chains, experiments, objects, queue_turns');
    await execute(pool, sql`delete from objects where kind = 'experiment'`);
    await order(ada, { chains: 5 });
    expect(await claim()).not.toBeNull();
    const running = sql`select chain from experiment_chains where state = 'running'`;
    expect(await select(pool, running)).toHaveLength(1);
  });

  it('gives a user no more parallel chains than the limit, however many workers ask', async () => {
    await order(ada, { chains: 8 });
    const asked = await Promise.all(Array.from({ length: 8 }, () => claim({ userChains: 3 })));
    const taken = asked.filter((chain) => chain !== null);
    expect(taken).toHaveLength(3);
    expect(await claim({ userChains: 3 })).toBeNull();
    await order(bob);
    expect((await claim({ userChains: 3 }))?.owner_id).toBe(bob.id);
    await inTransaction(database.pool, (tx) => releaseChain(tx, taken[0], { state: 'done' }));
    expect((await claim({ userChains: 3 }))?.owner_id).toBe(ada.id);
  });

  it('gives a user with twice the weight twice as many running chains', async () => {
    await updateQueueShare(database.pool, ada.id, { weight: 2, chain_limit: null });
    await order(ada, { chains: 6 });
    await order(bob, { chains: 6 });
    const owners: (number | undefined)[] = [];
    for (let i = 0; i < 6; i++) owners.push((await claim())?.owner_id);
    expect(owners.filter((owner) => owner === ada.id)).toHaveLength(4);
    expect(owners.slice(0, 3)).toContain(bob.id);
  });

  it("gives a user's own limit precedence over that of the workers; 0 blocks everything", async () => {
    const { pool } = database;
    await order(ada, { chains: 5 });
    await order(bob, { chains: 2 });
    await updateQueueShare(pool, ada.id, { weight: 1, chain_limit: 3 });
    await updateQueueShare(pool, bob.id, { weight: 1, chain_limit: 0 });
    const asked = await Promise.all(Array.from({ length: 7 }, () => claim({ userChains: 1 })));
    const taken = asked.filter((chain) => chain !== null);
    expect(taken.map((chain) => chain.owner_id)).toEqual([ada.id, ada.id, ada.id]);
    await updateQueueShare(pool, bob.id, { weight: 1, chain_limit: null });
    expect((await claim({ userChains: 1 }))?.owner_id).toBe(bob.id);
    expect(await claim({ userChains: 1 })).toBeNull();
  });

  it('counts exactly the chains that workers would take now', async () => {
    const run = fc.record({
      user: fc.constantFrom('ada', 'bob'),
      chains: fc.integer({ min: 1, max: 4 }),
      together: fc.constantFrom(null, 1, 2),
      engine: fc.constantFrom('', 'gpu'),
    });
    const limit = fc.constantFrom(null, 0, 3);
    await fc.assert(
      fc.asyncProperty(
        fc.array(run, { maxLength: 4 }),
        limit,
        fc.nat(3),
        async (runs, own, begun) => {
          const { pool } = database;
          await execute(pool, sql`delete from objects where kind = 'experiment'`);
          for (const { user, chains, together, engine } of runs) {
            const parallel = together === null ? '' : `, parallel_chains: ${together}`;
            const settings = `sampling: {num_chains: ${chains}, seed: 1${parallel}}\nserverless: {engine: "${engine}"}`;
            const owner = user === 'ada' ? ada.id : bob.id;
            const workflow = await makeWorkflow(pool, owner, { settings });
            await startRun(pool, { workflowId: workflow.id, ownerId: owner });
          }
          for (let i = 0; i < begun; i++) await claim();
          await updateQueueShare(pool, ada.id, { weight: 1, chain_limit: own });
          for (const choice of [
            { pools: ['GPU'], userChains: 0 },
            { pools: [], userChains: 2 },
          ]) {
            const counted = await countTakeable(pool, choice);
            let taken = 0;
            while ((await claim(choice)) !== null) taken += 1;
            expect(taken).toBe(counted);
          }
        },
      ),
      { seed: 12, numRuns: 12 },
    );
  });

  it('does not count setting a share as a turn', async () => {
    await claimChain(database.pool, { workerId: 1, pools: [], userChains: 0 });
    await order(ada);
    await order(bob);
    expect((await claim())?.owner_id).toBe(ada.id);
    await inTransaction(database.pool, async (tx) => {
      await execute(tx, sql`update experiment_chains set state = 'done' where state = 'running'`);
    });
    await order(ada);
    await updateQueueShare(database.pool, bob.id, { weight: 1, chain_limit: 5 });
    expect((await claim())?.owner_id).toBe(bob.id);
  });

  it('lists running and waiting runs in the order in which they are taken', async () => {
    const { pool } = database;
    const first = await order(ada, { chains: 3 });
    await claim();
    const second = await order(bob);
    const urgent = await order(ada, { priority: 5 });
    const listed = await listQueuedRuns(pool, 10);
    expect(listed.map((run) => run.short_id)).toEqual(
      [first, second, urgent].map((run) => run.short_id),
    );
    const facts = listed.map(({ waiting, running, place, priority, total }) => [
      waiting,
      running,
      place,
      priority,
      total,
    ]);
    expect(facts).toEqual([
      [2, 1, 3, 0, 3],
      [1, 0, 1, 0, 3],
      [1, 0, 2, 5, 3],
    ]);
    expect((await listQueuedRuns(pool, 1)).map((run) => run.total)).toEqual([3]);
    await keepQueuePlaces(pool, 1);
    expect(await listQueuedRuns(pool, 10)).toEqual(listed);
    expect(await listQueueUsers(pool)).toMatchObject([
      { name: 'ada', waiting: 3, running: 1, weight: 1, chain_limit: null },
      { name: 'bob', waiting: 1, running: 0 },
    ]);
  });

  it('stores the places of a long queue until it is short, without ended and taken runs', async () => {
    const { pool } = database;
    const runs = [await order(ada), await order(bob), await order(ada), await order(bob)];
    const ids = runs.map((run) => run.id);
    const placesNow = async () =>
      [...(await listQueuePlaces(pool, ids)).values()].sort((a, b) => a - b);
    await keepQueuePlaces(pool, 3);
    const late = await order(ada);
    expect(await listQueuePlaces(pool, [late.id])).toEqual(new Map([[late.id, 5]]));
    expect(await placesNow()).toEqual([1, 2, 3, 4]);
    const taken = await claim();
    expect(taken?.experiment_id).toBe(ids[0]);
    await inTransaction(pool, (tx) => updateDesiredState(tx, ids[2] ?? 0, 'pause'));
    expect(await placesNow()).toEqual([2, 4]);
    await execute(pool, sql`update queue_places set counted_at = now() - interval '30 seconds'`);
    await keepQueuePlaces(pool, 2);
    expect(await placesNow()).toEqual([1, 2]);
    expect(await listQueuePlaces(pool, [late.id])).toEqual(new Map([[late.id, 3]]));
    await keepQueuePlaces(pool, 3);
    expect(await select(pool, sql`select 1 from queue_places`)).toEqual([]);
  });

  it('never makes a user wait for more turns than there are users, whatever is queued', async () => {
    const users = [ada, bob, await makeUser(database.pool, 'carol')];
    const orders = fc.array(
      fc.record({
        user: fc.integer({ min: 0, max: 2 }),
        chains: fc.integer({ min: 1, max: 3 }),
        priority: fc.integer({ min: 0, max: 10 }),
      }),
      { minLength: 2, maxLength: 4 },
    );
    const property = fc.asyncProperty(orders, async (given) => {
      await execute(database.pool, sql`delete from objects where kind = 'experiment'`);
      await execute(database.pool, sql`delete from queue_turns`);
      const left = new Map<number, number>();
      for (const { user, chains, priority } of given) {
        await order(users[user], { chains, priority });
        left.set(users[user].id, (left.get(users[user].id) ?? 0) + chains);
      }
      const waits = new Map<number, number>();
      for (const [owner] of await serveAll()) {
        for (const [user, chains] of left) {
          waits.set(user, user === owner || chains === 0 ? 0 : (waits.get(user) ?? 0) + 1);
          expect(waits.get(user)).toBeLessThan(left.size);
        }
        left.set(owner, (left.get(owner) ?? 0) - 1);
      }
      expect([...left.values()].every((chains) => chains === 0)).toBe(true);
    });
    await fc.assert(property, { seed: 5, numRuns: 8 });
  });

  it('takes a chain again whose pause was revoked before its worker had paused it', async () => {
    const run = await order(ada);
    const taken = await claim();
    if (taken === null) throw new Error('nothing waits');
    await inTransaction(database.pool, async (tx) => {
      await updateDesiredState(tx, run.id, 'pause');
      await updateDesiredState(tx, run.id, 'run');
      await releaseChain(tx, taken, { state: 'queued' });
    });
    expect((await claim())?.experiment_id).toBe(run.id);
  });

  it('is searched without reading every object, even if statistics know only older runs', async () => {
    const { pool } = await createTestDatabase();
    const { id: ownerId } = await makeUser(pool, 'eve');
    const run = async () => {
      const settings = 'sampling: {num_chains: 4, seed: 1}';
      const workflow = await makeWorkflow(pool, ownerId, { settings });
      return startRun(pool, { workflowId: workflow.id, ownerId });
    };
    for (let i = 0; i < 5; i++) await run();
    await claimChain(pool, { workerId: 1, pools: [], userChains: 0 });
    await execute(
      pool,
      sql`with made as (
            insert into objects (kind, row_number, short_id, owner_id, name, status)
            select 'experiment', nextval('row_number_experiment'), 'XX' || n, ${ownerId}, 'run', 'FIN'
              from generate_series(1, 20000) n returning id)
          insert into experiments (id) select id from made`,
    );
    for (const table of ['objects', 'experiments', 'experiment_chains', 'workers', 'queue_turns'])
      await pool.query(`analyze ${table}`);
    // new runs are beyond everything that was analyzed
    const late = await run();
    const rowsRead = async (tx: Executor) => {
      const [row] = await select<{ read: number }>(
        tx,
        sql`select sum(seq_tup_read + idx_tup_fetch)::int as read from pg_stat_xact_user_tables
            where relname in ('objects', 'experiments')`,
      );
      return row.read;
    };
    const read = await inTransaction(pool, async (tx) => {
      const before = await rowsRead(tx);
      expect((await listQueuePlaces(tx, [late.id])).get(late.id)).toBe(6);
      return (await rowsRead(tx)) - before;
    });
    expect(read).toBeLessThan(500);
  });
});

describe('sampling.priority', () => {
  it('is read from the settings and not passed to the engine', () => {
    const read = (priority: string) =>
      readSettingsText(`sampling: {seed: 1, priority: ${priority}}`);
    const urgent = read('7');
    expect(urgent.ok && [urgent.value.stored.priority, urgent.value.unknown]).toEqual([7, []]);
    expect(urgent.ok && 'priority' in urgent.value.settings).toBe(false);
    const none = read('0');
    expect(none.ok && 'priority' in none.value.stored).toBe(false);
    expect(read('"-3"')).toMatchObject({ value: { stored: { priority: -3 } } });
    for (const wrong of ['11', '-11', '0.5', 'high', '[1]', 'true']) {
      const refused = read(wrong);
      expect([wrong, !refused.ok && refused.error]).toEqual([
        wrong,
        expect.stringMatching(/^sampling\.priority must be a whole number from -10 to 10/),
      ]);
    }
  });
});
