/** The order in which chains are taken from random queues, against the definition written out plainly. */
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import {
  claimChain,
  insertChains,
  releaseChain,
} from '../../../src/service/repositories/chains.ts';
import {
  execute,
  inTransaction,
  select,
  sql,
  withClient,
} from '../../../src/service/repositories/database.ts';
import { insertExperiment } from '../../../src/service/repositories/experiments.ts';
import {
  keepQueuePlaces,
  listQueuePlaces,
} from '../../../src/service/repositories/queue-places.ts';
import { noteOrigin } from '../../../src/service/repositories/run-origins.ts';
import { updateQueueShare } from '../../../src/service/repositories/run-queue.ts';
import { insertTeam, replaceMembers } from '../../../src/service/repositories/teams.ts';
import { insertWorker } from '../../../src/service/repositories/workers.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { makeUser } from '../../support/service-objects.ts';

let database: TestDatabase;
/** Three people, then two teams of the first two of them. */
const owners: number[] = [];

beforeAll(async () => {
  database = await createTestDatabase(12);
  const { pool } = database;
  for (const name of ['ada', 'bob', 'eve']) owners.push((await makeUser(pool, name)).id);
  for (const name of ['lab', 'club'])
    await inTransaction(pool, async (tx) => {
      const team = await insertTeam(tx, { name });
      await replaceMembers(tx, team?.id ?? 0, owners.slice(0, 2));
      owners.push(team?.id ?? 0);
    });
  await insertWorker(pool, { host: 'h', pid: 1, pools: ['gpu'], slots: 1, version: '', engine: 1 });
});

interface Run {
  readonly owner: number;
  readonly by: number;
  readonly chains: number;
  readonly priority: number;
  readonly together: number | null;
  readonly runOn: string;
}

async function queueRun({ owner, by, chains, priority, together, runOn }: Run): Promise<void> {
  const settings = { num_chains: chains, priority, parallel_chains: together };
  await inTransaction(database.pool, async (tx) => {
    const ownerId = owners[owner] ?? 0;
    const { id } = await insertExperiment(tx, { ownerId, name: 'r', settings, runOn });
    await insertChains(tx, id, { count: chains, iterations: 10 });
    await noteOrigin(tx, id, owners[by] ?? 0);
  });
}

interface Chain {
  readonly experiment: number;
  readonly chain: number;
  readonly state: 'queued' | 'running';
  readonly priority: number;
  readonly queued: number;
  readonly owner: number;
  readonly person: number;
  readonly lane: string;
  readonly together: number | null;
}

interface Share {
  readonly id: number;
  readonly weight: number;
  readonly most: number | null;
  readonly taken: number;
}

const readChains = () =>
  select<Chain>(
    database.pool,
    sql`select c.experiment_id as experiment, c.chain, c.state, c.priority, extract(epoch from c.queued_at)::float8 as queued,
          o.owner_id as owner, coalesce(e.started_by, o.owner_id) as person,
          case when lower(e.run_on) = 'gpu' then 'gpu' else '' end as lane,
          (e.settings->>'parallel_chains')::int as together
        from experiment_chains c join experiments e on e.id = c.experiment_id join objects o on o.id = e.id
        where c.state in ('queued', 'running') and o.deleted_at is null`,
  );

const readShares = () =>
  select<Share>(
    database.pool,
    sql`select owner_id as id, weight::float8 as weight, chain_limit as most,
          extract(epoch from taken_at)::float8 as taken from queue_turns`,
  );

type Key = readonly number[];
const compare = (a: Key, b: Key) => {
  const at = a.findIndex((value, i) => value !== b[i]);
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
};
const sorted = <T>(items: readonly T[], keyOf: (item: T) => Key) =>
  [...items].sort((a, b) => compare(keyOf(a), keyOf(b)));
/** Each item's place within its group, from 1. */
function places<T>(items: readonly T[], groupOf: (item: T) => string, keyOf: (item: T) => Key) {
  const counts = new Map<string, number>();
  return new Map(
    sorted(items, keyOf).map((item) => {
      const place = (counts.get(groupOf(item)) ?? 0) + 1;
      counts.set(groupOf(item), place);
      return [item, place] as const;
    }),
  );
}

/** The entire queue in order, as the comment in `run-queue.ts` defines it. */
function orderOf(chains: readonly Chain[], shares: readonly Share[], waiting: readonly Chain[]) {
  const atWork = chains.filter(({ state }) => state === 'running');
  const count = (has: (chain: Chain) => boolean) => atWork.filter(has).length;
  const shareOf = (id: number): Share =>
    shares.find((share) => share.id === id) ?? { id, weight: 1, most: null, taken: -Infinity };
  const last = (c: Chain): Key => [-c.priority, c.queued, c.experiment, c.chain];
  const level = (c: Chain) => -Math.min(c.priority, 0);
  const rank = places(waiting, (c) => `${c.lane} ${c.owner} ${c.person} ${level(c)}`, last);
  const personsTurn = (c: Chain) =>
    (count(({ owner, person }) => owner === c.owner && person === c.person) + (rank.get(c) ?? 0)) /
    shareOf(c.person).weight;
  const place = places(
    waiting,
    (c) => `${c.lane} ${c.owner} ${level(c)}`,
    (c) => [personsTurn(c), shareOf(c.person).taken, ...last(c)],
  );
  const turn = (c: Chain) =>
    (count(({ owner }) => owner === c.owner) + (place.get(c) ?? 0)) / shareOf(c.owner).weight;
  return sorted(waiting, (c) => [
    level(c),
    turn(c),
    shareOf(c.owner).taken,
    c.queued,
    c.experiment,
    c.chain,
  ]);
}

