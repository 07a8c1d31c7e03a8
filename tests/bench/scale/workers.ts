/**
 * A thousand workers and one database. Workers, claims, leases and their recovery are the real ones; chains sleep, and
 * write progress like real ones. Ten processes run a hundred workers each: a worker has its own session for
 * its lock and for NOTIFY, and those of a process share sixteen connections, as behind a pooler. The work after a run
 * (its summary) is omitted.
 */
import { type ChildProcess, fork } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type pg from 'pg';
import {
  claimChain,
  insertChains,
  requeueLostChains,
} from '../../../src/service/repositories/chains.ts';
import { inTransaction } from '../../../src/service/repositories/database.ts';
import { insertExperiment } from '../../../src/service/repositories/experiments.ts';
import { insertUser } from '../../../src/service/repositories/users.ts';
import { insertWorker, WORKER_LOCK_CLASS } from '../../../src/service/repositories/workers.ts';
import { openServer } from './server.ts';
import { count, msText, printTable, quantiles, timed } from './sizes.ts';

/** Settings for starting a process of workers. */
export interface HostSettings {
  readonly url: string;
  readonly workers: number;
  readonly slots: number;
  /** An empty folder for files. */
  readonly folder: string;
}

const chainsOfRun = 4;
/** Seconds that a chain sleeps, by iterations of 100 ms. */
const shortChain = 100;
const longChain = 1200;

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      'database-url': { type: 'string' },
      workers: { type: 'string' },
      kill: { type: 'string' },
      runs: { type: 'string' },
    },
  });
  const workers = count(values.workers, 1000);
  const killed = count(values.kill, 300);
  const runs = count(values.runs, 2500);
  const hosts = 10;
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ergodic-bench-'));
  const server = await openServer(values['database-url']);
  const { pool } = server.database;
  const table: string[][] = [];
  const children: ChildProcess[] = [];
  try {
    await pool.query(
      'create table if not exists bench_steps (experiment_id bigint, chain int, lease bigint, at timestamptz default clock_timestamp())',
    );
    await pool.query('truncate bench_steps');
    const people = await makePeople(pool, 100);
    await queueRuns(pool, people, { runs, iterations: shortChain });
    table.push(['claims by one worker alone', await claimAlone(pool)]);
    const settings: HostSettings = { url: server.url, workers: workers / hosts, slots: 2, folder };
    const started = await timed(() => startHosts(children, hosts, settings));
    process.stderr.write(`${workers} workers after ${msText(started.ms / 1000)} s\n`);
    await untilNone(pool, "state in ('queued', 'running')");
    table.push(...(await claimFigures(pool)), [
      'chains done twice',
      String(await countDoubles(pool)),
    ]);
    table.push(['statements a second of idle workers', await idleRate(pool)]);
    table.push(
      ...(await killSome(pool, {
        people,
        children,
        hosts: Math.round((killed / workers) * hosts),
        runs: workers / chainsOfRun,
      })),
    );
    table.push(['progress written under a lost lease', String(await countDoubles(pool))]);
    printTable(table);
  } finally {
    for (const child of children) child.kill('SIGKILL');
    await pool.query('drop table if exists bench_steps').catch(() => {});
    await server.close();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

async function startHosts(
  children: ChildProcess[],
  hosts: number,
  settings: HostSettings,
): Promise<void> {
  const file = path.join(import.meta.dirname, 'worker-host.ts');
  await Promise.all(
    Array.from({ length: hosts }, () => {
      const child = fork(file, [JSON.stringify(settings)], {
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      });
      children.push(child);
      return new Promise<void>((resolve, reject) => {
        child.once('message', () => resolve());
        child.once('exit', () => reject(new Error('a process of workers ended')));
      });
    }),
  );
}

async function makePeople(pool: pg.Pool, n: number): Promise<number[]> {
  const ids: number[] = [];
  for (let i = 0; i < n; i++) {
    const user = await insertUser(pool, { name: `bench ${Date.now()} ${i}`, passwordHash: null });
    ids.push(user?.id ?? 0);
  }
  return ids;
}

/** The first user has half of the runs, and queued them first. */
async function queueRuns(
  pool: pg.Pool,
  people: readonly number[],
  { runs, iterations }: { readonly runs: number; readonly iterations: number },
): Promise<void> {
  for (let i = 0; i < runs; i++) {
    const ownerId = (i < runs / 2 ? people[0] : people[1 + (i % (people.length - 1))]) ?? 0;
    await inTransaction(pool, async (tx) => {
      const settings = { num_chains: chainsOfRun, num_warmup: 0, num_samples: iterations };
      const { id } = await insertExperiment(tx, {
        ownerId,
        name: 'sleeps',
        settings,
        numChains: chainsOfRun,
      });
      await insertChains(tx, id, { count: chainsOfRun, iterations });
    });
  }
  await pool.query('analyze');
}

/** What the same database does for a single worker, with equally many chains waiting. */
async function claimAlone(pool: pg.Pool): Promise<string> {
  const workerId = await insertWorker(pool, {
    host: 'alone',
    pid: 1,
    pools: [],
    slots: 1,
    version: '',
    engine: 1,
  });
  const claims = 50;
  const { ms } = await timed(async () => {
    for (let i = 0; i < claims; i++) await claimChain(pool, { workerId, pools: [], userChains: 0 });
  });
  await requeueLostChains(pool, WORKER_LOCK_CLASS);
  await pool.query('delete from workers where id = $1', [workerId]);
  await pool.query('update experiment_chains set started_at = null, attempts = 0, lease = 0');
  return `${Math.round((claims * 1000) / ms)}/s`;
}

async function untilNone(pool: pg.Pool, where: string): Promise<void> {
  for (;;) {
    const { rowCount } = await pool.query(`select 1 from experiment_chains where ${where} limit 1`);
    if (rowCount === 0) return;
    await sleep(250);
  }
}

async function claimFigures(pool: pg.Pool): Promise<string[][]> {
  const { rows } = await pool.query<{ at: number; owner_id: number }>(
    `select extract(epoch from c.started_at)::float8 as at, o.owner_id
     from experiment_chains c join objects o on o.id = c.experiment_id where c.started_at is not null order by 1`,
  );
  const [first] = rows;
  if (first === undefined) throw new Error('nothing was claimed');
  const since = rows.map(({ at }) => at - first.at);
  // at full speed: until the first chains have ended and workers wait for chains, not chains for claims
  const burst = since.filter((at) => at < shortChain / 10);
  const firsts = new Map<number, number>();
  for (const [i, { owner_id: owner }] of rows.entries())
    if (!firsts.has(owner)) firsts.set(owner, since[i] ?? 0);
  const waits = quantiles([...firsts.values()]);
  return [
    [
      'claims by all, at first',
      `${Math.round(burst.length / Math.max(burst.at(-1) ?? 0, 0.001))}/s`,
    ],
    ['chains claimed, in seconds', `${rows.length}, ${msText(since.at(-1) ?? 0)}`],
    [
      'first chain of a person after, p50 and p99',
      `${msText(waits.p50)} s, ${msText(waits.p99)} s`,
    ],
  ];
}

/** Progress that a lease wrote after a newer one did; chains ended by more than one lease count too. */
async function countDoubles(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ n: string }>(
    `select count(*) as n from (
       select lease, max(lease) over (partition by experiment_id, chain order by at rows between unbounded preceding and 1 preceding) as before
       from bench_steps) s where lease < before`,
  );
  return Number(rows[0]?.n ?? 0);
}

