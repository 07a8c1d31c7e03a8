/**
 * How fast a list of many experiments is searched, paged, sorted and counted, compared with the earlier statements:
 *
 *   npm run bench -- lists [--experiments 100000] [--repeats 20]
 *
 * "Before" is one ordered statement over all columns and one that counts, with `ilike` and without the indices of
 * migrations 10 and 11.
 */
import fs from 'node:fs';
import { parseArgs } from 'node:util';
import { openStore } from '../../src/service/open-store.ts';
import { execute, type SQL, select, sql } from '../../src/service/repositories/database.ts';
import { listExperiments } from '../../src/service/repositories/experiments.ts';
import {
  countByStatus,
  type ListFilter,
  listObjects,
} from '../../src/service/repositories/object-lists.ts';
import { ensureOwner } from '../../src/service/repositories/users.ts';

const { values: options } = parseArgs({
  options: {
    experiments: { type: 'string', default: '100000' },
    repeats: { type: 'string', default: '20' },
  },
});
const dataDir = fs.mkdtempSync('/tmp/ergodic-bench-');
fs.chmodSync(dataDir, 0o711);
const say = (message: string) => process.stderr.write(`${message}\n`);
const store = await openStore({ dataDir, databaseUrl: '', what: 'a measurement', say });
const { pool } = store.database;
const rows: string[][] = [['', 'before', 'now']];
const size = 100;

/** Milliseconds: the median and the maximum. */
async function time(work: () => Promise<unknown>): Promise<string> {
  const times: number[] = [];
  for (let i = 0; i < Number(options.repeats); i++) {
    const since = performance.now();
    await work();
    times.push(performance.now() - since);
  }
  times.sort((a, b) => a - b);
  return `${times[Math.floor(times.length / 2)].toFixed(1)} ms, most ${times[times.length - 1].toFixed(1)}`;
}

const indices = [
  'create index objects_name_words on objects using gin (name_folded gin_trgm_ops) where deleted_at is null',
  'create index objects_by_id_prefix on objects (short_id text_pattern_ops) where deleted_at is null',
];

try {
  const owner = await ensureOwner(pool);
  await execute(
    pool,
    sql`with made as (
          insert into objects (kind, row_number, short_id, owner_id, name, status)
          select 'experiment', nextval('row_number_experiment'), 'X' || lpad(to_hex(n), 7, '0'), ${owner.id}, 'run ' || n,
            (array['NEW', 'RUN', 'FIN', 'FIN', 'FIN', 'ERR'])[1 + n % 6]
          from generate_series(1, ${Number(options.experiments)}::int) n returning id)
        insert into experiments (id, run_on, meta, n_chains, n_samples)
        select id, 'local', jsonb_build_object('verdict', jsonb_build_object(
          'state', case when id % 20 = 0 then 'bad' else 'good' end, 'rhat_max', 1 + id * 7919 % 1000 / 1000.0)), 4, 1000
        from made`,
  );
  await pool.query('vacuum analyze');

  const from = (where: SQL) =>
    sql`from objects o where o.kind = 'experiment' and o.deleted_at is null and o.owner_id = ${owner.id} ${where}`;
  const before = (where: SQL, page = 1, isCounted = true) => {
    const found = sql`select o.* ${from(where)} order by o.id desc limit ${size} offset ${(page - 1) * size}`;
    return async () => {
      const objects = await select<never>(
        pool,
        sql`select o.*, u.name as owner from (${found}) o join users u on u.id = o.owner_id order by o.id desc`,
      );
      if (isCounted) await select(pool, sql`select count(*) ${from(where)}`);
      await listExperiments(pool, objects);
    };
  };
  const now =
    (filter: Partial<ListFilter>, number = 1) =>
    async () => {
      const list = { kind: 'experiment' as const, viewerId: owner.id, ...filter };
      await listExperiments(pool, (await listObjects(pool, list, { number, size })).rows);
    };
  const words = (text: string) =>
    sql`and (${sql`o.name ilike ${`%${text}%`}`} or o.short_id like ${`${text}%`})`;
  const lastPage = Math.floor((Number(options.experiments) / size) * 0.9);
  const cases: readonly [string, (() => Promise<void>) | null, () => Promise<void>][] = [
    ['newest', before(sql``, 1, false), now({})],
    [`page ${lastPage}`, before(sql``, lastPage, false), now({}, lastPage)],
    ['search, few found', before(words('777')), now({ search: '777' })],
    ['search, none found', before(words('zebra')), now({ search: 'zebra' })],
    ['search, all found', before(words('run')), now({ search: 'run' })],
    [
      'search, two words',
      before(sql`and o.name ilike '%run%' and o.name ilike '%777%'`),
      now({ search: 'run 777' }),
    ],
    ['by R-hat', null, now({ sort: '-rhat' })],
    ['needs a look', null, now({ needsLook: true })],
    [
      'counts by status',
      null,
      async () => void (await countByStatus(pool, { kind: 'experiment', viewerId: owner.id })),
    ],
  ];
  await pool.query('drop index objects_name_words, objects_by_id_prefix');
  const old: string[] = [];
  for (const [, work] of cases) old.push(work === null ? '–' : await time(work));
  for (const index of indices) await pool.query(index);
  await pool.query('vacuum analyze');
  for (const [at, [what, , work]] of cases.entries()) rows.push([what, old[at], await time(work)]);
} finally {
  await store.close();
  fs.rmSync(dataDir, { recursive: true, force: true });
}
const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column].length)));
for (const row of rows)
  process.stdout.write(
    `${row
      .map((cell, column) => cell.padEnd(widths[column]))
      .join('  ')
      .trimEnd()}\n`,
  );
