/** Dimension labels: from a run's data or set by hand, in its summary, files, report and shares. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../../src/client/create-client.ts';
import { expectKind } from '../../../src/client/expect-kind.ts';
import { sampledataSchema } from '../../../src/contract/experiment.ts';
import { unpackTar } from '../../../src/formats/tar.ts';
import { defaultAnalyzerId } from '../../../src/service/analysis/analysis-ids.ts';
import { keptLabels, mostLabelText } from '../../../src/service/content/data-labels.ts';
import { ensureLayout, insertDraws } from '../../../src/service/repositories/draws.ts';
import { touchDraws, updateExperiment } from '../../../src/service/repositories/experiments.ts';
import { findObject } from '../../../src/service/repositories/objects.ts';
import { labelsOfRun } from '../../../src/service/runs/run-labels.ts';
import { itWith } from '../../support/needs.ts';
import { addData, addModel, addShare, codeOf } from '../../support/objects.ts';
import { python } from '../../support/python.ts';
import { readDrawsCsv } from '../../support/read-csv.ts';
import { createTestService, type Person, type TestService } from '../../support/service.ts';

const program = `data { int J; int T; array[J] int<lower=1, upper=T> time; }
parameters { vector[J] theta; matrix[J, T] effect; real mu; }
model { theta ~ normal(mu, 1); to_vector(effect) ~ normal(0, 1); }
generated quantities { vector[J] y_rep = theta; }
`;
const schools = ['School A', 'School B', 'School C'];
const data = {
  J: 3,
  T: 2,
  time: [1, 2, 1],
  meta__: { labels: { J: schools, time: ['early', 'late'] } },
};

let service: TestService;
let ada: Person;
let client: Client;
let objid: string;
const folder = mkdtempSync(path.join(tmpdir(), 'ergodic-labels-'));
beforeAll(async () => {
  service = await createTestService();
  ada = await service.addPerson('ada');
  client = ada.client;
  objid = await startRun(JSON.stringify(data));
  await addArrayDraws(objid);
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await service.close();
});

async function startRun(text: string): Promise<string> {
  const tree = [{ name: 'model.stan', content: program, encoding: 'text' as const }];
  const model = await addModel(client, { tree });
  const payload = {
    object_type: 'workflow',
    name: 'schools',
    model_id: model.short_id,
    data_id: (await addData(client, { data: text })).short_id,
  } as const;
  const made = expectKind(await client.createObject({ body: { payload } }), 'workflow');
  const change = {
    object_type: 'workflow',
    settings: 'sampling: {num_chains: 2, seed: 4}',
  } as const;
  await client.updateObject({ params: { objid: made.short_id }, body: { payload: change } });
  const started = await client.invoke({ body: { target: made.short_id, action: 'run_sample' } });
  return started.experiment_id as string;
}

const indices = ['1,1', '2,1', '3,1', '1,2', '2,2', '3,2'];
const columns = [
  { name: 'lp__', sampler: true },
  ...[1, 2, 3].map((i) => ({ name: `y_rep[${i}]`, block: 'generated quantities' as const })),
  ...[1, 2, 3].map((i) => ({ name: `theta[${i}]`, block: 'parameters' as const })),
  ...indices.map((index) => ({ name: `effect[${index}]`, block: 'parameters' as const })),
  { name: 'mu', block: 'parameters' as const },
];

/** Ten draws of two chains: column k of iteration i is k + i / 1000. */
async function addArrayDraws(id: string): Promise<void> {
  const { pool } = service.database;
  const experimentId = (await findObject(pool, id))?.id ?? 0;
  const layoutId = await ensureLayout(pool, experimentId, columns);
  const values = Float64Array.from(
    { length: columns.length * 10 },
    (_, at) => Math.floor(at / 10) + (at % 10) / 1000,
  );
  for (const chain of [1, 2])
    await insertDraws(pool, {
      experimentId,
      chain,
      layoutId,
      values,
      phase: 'sampling',
      firstIteration: 1,
      count: 10,
    });
  await touchDraws(pool, experimentId);
}

const view = async (query: { share_id?: string } = {}, by = client) =>
  expectKind(await by.viewObject({ params: { objid }, query }), 'experiment');
const change = async (meta: Record<string, unknown>) => {
  const payload = { object_type: 'experiment', meta } as const;
  return expectKind(
    await client.updateObject({ params: { objid }, body: { payload } }),
    'experiment',
  );
};
const names = async (query: { share_id?: string } = {}, by = client) =>
  (await by.viewSummary({ params: { objid }, query })).variables.map(
    ({ variable, label }) => label ?? variable,
  );
