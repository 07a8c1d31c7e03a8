import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JobQueue } from '../../../src/service/jobs/job-queue.ts';
import { createMemoryQueue } from '../../../src/service/jobs/memory-queue.ts';
import { createPgBossQueue } from '../../../src/service/jobs/pg-boss-queue.ts';
import { createLogger } from '../../../src/service/logging.ts';
import { inTransaction } from '../../../src/service/repositories/database.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

describe('the queue in memory', () => {
  it('keeps one job a key, runs what is due, and tries again later', async () => {
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

  it('hands a job over without waiting for a poll, once its transaction commits', async () => {
    const seen: { experimentId: number; at: number }[] = [];
    let tell = () => {};
    await queue.work('finalise', async ({ experimentId }) => {
      seen.push({ experimentId, at: performance.now() });
      tell();
      return { kind: 'done' };
    });
    const failing = inTransaction(database.pool, async (tx) => {
      await queue.send('finalise', { experimentId: 1 }, { tx, key: '1' });
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    const told = new Promise<void>((resolve) => {
      tell = resolve;
    });
    await inTransaction(database.pool, (tx) =>
      queue.send('finalise', { experimentId: 2 }, { tx, key: '2' }),
    );
    const sent = performance.now();
    await told;
    expect(seen.map((job) => job.experimentId)).toEqual([2]);
    // Polls come every five seconds.
    expect(seen[0].at - sent).toBeLessThan(2000);
  });
});
