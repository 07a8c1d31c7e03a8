/** The end of a run: when it was, and while the database is busy. */
import { expect, it } from 'vitest';
import { expectKind } from '../../../src/client/expect-kind.ts';
import { updateExperiment } from '../../../src/service/repositories/experiments.ts';
import { findObject } from '../../../src/service/repositories/objects.ts';
import { finaliseRun } from '../../../src/service/runs/finalise.handler.ts';
import { addDraws, startExperiment } from '../../support/objects.ts';
import { createTestService } from '../../support/service.ts';

it('finalising is retried after a deadlock, and the run does not fail', async () => {
  const service = await createTestService();
  const { pool } = service.database;
  const client = service.owner.client;
  const { short_id: objid } = await startExperiment(client);
  await addDraws(service, objid, { chains: 2, draws: 20 });
  const id = (await findObject(pool, objid))?.id ?? 0;
  await updateExperiment(pool, id, { status: 'SAMPLE_FIN' });
  await pool.query(`create function lose() returns trigger language plpgsql as
    $$ begin raise exception 'deadlock detected' using errcode = '40P01'; end $$`);
  await pool.query(`create trigger lose before update on experiments for each row
    when (new.summary is not null) execute function lose()`);
  expect(await finaliseRun(pool, id)).toMatchObject({ kind: 'retry', reason: 'deadlock detected' });
  expect(await client.viewObject({ params: { objid } })).toMatchObject({
    meta: { run_info: { status: 'SAMPLE_FIN' } },
  });
  await pool.query('drop trigger lose on experiments');
  expect(await finaliseRun(pool, id)).toEqual({ kind: 'done' });
  expect(await client.viewObject({ params: { objid } })).toMatchObject({
    status: 'FIN',
    n_samples: 20,
  });
  await service.close();
});

it('a run ended when its last chain did, not when its statistics were computed', async () => {
  const service = await createTestService();
  const { pool } = service.database;
  const client = service.owner.client;
  const { short_id: objid } = await startExperiment(client);
  await addDraws(service, objid, { chains: 2, draws: 20 });
  const id = (await findObject(pool, objid))?.id ?? 0;
  await updateExperiment(pool, id, { status: 'RUN' });
  await updateExperiment(pool, id, { status: 'SAMPLE_FIN' });
  const view = async () =>
    expectKind(await client.viewObject({ params: { objid } }), 'experiment').meta;
  expect(await view()).not.toHaveProperty('finished_at');
  await pool.query(
    `update experiments set started_at = '2026-01-01T10:00:00Z', finished_at = '2026-01-01T10:00:07Z' where id = $1`,
    [id],
  );
  expect(await finaliseRun(pool, id)).toEqual({ kind: 'done' });
  expect(await view()).toMatchObject({
    finished_at: '2026-01-01T10:00:07.000Z',
    elapsed_seconds: 7,
  });
  await service.close();
});
