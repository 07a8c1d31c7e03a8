/** What clients generated from the document check strictly: types of every field, shapes of answers to updates, filters. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

  it('is null for kinds that public clients cannot read there, and the view where it is accepted', async () => {
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

  it('has one of the four shapes that they know otherwise', async () => {
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

describe('what public clients send', () => {
  it('is accepted: a token that is over already, which opens nothing', async () => {
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

  it('is accepted: a list of an empty kind, which holds every kind but shares', async () => {
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
    const kinds = new Set(all.objects.map((entry: { object_type: string }) => entry.object_type));
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
