import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { JobOutcome, JobQueue } from '../../../src/service/jobs/job-queue.ts';
import { createPgBossQueue } from '../../../src/service/jobs/pg-boss-queue.ts';
import { createLogger } from '../../../src/service/logging.ts';
import { execute, inTransaction, select, sql } from '../../../src/service/repositories/database.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { createMemoryQueue } from '../../support/memory-queue.ts';

describe('the queue in memory', () => {
  it('keeps one job per key, runs due jobs, and retries later', async () => {
    const queue = createMemoryQueue();
    const seen: number[] = [];
    await queue.work('finalise', async ({ experimentId }) => {
      seen.push(experimentId);
      return seen.length === 1
        ? { kind: 'retry', afterSeconds: 5, reason: 'not yet' }
        : { kind: 'done' };
    });
    await queue.send('finalise', { experimentId: 1 }, { key: '1' });
    await queue.send('finalise', { experimentId: 1 }, { key: '1' });
    await queue.send('finalise', { experimentId: 2 }, { key: '2', afterSeconds: 60 });
    expect(await queue.drain()).toEqual([{ kind: 'retry', afterSeconds: 5, reason: 'not yet' }]);
    expect(await queue.drain()).toEqual([]);
    queue.pass(5);
    expect(await queue.drain()).toEqual([{ kind: 'done' }]);
    queue.pass(60);
    await queue.drain();
    expect(seen).toEqual([1, 1, 2]);
  });
});

/** Longer than polls and delays of the queue, even on a busy machine. */
const waitMs = { timeout: 25_000, interval: 50 };

describe('several processes', () => {
  it('create the queues of a new database at the same time without an error', async () => {
    const { connection, pool } = await createTestDatabase();
    await execute(pool, sql`drop schema if exists pgboss cascade`);
    const queues = Array.from({ length: 6 }, () =>
      createPgBossQueue({
        connection,
        logger: createLogger({ level: 'silent' }),
        supervise: false,
      }),
    );
    const starts = await Promise.allSettled(queues.map((queue) => queue.start()));
    expect(starts.map(({ status }) => status)).toEqual(queues.map(() => 'fulfilled'));
    await Promise.all(queues.map((queue) => queue.stop()));
  });
});

describe('the queue in PostgreSQL', () => {
  let database: TestDatabase;
  let queue: JobQueue;
  beforeAll(async () => {
    database = await createTestDatabase();
    queue = createPgBossQueue({
      connection: database.connection,
      logger: createLogger({ level: 'silent' }),
      supervise: false,
    });
    await queue.start();
  });
  afterAll(() => queue.stop());

  it('takes the waiting job of highest priority, and of these the oldest', async () => {
    const priorities = [0, -1, -2, 0, -1];
    for (const [at, priority] of priorities.entries())
      await queue.send('match_moments', { experimentId: at }, { key: String(at), priority });
    const seen: number[] = [];
    await queue.work('match_moments', async ({ experimentId }) => {
      seen.push(experimentId);
      return { kind: 'done' };
    });
    await vi.waitFor(() => expect(seen).toEqual([0, 3, 1, 4, 2]), waitMs);
  });

  it('delivers a job as soon as its transaction commits, without waiting for a poll', async () => {
    const seen: { experimentId: number; at: number }[] = [];
    let announce = () => {};
    await queue.work('finalise', async ({ experimentId }) => {
      seen.push({ experimentId, at: performance.now() });
      announce();
      return { kind: 'done' };
    });
    const failing = inTransaction(database.pool, async (tx) => {
      await queue.send('finalise', { experimentId: 1 }, { tx, key: '1' });
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    const announced = new Promise<void>((resolve) => {
      announce = resolve;
    });
    await inTransaction(database.pool, (tx) =>
      queue.send('finalise', { experimentId: 2 }, { tx, key: '2' }),
    );
    const sent = performance.now();
    await announced;
    expect(seen.map((job) => job.experimentId)).toEqual([2]);
    // Polls come every five seconds.
    expect(seen[0].at - sent).toBeLessThan(2000);
  });

  it('keeps one waiting job per key, even if a job asks for a retry', async () => {
    // Only those that are due later: job 2 waits twice, before it is taken and after it was tried.
    const waiting = () =>
      select<{ singleton_key: string }>(
        database.pool,
        sql`select singleton_key from pgboss.job where name = 'import' and state = 'created'
            and start_after > now() + interval '1 minute'`,
      );
    await queue.send('import', { experimentId: 1 }, { key: '1', afterSeconds: 3600 });
    await queue.send('import', { experimentId: 1 }, { key: '1', afterSeconds: 3600 });
    expect(await waiting()).toEqual([{ singleton_key: '1' }]);
    await queue.send('import', { experimentId: 2 }, { key: '2' });
    await queue.work('import', async () => ({
      kind: 'retry',
      afterSeconds: 3600,
      reason: 'not yet',
    }));
    await vi.waitFor(async () => expect(await waiting()).toHaveLength(2), waitMs);
    expect((await waiting()).map((job) => job.singleton_key).sort()).toEqual(['1', '2']);
  });

  it('retries a job that failed or threw', async () => {
    const outcomes: (() => JobOutcome)[] = [
      () => ({ kind: 'failed', reason: 'no luck' }),
      () => {
        throw new Error('broken');
      },
      () => ({ kind: 'done' }),
    ];
    let tries = 0;
    await queue.work('data_script', async () => outcomes[tries++]());
    await queue.send('data_script', { experimentId: 1 });
    const job = sql`select state, retry_count, output from pgboss.job where name = 'data_script'`;
    const state = () => select<{ state: string; output: unknown }>(database.pool, job);
    await vi.waitFor(
      async () => expect(await state()).toMatchObject([{ output: { message: 'no luck' } }]),
      waitMs,
    );
    // due now instead of after the delay that grows with each try
    const hasten = sql`update pgboss.job set start_after = now() - interval '1 s' where state = 'retry'`;
    await vi.waitFor(async () => {
      await execute(database.pool, hasten);
      expect(await state()).toMatchObject([{ state: 'completed', retry_count: 2 }]);
    }, waitMs);
  });

  it('continues with current and later jobs after every connection was terminated', async () => {
    const seen: number[] = [];
    const others = sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`;
    // sent before any worker starts, so that the job does not end the connection that sends it
    await queue.send('analyse', { analysisId: 1 });
    await queue.work('analyse', async ({ analysisId }) => {
      seen.push(analysisId);
      if (analysisId === 1) await execute(database.pool, others);
      return { kind: 'done' };
    });
    await vi.waitFor(() => expect(seen).toContain(1), waitMs);
    await vi.waitFor(() => queue.send('analyse', { analysisId: 2 }), waitMs);
    await vi.waitFor(() => expect(seen).toContain(2), waitMs);
  });
});

describe('a queue that stops', () => {
  it('makes a job available again if its handler does not end', { timeout: 60_000 }, async () => {
    const database = await createTestDatabase();
    const logger = createLogger({ level: 'silent' });
    const { connection } = database;
    const queue = createPgBossQueue({ connection, logger, supervise: false });
    const begun = new Promise<void>((resolve) => {
      void queue.work('purge', () => {
        resolve();
        return new Promise(() => {});
      });
    });
    await queue.send('purge', {});
    await begun;
    await queue.stop();
    const rows = sql`select state, output from pgboss.job where name = 'purge'`;
    expect(await select(database.pool, rows)).toEqual([
      { state: 'retry', output: { message: 'the process was stopped' } },
    ]);
  });
});
