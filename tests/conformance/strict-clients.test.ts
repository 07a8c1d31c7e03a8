/** What clients generated from the document check strictly: types of every field, shapes of answers to updates, filters. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findExperiment, updateExperiment } from '../../src/service/repositories/experiments.ts';
import { waitForRun } from '../../src/service/runs/wait-for-run.ts';
import { DescriptionCheck, pointer } from './description-check.ts';
import { createWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.service.close());

interface Entry {
  readonly short_id: string;
  readonly sample_update_time: string;
  readonly meta: { readonly action: unknown; readonly iteration_count: unknown };
}

async function ask(method: 'GET' | 'POST' | 'PUT', url: string, body?: unknown, headers = {}) {
  const payload = body === undefined ? {} : { payload: JSON.stringify(body) };
  const answer = await world.service.inject({ method, url, headers, ...payload }, world.ada.token);
  expect([url, answer.statusCode, answer.body]).toEqual([url, 200, answer.body]);
  return answer.json().data;
}
const create = (payload: object) => ask('POST', '/api/object', { payload });
const update = (id: string, payload: object, headers = {}) =>
  ask('POST', `/api/object/${id}`, { payload }, headers);
const entriesOf = async (kind: string): Promise<Entry[]> =>
  (await ask('GET', `/api/object?object_type=${kind}&page_size=1000`)).objects;

describe('entries of a list of experiments', () => {
  it('have a time and an integer count from the start, whatever meta was sent', async () => {
    const made = [
      await create({ object_type: 'experiment' }),
      await create({ object_type: 'experiment', meta: { iteration_count: null, action: null } }),
      await create({ object_type: 'experiment', meta: { iteration_count: 'many', action: 7 } }),
      {
        short_id: (await ask('POST', '/invoke', { target: world.workflow, action: 'run_sample' }))
          .experiment_id,
      },
    ];
    const entries = await entriesOf('experiment');
    for (const { short_id: id } of made) {
      const entry = entries.find(({ short_id }) => short_id === id);
      expect(new Date(entry?.sample_update_time ?? '').toISOString()).toBe(
        entry?.sample_update_time,
      );
      expect(entry?.meta).toMatchObject({ action: expect.any(String) });
      expect(Number.isInteger(entry?.meta.iteration_count)).toBe(true);
    }
    const [plain] = made;
    expect(await ask('GET', `/api/object/${plain.short_id}`)).toMatchObject({
      sample_update_time: plain.created_at,
      meta: { iteration_count: 0 },
    });
  });
});

describe('the answer to an update', () => {
  const full = { accept: 'application/json; view=full' };
  const renamed = { name: 'renamed' };

  it('is null for kinds that public clients cannot read there, or the full view on request', async () => {
    const event = (await create({ object_type: 'event', name: 'on demand' })).short_id;
    const share = (await create({ object_type: 'share', objid: world.model })).short_id;
    const changes = [
      [world.workflow, { object_type: 'workflow', ...renamed }],
      [world.data, { object_type: 'data', ...renamed }],
      [event, { object_type: 'event', params: '{}' }],
      [share, { object_type: 'share', expires_at: null }],
    ] as const;
    for (const [id, payload] of changes) {
      expect([id, await update(id, payload)]).toEqual([id, null]);
      expect([id, await update(id, payload, { accept: '*/*' })]).toEqual([id, null]);
      expect(await update(id, payload, full)).toMatchObject({
        object_type: payload.object_type,
        short_id: id,
      });
      const typed = await world.ada.client.updateObject({
        params: { objid: id },
        body: { payload },
      });
      expect(typed).toMatchObject({ short_id: id });
    }
    expect(await ask('GET', `/api/object/${world.workflow}`)).toMatchObject(renamed);
  });

  it('otherwise has a shape that public clients know', async () => {
    const { experiment, model, workflow } = world;
    for (const [id, payload] of [
      [experiment.short_id, { object_type: 'experiment', ...renamed }],
      [model, { object_type: 'model', ...renamed }],
    ] as const)
      expect(await update(id, payload)).toMatchObject({ ...payload, short_id: id });
    expect(await update(workflow, { object_type: 'workflow.run' })).toMatchObject({
      object_type: 'workflow.run',
    });
  });
});

