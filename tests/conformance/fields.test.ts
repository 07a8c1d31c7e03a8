/** Fields and defaults of the documented objects, read from plain answers: each field is there, with its type. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.service.close());

const anyDate = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
const anyText = expect.any(String);
const anyNumber = expect.any(Number);

/** Ids are strings; everything else is checked. */
type Json = Record<string, unknown> & {
  readonly short_id?: string;
  readonly experiment_id?: string;
};

async function ask(method: 'GET' | 'POST', url: string, payload?: Json): Promise<Json> {
  const body = payload === undefined ? {} : { payload: JSON.stringify({ payload }) };
  const answer = await world.service.inject({ method, url, ...body }, world.ada.token);
  expect([url, answer.statusCode, answer.body]).toEqual([url, 200, answer.body]);
  return answer.json().data;
}
const create = (payload: Json) => ask('POST', '/api/object', payload);
const view = (id: string | undefined) => ask('GET', `/api/object/${id}`);
const firstOf = async (kind: string) => {
  const page = await ask('GET', `/api/object?object_type=${kind}&page_size=1`);
  return (page.objects as Json[])[0];
};

describe('a model', () => {
  it('created without fields has every documented field with its default', async () => {
    const fields = {
      object_type: 'model',
      id: anyNumber,
      short_id: expect.stringMatching(/^M[0-9A-Za-z]{7}$/),
      name: '',
      tags: ['model'],
      meta: { github: null, commit_id: null, origin_url: null, fixed_version_url: null },
      lambda_image_url: '',
      lambda_image_name: '',
      env: '',
      lang: '',
      single_instance: true,
    };
    const made = await create({ object_type: 'model' });
    expect(made).toMatchObject(fields);
    expect(await firstOf('model')).toMatchObject(fields);
    expect(await view(made.short_id)).toMatchObject(fields);
  });

  it('keeps project_file, entrance_file, entrance_func and manifest of its content', async () => {
    const meta = {
      project_file: 'P.toml',
      entrance_file: 'mainmain.jl',
      entrance_func: 'build',
      manifest: 'M.toml',
    };
    const tree = [
      { name: 'mainmain.jl', type: 'file', content: 'Zg==' },
      {
        name: 'inner',
        type: 'folder',
        children: [
          { name: 'a.txt', type: 'file', content: 'YQ==' },
          { name: 'innerinner', type: 'folder', children: [] },
        ],
      },
    ];
    const made = await create({
      object_type: 'model',
      type: 'local',
      name: 'm',
      content: { meta, tree },
      lambda_image: true,
      single_instance: false,
      lang: 'julia',
    });
    const seen = await view(made.short_id);
    expect(seen).toMatchObject({ single_instance: false, lang: 'julia', content: { meta } });
    const inner = (seen.content as { tree: Json[] }).tree[1];
    expect(inner).toMatchObject({ name: 'inner', type: 'folder' });
    expect(inner.children).toMatchObject([{ name: 'a.txt', content: 'YQ==' }, { children: [] }]);
  });
});

describe('an experiment', () => {
  it('created without fields has every documented field with its default', async () => {
    const fields = {
      object_type: 'experiment',
      short_id: expect.stringMatching(/^X[0-9A-Za-z]{7}$/),
      name: '',
      model_id: '',
      model_name: '',
      status: 'NEW',
      n_chains: 0,
      n_variables: 0,
      n_samples: 0,
      sample_update_time: anyDate,
      run_on: 'lambda',
      workflow_id: '',
      workflow_name: '',
    };
    const made = await create({ object_type: 'experiment' });
    expect(made).toMatchObject({ ...fields, input: null });
    expect(await firstOf('experiment')).toMatchObject({
      ...fields,
      meta: { action: '', iteration_count: 0 },
    });
    expect(await view(made.short_id)).toMatchObject(fields);
  });

  it('uses input_id as its input, keeps meta and run_on as sent, and gets its counts from an update', async () => {
    const made = await create({
      object_type: 'experiment',
      name: 'x',
      model_id: world.model,
      input_id: world.data,
      meta: { status: 'RUN', note: 'n' },
      run_on: 'Fargate',
    });
    expect(made).toMatchObject({
      input: world.data,
      model_id: world.model,
      model_name: 'A model',
      run_on: 'Fargate',
      meta: { note: 'n' },
    });
    const changed = await ask('POST', `/api/object/${made.short_id}`, {
      object_type: 'experiment',
      action: 'a word',
      n_chains: 2,
      n_variables: 3,
      n_samples: 0,
      sample_update_time: '2025-02-11T23:56:09.473Z',
    });
    expect(changed).toMatchObject({
      n_chains: 2,
      n_variables: 3,
      n_samples: 0,
      sample_update_time: anyDate,
      meta: { action: 'a word', note: 'n' },
    });
  });
});

