/** Chains left out of summary, verdict and plots: recorded, judged at once, taken back, and frozen by a share. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectKind } from '../../../src/client/expect-kind.ts';
import { decodeDraws } from '../../../src/contract/draws.ts';
import type { Experiment } from '../../../src/contract/experiment.ts';
import { readZip } from '../../../src/formats/archive.ts';
import { defaultAnalyzerId, plotFunctionId } from '../../../src/service/analysis/analysis-ids.ts';
import { updateExperiment } from '../../../src/service/repositories/experiments.ts';
import { findObject } from '../../../src/service/repositories/objects.ts';
import { finaliseRun } from '../../../src/service/runs/finalise.handler.ts';
import { addDraws, addShare, codeOf, startExperiment } from '../../support/objects.ts';
import { createTestService, type Person, type TestService } from '../../support/service.ts';
import { addEndedRun } from '../verdict/verdict-runs.ts';

let service: TestService;
let ada: Person;
let bob: Person;
beforeAll(async () => {
  service = await createTestService();
  ada = await service.addPerson('ada');
  bob = await service.addPerson('bob');
});
afterAll(() => service.close());

async function leaveOut(objid: string, chains: unknown, { client } = ada): Promise<Experiment> {
  const payload = { object_type: 'experiment', meta: { chains_left_out: chains } } as const;
  return expectKind(
    await client.updateObject({ params: { objid }, body: { payload } }),
    'experiment',
  );
}

async function seen(objid: string, shareId = '') {
  const [params, query] = [{ objid }, { share_id: shareId }];
  const view = expectKind(await ada.client.viewObject({ params, query }), 'experiment');
  return { view, summary: await ada.client.viewSummary({ params, query }) };
}

const uneven = { lengths: [400, 400, 150, 0], isStopped: true };

it('leaving out chains changes view, list and summary at once, and can be undone', async () => {
  const objid = await addEndedRun(service, ada, 'uneven', uneven);
  const before = await seen(objid);
  expect(before.summary).toMatchObject({ n_chains: 3, n_samples: 150 });
  expect(before.view.meta?.verdict?.headline).toBe('No verdict: chain 4 has no draws');

  const changed = await leaveOut(objid, ['chain#4', 'chain#3']);
  expect(changed.meta?.chains_left_out).toEqual(['chain#3', 'chain#4']);
  const headline = 'Looks converged (without chains 3 and 4)';
  expect(changed.meta?.verdict).toMatchObject({
    state: 'good',
    headline,
    chains: ['chain#1', 'chain#2'],
    chains_left_out: ['chain#3', 'chain#4'],
    draws: 400,
    draws_left_out: 0,
  });
  const after = await seen(objid);
  // only a view gives the address of the data, which is signed each time
  const { data_path: address, ...rest } = after.view.meta ?? {};
  expect(address).toMatch(/^http/);
  expect({ ...after.view, meta: rest }).toEqual(changed);
  expect(after.summary).toMatchObject({ n_chains: 2, n_samples: 400, verdict: { headline } });
  expect(after.summary.chains.map(({ n_samples }) => n_samples)).toEqual([400, 400, 150, 0]);
  expect(after.summary.variables[0].mean).not.toBe(before.summary.variables[0].mean);
  const { objects } = await ada.client.listObjects({ query: { object_type: 'experiment' } });
  expect(objects.find(({ short_id }) => short_id === objid)).toMatchObject({
    meta: { verdict: { headline } },
  });

  const back = await leaveOut(objid, []);
  expect(back.meta).not.toHaveProperty('chains_left_out');
  const { revision: _, ...restored } = (await seen(objid)).summary;
  const { revision: __, ...first } = before.summary;
  expect(restored).toEqual(first);
});

it('a failed chain that is left out does not make the run fail', async () => {
  const failure = 'The inits cannot be used.';
  const objid = await addEndedRun(service, ada, 'failed', { ...uneven, isStopped: false, failure });
  const before = (await seen(objid)).view;
  const message = `1 of 4 chains failed. Chain 4: ${failure}`;
  expect(before).toMatchObject({ status: 'ERR', meta: { error: { message } } });
  const { status, meta } = await leaveOut(objid, ['chain#4']);
  expect([status, meta?.error]).toEqual(['FIN', undefined]);
  expect(await leaveOut(objid, null)).toMatchObject({
    status: 'ERR',
    meta: { error: { message } },
  });
});

it('leaving out chains keeps every draw: counts and draws are those of all chains', async () => {
  const objid = await addEndedRun(service, ada, 'kept', uneven);
  await leaveOut(objid, ['chain#3']);
  const { view } = await seen(objid);
  expect(view).toMatchObject({ n_chains: 3, n_samples: 150 });
  const body = await ada.client.viewDraws({ params: { objid }, query: { variable: ['mu'] } });
  const counts = decodeDraws(body).header.columns.map(({ chain, count }) => [chain, count]);
  expect(Object.fromEntries(counts)).toEqual({ 'chain#1': 400, 'chain#2': 400, 'chain#3': 150 });
});

it('leaving out chains is refused for unknown or all chains, invalid lists and other users', async () => {
  const objid = await addEndedRun(service, ada, 'refused', uneven);
  const all = ['chain#1', 'chain#2', 'chain#3', 'chain#4'];
  for (const wrong of [['chain#9'], all, 'chain#3', [3]])
    expect(await codeOf(leaveOut(objid, wrong))).toBe('INVALID_PARAMETER');
  expect(await codeOf(leaveOut(objid, ['chain#3'], bob))).toBe('PERMISSION_DENIED');
  const { short_id } = await addShare(ada.client, { objid });
  expect((await seen(objid, short_id)).view.meta?.chains_left_out).toBeUndefined();
  expect((await seen(objid)).view.meta).not.toHaveProperty('chains_left_out');
});

it('a share freezes which chains are left out', async () => {
  const objid = await addEndedRun(service, ada, 'shared', uneven);
  const whole = await addShare(ada.client, { objid });
  await leaveOut(objid, ['chain#3', 'chain#4']);
  const without = await addShare(ada.client, { objid });
  await leaveOut(objid, null);

  const early = await seen(objid, whole.short_id);
  expect(early.view.meta?.chains_left_out).toBeUndefined();
  expect(early.summary).toMatchObject({ n_chains: 3, n_samples: 150 });
  const late = await seen(objid, without.short_id);
  expect(late.view.meta?.chains_left_out).toEqual(['chain#3', 'chain#4']);
  expect(late.summary).toMatchObject({ n_chains: 2, n_samples: 400 });
  expect(late.summary.verdict).toEqual(late.view.meta?.verdict);
});

it('report and plotting function name chains that are left out, and show the others', async () => {
  const objid = await addEndedRun(service, ada, 'reported', uneven);
  const call = async (target: string, parameters: Record<string, unknown>) =>
    (
      await ada.client.invoke({
        body: {
          target,
          action: 'run',
          parameters: { experiment_id: objid, ...parameters },
          get_response: true,
        },
      })
    ).cloudfunction_response;
  const textOf = (report: unknown) => String(report).replaceAll(/<[^>]+>/g, '');
  const first = textOf(await call(defaultAnalyzerId, {}));
  expect(first).toContain('Draws 3 chains × 150 of 950');
  expect(first).toContain(
    'R-hat, ESS and summary use only the first 150 draws of each chain, 450 of 950: chain 3 is the shortest.',
  );
  await leaveOut(objid, ['chain#3', 'chain#4']);
  const second = textOf(await call(defaultAnalyzerId, { again: 1 }));
  expect(second).toContain('Looks converged (without chains 3 and 4).');
  expect(second).toContain('Chains 3 and 4 are left out (150 draws).');
  expect(second).not.toContain('chain#3');

  const plot = { plot_func: 'trace', plot_var: 'mu', return_type: 'plotly' };
  const drawn = (await call(plotFunctionId, plot)) as { notes: string[]; plots: unknown };
  expect(drawn.notes).toContain('Chain 3 is left out.');
  expect(JSON.stringify(drawn.plots)).not.toContain('chain#3');
  const asked = (await call(plotFunctionId, { ...plot, plot_chain: 'chain#3' })) as {
    notes: string[];
  };
  expect(asked.notes).toEqual([]);
});

it('chains left out during a run stay left out when it ends', async () => {
  const { client } = ada;
  const { pool } = service.database;
  const { short_id: objid } = await startExperiment(client);
  const going = await leaveOut(objid, ['chain#2']);
  expect(going.meta?.chains_left_out).toEqual(['chain#2']);
  expect(going.meta?.verdict ?? null).toBeNull();
  await addDraws(service, objid, { chains: 2, draws: 200, value: (_, __, i) => Math.sin(i * i) });
  const id = (await findObject(pool, objid))?.id ?? 0;
  await updateExperiment(pool, id, { status: 'SAMPLE_FIN' });
  expect(await finaliseRun(pool, id)).toEqual({ kind: 'done' });
  const { view, summary } = await seen(objid);
  expect(view.meta?.verdict).toMatchObject({ chains: ['chain#1'], chains_left_out: ['chain#2'] });
  expect(summary).toMatchObject({ n_chains: 1, n_samples: 200 });
});

it('the package of a run names chains that are left out', async () => {
  const { short_id: objid } = await startExperiment(ada.client);
  await leaveOut(objid, ['chain#2']);
  const answer = await service.inject({ url: `/download/${objid}?fmt=zip` }, ada.token);
  const read = readZip(answer.rawPayload);
  const readme = read.ok && read.value.files.find(({ path }) => path.endsWith('README.txt'));
  expect(readme && Buffer.from(readme.bytes).toString()).toContain(
    'The summary, verdict and plots of the run leave out chain#2; the draw files include all chains.',
  );
});

it('if R-hat is too high, the chain without which the others agree is named', async () => {
  const four = [400, 400, 400, 400];
  const stray = await addEndedRun(service, ada, 'stray', { lengths: four, shift: 5 });
  const apart = (await seen(stray)).summary.chains.map((chain) => chain.is_apart ?? false);
  expect(apart).toEqual([true, false, false, false]);
  const fine = await addEndedRun(service, ada, 'fine', { lengths: four });
  expect((await seen(fine)).summary.chains.some((chain) => chain.is_apart)).toBe(false);
});