describe('a request of public clients', () => {
  it('is accepted: a new token that has already expired, which gives no access', async () => {
    const expire = '2000-01-01T00:00:00Z';
    const made = await ask('POST', '/base/user/tokens', { name: 'over', expire });
    expect(made).toMatchObject({ token_expire: '2000-01-01T00:00:00.000Z' });
    const used = await world.service.inject({ method: 'GET', url: '/base/user' }, made.token);
    expect(used.json()).toMatchObject({ code: 'UNAUTHORIZED' });
    expect(await ask('GET', '/base/user/tokens')).toContainEqual(
      expect.objectContaining({ id: made.id, token_name: 'over' }),
    );
  });

  it('is accepted: content without a tree, which leaves the files as they are', async () => {
    const meta = { entrance_func: 'build' };
    const bare = await create({ object_type: 'model', content: { meta } });
    expect(bare).toMatchObject({ content: { meta, tree: [] } });
    expect(await create({ object_type: 'model', content: {} })).toMatchObject({
      content: { tree: [] },
    });
    const tree = [{ name: 'model.stan', type: 'file', content: 'parameters {}', encoding: 'text' }];
    const { short_id: id } = await create({ object_type: 'model', content: { tree } });
    expect(await update(id, { object_type: 'model', content: { meta } })).toMatchObject({
      version: 2,
      content: { meta: { ...meta, entrance_file: 'model.stan' }, tree },
    });
  });

  it('is accepted: a list with an empty object_type, which holds every kind but shares', async () => {
    await create({ object_type: 'event', name: 'mixed' });
    await create({ object_type: 'data', name: 'hidden', tags: ['anonymous'] });
    await create({ object_type: 'share', objid: world.model });
    const of = (query: string) => ask('GET', `/api/object?object_type=${query}`);
    let sum = 0;
    for (const kind of ['model', 'experiment', 'event', 'callback', 'relation', 'data', 'workflow'])
      sum += (await of(kind)).total;
    const all = await of('&page_size=1000');
    expect(all).toMatchObject({ total: sum, page: 1 });
    expect(all.objects).toHaveLength(sum);
    const kinds = new Set<string>(
      all.objects.map((entry: { object_type: string }) => entry.object_type),
    );
    expect([...kinds].sort()).toEqual(['data', 'event', 'experiment', 'model', 'workflow']);
    const second = await of('&page_size=2&page_no=2');
    expect(second).toMatchObject({ total: sum, objects: all.objects.slice(2, 4) });
    const { experiment, model } = world;
    expect((await of('&status=FIN')).objects).toEqual([
      expect.objectContaining({ short_id: experiment.short_id }),
    ]);
    expect((await of(`&model_ids=${experiment.model_id}`)).objects).toEqual(
      (await of('experiment&status=FIN')).objects,
    );
    expect((await of('&shared_by_me=true')).objects).toContainEqual(
      expect.objectContaining({ short_id: model, share_info: expect.any(Array) }),
    );
  });
});

