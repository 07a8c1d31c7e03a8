/** Lists, searches, counts and views, requested by users with few, a thousand and a hundred thousand objects. */
import { parseArgs } from 'node:util';
import type pg from 'pg';
import {
  type Executor,
  select,
  sql,
  withClient,
} from '../../../src/service/repositories/database.ts';
import { findExperiment, listExperiments } from '../../../src/service/repositories/experiments.ts';
import { findModelVersion, listModels } from '../../../src/service/repositories/models.ts';
import { listNotifications } from '../../../src/service/repositories/notifications.ts';
import {
  countByStatus,
  type ListFilter,
  listObjects,
} from '../../../src/service/repositories/object-lists.ts';
import { findLiveShare, listSharesThatOpen } from '../../../src/service/repositories/shares.ts';
import { measureSpace } from '../../../src/service/repositories/space.ts';
import { explainAll } from '../../support/explained.ts';
import { populate } from '../../support/population.ts';
import { openServer } from './server.ts';
import { bytesText, count, msText, printTable, quantiles, timed } from './sizes.ts';

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      'database-url': { type: 'string' },
      people: { type: 'string' },
      experiments: { type: 'string' },
      versions: { type: 'string' },
      shares: { type: 'string' },
      repeats: { type: 'string' },
    },
  });
  const experiments = count(values.experiments, 1e6);
  const versions = count(values.versions, 6e6);
  const server = await openServer(values['database-url']);
  try {
    const { pool } = server.database;
    if ((await sizeOf(pool)) < experiments)
      await fill(pool, {
        people: count(values.people, 1e5),
        experiments,
        versions,
        shares: count(values.shares, 4e6),
      });
    await measure(pool, count(values.repeats, 200));
  } finally {
    await server.close();
  }
}

const sizeOf = async (pool: pg.Pool) =>
  (
    await select<{ n: number }>(
      pool,
      sql`select coalesce(max(row_number), 0) as n from objects where kind = 'experiment'`,
    )
  )[0]?.n ?? 0;

