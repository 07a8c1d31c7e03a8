/** The documented API as programs without our client use it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.service.close());

const as = (token: string) => ({ authorization: `bearer ${token}` });
const get = (url: string, headers = {}) =>
  world.service.inject({ method: 'GET', url, headers: { ...as(world.ada.token), ...headers } });
const post = (url: string, payload: unknown, headers = {}) =>
  world.service.inject({
    method: 'POST',
    url,
    payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
    headers: { ...as(world.ada.token), ...headers },
  });

describe('requests', () => {
  it('carry JSON without a content type, or with any', async () => {
    const body = { payload: { object_type: 'data', name: 'd', unknown_key: 1 } };
    for (const type of [
      undefined,
      'text/plain',
      'application/x-www-form-urlencoded',
      'nonsense',
      'application/json; charset=utf-8',
    ]) {
      const response = await post(
        '/api/object',
        body,
        type === undefined ? {} : { 'content-type': type },
      );
      expect([type, response.statusCode]).toEqual([type, 200]);
    }
  });

  it('accept booleans, run_on and status in any case, and lists as repeated keys', async () => {
    const { experiment, model } = world;
    const list = async (query: string) =>
      (await get(`/api/object?object_type=experiment&${query}`)).json().data.objects.length;
    expect(await list('with_share_info=False')).toBe(1);
    expect(await list('status=fin')).toBe(1);
    expect(await list('status=NEW')).toBe(0);
    expect(await list('run_on=LAMBDA')).toBe(0);
    expect(await list(`model_ids=${experiment.model_id}&model_ids=${model}`)).toBe(1);
    expect(await list(`workflow_id=${experiment.workflow_id}`)).toBe(1);
    expect(await list('has_model=false')).toBe(0);
    expect((await get('/api/object?object_type=experiment&page_size=9999')).json()).toMatchObject({
      code: 'INVALID_PARAMETER',
      details: { field: 'page_size' },
    });
  });

  it('get their request id back if it is valid, or a new one', async () => {
    expect((await get('/sys/config', { 'x-request-id': 'ab3De' })).headers['x-request-id']).toBe(
      'ab3De',
    );
    expect((await get('/sys/config', { 'x-request-id': 'a b"<' })).headers['x-request-id']).toMatch(
      /^[\w-]{12}$/,
    );
  });
});

describe('answers', () => {
  it('have the envelope and the JSON content type', async () => {
    const response = await get('/base/user');
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(response.json()).toMatchObject({ status: 'ok', data: { username: world.ada.username } });
    const error = await get('/api/object/M0000000');
    expect(error.statusCode).toBe(400);
    expect(error.json()).toEqual({
      status: 'error',
      code: 'NOT_FOUND',
      message: 'There is no such object.',
    });
  });

  it('are NOT_FOUND with status 404 for unknown addresses and methods', async () => {
    for (const [method, url] of [
      ['GET', '/api/nothing'],
      ['PUT', '/api/object'],
      ['DELETE', '/invoke'],
      ['GET', '/'],
    ] as const) {
      const response = await world.service.inject({ method, url });
      expect([url, response.statusCode, response.json().code]).toEqual([url, 404, 'NOT_FOUND']);
    }
  });

  it('are NOT_FOUND for an id in another case', async () => {
    expect((await get(`/api/object/${world.model.toLowerCase()}`)).json().code).toBe('NOT_FOUND');
  });
});

describe('logs', () => {
  it('come as one text, and as pairs of time and line', async () => {
    const { short_id: id } = world.experiment;
    expect((await get(`/api/object/${id}?stdlog=true`)).json().data).toEqual({
      object_type: 'experiment.stdlog',
      logs: '',
    });
    const { object_type: type, logs } = (await get(`/api/object/${id}?cloudwatch_log=true`)).json()
      .data;
    expect(type).toBe('experiment.cloudwatch_log');
    expect(logs[0]).toEqual([
      expect.any(Number),
      expect.stringMatching(/^Program model\.stan of M/),
    ]);
    expect(Math.abs(logs[0][0] - Date.now())).toBeLessThan(600_000);
  });
});

describe('older addresses', () => {
  it('/command is an alias of /invoke', async () => {
    const started = await post('/command', { target: world.workflow, action: 'run_sample' });
    expect(started.json().data.experiment_id).toMatch(/^X/);
  });

  it('workflow.run is an alias of run_sample', async () => {
    const started = await post(`/api/object/${world.workflow}`, {
      payload: { object_type: 'workflow.run' },
    });
    expect(started.json().data).toMatchObject({
      object_type: 'workflow.run',
      experiment_id: expect.stringMatching(/^X/),
    });
  });

  it('/api/object/share/{id} says whether a password is needed', async () => {
    const share = await post('/api/object', {
      payload: { object_type: 'share', objid: world.model, password: 'p' },
    });
    const { short_id: id, password } = share.json().data;
    expect(password).toBe('p');
    for (const url of [`/api/object/share/${id}`, `/api/object/${id}`]) {
      const response = await world.service.inject({ method: 'GET', url });
      expect(response.json()).toEqual({
        status: 'ok',
        data: { object_type: 'share', require_password: true },
      });
    }
  });

  it('an update without object_type gets its kind from the id', async () => {
    const response = await post(
      `/api/object/${world.workflow}`,
      {
        payload: { analyzer_result: '{"status":"running"}' },
      },
      { accept: 'application/json; view=full' },
    );
    expect(response.json().data).toMatchObject({
      object_type: 'workflow',
      short_id: world.workflow,
    });
  });
});

describe('an outside runner', () => {
  it('creates an experiment, reports its progress, and ends it', async () => {
    const { workflow, model, data } = world;
    const payload = {
      object_type: 'experiment',
      model_id: model,
      workflow_id: workflow,
      input_id: data,
      run_on: 'Fargate',
      meta: { status: 'RUN' },
    };
    const made = (await post('/api/object', { payload })).json().data;
    expect(made).toMatchObject({
      status: 'NEW',
      model_id: model,
      workflow_id: workflow,
      input: data,
      run_on: 'Fargate',
      meta: { status: 'RUN' },
    });
    expect((await get(`/api/object/${workflow}`)).json().data.experiment_id).toBe(made.short_id);
    const update = (change: object) =>
      post(`/api/object/${made.short_id}`, { payload: { object_type: 'experiment', ...change } });
    await update({
      status: 'RUN',
      meta: { run_info: { batch_id: 'b', run_id: 'r', status: 'RUN' } },
    });
    const running = (
      await update({ n_chains: 0, n_samples: 12, meta: { run_info: { log_group: 'g' } } })
    ).json().data;
    expect(running).toMatchObject({
      status: 'RUN',
      n_chains: 0,
      n_samples: 12,
      meta: { status: 'RUN', run_info: { batch_id: 'b', log_group: 'g' } },
    });
    expect(
      (await get(`/api/object/${made.short_id}?object_type=experiment&batch_id=b&run_id=r`)).json()
        .data,
    ).toMatchObject({
      object_type: 'experiment.run_info',
      status: 'RUN',
    });
    // files are still to be built
    expect((await update({ status: 'SAMPLE_FIN' })).json().data).toMatchObject({
      status: 'RUN',
      meta: { run_info: { status: 'SAMPLE_FIN' } },
    });
    expect((await get('/api/object?object_type=experiment&status=RUN')).json().data.total).toBe(1);
  });
});

describe('/openapi.json', () => {
  it('is OpenAPI 3.1, with security requirements and deprecated addresses', async () => {
    const description = (await get('/openapi.json')).json();
    expect(description.openapi).toBe('3.1.0');
    expect(description.paths['/api/object/{objid}'].get.security).toEqual([
      { bearer: [] },
      { share_password: [] },
      {},
    ]);
    expect(description.paths['/command'].post.deprecated).toBe(true);
  });
});