/** What a worker would take, one after the other. */
async function takeable(isGpu: boolean, userChains: number): Promise<Chain[]> {
  const [chains, shares] = [await readChains(), await readShares()];
  const count = (has: (chain: Chain) => boolean) =>
    chains.filter((chain) => chain.state === 'running' && has(chain)).length;
  const mostOf = (id: number) => shares.find((share) => share.id === id)?.most;
  const waiting = chains.filter(
    (c) =>
      c.state === 'queued' &&
      (c.lane === 'gpu') === isGpu &&
      count(({ experiment }) => experiment === c.experiment) < (c.together ?? Infinity) &&
      count(({ owner }) => owner === c.owner) < (mostOf(c.owner) ?? Infinity) &&
      count(({ person }) => person === c.person) < (mostOf(c.person) ?? (userChains || Infinity)),
  );
  return orderOf(chains, shares, waiting);
}

const keyOf = (c: Pick<Chain, 'experiment' | 'chain'> | undefined) =>
  c === undefined ? null : [c.experiment, c.chain];

async function expectPlaces(): Promise<void> {
  const [chains, shares] = [await readChains(), await readShares()];
  const waiting = chains.filter(({ state }) => state === 'queued');
  const expected = new Map<number, number>();
  for (const lane of ['', 'gpu']) {
    const order = orderOf(chains, shares, waiting).filter((c) => c.lane === lane);
    for (const [i, run] of [...new Set(order.map((c) => c.experiment))].entries())
      expected.set(run, i + 1);
  }
  const ids = [...new Set(chains.map((c) => c.experiment))];
  const { pool } = database;
  expect(await listQueuePlaces(pool, ids)).toEqual(expected);
  await keepQueuePlaces(pool, 0);
  expect(await listQueuePlaces(pool, ids)).toEqual(expected);
  await keepQueuePlaces(pool);
}

async function reset(): Promise<void> {
  await execute(database.pool, sql`delete from objects where kind = 'experiment'`);
  await execute(database.pool, sql`delete from queue_turns`);
}

const runs = fc.array(
  fc
    .record({
      owner: fc.nat(4),
      by: fc.nat(1),
      chains: fc.integer({ min: 1, max: 4 }),
      priority: fc.constantFrom(0, 0, 0, 3, -1, -2),
      together: fc.constantFrom(null, null, 1, 2),
      runOn: fc.constantFrom('', 'local', 'Lambda', 'GPU'),
    })
    // a person's own runs are started by that person
    .map((run) => ({ ...run, by: run.owner < 3 ? run.owner : run.by })),
  { minLength: 3, maxLength: 9 },
);
const share = fc.record({
  weight: fc.constantFrom(1, 1, 2, 0.5),
  chain_limit: fc.constantFrom(null, null, null, 2, 0),
});

it('the order and the places shown match their definition for any queue, share, limit and lane', async () => {
  const { pool } = database;
  const property = fc.asyncProperty(
    runs,
    fc.array(share, { minLength: 5, maxLength: 5 }),
    fc.array(fc.record({ isGpu: fc.boolean(), ends: fc.boolean() }), {
      minLength: 12,
      maxLength: 16,
    }),
    fc.constantFrom(0, 0, 3),
    async (given, shares, steps, userChains) => {
      await reset();
      for (const run of given) await queueRun(run);
      for (const [i, one] of shares.entries())
        if (one.weight !== 1 || one.chain_limit !== null)
          await updateQueueShare(pool, owners[i] ?? 0, one);
      const held = [];
      for (const { isGpu, ends } of steps) {
        await expectPlaces();
        const [expected] = await takeable(isGpu, userChains);
        const pools = isGpu ? ['gpu'] : [];
        const taken = await claimChain(pool, { workerId: 1, pools, userChains });
        expect(taken && [taken.experiment_id, taken.chain]).toEqual(keyOf(expected));
        if (taken !== null) held.push(taken);
        const over = ends ? held.shift() : undefined;
        if (over !== undefined)
          await inTransaction(pool, (tx) => releaseChain(tx, over, { state: 'done' }));
      }
    },
  );
  await fc.assert(property, { seed: 23, numRuns: 8 });
});

it('a claim continues behind rows that others are claiming, however many', async () => {
  const { pool } = database;
  await reset();
  for (const [owner, by, count] of [
    [0, 0, 20],
    [1, 1, 3],
    [3, 0, 12],
    [3, 1, 2],
    [4, 1, 8],
  ] as const)
    for (let i = 0; i < count; i++)
      await queueRun({ owner, by, chains: 1, priority: i % 2, together: null, runOn: '' });
  const order = await takeable(false, 0);
  expect(order).toHaveLength(45);
  for (const locked of [1, 5, 15, 16, 17, 40, 44, 45]) {
    await withClient(pool, async (client) => {
      await client.query('begin');
      for (const { experiment, chain } of order.slice(0, locked))
        await client.query(
          'select 1 from experiment_chains where experiment_id = $1 and chain = $2 for update',
          [experiment, chain],
        );
      await withClient(pool, async (other) => {
        await other.query('begin');
        const taken = await claimChain(other, { workerId: 1, pools: [], userChains: 0 });
        expect(taken && [taken.experiment_id, taken.chain]).toEqual(keyOf(order[locked]));
        await other.query('rollback');
      });
      await client.query('rollback');
    });
  }
});

it('claims take no more chains of a run in parallel than allowed, however many workers ask', async () => {
  await reset();
  await queueRun({ owner: 0, by: 0, chains: 9, priority: 0, together: 2, runOn: '' });
  const request = { workerId: 1, pools: [], userChains: 0 };
  const asked = await Promise.all(
    Array.from({ length: 9 }, () => claimChain(database.pool, request)),
  );
  expect(asked.filter((chain) => chain !== null)).toHaveLength(2);
});
