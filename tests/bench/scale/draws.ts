/**
 * Many draws in the store: how fast they arrive, what a view and a summary cost as the table grows, what it costs to
 * delete one run. A run has 4 chains of 1000 draws of 100 variables, in batches like the compacted ones of ended runs.
 */
import { parseArgs } from 'node:util';
import type pg from 'pg';
import { insertChains } from '../../../src/service/repositories/chains.ts';
import { inTransaction } from '../../../src/service/repositories/database.ts';
import { ensureLayout, insertDraws, readDraws } from '../../../src/service/repositories/draws.ts';
import { insertExperiment } from '../../../src/service/repositories/experiments.ts';
import { purgeRemoved, removeObjects } from '../../../src/service/repositories/objects.ts';
import { ensureOwner } from '../../../src/service/repositories/users.ts';
import { seededRng } from '../../support/seeded-rng.ts';
import { openServer } from './server.ts';
import { bytesText, count, msText, printTable, quantiles, timed } from './sizes.ts';

const numChains = 4;
const numDraws = 1000;
const numVariables = 100;
export const valuesOfRun = numChains * numDraws * numVariables;

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { 'database-url': { type: 'string' }, draws: { type: 'string' } },
  });
  const total = count(values.draws, 1e9);
  const server = await openServer(values['database-url']);
  const { pool } = server.database;
  try {
    const ownerId = (await ensureOwner(pool)).id;
    const table = [
      [
        'draws',
        'written/s',
        'bytes a draw',
        'one variable',
        'all variables',
        'delete a run',
        'its WAL',
        'vacuum after',
        'read by it',
      ],
    ];
    let stored = 0;
    for (const target of [total / 100, total / 10, total]) {
      const written = await timed(() =>
        writeRuns(pool, ownerId, Math.ceil((target - stored) / valuesOfRun)),
      );
      const rate = (written.result * valuesOfRun * 1000) / written.ms;
      stored += written.result * valuesOfRun;
      table.push([
        stored.toExponential(1),
        rate.toExponential(1),
        ...(await measure(pool, { ownerId, stored })),
      ]);
      process.stderr.write(`${table.at(-1)?.join('  ')}\n`);
    }
    printTable(table);
  } finally {
    await server.close();
  }
}

const columns = Array.from({ length: numVariables }, (_, i) => ({ name: `theta[${i + 1}]` }));

/** Runs with their draws, four at a time; each has different values, since equal ones would compress. */
export async function writeRuns(pool: pg.Pool, ownerId: number, runs: number): Promise<number> {
  const rng = seededRng(runs);
  const values = new Float64Array(numDraws * numVariables).map(() => rng.uniform());
  let next = 0;
  const writer = async () => {
    while (next++ < runs) {
      const { id } = await insertExperiment(pool, {
        ownerId,
        name: 'draws',
        status: 'FIN',
        numChains,
      });
      await inTransaction(pool, (tx) =>
        insertChains(tx, id, { count: numChains, iterations: numDraws }),
      );
      await pool.query("update experiment_chains set state = 'done' where experiment_id = $1", [
        id,
      ]);
      const layoutId = await ensureLayout(pool, id, columns);
      for (let chain = 1; chain <= numChains; chain++)
        await insertDraws(pool, {
          experimentId: id,
          chain,
          phase: 'sampling',
          layoutId,
          firstIteration: 1,
          count: numDraws,
          values,
        });
    }
  };
  await Promise.all(Array.from({ length: 4 }, writer));
  return runs;
}

async function measure(
  pool: pg.Pool,
  { ownerId, stored }: { readonly ownerId: number; readonly stored: number },
): Promise<string[]> {
  await pool.query('vacuum (analyze) draw_batches');
  const { rows } = await pool.query<{ id: number }>(
    "select id from objects where kind = 'experiment' and deleted_at is null order by id",
  );
  const ids = rows.map((row) => row.id);
  const size = Number(
    (await pool.query("select pg_total_relation_size('draw_batches') as n")).rows[0].n,
  );
  const one = await times(ids, (experimentId) =>
    readDraws(pool, { experimentId, variables: ['theta[50]'] }),
  );
  const all = await times(ids, (experimentId) => readDraws(pool, { experimentId }));
  const gone = [ids[0] ?? 0];
  await removeObjects(pool, ownerId, gone);
  const before = await walPlace(pool);
  const purge = await timed(() => purgeRemoved(pool, { now: true, userId: ownerId }));
  const wal = Number(
    (await pool.query('select pg_wal_lsn_diff(pg_current_wal_lsn(), $1) as n', [before])).rows[0].n,
  );
  const read = await blocksRead(pool);
  const vacuum = await timed(() => pool.query('vacuum draw_batches'));
  const readByVacuum = ((await blocksRead(pool)) - read) * 8192;
  return [
    (size / stored).toFixed(2),
    one,
    all,
    `${msText(purge.ms)} ms`,
    bytesText(wal),
    `${msText(vacuum.ms)} ms`,
    bytesText(readByVacuum),
  ];
}

async function times(
  ids: readonly number[],
  work: (id: number) => Promise<unknown>,
): Promise<string> {
  const ms: number[] = [];
  for (let i = 0; i < 40; i++)
    ms.push((await timed(() => work(ids[(i * 7919 + 1) % ids.length] ?? 0))).ms);
  const { p50, p99 } = quantiles(ms);
  return `${msText(p50)} / ${msText(p99)} ms`;
}

const walPlace = async (pool: pg.Pool): Promise<string> =>
  (await pool.query('select pg_current_wal_lsn()::text as at')).rows[0].at;

/** Pages read so far from the table, its out-of-line values and their index. */
async function blocksRead(pool: pg.Pool): Promise<number> {
  // other sessions report their statistics once they are idle for a second
  await pool.query('select pg_sleep(1.5)');
  const { rows } = await pool.query(
    `select coalesce(sum(heap_blks_read + heap_blks_hit + idx_blks_read + idx_blks_hit + toast_blks_read + toast_blks_hit
       + tidx_blks_read + tidx_blks_hit), 0) as n from pg_statio_user_tables where relname like 'draw_batches%'`,
  );
  return Number(rows[0].n);
}