async function idleRate(pool: pg.Pool): Promise<string> {
  const commits = async () =>
    Number(
      (
        await pool.query(
          'select xact_commit as n from pg_stat_database where datname = current_database()',
        )
      ).rows[0].n,
    );
  const seconds = 15;
  await sleep(2000);
  const before = await commits();
  await sleep(seconds * 1000);
  return `${Math.round(((await commits()) - before) / seconds)}/s`;
}

interface Killing {
  readonly people: readonly number[];
  readonly children: readonly ChildProcess[];
  readonly hosts: number;
  readonly runs: number;
}

/** A chain for each worker; then some processes end simultaneously, with all their workers. */
async function killSome(
  pool: pg.Pool,
  { people, children, hosts, runs }: Killing,
): Promise<string[][]> {
  await queueRuns(pool, people, { runs, iterations: longChain });
  await untilNone(pool, "state = 'queued'");
  const victims = children.slice(0, hosts);
  const { rows: lost } = await pool.query<{ experiment_id: number; chain: number; lease: number }>(
    `select c.experiment_id, c.chain, c.lease from experiment_chains c join workers w on w.id = c.worker_id
     where c.state = 'running' and w.pid = any($1)`,
    [victims.map((child) => child.pid)],
  );
  const since = performance.now();
  for (const child of victims) child.kill('SIGKILL');
  const left = async (found: string) =>
    Number(
      (
        await pool.query(
          `select count(*) as n from experiment_chains c
             join unnest($1::bigint[], $2::int[], $3::bigint[]) l(experiment_id, chain, lease) using (experiment_id, chain)
           where not (${found})`,
          [
            lost.map((one) => one.experiment_id),
            lost.map((one) => one.chain),
            lost.map((one) => one.lease),
          ],
        )
      ).rows[0].n,
    );
  const until = async (found: string) => {
    while ((await left(found)) > 0) await sleep(100);
    return `${msText((performance.now() - since) / 1000)} s`;
  };
  return [
    ['chains of the killed workers', String(lost.length)],
    [
      'all of them back in the queue or taken after',
      await until("c.state = 'queued' or c.lease > l.lease"),
    ],
    ['all of them at work elsewhere after', await until('c.lease > l.lease')],
  ];
}
