/** The end of a run while the database is busy. */
import { expect, it } from 'vitest';
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
