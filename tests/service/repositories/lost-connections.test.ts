/** Connections that PostgreSQL drops, on a separate server: other tests would lose theirs too. */
import fs from 'node:fs';
import path from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { translateError } from '../../../src/service/http/error-handler.ts';
import { createPgBossQueue } from '../../../src/service/jobs/pg-boss-queue.ts';
import { createLogger } from '../../../src/service/logging.ts';
import {
  DATABASE_USER,
  type EmbeddedPostgres,
  startPostgres,
} from '../../../src/service/postgres/supervisor.ts';
import { copyRows } from '../../../src/service/repositories/copied-rows.ts';
import {
  type Connection,
  createClient,
  type Database,
  inTransaction,
  isUnavailable,
  openDatabase,
  selectOne,
  sql,
  withClient,
} from '../../../src/service/repositories/database.ts';

const folder = fs.mkdtempSync('/tmp/ergodic-lost-');
fs.chmodSync(folder, 0o711);
let postgres: EmbeddedPostgres;
let connection: Connection;
let database: Database;
const uncaught: unknown[] = [];
const note = (error: unknown) => uncaught.push(error);

beforeAll(async () => {
  process.on('uncaughtException', note);
  postgres = await startPostgres({ dataDir: path.join(folder, 'data') });
  connection = {
    host: postgres.host,
    port: postgres.port,
    user: DATABASE_USER,
    database: 'postgres',
  };
  database = openDatabase(connection, { maxConnections });
  await database.pool.query('create table kept (n int)');
}, 60_000);

afterAll(async () => {
  await database.close();
  await postgres.stop();
  fs.rmSync(folder, { recursive: true, force: true });
  process.off('uncaughtException', note);
});

async function pidOf(client: pg.PoolClient): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0].pid;
}

const ends = {
  'the server ends the connection': async (pid: number) => {
    const admin = createClient(connection);
    await admin.connect();
    await admin.query('select pg_terminate_backend($1)', [pid]);
    await admin.end();
  },
  // The server then ends every other process, too: until it has noticed, their connections still answer.
  'the backend is killed': async (pid: number) => {
    const witness = createClient(connection);
    const gone = new Promise((resolve) => witness.once('end', resolve));
    witness.on('error', () => {});
    await witness.connect();
    process.kill(pid, 'SIGKILL');
    await gone;
  },
};

const maxConnections = 3;

/** The server takes a moment to start its processes again. All connections of the pool are tried. */
const untilBack = () =>
  whenAvailable(() =>
    Promise.all(Array.from({ length: maxConnections }, () => database.pool.query('select 1'))),
  );

/** Retries while the server restarts, as a caller does after a 503. */
async function whenAvailable<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

const closed = (client: pg.PoolClient) =>
  new Promise<void>((resolve) => {
    client.once('end', () => resolve());
  });

/** Waits until the session is in `pg_sleep`. */
async function untilAsleep(pid: number): Promise<void> {
  const look = sql`select wait_event from pg_stat_activity where pid = ${pid}`;
  await vi.waitFor(async () => {
    expect(await selectOne(database.pool, look)).toEqual({ wait_event: 'PgSleep' });
  }, 30_000);
}

describe.each(Object.entries(ends))('when %s', (_, end) => {
  it('between two statements, the transaction rejects as unavailable and leaves nothing', async () => {
    const broken = inTransaction(database.pool, async (tx) => {
      await tx.query('insert into kept values (1)');
      const gone = closed(tx);
      await end(await pidOf(tx));
      await gone;
      await tx.query('insert into kept values (2)');
    });
    const error = await broken.catch((reason: unknown) => reason);
    expect(translateError(error)).toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 2 });
    await untilBack();
    const { rows } = await database.pool.query('select n from kept');
    expect(rows).toEqual([]);
    expect(uncaught).toEqual([]);
  });

  it('within a statement, it rejects as unavailable and the next one succeeds', async () => {
    const broken = inTransaction(database.pool, async (tx) => {
      const pid = await pidOf(tx);
      const sleeping = tx.query('select pg_sleep(600)');
      sleeping.catch(() => {});
      await end(pid);
      await sleeping;
    });
    const error = await broken.catch((reason: unknown) => reason);
    expect(translateError(error)).toMatchObject({ code: 'UNAVAILABLE' });
    await untilBack();
    const answer = await inTransaction(database.pool, (tx) => tx.query('select 1 as one'));
    expect(answer.rows).toEqual([{ one: 1 }]);
    expect(uncaught).toEqual([]);
  });

  it('while rows are copied, it rejects as unavailable and the connection is gone', async () => {
    let held: pg.PoolClient | undefined;
    const broken = withClient(database.pool, async (client) => {
      held = client;
      const pid = await pidOf(client);
      const gone = closed(client);
      const copying = copyRows(
        client,
        sql`select n, case when n = ${3000} then pg_sleep(${600})::text else repeat('x', 1000) end
            from generate_series(1, 3001) n`,
      );
      copying.catch(() => {});
      await untilAsleep(pid);
      await end(pid);
      await gone;
      await copying;
    });
    const error = await broken.catch((reason: unknown) => reason);
    expect(translateError(error)).toMatchObject({ code: 'UNAVAILABLE' });
    await untilBack();
    await withClient(database.pool, async (client) => expect(client).not.toBe(held));
    expect(uncaught).toEqual([]);
  });

  it('while it is held idle, a connection is not returned to the pool', async () => {
    const held = await withClient(database.pool, async (client) => {
      const gone = closed(client);
      await end(await pidOf(client));
      await gone;
      return client;
    });
    await untilBack();
    await withClient(database.pool, async (client) => expect(client).not.toBe(held));
    expect(uncaught).toEqual([]);
  });

  it('the job queue and its listener continue', { timeout: 60_000 }, async () => {
    const logger = createLogger({ level: 'silent' });
    const queue = createPgBossQueue({ connection, logger, supervise: false });
    const seen: number[] = [];
    await queue.work('finalise', async ({ experimentId }) => {
      seen.push(experimentId);
      return { kind: 'done' };
    });
    const listeners = () =>
      database.pool.query<{ pid: number }>(
        `select pid from pg_stat_activity where query ilike 'listen%'`,
      );
    const [listener] = (await whenAvailable(listeners)).rows;
    await end(listener.pid);
    await untilBack();
    while ((await whenAvailable(listeners)).rows.every(({ pid }) => pid === listener.pid))
      await new Promise((resolve) => setTimeout(resolve, 20));
    await whenAvailable(() => queue.send('finalise', { experimentId: 7 }));
    while (seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(seen).toEqual([7]);
    await queue.stop();
    expect(uncaught).toEqual([]);
  });
});

describe('an error of a socket', () => {
  it.each(['EPIPE', 'ECONNRESET', 'ECONNREFUSED', 'ENOENT', 'ERR_STREAM_DESTROYED'])(
    'with the code %s means that the database is unreachable',
    (code) => {
      expect(isUnavailable(Object.assign(new Error('write'), { code }))).toBe(true);
    },
  );
});

describe('a job queue', () => {
  it('that could not start while the database was unreachable starts at the next call', async () => {
    const away = { host: folder, port: 1, user: DATABASE_USER, database: 'postgres' };
    const there = { ...away };
    const logger = createLogger({ level: 'silent' });
    const queue = createPgBossQueue({ connection: there, logger, supervise: false });
    await expect(queue.start()).rejects.toSatisfy(isUnavailable);
    Object.assign(there, connection);
    // the server may still be restarting from the previous test
    await whenAvailable(() => queue.start());
    await queue.stop();
  });
});