describe('data', () => {
  it('have every documented field with its default', async () => {
    const fields = {
      object_type: 'data',
      name: 'd',
      description: '',
      short_id: expect.stringMatching(/^D[0-9A-Za-z]{7}$/),
      created_at: anyDate,
      updated_at: anyDate,
      path: anyText,
      tags: [],
    };
    const made = await create({ object_type: 'data', name: 'd' });
    expect(made).toMatchObject({ ...fields, fmt: 'raw' });
    expect(await firstOf('data')).toMatchObject(fields);
    expect(await view(made.short_id)).toMatchObject(fields);
  });

  it('tagged anonymous keep the tag', async () => {
    const made = await create({
      object_type: 'data',
      name: 'made for a run',
      tags: ['anonymous'],
      data: 'eyJOIjogMX0=',
      base64_encoded: true,
    });
    expect(made).toMatchObject({ tags: ['anonymous'], fmt: 'json' });
  });
});

describe('a workflow', () => {
  it('has every documented field, null or empty if it was never set', async () => {
    const made = await create({
      object_type: 'workflow',
      model_id: world.model,
      data_id: world.data,
    });
    const fields = {
      object_type: 'workflow',
      short_id: expect.stringMatching(/^F[0-9A-Za-z]{7}$/),
      name: anyText,
      created_at: anyDate,
      updated_at: anyDate,
      model_id: world.model,
      model_name: 'A model',
      data_id: world.data,
      data_name: 'Some data',
      data_fmt: 'json',
    };
    expect(made).toMatchObject(fields);
    expect(await firstOf('workflow')).toMatchObject(fields);
    const seen = await view(made.short_id);
    expect(seen).toMatchObject(fields);
    const texts = [
      'experiment_id',
      'experiment_name',
      'analyzer_id',
      'analyzer_name',
      'startup_script',
      'settings',
      'data_script',
    ];
    for (const name of texts) expect([name, seen[name] ?? '']).toEqual([name, '']);
  });

  it('names its newest experiment, and its shares on request', async () => {
    const { experiment, workflow } = world;
    expect(await view(experiment.workflow_id)).toMatchObject({
      experiment_id: experiment.short_id,
      experiment_name: experiment.name,
    });
    await create({ object_type: 'share', objid: workflow });
    const page = await ask('GET', '/api/object?object_type=workflow&shared_by_me=true');
    expect(page.objects).toMatchObject([
      { short_id: workflow, share_info: [{ id: anyNumber, user_id: anyText, password: '' }] },
    ]);
  });
});

describe('a share', () => {
  it('has every documented field, whatever it shares', async () => {
    for (const [objid, name] of [
      [world.experiment.short_id, world.experiment.name],
      [world.model, 'A model'],
    ]) {
      const made = await create({
        object_type: 'share',
        objid,
        password: 'pw',
        target_user: '',
      });
      expect(made).toMatchObject({
        object_type: 'share',
        id: anyNumber,
        user_id: world.ada.row.id,
        short_id: expect.stringMatching(/^S[0-9A-Za-z]{7}$/),
        experiment_id: objid,
        experiment_name: name,
        password: 'pw',
        created_at: anyDate,
        from_user: world.ada.username,
        to_user: null,
      });
      expect(await view(made.short_id)).toEqual({ object_type: 'share', require_password: true });
    }
  });
});

describe('lists', () => {
  it('ignore filters that are empty strings', async () => {
    const all = await ask('GET', '/api/object?object_type=experiment');
    const same = await ask(
      'GET',
      '/api/object?object_type=experiment&status=&run_on=&has_model=&workflow_id=&model_ids=',
    );
    expect(same.total).toBe(all.total);
    expect(all).toMatchObject({ page: 1, count_per_page: 100 });
  });
});