describe('filters and fields', () => {
  it('find own runs by their value of run_on', async () => {
    const started = await ask('POST', '/invoke', { target: world.workflow, action: 'run_sample' });
    const { experiment_id: id } = started;
    expect(await ask('GET', `/api/object/${id}`)).toMatchObject({ run_on: 'local' });
    const found = await ask('GET', '/api/object?object_type=experiment&run_on=Local');
    expect(found.objects).toContainEqual(expect.objectContaining({ short_id: id }));
    const elsewhere = await ask('GET', '/api/object?object_type=experiment&run_on=Fargate');
    expect(elsewhere.objects).not.toContainEqual(expect.objectContaining({ short_id: id }));
  });

  it('find experiments by workflow_ids, alone and beside workflow_id', async () => {
    const { experiment, workflow } = world;
    const of = async (query: string): Promise<Entry[]> =>
      (await ask('GET', `/api/object?object_type=experiment&${query}`)).objects;
    const ids = (entries: Entry[]) => entries.map((entry) => entry.short_id).sort();
    const one = await of(`workflow_ids=${experiment.workflow_id}`);
    expect(ids(one)).toEqual([experiment.short_id]);
    const other = await of(`workflow_id=${workflow}`);
    expect(other.length).toBeGreaterThan(0);
    for (const query of [
      `workflow_ids=${experiment.workflow_id}&workflow_ids=${workflow}`,
      `workflow_ids=${experiment.workflow_id}&workflow_id=${workflow}`,
    ])
      expect(ids(await of(query))).toEqual(ids([...one, ...other]));
  });

  it('accept any object as stat, but only an integer as n_sample', async () => {
    const { short_id: id } = await create({ object_type: 'experiment', run_on: 'local' });
    const message = {
      object_type: 'experiment.nsample_stat',
      batch_id: 'b',
      run_id: 'r',
      chain_name: 'chain#1',
    };
    const stat = { mu: ['avg', 2], tau: { mean: 1, sd: [0.5] }, name: 'text', none: null, n: 3 };
    await update(id, { ...message, n_sample: 3, stat });
    const info = await ask('GET', `/api/object/${id}?batch_id=b&run_id=r`);
    expect(info.stats).toEqual({ 'chain#1': { n_sample: 3, stat } });
    await update(id, { ...message, n_sample: 4, stat: {} });
    for (const n_sample of [2.5, '3', null, 1e300]) {
      const payload = JSON.stringify({ payload: { ...message, n_sample, stat } });
      const url = `/api/object/${id}`;
      const refused = await world.service.inject({ method: 'POST', url, payload }, world.ada.token);
      expect([n_sample, refused.statusCode]).toEqual([n_sample, 400]);
      expect(refused.json().message).toMatch(/^payload\.n_sample must be/);
    }
  });

  it('update a callback in place, for its owner only', async () => {
    const code = 'export default () => 1;';
    const made = await create({ object_type: 'callback', lang: 'javascript', code });
    const change = { object_type: 'callback', code: 'export default () => 2;' };
    expect(await update(made.short_id, change)).toBeNull();
    expect(
      await update(made.short_id, { object_type: 'callback', single_instance: false }),
    ).toBeNull();
    expect(await ask('GET', `/api/object/${made.short_id}`)).toMatchObject({
      ...change,
      lang: 'javascript',
      single_instance: false,
    });
    const url = `/api/object/${made.short_id}`;
    const payload = JSON.stringify({ payload: { object_type: 'callback', code: ' ' } });
    const refused = await world.service.inject({ method: 'POST', url, payload }, world.ada.token);
    expect(refused.json()).toMatchObject({ code: 'INVALID_PARAMETER' });
    const foreign = await world.service.inject({ method: 'POST', url, payload }, world.bob.token);
    expect(foreign.json()).toMatchObject({ code: 'PERMISSION_DENIED' });
  });

  it('attach the analyzer that /sys/config names', async () => {
    const { default_analyzer: analyzer } = await ask('GET', '/sys/config');
    await update(world.workflow, { object_type: 'workflow', analyzer_id: analyzer });
    expect(await ask('GET', `/api/object/${world.workflow}`)).toMatchObject({
      analyzer_id: analyzer,
      analyzer_name: expect.stringMatching(/./),
    });
  });
});

describe('run_sample', () => {
  const start = (target: string, get_response?: boolean) =>
    ask('POST', '/invoke', { target, action: 'run_sample', get_response });
  const started = {
    experiment_id: expect.stringMatching(/^X/),
    experiment_name: expect.any(String),
  };

  it('answers at once when no response is requested', async () => {
    const settings = 'sampling: {num_chains: 1, num_warmup: 5, num_samples: 5}';
    await update(world.workflow, { object_type: 'workflow', settings });
    expect(await start(world.workflow)).toEqual(started);
    expect(await start(world.workflow, false)).toEqual(started);
  });

  it('waits for the end when a response is requested, and returns the final status', async () => {
    const newest = async () => (await entriesOf('experiment'))[0].short_id;
    const before = await newest();
    const answer = start(world.workflow, true);
    await expect.poll(newest).not.toBe(before);
    let isAnswered = false;
    void answer.then(() => {
      isAnswered = true;
    });
    const id = await newest();
    const { pool } = world.service.database;
    expect(await waitForRun(pool, id, 0)).toBe('NEW');
    expect(isAnswered).toBe(false);
    const row = await findExperiment(pool, id);
    await updateExperiment(pool, row?.id ?? 0, { status: 'FIN' });
    expect(await answer).toEqual({ ...started, experiment_id: id, status: 'FIN' });
  });

  it('returns ERR at once for a program that does not compile', async () => {
    const tree = [{ name: 'model.stan', content: 'model { x ~ }', encoding: 'text' }];
    const { short_id: model_id } = await create({ object_type: 'model', content: { tree } });
    const { short_id: id } = await create({ object_type: 'workflow', model_id });
    expect(await start(id, true)).toEqual({ ...started, status: 'ERR' });
  });
});

