/** Each documented variant once, spelled out as programs without our code send it: bodies, answers and effects. */
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addDraws, startExperiment } from '../support/objects.ts';
import { createPauses } from '../support/pauses.ts';
import { createWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.service.close());

/** Ids are strings; everything else is checked. */
type Json = Record<string, unknown> & {
  readonly short_id?: string;
  readonly experiment_id?: string;
};

async function ask(method: 'GET' | 'POST', url: string, body?: unknown): Promise<Json> {
  const payload = body === undefined ? {} : { payload: JSON.stringify(body) };
  const answer = await world.service.inject({ method, url, ...payload }, world.ada.token);
  expect([url, answer.statusCode, answer.body]).toEqual([url, 200, answer.body]);
  return answer.json().data;
}
const create = (payload: Json) => ask('POST', '/api/object', { payload });
const update = (id: string | undefined, payload: Json) =>
  ask('POST', `/api/object/${id}`, { payload });
const view = (id: string | undefined, query = '') => ask('GET', `/api/object/${id}?${query}`);
const until = async <T>(look: () => Promise<T>, isThere: (seen: T) => boolean): Promise<T> => {
  const pause = createPauses(100);
  for (;;) {
    const seen = await look();
    if (isThere(seen)) return seen;
    await pause();
  }
};

describe('messages of an outside runner', () => {
  const batch = { batch_id: '2aUyqjCzEIiEcYMKj7TZtw', run_id: '7N42dgm5tFLK9N8MT7fHC7' };

  it('carry text, draws and statistics, which are stored and shown', async () => {
    const made = await create({
      object_type: 'experiment',
      name: 'outside',
      model_id: world.model,
      input_id: '',
      meta: { status: 'RUN' },
      run_on: 'local',
    });
    const id = made.short_id;
    const info = { ...batch, experiment_id: id, status: 'RUN' };
    await update(id, { object_type: 'experiment', status: 'RUN', meta: { run_info: info } });
    const text = (message: Json) => ({
      object_type: 'experiment.text_message',
      ...batch,
      // fields that public clients merge in
      experiment_id: id,
      log_group: 'g',
      datas: [{ group: `object_${id}`, type: 'object_broadcast', message }],
    });
    await update(id, text({ action: 'start' }));
    await update(id, text({ action: 'experiment:output', data: 'sampling…\n' }));
    await update(id, {
      object_type: 'experiment.protobuf_message',
      ...batch,
      logs: {
        vars: { 'chain#1': { 'mu/val': [1, 2, 3], 'extras/lp/val': [-1, -1, -1] } },
        iteration: { 'chain#1': [1, 3, 17_638_246_912_345_678_000] },
      },
    });
    await update(id, {
      object_type: 'experiment.nsample_stat',
      ...batch,
      chain_name: 'chain#1',
      n_sample: 3,
      stat: { 'mu/val': ['avg', 2] },
    });
    await update(id, text({ action: 'experiment:error', data: 'a warning' }));
    await update(id, {
      object_type: 'experiment',
      status: 'SAMPLE_FIN',
      meta: { run_info: { ...info, status: 'SAMPLE_FIN' } },
    });
    await update(id, text({ action: 'experiment:finish' }));

    const seen = await view(id);
    expect(['RUN', 'FIN']).toContain(seen.status);
    expect(seen).toMatchObject({ n_chains: 1, n_variables: 1, n_samples: 3 });
    expect(await view(id, 'stdlog=true')).toMatchObject({
      object_type: 'experiment.stdlog',
      logs: expect.stringContaining('sampling…'),
    });
    const query = `object_type=experiment&batch_id=${batch.batch_id}&run_id=${batch.run_id}`;
    expect(await view(id, query)).toMatchObject({
      object_type: 'experiment.run_info',
      status: 'SAMPLE_FIN',
    });
  });
});

describe('a workflow', () => {
  it('is created from an address, configured, analysed with older message names, and shows its result', async () => {
    const made = await create({ object_type: 'workflow', uri: 'ergodic-gallery:eight-schools' });
    expect(made).toMatchObject({ object_type: 'workflow', data_fmt: 'json' });
    const id = made.short_id;
    await update(id, {
      object_type: 'workflow',
      description: 'd',
      settings: 'sampling: {num_chains: 1, num_warmup: 5, num_samples: 5}',
      data_script: '',
      startup_script: '# none',
      experiment_id: world.experiment.short_id,
      analyzer_id: '',
    });
    // the newest client posts this without a kind
    await ask('POST', `/api/object/${id}`, {
      payload: { analyzer_result: JSON.stringify({ status: 'running' }) },
    });
    expect(await view(id, 'view-analyzer=true')).toEqual({
      object_type: 'workflow.analyzer',
      url: '',
    });
    await update(id, {
      object_type: 'workflow.analyzer_result',
      return_code: 0,
      errlines: ['a line'],
      result: gzipSync('<h1>made elsewhere</h1>').toString('base64'),
    });
    const { url } = await view(id, 'view-analyzer=true');
    const page = await world.service.inject({ method: 'GET', url: new URL(String(url)).pathname });
    expect(page.body).toContain('made elsewhere');
    expect(page.headers['content-security-policy']).toContain('sandbox');
    await update(id, { object_type: 'workflow.run_analyzer' });
    expect(await view(id)).toMatchObject({ analyzer_result: expect.stringContaining('status') });
    const run = await update(id, { object_type: 'workflow.run', startup_script: '' });
    expect(run).toMatchObject({ object_type: 'workflow.run', experiment_name: expect.any(String) });
    expect(await view(run.experiment_id)).toMatchObject({
      meta: { queue_place: expect.anything() },
    });
  });
});

