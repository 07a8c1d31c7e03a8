/** A machine's clock that was days ahead and was set right: what was ordered meanwhile does not wait for those days. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { insertRequestedCall } from '../../../src/service/functions/request-call.ts';
import type { JobQueue } from '../../../src/service/jobs/job-queue.ts';
import { createPgBossQueue } from '../../../src/service/jobs/pg-boss-queue.ts';
import { createLogger } from '../../../src/service/logging.ts';
import { execute, selectOne, sql } from '../../../src/service/repositories/database.ts';
import { updateExperiment } from '../../../src/service/repositories/experiments.ts';
import { findCall } from '../../../src/service/repositories/function-calls.ts';
import { insertModel } from '../../../src/service/repositories/models.ts';
import { endLease, takeTask } from '../../../src/service/repositories/tasks.ts';
import type { UserRow } from '../../../src/service/repositories/users.ts';
import { startRun } from '../../../src/service/runs/start-run.ts';
import type { Worker } from '../../../src/service/worker/worker-loop.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { testGuests } from '../../support/guests.ts';
import { waitForRun } from '../../support/run-waiting.ts';
import { makeUser, makeWorkflow } from '../../support/service-objects.ts';
import { startTestWorker } from '../../support/test-worker.ts';

const logger = createLogger({ level: 'silent' });
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ergodic-clock-'));
let database: TestDatabase;
let user: UserRow;
let queue: JobQueue;
let worker: Worker | null = null;

beforeAll(async () => {
  database = await createTestDatabase(16);
  user = await makeUser(database.pool);
  queue = createPgBossQueue({ connection: database.connection, logger, supervise: false });
  await queue.start();
});
afterEach(async () => {
  await worker?.stop();
  worker = null;
});
afterAll(async () => {
  await queue.stop();
  fs.rmSync(folder, { recursive: true, force: true });
});

async function work(): Promise<void> {
  const { connection } = database;
  const own = createPgBossQueue({ connection, logger, supervise: true });
  const parts = { database, queue: own, filesDir: folder };
  worker = await startTestWorker(parts, { guests: testGuests, roundMs: 50 });
}

/** A call whose job and task were written three days ahead of now. */
async function orderAhead(): Promise<number> {
  const { pool } = database;
  const code = 'export default () => { console.log("carried out"); };';
  const { short_id: functionId } = await insertModel(pool, {
    ownerId: user.id,
    name: 'a function',
    tags: ['code'],
    env: 'javascript',
    lang: 'javascript',
    content: {
      tree: [{ name: 'main.js', type: 'file', bytes: Buffer.from(code), encoding: 'text' }],
      entranceFile: 'main.js',
    },
  });
  const held = await pool.connect();
  try {
    await held.query('begin');
    const { id } = await insertRequestedCall(
      { pool: held as never, queue },
      { functionId, userId: user.id, background: true, parameters: '{}', lockKey: functionId },
    );
    await execute(held, sql`update tasks set queued_at = queued_at + interval '3 days'`);
    await held.query('commit');
    return id;
  } finally {
    held.release();
  }
}

const jobsAhead = () =>
  execute(
    database.pool,
    sql`update pgboss.job set created_on = created_on + interval '3 days', start_after = start_after + interval '3 days'
        where state = 'created' and created_on < now() + interval '1 day'`,
  );

async function untilEnded(id: number) {
  for (;;) {
    const call = await findCall(database.pool, id);
    if (call?.state === 'done' || call?.state === 'failed') return call;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

it('while no worker lived: the next one carries out what waits', async () => {
  const id = await orderAhead();
  await jobsAhead();
  await work();
  expect(await untilEnded(id)).toMatchObject({ state: 'done', log: 'carried out\n' });
});

it('while a worker lives: it notices, and carries out what waits', async () => {
  const id = await orderAhead();
  await jobsAhead();
  await work();
  await untilEnded(id);
  const other = await orderAhead();
  await jobsAhead();
  // last, as with a real clock: what the worker finds brought back was all written before it
  await execute(database.pool, sql`update workers set heartbeat_at = now() + interval '3 days'`);
  expect(await untilEnded(other)).toMatchObject({ state: 'done', log: 'carried out\n' });
});

it('a run that waits for its statistics, its job lost, gets them', async () => {
  const { pool } = database;
  const settings = 'sampling: {num_chains: 1, num_warmup: 30, num_samples: 30, seed: 1}';
  const workflow = await makeWorkflow(pool, user.id, { settings });
  const { id } = await startRun(pool, { workflowId: workflow.id, ownerId: user.id });
  await execute(pool, sql`update experiment_chains set state = 'done' where experiment_id = ${id}`);
  await updateExperiment(pool, id, { status: 'SAMPLE_FIN' });
  await execute(pool, sql`delete from pgboss.job where name = 'finalise'`);
  await execute(
    pool,
    sql`update objects set updated_at = now() + interval '3 days' where id = ${id}`,
  );
  await work();
  expect(['FIN', 'ERR']).toContain((await waitForRun(pool, id)).status);
});

it('a lease from then ends as soon as any other', async () => {
  const { pool } = database;
  const lease = await takeTask(pool, { kind: 'export', subjectId: 1 });
  await execute(
    pool,
    sql`update tasks set lease_until = lease_until + interval '3 days' where kind = 'export'`,
  );
  await work();
  const left = await selectOne<{ seconds: number }>(
    pool,
    sql`select extract(epoch from lease_until - now())::float8 as seconds from tasks where kind = 'export'`,
  );
  expect(left?.seconds).toBeLessThan(21);
  if (lease !== null) await endLease(pool, lease);
});
