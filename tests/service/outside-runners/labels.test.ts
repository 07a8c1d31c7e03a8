/** Dimension labels of a run that is sampled elsewhere: set by hand while it runs, and in everything made from it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Dataset, Group } from 'h5wasm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectKind } from '../../../src/client/expect-kind.ts';
import { sampledataSchema } from '../../../src/contract/experiment.ts';
import { draftName, loadHdf5 } from '../../../src/formats/hdf5.ts';
import { unpackTar } from '../../../src/formats/tar.ts';
import { defaultAnalyzerId } from '../../../src/service/analysis/analysis-ids.ts';
import { itWith } from '../../support/needs.ts';
import { addShare } from '../../support/objects.ts';
import { python } from '../../support/python.ts';
import { finalise, makeOutside, sendAs } from '../../support/runner-service.ts';
import { play, scriptOf } from '../../support/scripted-runner.ts';
import { createTestService, type Person, type TestService } from '../../support/service.ts';

const schools = ['School A', 'School B', 'School C'];
const indices = ['1', '2', '3'];
/** As documented clients name values, with `/val` after them. */
const variables = [
  ...indices.map((i) => `theta[${i}]/val`),
  ...indices.map((i) => `log_lik[${i}]/val`),
  'mu/val',
];

let service: TestService;
let ada: Person;
let objid: string;
const folder = mkdtempSync(path.join(tmpdir(), 'ergodic-outside-labels-'));
beforeAll(async () => {
  service = await createTestService();
  ada = await service.addPerson('ada');
  const send = sendAs(service, ada.token);
  objid = (await makeOutside(send)).short_id;
  const messages = scriptOf({
    experiment: objid,
    batch: '3VfCkpxbZkyyTJ2pbzyLzL',
    run: '5YtuMyKqJJ5yZ2pbzyLzMa',
    chains: ['chain#1', 'chain#2'],
    variables,
    batches: [30, 30],
    client: 'newest',
    // The chains are apart in theta[2], which the verdict names.
    value: (chain, variable, iteration) =>
      Math.sin(iteration * (variable + 1)) + (variable === 1 && chain === 'chain#2' ? 5 : 0),
  });
  const half = messages.findIndex(({ what }) => what === 'draws') + 1;
  await play(send, messages.slice(0, half));
  await change({ labels: { coords: { school: schools }, dims: { theta: ['school'] } } });
  await play(send, messages.slice(half));
  await finalise(service, objid);
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await service.close();
});

async function change(meta: Record<string, unknown>): Promise<void> {
  const payload = { object_type: 'experiment', meta } as const;
  await ada.client.updateObject({ params: { objid }, body: { payload } });
}
const names = async (query: { share_id?: string } = {}, by = ada.client) =>
  (await by.viewSummary({ params: { objid }, query })).variables.map(
    ({ variable, label }) => label ?? variable,
  );

const labelled = schools.map((school) => `theta[${school}]/val`);

it('labels persist through the messages of the runner, in summary and verdict', async () => {
  const { variables: rows, verdict } = await ada.client.viewSummary({
    params: { objid },
    query: {},
  });
  expect(rows.slice(0, 4).map(({ label, variable }) => label ?? variable)).toEqual([
    ...labelled,
    'mu/val',
  ]);
  const said = (verdict.checks ?? []).flatMap(({ message = '', variable = '' }) =>
    message !== '' && variable.startsWith('theta') ? [message] : [],
  );
  expect(said.join()).toContain('theta[2]/val (School B)');
});

it('labels are in the report and are frozen in a share', async () => {
  const parameters = { experiment_id: objid };
  const body = { target: defaultAnalyzerId, action: 'run', parameters, get_response: true };
  const { cloudfunction_response: report } = await ada.client.invoke({ body });
  expect(report).toContain('<td title="theta[2]/val">theta[School B]/val</td>');
  const { short_id } = await addShare(ada.client, { objid });
  await change({ labels: { coords: { school: ['x', 'y', 'z'] } } });
  expect((await names()).slice(0, 3)).toEqual(['theta[x]/val', 'theta[y]/val', 'theta[z]/val']);
  const query = { share_id: short_id };
  expect((await names(query, service.anonymous)).slice(0, 3)).toEqual(labelled);
  const shared = await service.anonymous.viewObject({ params: { objid }, query });
  expect(expectKind(shared, 'experiment').meta?.labels?.coords?.school).toEqual(schools);
  await change({ labels: { coords: { school: schools } } });
});

async function arvizFile(): Promise<Uint8Array> {
  for (;;) {
    const query = { sampledata: true, fmt: 'arviz' as const };
    const view = sampledataSchema.parse(await ada.client.viewObject({ params: { objid }, query }));
    if (view.progress === 'error') throw new Error(view.message);
    if (view.url === null) continue;
    const { rawPayload } = await service.inject({ method: 'GET', url: new URL(view.url).pathname });
    const tar = unpackTar(rawPayload);
    if (!tar.ok) throw new Error(tar.error.message);
    return tar.value.files[0].bytes;
  }
}

it('labels are coordinates of arrays in files for ArviZ', async () => {
  const hdf5 = await loadHdf5();
  const name = draftName();
  hdf5.fs.writeFile(name, await arvizFile());
  const file = new hdf5.File(name, 'r');
  const keys = (group: string) => (file.get(group) as Group).keys().toSorted();
  expect(keys('posterior')).toEqual(expect.arrayContaining(['mu', 'school', 'theta']));
  expect((file.get('posterior/theta') as Dataset).shape).toEqual([1, 60, 3]);
  expect((file.get('posterior/school') as Dataset).to_array()).toEqual(schools);
  expect(keys('log_likelihood')).toContain('log_lik');
  file.close();
  hdf5.fs.unlink(name);
});

itWith('readers', 'labels are read by xarray', async () => {
  const file = path.join(folder, 'first.nc');
  writeFileSync(file, await arvizFile());
  const script = `
import sys, json, xarray
post = xarray.open_dataset(sys.argv[1], group='posterior')
like = xarray.open_dataset(sys.argv[1], group='log_likelihood')
print(json.dumps(dict(theta=list(post.theta.dims), school=[str(x) for x in post.school.values], like=sorted(like.data_vars))))`;
  expect(await python(script, file)).toEqual({
    theta: ['chain', 'draw', 'school'],
    school: schools,
    like: ['log_lik'],
  });
});