/** Indices are created after all rows: updating them row by row would take most of the time. */
async function fill(
  pool: pg.Pool,
  size: { people: number; experiments: number; versions: number; shares: number },
): Promise<void> {
  const { rows: indices } = await pool.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes i where schemaname = current_schema()
       and not exists (select 1 from pg_constraint c where c.conname = i.indexname)`,
  );
  for (const { name } of indices) await pool.query(`drop index "${name}"`);
  const { people, experiments, versions, shares } = size;
  const models = Math.round(versions / 6);
  const loaded = await timed(() =>
    populate(pool, {
      people,
      experiments,
      models,
      modelVersions: 5,
      data: models / 2,
      dataVersions: 2,
      shares,
      others: Math.min(people, experiments),
    }),
  );
  const indexed = await timed(async () => {
    for (const { definition } of indices) await pool.query(definition);
    await pool.query('vacuum (analyze)');
  });
  process.stderr.write(
    `filled in ${msText(loaded.ms / 1000)} s, indices in ${msText(indexed.ms / 1000)} s\n`,
  );
}

interface Asker {
  readonly who: string;
  /** User numbers, one after another. */
  next(): number;
}

async function measure(pool: pg.Pool, repeats: number): Promise<void> {
  const { rows } = await pool.query<{ owner_id: number; n: number }>(
    "select owner_id, sum(n)::bigint as n from object_tallies where kind = 'experiment' group by owner_id order by n desc, owner_id",
  );
  const others = rows.slice(101);
  const place = { other: 0, busy: 0 };
  const [heaviest] = rows;
  if (heaviest === undefined) throw new Error('there are no experiments');
  const askers: Asker[] = [
    {
      who: `${others[0]?.n ?? 0} runs`,
      next: () => others[(place.other += 7919) % others.length]?.owner_id ?? 0,
    },
    { who: `${rows[50]?.n ?? 0} runs`, next: () => rows[1 + (place.busy++ % 100)]?.owner_id ?? 0 },
    { who: `${heaviest.n} runs`, next: () => heaviest.owner_id },
  ];
  const table = [
    ['ms: least, p50, p99 (pages read), of a person with', ...askers.map(({ who }) => who)],
  ];
  for (const [what, ask] of cases) {
    const cells: string[] = [];
    for (const asker of askers) {
      const times: number[] = [];
      const least = Math.min(3, repeats);
      for (let i = 0; i < repeats && (i < least || times.reduce((a, b) => a + b, 0) < 20_000); i++)
        times.push((await timed(() => ask(pool, asker.next(), i))).ms);
      const { p50, p99 } = quantiles(times);
      const pages = await pagesOf(pool, (client) => ask(client, asker.next(), 0));
      cells.push([Math.min(...times), p50, p99].map(msText).join(' / ') + ` (${pages})`);
    }
    table.push([what, ...cells]);
  }
  printTable(table);
  await printSizes(pool);
}

type Ask = (db: Executor, viewerId: number, i: number) => Promise<unknown>;

/** Pages read: a measure that does not depend on how busy the machine is. */
async function pagesOf(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<unknown>,
): Promise<number> {
  return withClient(pool, async (client, discard) => {
    let pages = 0;
    await explainAll(client, (read) => (pages += read.pages), { isAsLarge: false });
    await work(client);
    discard(new Error('it explains everything'));
    return pages;
  });
}

const size = 50;
const list =
  (filter: Partial<ListFilter>, number = 1): Ask =>
  async (pool, viewerId) => {
    const page = await listObjects(
      pool,
      { kind: 'experiment', viewerId, ...filter },
      { number, size },
    );
    return listExperiments(pool, page.rows);
  };
const objects =
  (filter: Pick<ListFilter, 'kind'> & Partial<ListFilter>): Ask =>
  (pool, viewerId) =>
    listObjects(pool, { viewerId, ...filter }, { number: 1, size });
/** One of the user's objects, chosen by `i`. */
const one = async (pool: Executor, viewerId: number, kind: string, i: number) =>
  (
    await select<{ id: number; short_id: string }>(
      pool,
      sql`select id, short_id from objects where owner_id = ${viewerId} and kind = ${kind} and deleted_at is null order by id desc limit 1 offset ${i % 5}`,
    )
  )[0] ?? { id: 0, short_id: '' };
const cases: readonly [string, Ask][] = [
  ['select 1 (the way there and back)', (pool) => pool.query('select 1')],
  ['runs, newest first', list({})],
  ['runs, page 20', list({}, 20)],
  ['runs by name', list({ sort: 'name' })],
  ['runs by change', list({ sort: '-updated' })],
  ['runs that failed', list({ status: 'ERR' })],
  ['runs by R-hat', list({ sort: '-rhat' })],
  ['runs that need a look', list({ needsLook: true })],
  ['runs, search for a common word', list({ search: 'radon' })],
  ['runs, search for a number', list({ search: '123' })],
  ['runs, search that finds nothing', list({ search: 'zebra' })],
  ['runs, search by id', list({ search: 'X00' })],
  [
    'runs, counts by status',
    (pool, viewerId) => countByStatus(pool, { kind: 'experiment', viewerId }),
  ],
  [
    'models',
    async (pool, viewerId) =>
      listModels(
        pool,
        (await listObjects(pool, { kind: 'model', viewerId }, { number: 1, size })).rows,
      ),
  ],
  ['models, search', objects({ kind: 'model', search: 'spline' })],
  ['objects of all kinds', objects({ kind: null })],
  ['shares', objects({ kind: 'share' })],
  ['shared by me', objects({ kind: 'experiment', scope: 'shared_by_me' })],
  ['shared with me', objects({ kind: 'experiment', scope: 'shared_with_me' })],
  ['both', objects({ kind: 'experiment', scope: 'with_share_info' })],
  [
    'view of a run',
    async (pool, viewerId, i) =>
      findExperiment(pool, (await one(pool, viewerId, 'experiment', i)).short_id),
  ],
  [
    'view of a model and its version',
    async (pool, viewerId, i) => findModelVersion(pool, (await one(pool, viewerId, 'model', i)).id),
  ],
  [
    'view of a share',
    async (pool, viewerId, i) =>
      findLiveShare(pool, (await one(pool, viewerId, 'share', i)).short_id),
  ],
  [
    'what opens a run',
    async (pool, viewerId, i) =>
      listSharesThatOpen(pool, (await one(pool, viewerId, 'experiment', i)).id),
  ],
  [
    'notifications',
    (pool, userId) => listNotifications(pool, { userId, status: 'all' }, { number: 1, size }),
  ],
  ['room that an account takes', (pool, viewerId) => measureSpace(pool, viewerId)],
];

async function printSizes(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ name: string; n: number; rows: number; indices: number }>(
    `select relname as name, reltuples::bigint as n, pg_table_size(oid) as rows, pg_indexes_size(oid) as indices
     from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace
     order by pg_total_relation_size(oid) desc limit 8`,
  );
  printTable([
    ['', 'rows', 'bytes', 'of indices'],
    ...rows.map((row) => [
      row.name,
      String(row.n),
      bytesText(Number(row.rows)),
      bytesText(Number(row.indices)),
    ]),
  ]);
}
