import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { insertRequestedCall } from '../../../src/service/functions/request-call.ts';
import { createGuestPool } from '../../../src/service/guests/guest-pool.ts';
import { execute, sql } from '../../../src/service/repositories/database.ts';
import { claimCall, findCall } from '../../../src/service/repositories/function-calls.ts';
import { insertModel } from '../../../src/service/repositories/models.ts';
import { updateWorkflow } from '../../../src/service/repositories/workflows.ts';
import { startRun } from '../../../src/service/runs/start-run.ts';
import { bundleWorker } from '../../support/bundle-worker.ts';
import { testGuests } from '../../support/guests.ts';
import { waitForRun } from '../../support/run-waiting.ts';
import { makeWorkflow } from '../../support/service-objects.ts';
import { useWorkPlace } from '../../support/work-place.ts';

const place = useWorkPlace({ guests: testGuests, flushMs: 20 });

/** A call, without response, of a function that logs its input. */
async function order(text: string, code = 'export default ({ text }) => { console.log(text); };') {
  const { short_id: functionId } = await insertModel(place.pool, {
    ownerId: place.user.id,
    name: 'a function',
    tags: ['code'],
    content: {
      tree: [{ name: 'main.js', type: 'file', bytes: Buffer.from(code), encoding: 'text' }],
      entranceFile: 'main.js',
    },
  });
  return insertRequestedCall(
    { pool: place.pool, queue: place.queue },
    {
      functionId,
      userId: place.user.id,
      background: true,
      parameters: JSON.stringify({ text }),
      lockKey: functionId,
    },
  );
}

async function untilEnded(id: number) {
  for (;;) {
    const call = await findCall(place.pool, id);
    if (call?.state === 'done' || call?.state === 'failed') return call;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

it('a call made while no worker is alive is carried out by the next one', async () => {
  const { id } = await order('later');
  await place.work();
  expect(await untilEnded(id)).toMatchObject({ state: 'done', log: 'later\n', attempts: 1 });
});

it('a call whose worker and job were lost runs again', async () => {
  const call = await order('again');
  expect(await claimCall(place.pool, call)).not.toBeNull();
  await execute(
    place.pool,
    sql`update tasks set lease_until = now() - interval '1 second' where kind = 'call' and subject_id = ${call.id}`,
  );
  await execute(place.pool, sql`delete from pgboss.job where name = 'function_call'`);
  await place.work();
  expect(await untilEnded(call.id)).toMatchObject({ state: 'done', log: 'again\n', attempts: 2 });
});

it('a call that is interrupted when its worker stops waits for the next worker', async () => {
  const { id } = await order('long', 'export default () => { for (;;); };');
  const bundle = await bundleWorker('src/service/guests/node-guest-worker.ts');
  // its own guests, which the worker ends when it stops
  const guests = createGuestPool({ place: { programFile: fileURLToPath(bundle.url) } });
  await place.work({ guests });
  while ((await findCall(place.pool, id))?.state !== 'running')
    await new Promise((resolve) => setTimeout(resolve, 20));
  await place.stopWork();
  await bundle.remove();
  expect(await findCall(place.pool, id)).toMatchObject({ state: 'waiting', error: null });
  await execute(place.pool, sql`delete from tasks where kind = 'call' and subject_id = ${id}`);
});

it('a run with a data script samples with the data that the script returned', async () => {
  const { pool } = place;
  const source =
    'data { int N; array[N] real y; } parameters { real mu; } model { mu ~ normal(0, 1); y ~ normal(mu, 1); }';
  const workflow = await makeWorkflow(pool, place.user.id, {
    source,
    data: '{"y": [1, 2, 3, 4]}',
    settings: 'sampling: {num_chains: 1, num_warmup: 50, num_samples: 50, seed: 1}',
  });
  const dataScript = 'export default (workflow, data) => ({ N: data.y.length, y: data.y });';
  await updateWorkflow(pool, workflow.id, { dataScript });
  const experiment = await startRun(pool, { workflowId: workflow.id, ownerId: place.user.id });
  // no job was sent, as if it had been lost: the worker's round finds the run
  await execute(
    pool,
    sql`update objects set updated_at = now() - interval '1 minute' where id = ${experiment.id}`,
  );
  await place.work();
  const ended = await waitForRun(pool, experiment.id);
  expect(ended).toMatchObject({ status: 'FIN', n_samples: 50 });
});
