/**
 * How fast draws are stored and read, and how fast lists and views answer on a large table:
 *
 *   npm run bench -- storage [--experiments 100000] [--database-url URL]
 *
 * Without an address, an embedded PostgreSQL is created in a temporary folder and removed.
 */
import fs from 'node:fs';
import { parseArgs } from 'node:util';
import { openStore } from '../../src/service/open-store.ts';
import { insertChains } from '../../src/service/repositories/chains.ts';
import { compactDraws } from '../../src/service/repositories/compact-draws.ts';
import { execute, inTransaction, sql } from '../../src/service/repositories/database.ts';
import { ensureLayout, insertDraws, readDraws } from '../../src/service/repositories/draws.ts';
import {
  findExperiment,
  insertExperiment,
  listExperiments,
} from '../../src/service/repositories/experiments.ts';
import { type ListFilter, listObjects } from '../../src/service/repositories/object-lists.ts';
import { ensureOwner } from '../../src/service/repositories/users.ts';

const { values: options } = parseArgs({
  options: {
    experiments: { type: 'string', default: '100000' },
    'database-url': { type: 'string', default: '' },
  },
});

const dataDir = fs.mkdtempSync('/tmp/ergodic-bench-');
fs.chmodSync(dataDir, 0o711);
const say = (line: string) => process.stderr.write(`${line}\n`);
const store = await openStore({
  dataDir,
  databaseUrl: options['database-url'],
  what: 'a measurement',
  say,
});
const { pool } = store.database;
const rows: { what: string; value: string }[] = [];

function median(times: number[]): string {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (part: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))].toFixed(1);
  return `median ${at(0.5)} ms, 99 % ${at(0.99)} ms`;
}

async function time(what: string, work: () => Promise<unknown>, repeats = 100): Promise<void> {
  const times: number[] = [];
  for (let i = 0; i < repeats; i++) {
    const since = performance.now();
    await work();
    times.push(performance.now() - since);
  }
  rows.push({ what, value: median(times) });
}

try {
  const owner = await ensureOwner(pool);
  const { id: experimentId, short_id: shortId } = await insertExperiment(pool, {
    ownerId: owner.id,
    name: 'draws',
  });
  await inTransaction(pool, (tx) => insertChains(tx, experimentId, { count: 4, iterations: 1000 }));
  const numColumns = 100;
  const columns = Array.from({ length: numColumns }, (_, i) => ({ name: `theta[${i + 1}]` }));
  const layoutId = await ensureLayout(pool, experimentId, columns);
  const values = new Float64Array(numColumns * 50).map(() => Math.random());
  const batches = 400;
  const since = performance.now();
  await Promise.all(
    [1, 2, 3, 4].map(async (chain) => {
      for (let i = 0; i < batches / 4; i++) {
        const place = {
          experimentId,
          chain,
          phase: 'sampling' as const,
          layoutId,
          firstIteration: i * 50 + 1,
          count: 50,
        };
        await inTransaction(pool, (tx) => insertDraws(tx, { ...place, values }));
      }
    }),
  );
  const seconds = (performance.now() - since) / 1000;
  rows.push({
    what: 'draws stored',
    value: `${((batches * values.length) / seconds / 1e6).toFixed(1)} million values/s`,
  });
  await compactDraws(pool, experimentId);
  await time(
    'one variable of 20 000 draws read',
    () => readDraws(pool, { experimentId, variables: ['theta[50]'] }),
    30,
  );
  await time('all 100 variables read', () => readDraws(pool, { experimentId }), 5);

  await execute(
    pool,
    sql`with made as (
          insert into objects (kind, row_number, short_id, owner_id, name, status)
          select 'experiment', nextval('row_number_experiment'), 'X' || lpad(to_hex(n), 7, '0'), ${owner.id}, 'run ' || n,
            (array['NEW', 'RUN', 'FIN', 'FIN', 'FIN', 'ERR'])[1 + n % 6]
          from generate_series(1, ${Number(options.experiments)}::int) n returning id)
        insert into experiments (id, run_on, meta) select id, 'local', '{"verdict": {"state": "good"}}' from made`,
  );
  await pool.query('vacuum analyze');
  const list =
    (filter: Partial<ListFilter>, number = 1) =>
    async () => {
      const page = await listObjects(
        pool,
        { kind: 'experiment', viewerId: owner.id, ...filter },
        { number, size: 100 },
      );
      return listExperiments(pool, page.rows);
    };
  await time('list, newest', list({}));
  await time('list, page 900', list({}, 900));
  await time('list, by status ERR', list({ status: 'ERR' }));
  await time('list, by name', list({ sort: 'name' }));
  await time('list, search "run 777"', list({ search: 'run 777' }), 20);
  await time('view', () => findExperiment(pool, shortId));
} finally {
  await store.close();
  fs.rmSync(dataDir, { recursive: true, force: true });
}
const width = Math.max(...rows.map((row) => row.what.length));
for (const { what, value } of rows) process.stdout.write(`${what.padEnd(width)}  ${value}\n`);
