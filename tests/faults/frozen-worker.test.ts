/** A worker process is stopped during a run and wakes after others have finished it: it must not write any row of it. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../src/service/repositories/database.ts';
import { startMember, startWorkerProgram, type WorkerProgram } from '../support/cluster.ts';
import { startDebianPostgres } from '../support/debian-postgres.mjs';
import { describeWith } from '../support/needs.ts';
import { findPostgres } from '../support/parts.mjs';
import { descendantOf } from '../support/processes.ts';
import type { Served } from '../support/served.ts';
import { makeServedWorkflow, startServedRun, untilRun } from '../support/served-runs.ts';
import {
  chainsOf,
  expectSame,
  note,
  type RunRecord,
  readRun,
  sayingProgram,
  secondsSince,
  settingsFor,
  until,
  untilMore,
} from './runs-under-faults.ts';

describeWith('postgresql', 'a frozen worker', () => {
  let server: Awaited<ReturnType<typeof startDebianPostgres>>;
  let database: Database;
  let served: Served;
  let workflow: string;
  let undisturbed: RunRecord;
  let frozen: WorkerProgram;

  beforeAll(async () => {
    server = await startDebianPostgres(findPostgres() as string);
    served = await startMember(server.url);
    database = openDatabase({ connectionString: server.url });
    workflow = await makeServedWorkflow(served, { ...sayingProgram, settings: settingsFor(6000) });
    frozen = startWorkerProgram({ databaseUrl: server.url, name: 'frozen' });
    const run = await startServedRun(served, workflow);
    await untilRun(served, run);
    undisturbed = await readRun(served, run);
  });
  afterAll(async () => {
    await database.close();
    served.process.kill('SIGTERM');
    await served.exited;
    await server.stop();
  });

  /** Notes which program writes to which table from now on; heartbeats and jobs aside. */
  const watchWrites = async () => {
    const { pool } = database;
    await pool.query('create table audit (program text, place text)');
    await pool.query(`create function note_write() returns trigger language plpgsql as $$ begin
      insert into audit values (current_setting('application_name'), tg_table_name); return null; end $$`);
    const { rows } = await pool.query<{ name: string }>(
      `select table_name as name from information_schema.tables
       where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not in ('workers', 'services', 'audit')`,
    );
    for (const { name } of rows)
      await pool.query(`create trigger note_write after insert or update or delete on "${name}"
        for each row execute function note_write()`);
  };

  it('loses its chains to others, and writes nothing of them when it resumes', async () => {
    const { pool } = database;
    const run = await startServedRun(served, workflow);
    await untilMore(served, run, 300);
    const pid = descendantOf(frozen.process.pid as number, 'worker.js');
    process.kill(pid, 'SIGSTOP');
    const stoppedAt = performance.now();
    const worker = (await chainsOf(pool, run))[0]?.worker ?? null;
    expect(worker).not.toBeNull();
    const other = startWorkerProgram({ databaseUrl: server.url, name: 'other' });
    await until(async () => (await chainsOf(pool, run)).every((chain) => chain.worker !== worker));
    note(`stopped: given to others after ${secondsSince(stoppedAt)}`);
    expect(await untilRun(served, run)).toMatchObject({ status: 'FIN', n_samples: 6000 });
    expectSame(await readRun(served, run), undisturbed);

    await watchWrites();
    process.kill(pid, 'SIGCONT');
    // after three heartbeats it has checked everything it owned
    const beats = new Set<string>();
    await until(async () => {
      const { rows } = await pool.query<{ at: string }>(
        `select heartbeat_at::text as at from workers where id = $1 and heartbeat_at > now() - interval '5 seconds'`,
        [worker],
      );
      for (const { at } of rows) beats.add(at);
      return beats.size >= 4;
    });
    const { rows } = await pool.query(`select * from audit where program = 'frozen'`);
    expect(rows).toEqual([]);
    note(`woken: 0 rows written`);
    expectSame(await readRun(served, run), undisturbed);
    // it is fully working again
    other.process.kill('SIGTERM');
    await other.exited;
    const next = await startServedRun(served, workflow);
    await untilRun(served, next);
    expectSame(await readRun(served, next), undisturbed);
    frozen.process.kill('SIGTERM');
    expect(await frozen.exited).toBe(0);
  });
});