const download = async (fmt: 'csv' | 'arviz') => {
  const query = { sampledata: true, fmt };
  for (;;) {
    const view = await client.viewObject({ params: { objid }, query });
    const { url, progress, message } = sampledataSchema.parse(view);
    if (progress === 'error') throw new Error(message);
    if (url !== null)
      return (await service.inject({ method: 'GET', url: new URL(url).pathname })).rawPayload;
  }
};
const firstFile = async (tar: Uint8Array) => {
  const read = unpackTar(tar);
  if (!read.ok) throw new Error(read.error.message);
  const file = path.join(folder, 'first.nc');
  writeFileSync(file, read.value.files[0].bytes);
  return file;
};

const inOrder = [
  ...schools.map((school) => `theta[${school}]`),
  ...['early', 'late'].flatMap((time) => schools.map((school) => `effect[${school},${time}]`)),
  'mu',
  ...schools.map((school) => `y_rep[${school}]`),
  'lp__',
];

describe('labels of the data', () => {
  it('apply to the variables whose sizes they name, in the order of kinds', async () => {
    expect((await view()).meta?.labels).toEqual({
      coords: { J: schools, time: ['early', 'late'] },
      dims: { theta: ['J'], effect: ['J', 'time'], y_rep: ['J'] },
    });
    expect(await names()).toEqual(inOrder);
    const { variables } = await client.viewSummary({ params: { objid }, query: {} });
    expect(variables[0]).toMatchObject({ variable: 'theta[1]', block: 'parameters' });
  });

  it('are in the report, with the name as a tooltip, and not in lists', async () => {
    const answer = await client.invoke({
      body: {
        target: defaultAnalyzerId,
        action: 'run',
        parameters: { experiment_id: objid },
        get_response: true,
      },
    });
    expect(answer.cloudfunction_response).toContain('<td title="theta[3]">theta[School C]</td>');
    const { objects } = await client.listObjects({ query: { object_type: 'experiment' } });
    expect(objects.find(({ short_id }) => short_id === objid)).not.toHaveProperty('meta.labels');
  });

  it('are in the verdict on the page and in lists, reports and shares', async () => {
    const { pool } = service.database;
    const message = 'R-hat above 1.01 in 2 of 14 variables, worst theta[3] 1.042';
    const verdict = {
      state: 'bad',
      headline: 'effect[2,1] has 4 draws that are not finite; 2 checks failed',
      checks: [
        { name: 'rhat', status: 'failed', tone: 'bad', variable: 'theta[3]', message },
        {
          name: 'non_finite',
          status: 'failed',
          variable: 'effect[2,1]',
          message: 'effect[2,1] has 4 draws that are not finite',
        },
        { name: 'ess_bulk', status: 'failed', variable: 'mu', message: 'Bulk ESS of mu is 9' },
      ],
    };
    const experimentId = (await findObject(pool, objid))?.id ?? 0;
    await updateExperiment(pool, experimentId, { meta: { verdict } });
    const said = {
      headline: 'effect[2,1] (School B, early) has 4 draws that are not finite; 2 checks failed',
      checks: [
        { message: 'R-hat above 1.01 in 2 of 14 variables, worst theta[3] (School C) 1.042' },
        { message: 'effect[2,1] (School B, early) has 4 draws that are not finite' },
        { message: 'Bulk ESS of mu is 9' },
      ],
    };
    expect((await view()).meta?.verdict).toMatchObject(said);
    const { objects } = await client.listObjects({ query: { object_type: 'experiment' } });
    const entry = objects.find(({ short_id }) => short_id === objid);
    expect(entry).toMatchObject({ meta: { verdict: said } });
    const share = await addShare(client, { objid });
    const shared = await view({ share_id: share.short_id });
    expect(shared.meta?.verdict).toMatchObject(said);
    const answer = await client.invoke({
      body: {
        target: defaultAnalyzerId,
        action: 'run',
        parameters: { experiment_id: objid },
        get_response: true,
      },
    });
    expect(answer.cloudfunction_response).toContain('worst theta[3] (School C) 1.042');
    await updateExperiment(pool, experimentId, { meta: { verdict: null } });
  });

  it('are dropped if they are too long for an experiment, or if no variable has them', () => {
    const long = Array.from({ length: 2 }, () => 'x'.repeat(mostLabelText / 2));
    expect(keptLabels({ labels: { J: long } })).toEqual({});
    expect(keptLabels({ labels: { J: schools } })).toEqual({ J: schools });
    expect(labelsOfRun(new Map([['theta', [['J']]]]), { K: ['a'] })).toBeNull();
  });
});

