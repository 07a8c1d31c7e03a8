/** What `generate_quantities` reads of runs whose draws were posted: gaps, and the order of the chains. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectKind } from '../../../src/client/expect-kind.ts';
import { readSourceDraws } from '../../../src/service/runs/source-draws.ts';
import { addWorkflow } from '../../support/objects.ts';
import { finalise, makeOutside, sendAs } from '../../support/runner-service.ts';
import { deliver, drawsMessage } from '../../support/scripted-runner.ts';
import { createTestService, type Person, type TestService } from '../../support/service.ts';

let service: TestService;
let ada: Person;
beforeAll(async () => {
  service = await createTestService();
  ada = await service.addPerson('ada');
});
afterAll(() => service.close());

/** The settings of a run that reads the draws of these chains: [name, first iteration, values of mu]. */
async function settingsOf(batches: readonly [string, number, number[]][]) {
  const send = sendAs(service, ada.token);
  const { short_id: id } = await makeOutside(send);
  for (const [name, first, mu] of batches) {
    const iteration = { [name]: [first, first + mu.length - 1, 1] };
    const message = { vars: { [name]: { mu } }, iteration };
    await deliver(send, drawsMessage({ experiment: id, batch: 'b', run: 'r' }, message));
  }
  const end = { object_type: 'experiment', status: 'FIN' };
  await send('POST', `/api/object/${id}`, JSON.stringify({ payload: end }));
  await finalise(service, id);
  const workflow = await addWorkflow(ada.client, 'again');
  const settings = `sampling: {algorithm: generate_quantities, from: ${id}}`;
  await ada.client.updateObject({
    params: { objid: workflow.short_id },
    body: { payload: { object_type: 'workflow', settings, data_id: '' } },
  });
  const run = await ada.client.invoke({
    body: { target: workflow.short_id, action: 'run_sample' },
  });
  const view = await ada.client.viewObject({ params: { objid: String(run.experiment_id) } });
  return expectKind(view, 'experiment').meta?.settings ?? {};
}

async function readMu(settings: Readonly<Record<string, unknown>>, chain: number) {
  const read = await readSourceDraws(service.database.pool, settings, chain);
  if (!read.ok) throw new Error(read.error);
  return [...(read.value?.values ?? [])];
}

it('reads the draws on both sides of a gap', async () => {
  const settings = await settingsOf([
    ['a', 1, [1, 2, 3]],
    ['a', 6, [6, 7]],
    ['b', 1, [11, 12, 13, 14]],
  ]);
  expect(settings).toMatchObject({ num_chains: 2, num_samples: 5 });
  expect(await readMu(settings, 1)).toEqual([1, 2, 3, 6, 7]);
  expect(await readMu(settings, 2)).toEqual([11, 12, 13, 14]);
});

it('keeps the order of the chains, whatever their names are', async () => {
  const settings = await settingsOf([
    ['long-name', 1, [1, 2]],
    ['b', 1, [3, 4, 5]],
    ['1', 1, [6]],
  ]);
  expect(settings.from_chains).toEqual([
    { name: 'long-name', draws: 2 },
    { name: 'b', draws: 3 },
    { name: '1', draws: 1 },
  ]);
  expect(await readMu(settings, 1)).toEqual([1, 2]);
  expect(await readMu(settings, 3)).toEqual([6]);
});

it('reads settings of earlier versions, where counts are by the name of the chain', async () => {
  const settings = await settingsOf([['a', 1, [1, 2]]]);
  expect(await readMu({ ...settings, from_chains: { a: 2 } }, 1)).toEqual([1, 2]);
});