describe('plot_func in a view', () => {
  it('returns the same figure as the plotting function', async () => {
    const { short_id: id } = world.experiment;
    const plot = { plot_func: 'trace', plot_chain: 'chain#1', plot_var: 'mu' };
    const view = await ask('GET', `/api/object/${id}?${new URLSearchParams(plot)}`);
    const { objects } = await ask('GET', '/api/object?object_type=model&tags=builtin&q=plots');
    const called = await ask('POST', '/invoke', {
      target: objects[0].short_id,
      action: 'run',
      parameters: { experiment_id: id, return_type: '', ...plot },
      get_response: true,
    });
    expect(view).toEqual({ object_type: 'experiment.plot', data: called.cloudfunction_response });
    expect(view.data).toMatchObject({ return_type: 'plotly', plots: [{ name: 'mu' }] });
  });

  it('is refused to a viewer who may not see the draws, and for a plot that is unknown', async () => {
    const { short_id: id } = world.experiment;
    const get = (query: string, token: string | null) =>
      world.service.inject({ method: 'GET', url: `/api/object/${id}?${query}` }, token);
    for (const token of [world.bob.token, null])
      expect((await get('plot_func=trace', token)).statusCode).not.toBe(200);
    expect((await get('plot_func=pie', world.ada.token)).json()).toMatchObject({
      code: 'INVALID_PARAMETER',
    });
    const { short_id: share } = await create({ object_type: 'share', objid: id });
    const shared = await get(`plot_func=trace&plot_var=mu&share_id=${share}`, null);
    expect(shared.json()).toMatchObject({ data: { data: { plots: [{ name: 'mu' }] } } });
  });
});

describe('/openapi.json', () => {
  const describeCalls = async () =>
    new DescriptionCheck(
      (await world.service.inject({ method: 'GET', url: '/openapi.json' })).json(),
    );
  const answerOf = (path: string, method: string) =>
    pointer('paths', path, method, 'responses', '200', 'content', 'application/json', 'schema');
  const envelope = (data: unknown) => ({ status: 'ok', data });

  it('describes the plain answers to updates, not the views that public clients cannot read', async () => {
    const check = await describeCalls();
    const place = answerOf('/api/object/{objid}', 'post');
    const { experiment, model, workflow } = world;
    for (const [id, payload] of [
      [experiment.short_id, { object_type: 'experiment', name: 'one' }],
      [model, { object_type: 'model', name: 'one' }],
      [workflow, { object_type: 'workflow', name: 'one' }],
      [workflow, { object_type: 'workflow.run' }],
    ] as const)
      expect([id, check.faultsOf(place, envelope(await update(id, payload)))]).toEqual([id, []]);
    const view = await ask('GET', `/api/object/${workflow}`);
    expect(check.faultsOf(place, envelope(view))).not.toEqual([]);
  });

  it('distinguishes integers, times and enums from other numbers and strings', async () => {
    const check = await describeCalls();
    const place = answerOf('/api/object', 'get');
    const page = await ask('GET', '/api/object?object_type=experiment');
    expect(check.faultsOf(place, envelope(page))).toEqual([]);
    const [first] = page.objects;
    for (const wrong of [
      { n_samples: 1.5 },
      { n_chains: '2' },
      { created_at: 'yesterday' },
      { sample_update_time: '' },
      { object_type: 'sample' },
      { unknown_key: 1 },
      { meta: { ...first.meta, iteration_count: 0.5 } },
    ]) {
      const changed = { ...page, objects: [{ ...first, ...wrong }] };
      expect([wrong, check.faultsOf(place, envelope(changed))]).not.toEqual([wrong, []]);
    }
  });

  it('describes tags, page limits, lists, booleans and bodies as the service accepts them', async () => {
    const { tags, paths } = (
      await world.service.inject({ method: 'GET', url: '/openapi.json' })
    ).json();
    const named: string[] = tags.map((tag: { name: string }) => tag.name);
    expect(named).toEqual(
      expect.arrayContaining(['Object', 'Invoke', 'Notification', 'Authorization']),
    );
    const used = Object.values(paths as Record<string, Record<string, { tags: string[] }>>).flatMap(
      (operations) => Object.values(operations).flatMap((operation) => operation.tags),
    );
    expect([...new Set(used)].sort()).toEqual([...named].sort());
    const parameters = paths['/api/object'].get.parameters as { name: string; schema: object }[];
    const schemaOf = (name: string) => parameters.find((one) => one.name === name)?.schema;
    expect(schemaOf('page_size')).toEqual({
      type: 'integer',
      minimum: 1,
      maximum: 1000,
      default: 100,
    });
    expect(schemaOf('with_share_info')).toEqual({ type: 'boolean', default: false });
    expect(schemaOf('tags')).toEqual({ type: 'array', items: { type: 'string' } });
    expect(schemaOf('status')).toMatchObject({ enum: ['', 'NEW', 'RUN', 'FIN', 'ERR'] });
    expect(schemaOf('sort')).toMatchObject({ enum: expect.arrayContaining(['-created']) });
    expect(paths['/base/user/tokens'].post.requestBody.required).toBe(false);
    expect(await ask('POST', '/base/user/tokens')).toMatchObject({ token_name: '' });
    expect(paths['/base/login'].post.requestBody.required).toBe(true);
  });
});