describe('files', () => {
  itWith('readers', 'for ArviZ have coordinates and dimensions that xarray reads', async () => {
    const file = await firstFile(await download('arviz'));
    const script = `
import sys, json, xarray
post = xarray.open_dataset(sys.argv[1], group='posterior')
print(json.dumps(dict(
  theta=list(post.theta.dims), effect=list(post.effect.dims), mu=list(post.mu.dims),
  J=[str(x) for x in post.J.values], time=[str(x) for x in post.time.values],
  at=float(post.effect.sel(J='School B', time='late').values[0][1]), flat=float(post.theta.sel(J='School C').values[0][0]),
  left=post.attrs.get('chains_left_out'))))`;
    expect(await python(script, file)).toEqual({
      theta: ['chain', 'draw', 'J'],
      effect: ['chain', 'draw', 'J', 'time'],
      mu: ['chain', 'draw'],
      J: schools,
      time: ['early', 'late'],
      at: columns.findIndex(({ name }) => name === 'effect[2,2]') + 0.001,
      flat: columns.findIndex(({ name }) => name === 'theta[3]'),
      left: null,
    });
  });

  itWith('readers', 'for documented clients have flat names and name marked chains', async () => {
    await change({ chains_left_out: ['chain#1'] });
    const direct = new Uint8Array(await client.viewArvizData({ query: { experiment_id: objid } }));
    const script = `
import sys, json, xarray
post = xarray.open_dataset(sys.argv[1], group='posterior')
print(json.dumps(dict(names=sorted(post.data_vars), left=post.attrs['chains_left_out'], own=post.attrs['left_out'])))`;
    const seen = (await python(script, await firstFile(direct))) as { names: string[] };
    expect(seen).toMatchObject({ left: 'chain#1', own: 'yes' });
    expect(seen.names).toContain('theta%5B3%5D');
    await change({ chains_left_out: [] });
  });

  it('in long form mark only the draws of chains that are left out', async () => {
    const read = async () => readDrawsCsv((await download('csv')).toString());
    const before = await read();
    expect(before.variables.map(({ variable }) => variable)).not.toContain('left_out__');
    expect(before.variables.map(({ variable }) => variable)).toContain('theta[3]');
    await change({ chains_left_out: ['chain#2'] });
    await touchDraws(
      service.database.pool,
      (await findObject(service.database.pool, objid))?.id ?? 0,
    );
    const marks = (await read()).variables.find(({ variable }) => variable === 'left_out__');
    expect(marks?.chains.map((chain) => [...new Set(chain)])).toEqual([[0], [1]]);
    await change({ chains_left_out: [] });
  });
});

describe('labels set by hand', () => {
  it('are merged by name, appear in the next file at once, and are removed with null', async () => {
    await download('arviz');
    const changed = await change({ labels: { coords: { J: ['a', 'b'] } } });
    expect(changed.meta?.labels?.coords).toEqual({ J: ['a', 'b'], time: ['early', 'late'] });
    expect((await names()).slice(0, 3)).toEqual(['theta[a]', 'theta[b]', 'theta[3]']);
    const text = Buffer.from(await download('arviz')).toString('latin1');
    expect(text).not.toContain('School A');
    await change({ labels: { dims: { theta: null } } });
    expect((await names()).slice(0, 4)).toEqual([
      'theta[1]',
      'theta[2]',
      'theta[3]',
      'effect[a,early]',
    ]);
    await change({ labels: { coords: { J: schools }, dims: { theta: ['J'] } } });
    expect(await names()).toEqual(inOrder);
  });

  it.each([[{ coords: [] }], [{ dims: { theta: 'J' } }], [{ coords: { J: [1] } }], ['J']])(
    'in another form, such as %j, are refused',
    async (labels) => {
      expect(await codeOf(change({ labels }))).toBe('INVALID_PARAMETER');
    },
  );

  it('that are too long for an experiment are refused', async () => {
    const labels = { coords: { J: ['x'.repeat(2 * mostLabelText)] } };
    expect(await codeOf(change({ labels }))).toBe('LIMIT_EXCEEDED');
  });
});

it('a share freezes labels and the variables that its owner was viewing', async () => {
  const { short_id: shareId } = await addShare(client, { objid, shown_variables: ['mu', 'theta'] });
  const { short_id: plain } = await addShare(client, { objid });
  await change({ labels: { coords: { J: ['later'] } } });
  const query = { share_id: shareId };
  const shared = await view(query, service.anonymous);
  expect(shared.meta?.shown_variables).toEqual(['mu', 'theta']);
  expect(shared.meta?.labels?.coords?.J).toEqual(schools);
  expect(await names(query, service.anonymous)).toEqual(inOrder);
  const other = await view({ share_id: plain }, service.anonymous);
  expect(other.meta).not.toHaveProperty('shown_variables');
  await change({ labels: { coords: { J: schools } } });
});
