/** A machine's clock was days ahead and then corrected: work requested meanwhile does not wait for those days. */
import { expect, it } from 'vitest';
import { insertRequestedCall } from '../../../src/service/functions/request-call.ts';
import { execute, selectOne, sql } from '../../../src/service/repositories/database.ts';
import { updateExperiment } from '../../../src/service/repositories/experiments.ts';
import { findCall } from '../../../src/service/repositories/function-calls.ts';
import { insertModel } from '../../../src/service/repositories/models.ts';
import { endLease, takeTask } from '../../../src/service/repositories/tasks.ts';
import { startRun } from '../../../src/service/runs/start-run.ts';
import { testGuests } from '../../support/guests.ts';
import { waitForRun } from '../../support/run-waiting.ts';
import { makeWorkflow } from '../../support/service-objects.ts';
import { useWorkPlace } from '../../support/work-place.ts';

const place = useWorkPlace({ guests: testGuests, roundMs: 50 });

/** A call whose job and task were written three days ahead of now. */
async function orderAhead(): Promise<number> {
  const { pool } = place;
  const code = 'export default () => { console.log("carried out"); };';
  const { short_id: functionId } = await insertModel(pool, {
    ownerId: place.user.id,
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
      { pool: held as never, queue: place.queue },
      {
        functionId,
        userId: place.user.id,
        background: true,
        parameters: '{}',
        lockKey: functionId,
      },
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
    place.pool,
    sql`update pgboss.job set created_on = created_on + interval '3 days', start_after = start_after + interval '3 days'
        where state = 'created' and created_on < now() + interval '1 day'`,
  );

async function untilEnded(id: number) {
  for (;;) {
    const call = await findCall(place.pool, id);
    if (call?.state === 'done' || call?.state === 'failed') return call;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

it('a call from before the clock was set back runs when the next worker starts', async () => {
  const id = await orderAhead();
  await jobsAhead();
  await place.work();
  expect(await untilEnded(id)).toMatchObject({ state: 'done', log: 'carried out\n' });
});

it('a call from before the clock was set back runs in a worker that is already running', async () => {
  const id = await orderAhead();
  await jobsAhead();
  await place.work();
  await untilEnded(id);
  const other = await orderAhead();
  await jobsAhead();
  // last, as with a real clock: what the worker finds brought back was all written before it
  await execute(place.pool, sql`update workers set heartbeat_at = now() + interval '3 days'`);
  expect(await untilEnded(other)).toMatchObject({ state: 'done', log: 'carried out\n' });
});

it('a run that waits for its statistics gets them after the clock was set back', async () => {
  const { pool } = place;
  const settings = 'sampling: {num_chains: 1, num_warmup: 30, num_samples: 30, seed: 1}';
  const workflow = await makeWorkflow(pool, place.user.id, { settings });
  const { id } = await startRun(pool, { workflowId: workflow.id, ownerId: place.user.id });
  await execute(pool, sql`update experiment_chains set state = 'done' where experiment_id = ${id}`);
  await updateExperiment(pool, id, { status: 'SAMPLE_FIN' });
  await execute(pool, sql`delete from pgboss.job where name = 'finalise'`);
  await execute(
    pool,
    sql`update objects set updated_at = now() + interval '3 days' where id = ${id}`,
  );
  await place.work();
  expect(['FIN', 'ERR']).toContain((await waitForRun(pool, id)).status);
});

it('a lease from before the clock was set back ends as soon as any other', async () => {
  const { pool } = place;
  const lease = await takeTask(pool, { kind: 'export', subjectId: 1 });
  await execute(
    pool,
    sql`update tasks set lease_until = lease_until + interval '3 days' where kind = 'export'`,
  );
  await place.work();
  const left = await selectOne<{ seconds: number }>(
    pool,
    sql`select extract(epoch from lease_until - now())::float8 as seconds from tasks where kind = 'export'`,
  );
  expect(left?.seconds).toBeLessThan(21);
  if (lease !== null) await endLease(pool, lease);
});
