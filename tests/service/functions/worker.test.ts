import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { insertRequestedCall } from '../../../src/service/functions/request-call.ts';
import { createGuestPool } from '../../../src/service/guests/guest-pool.ts';
import type { JobQueue } from '../../../src/service/jobs/job-queue.ts';
import { createPgBossQueue } from '../../../src/service/jobs/pg-boss-queue.ts';
import { createLogger } from '../../../src/service/logging.ts';
import { execute, sql } from '../../../src/service/repositories/database.ts';
import { claimCall, findCall } from '../../../src/service/repositories/function-calls.ts';
import { insertModel } from '../../../src/service/repositories/models.ts';
import type { UserRow } from '../../../src/service/repositories/users.ts';
import { updateWorkflow } from '../../../src/service/repositories/workflows.ts';
import { startRun } from '../../../src/service/runs/start-run.ts';
import type { Worker } from '../../../src/service/worker/worker-loop.ts';
import { bundleWorker } from '../../support/bundle-worker.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { testGuests } from '../../support/guests.ts';
import { waitForRun } from '../../support/run-waiting.ts';
import { makeUser, makeWorkflow } from '../../support/service-objects.ts';
import { startTestWorker } from '../../support/test-worker.ts';

const logger = createLogger({ level: 'silent' });
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ergodic-functions-'));
let database: TestDatabase;
let user: UserRow;
let queue: JobQueue;
let worker: Worker | null = null;

beforeAll(async () => {
  database = await createTestDatabase(16);
  user = await makeUser(database.pool);
  queue = createPgBossQueue({ connection: database.connection, logger, supervise: false });
});
afterEach(async () => {
  await worker?.stop();
  worker = null;
});
afterAll(async () => {
  await queue.stop();
  fs.rmSync(folder, { recursive: true, force: true });
});

async function work(guests = testGuests): Promise<void> {
  const { connection } = database;
  const own = createPgBossQueue({ connection, logger, supervise: true });
  worker = await startTestWorker(
    { database, queue: own, filesDir: folder },
    { guests, flushMs: 20 },
  );
}

/** A call without response of a function that logs what it gets. */
async function order(text: string, code = 'export default ({ text }) => { console.log(text); };') {
  const { short_id: functionId } = await insertModel(database.pool, {
    ownerId: user.id,
    name: 'a function',
    tags: ['code'],
    content: {
      tree: [{ name: 'main.js', type: 'file', bytes: Buffer.from(code), encoding: 'text' }],
      entranceFile: 'main.js',
    },
  });
  return insertRequestedCall(
    { pool: database.pool, queue },
    {
      functionId,
      userId: user.id,
      background: true,
      parameters: JSON.stringify({ text }),
      lockKey: functionId,
    },
  );
}

async function untilEnded(id: number) {
  for (;;) {
    const call = await findCall(database.pool, id);
    if (call?.state === 'done' || call?.state === 'failed') return call;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

it('a call ordered while no worker lives is carried out by the next one', async () => {
  const { id } = await order('later');
  await work();
  expect(await untilEnded(id)).toMatchObject({ state: 'done', log: 'later\n', attempts: 1 });
});

it('a call whose worker was killed, job and all, is run again', async () => {
  const call = await order('again');
  expect(await claimCall(database.pool, call)).not.toBeNull();
  await execute(
    database.pool,
    sql`update tasks set lease_until = now() - interval '1 second' where kind = 'call' and subject_id = ${call.id}`,
  );
  await execute(database.pool, sql`delete from pgboss.job where name = 'function_call'`);
  await work();
  expect(await untilEnded(call.id)).toMatchObject({ state: 'done', log: 'again\n', attempts: 2 });
});

it('a call that the end of its worker cuts off waits for the next one', async () => {
  const { id } = await order('long', 'export default () => { for (;;); };');
  const bundle = await bundleWorker('src/service/guests/node-guest-worker.ts');
  // its own, which it ends when it is stopped
  const guests = createGuestPool({ place: { programFile: fileURLToPath(bundle.url) } });
  await work(guests);
  while ((await findCall(database.pool, id))?.state !== 'running')
    await new Promise((resolve) => setTimeout(resolve, 20));
  await worker?.stop();
  worker = null;
  await bundle.remove();
  expect(await findCall(database.pool, id)).toMatchObject({ state: 'waiting', error: null });
  await execute(database.pool, sql`delete from tasks where kind = 'call' and subject_id = ${id}`);
});

it('a run with a data script draws from the data that the script gave', async () => {
  const { pool } = database;
  const source =
    'data { int N; array[N] real y; } parameters { real mu; } model { mu ~ normal(0, 1); y ~ normal(mu, 1); }';
  const workflow = await makeWorkflow(pool, user.id, {
    source,
    data: '{"y": [1, 2, 3, 4]}',
    settings: 'sampling: {num_chains: 1, num_warmup: 50, num_samples: 50, seed: 1}',
  });
  const dataScript = 'export default (workflow, data) => ({ N: data.y.length, y: data.y });';
  await updateWorkflow(pool, workflow.id, { dataScript });
  const experiment = await startRun(pool, { workflowId: workflow.id, ownerId: user.id });
  // no job was sent, as if it had been lost: the worker's round finds the run
  await execute(
    pool,
    sql`update objects set updated_at = now() - interval '1 minute' where id = ${experiment.id}`,
  );
  await work();
  const ended = await waitForRun(pool, experiment.id);
  expect(ended).toMatchObject({ status: 'FIN', n_samples: 50 });
});
