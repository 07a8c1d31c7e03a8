/** For a test file: a database, a user, a job queue and, if a test starts one, a worker that stops with the test. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll } from 'vitest';
import type { JobQueue } from '../../src/service/jobs/job-queue.ts';
import { createPgBossQueue } from '../../src/service/jobs/pg-boss-queue.ts';
import { createLogger } from '../../src/service/logging.ts';
import type { UserRow } from '../../src/service/repositories/users.ts';
import type { Worker, WorkerOptions } from '../../src/service/worker/worker-loop.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { makeUser } from './service-objects.ts';
import { startTestWorker } from './test-worker.ts';

const logger = createLogger({ level: 'silent' });

/** `workerOptions` apply to every worker of the file. */
export function useWorkPlace(workerOptions: Partial<WorkerOptions> = {}): TestWorkPlace {
  const place = new TestWorkPlace(workerOptions);
  beforeAll(() => place.prepare());
  afterEach(() => place.stopWork());
  afterAll(() => place.close());
  return place;
}

class TestWorkPlace {
  database!: TestDatabase;
  user!: UserRow;
  /** The web process's queue: it sends jobs and runs none. */
  queue!: JobQueue;
  readonly filesDir = fs.mkdtempSync(path.join(os.tmpdir(), 'ergodic-work-'));
  private worker: Worker | null = null;

  constructor(private readonly workerOptions: Partial<WorkerOptions>) {}

  get pool(): pg.Pool {
    return this.database.pool;
  }

  async prepare(): Promise<void> {
    this.database = await createTestDatabase(16);
    this.user = await makeUser(this.pool);
    this.queue = this.makeQueue(false);
    // creating its tables takes as long as a run, which is too long for a test
    await this.queue.start();
  }

  async work(options: Partial<WorkerOptions> = {}): Promise<void> {
    const { database, filesDir } = this;
    const queue = this.makeQueue(true);
    const all = { ...this.workerOptions, ...options };
    this.worker = await startTestWorker({ database, queue, filesDir }, all);
  }

  async stopWork(): Promise<void> {
    await this.worker?.stop();
    this.worker = null;
  }

  async close(): Promise<void> {
    await this.queue.stop();
    fs.rmSync(this.filesDir, { recursive: true, force: true });
  }

  private makeQueue(supervise: boolean): JobQueue {
    return createPgBossQueue({ connection: this.database.connection, logger, supervise });
  }
}