describe('a relation', () => {
  it('links an event with a callback, is listed, deleted and restored', async () => {
    const event = await create({ object_type: 'event', name: 'when asked' });
    const callback = await create({
      object_type: 'callback',
      lang: 'javascript',
      code: 'export default (params) => params.n + 1',
      single_instance: true,
    });
    const relation = await create({
      object_type: 'relation',
      object1_id: event.short_id,
      object2_id: callback.short_id,
    });
    expect(relation).toMatchObject({
      object_type: 'relation',
      user_id: world.ada.row.id,
      object1_id: event.short_id,
      object2_id: callback.short_id,
    });
    const count = async () => (await ask('GET', '/api/object?object_type=relation')).total;
    expect(await count()).toBe(1);
    const remove = (query: string) =>
      world.service.inject({ method: 'DELETE', url: `/api/object?${query}` }, world.ada.token);
    const { deleted_key } = (await remove(`objids=${relation.short_id}`)).json().data;
    expect(await count()).toBe(0);
    await remove(`deleted_key=${deleted_key}`);
    expect(await count()).toBe(1);
    await update(event.short_id, {
      object_type: 'event',
      params: '{"n": 1}',
      engine: 'lambda',
      lock_key: 'one',
    });
  });
});

describe('sample data', () => {
  it('come in every fmt: csv, grist, arviz and parquet', async () => {
    for (const fmt of ['csv', 'grist', 'arviz', 'parquet']) {
      const ready = await until(
        () => view(world.experiment.short_id, `sampledata=true&fmt=${fmt}&n_iteration=2`),
        ({ progress }) => progress !== 'generating',
      );
      expect(ready).toMatchObject({
        object_type: 'experiment.sampledata',
        progress: 'done',
        message: '',
      });
      const file = await world.service.inject({
        method: 'GET',
        url: new URL(String(ready.url)).pathname,
      });
      expect([fmt, file.statusCode, file.rawPayload.length > 0]).toEqual([fmt, 200, true]);
    }
  });

  it('without draws are an empty file, and report an error with a reason if no file can be made', async () => {
    const empty = await create({ object_type: 'experiment', name: 'no draws' });
    expect(await view(empty.short_id, 'sampledata=true')).toMatchObject({ progress: 'done' });
    const { short_id: long } = await startExperiment(world.ada.client, 'long');
    await addDraws(world.service, long, { chains: 2, draws: 120_000 });
    expect(
      await until(
        () => view(long, 'sampledata=true&fmt=grist'),
        ({ progress }) => progress !== 'generating',
      ),
    ).toMatchObject({ url: null, progress: 'error', message: expect.stringContaining('Grist') });
  });

  it('are imported from a turing csv, and from data_uris', async () => {
    const turing = 'iteration,chain,mu,lp\n1,1,0.5,-1\n2,1,0.25,-2\n1,2,0.1,-1\n2,2,0.2,-1\n';
    const made = await create({
      object_type: 'experiment',
      name: 'imported',
      data_file_type: 'turing csv',
      data_files: [turing],
    });
    expect(made).toMatchObject({ status: 'FIN', n_chains: 2, n_samples: 2 });
    const fetched = await create({
      object_type: 'experiment',
      data_file_type: 'stan csv',
      data_uris: ['ergodic-gallery:eight-schools/chain_1.csv'],
    });
    expect(fetched).toMatchObject({ status: 'FIN', n_chains: 1, n_samples: 250 });
  });
});

describe('the configuration', () => {
  it('has every field that clients read, with the right type', async () => {
    expect(await ask('GET', '/sys/config')).toMatchObject({
      run_model_url: expect.stringMatching(/\/run$/),
      max_upload_sample_size: expect.any(Number),
      max_upload_sample_file: expect.any(Number),
      upload_file_types: expect.stringContaining('.nc'),
      google_client_id: '',
      google_app_id: '',
      default_model: '',
      default_data: '',
      default_analyzer: expect.stringMatching(/^M\w{7}$/),
      default_data_script: expect.stringContaining('export default'),
    });
  });
});
