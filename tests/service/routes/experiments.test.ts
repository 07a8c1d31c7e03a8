import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../../src/client/create-client.ts';
import { expectKind } from '../../../src/client/expect-kind.ts';
import { decodeDraws } from '../../../src/contract/draws.ts';
import type { UpdateExperiment } from '../../../src/contract/experiment.ts';
import {
  addData,
  addDraws,
  addFinishedExperiment,
  addModel,
  addWorkflow,
  codeOf,
  startExperiment,
} from '../../support/objects.ts';
import { createTestService, type Person, type TestService } from '../../support/service.ts';

let service: TestService;
let ada: Person;
let client: Client;
beforeAll(async () => {
  service = await createTestService();
  ada = await service.addPerson('ada');
  client = ada.client;
});
afterAll(() => service.close());

const of = (objid: string) => ({ params: { objid } });
const update = async (objid: string, change: Omit<UpdateExperiment, 'object_type'>) =>
  expectKind(
    await client.updateObject({
      ...of(objid),
      body: { payload: { object_type: 'experiment', ...change } },
    }),
    'experiment',
  );

describe('run_sample', () => {
  it('freezes model, data and settings', async () => {
    const workflow = await addWorkflow(client, 'w');
    const { experiment_id: id = '' } = await client.invoke({
      body: { target: workflow.short_id, action: 'run_sample' },
    });
    const settings = 'sampling: {num_chains: 1}';
    await client.updateObject({
      ...of(workflow.short_id),
      body: { payload: { object_type: 'workflow', settings, data_id: '' } },
    });
    const { short_id: other } = await addData(client, { name: 'later' });
    await client.updateObject({
      ...of(workflow.short_id),
      body: { payload: { object_type: 'workflow', data_id: other } },
    });
    const seen = expectKind(await client.viewObject(of(id)), 'experiment');
    expect(seen).toMatchObject({
      n_chains: 2,
      input: workflow.data_id,
      meta: { data_name: 'Some data', model_version: 1, settings: { num_chains: 2 } },
    });
  });

  it('accepts a workflow without data, but not one without a model', async () => {
    const { short_id: model } = await addModel(client, {
      tree: [
        {
          name: 'm.stan',
          content: 'parameters { real x; } model { x ~ normal(0, 1); }',
          encoding: 'text',
        },
      ],
    });
    const make = async (payload: object) =>
      expectKind(
        await client.createObject({ body: { payload: { object_type: 'workflow', ...payload } } }),
        'workflow',
      ).short_id;
    const run = async (target: string) => client.invoke({ body: { target, action: 'run_sample' } });
    expect((await run(await make({ model_id: model }))).experiment_id).toMatch(/^X/);
    expect(await codeOf(run(await make({})))).toBe('INVALID_PARAMETER');
  });

  it('runs no objects of other users', async () => {
    const bob = await service.addPerson('bob');
    const theirs = {
      model: await addModel(bob.client),
      data: await addData(bob.client, { data: '{"mu": 0.5}' }),
    };
    const make = (payload: object) =>
      codeOf(client.createObject({ body: { payload: { object_type: 'workflow', ...payload } } }));
    expect(await make({ model_id: theirs.model.short_id })).toBe('PERMISSION_DENIED');
    expect(await make({ data_id: theirs.data.short_id })).toBe('PERMISSION_DENIED');
    expect(await make({ model_id: theirs.data.short_id })).toBe('INVALID_PARAMETER');
    const { short_id: own } = await addWorkflow(client);
    const settings = `sampling: {inits: ${theirs.data.short_id}}`;
    await client.updateObject({
      ...of(own),
      body: { payload: { object_type: 'workflow', settings } },
    });
    await expect(client.invoke({ body: { target: own, action: 'run_sample' } })).rejects.toThrow(
      /no such data object/,
    );
  });
});

describe('an experiment', () => {
  it('is renamed, and its meta merged deeply; null removes a key', async () => {
    const { short_id: id } = await startExperiment(client);
    await update(id, { name: 'renamed', meta: { note: 'n', tags: ['a'], deep: { x: 1, y: 2 } } });
    const seen = await update(id, {
      meta: { tags: ['b'], deep: { y: null, z: 3 } },
      action: 'hello',
    });
    expect(seen).toMatchObject({
      name: 'renamed',
      meta: { note: 'n', tags: ['b'], deep: { x: 1, z: 3 }, action: 'hello' },
    });
    expect(seen.meta).not.toHaveProperty('deep.y');
  });

  it('applies commands, and reports its state if a command does not apply', async () => {
    const { short_id: id } = await startExperiment(client);
    expect(await update(id, { action: 'pause' })).toMatchObject({ meta: { action: 'paused' } });
    await expect(update(id, { action: 'pause' })).rejects.toMatchObject({
      code: 'CONFLICT',
      details: { state: { action: 'paused' } },
    });
    expect(await update(id, { action: 'resume' })).toMatchObject({
      status: 'RUN',
      meta: { action: 'running' },
    });
    expect(await codeOf(update(id, { action: 'extend' }))).toBe('INVALID_PARAMETER');
    const extended = await update(id, { action: 'extend', meta: { extend_by: 5, note: 'more' } });
    expect(extended).toMatchObject({ meta: { settings: { num_samples: 15 }, note: 'more' } });
    expect(extended.meta).not.toHaveProperty('extend_by');
    expect((await update(id, { action: 'stop' })).meta?.action).toMatch(/^stop/);
    await expect(update(id, { action: 'stop' })).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  it('is not given a name in which nothing can be seen', async () => {
    const { short_id: id } = await startExperiment(client);
    for (const name of ['   ', '\u202e', '\u200b\u3164 '])
      await expect(update(id, { name })).rejects.toThrow('payload.name has no visible character.');
    expect((await update(id, { name: '\u0627\u200d' })).name).toBe('\u0627\u200d');
  });

  it('of the service accepts no status or counts from clients', async () => {
    const { short_id: id } = await startExperiment(client);
    expect(await codeOf(update(id, { status: 'FIN' }))).toBe('CONFLICT');
    expect(await codeOf(update(id, { n_samples: 5 }))).toBe('CONFLICT');
    expect(await codeOf(update(id, { status: 'HOT' }))).toBe('INVALID_PARAMETER');
    // no part of a refused change is made either
    expect(await codeOf(update(id, { action: 'stop', n_samples: 5 }))).toBe('CONFLICT');
    expect((await update(id, { action: 'pause' })).meta?.action).toBe('paused');
  });

  it('of the service keeps its results when a client writes back the meta that it read', async () => {
    const { short_id: id } = await addFinishedExperiment(service, client);
    const before = expectKind(await client.viewObject(of(id)), 'experiment');
    const results = {
      verdict: { state: 'good', headline: 'Looks converged' },
      error: { code: 'X', message: 'invented' },
      progress: { done: 1, total: 2, chains: [] },
      run_info: { status: 'RUN' },
      moment_match: { state: 'waiting', done: 0, total: 0 },
      settings: { num_samples: 1 },
      iteration_count: 1,
      time_limit_reached: true,
      elapsed_seconds: 1,
      queue_place: 1,
      silent_since: '2026-01-01T00:00:00Z',
      action: 'stopping',
    };
    const after = await update(id, {
      meta: { ...before.meta, ...results, note: 'checked', tags: ['a'], mine: 1 },
    });
    const { data_path: _, ...kept } = before.meta ?? {};
    expect(after.meta).toEqual({ ...kept, note: 'checked', tags: ['a'], mine: 1 });
    // null, which removes a key, does not remove these
    const removed = Object.fromEntries(Object.keys(results).map((key) => [key, null]));
    expect((await update(id, { meta: removed })).meta).toEqual(after.meta);
  });

  it('that is running is stopped when it is deleted', async () => {
    const { short_id: id } = await startExperiment(client);
    const { deleted_key: key } = await client.deleteObject(of(id));
    await client.deleteObjects({ query: { deleted_key: key as string } });
    expect(expectKind(await client.viewObject(of(id)), 'experiment').meta?.action).toMatch(/^stop/);
  });

  it("keeps its model's name, program and draws when the model is deleted", async () => {
    const { short_id: id, model_id: model } = await addFinishedExperiment(service, client);
    await client.deleteObject(of(model as string));
    expect(await client.viewObject(of(id))).toMatchObject({ model_id: '', model_name: 'A model' });
    expect(decodeDraws(await client.viewDraws(of(id))).header.columns).toHaveLength(6);
  });
});

describe('an experiment whose data were deleted', () => {
  it.each([
    ['a run of the service', () => startExperiment(client)],
    [
      'a run of an outside runner',
      async () => {
        const { short_id: input_id } = await addData(client);
        const payload = { object_type: 'experiment', name: 'outside', input_id } as const;
        return expectKind(await client.createObject({ body: { payload } }), 'experiment');
      },
    ],
  ])('names them no more, and keeps their name: %s', async (_, make) => {
    const { short_id: id, input } = await make();
    expect(input).toMatch(/^D/);
    await client.deleteObject(of(input ?? ''));
    expect(await client.viewObject(of(id))).toMatchObject({
      input: null,
      meta: { data_name: 'Some data' },
    });
  });
});

describe('the uses of data', () => {
  it('are listed exactly, to their owner only, and counted', async () => {
    const { short_id: run, input } = await startExperiment(client, 'reads');
    await startExperiment(client, 'reads others');
    const data_id = [input ?? ''];
    const list = async (kind: 'workflow' | 'experiment', page_size: number, who = client) => {
      const query = { object_type: kind, data_id, page_size };
      const { total, objects } = await who.listObjects({ query });
      return { total, ids: objects.map((object) => object.short_id) };
    };
    const { workflow_id } = expectKind(await client.viewObject(of(run)), 'experiment');
    expect(await list('workflow', 5)).toEqual({ total: 1, ids: [workflow_id] });
    // a full page does not give the total by itself
    expect(await list('workflow', 1)).toEqual({ total: 1, ids: [workflow_id] });
    expect(await list('experiment', 5)).toEqual({ total: 1, ids: [run] });
    expect(await list('experiment', 1)).toEqual({ total: 1, ids: [run] });
    const bob = await service.addPerson('bob of uses');
    expect(await list('workflow', 5, bob.client)).toEqual({ total: 0, ids: [] });
    expect(await list('experiment', 5, bob.client)).toEqual({ total: 0, ids: [] });
  });

  it('include an outside run whose client named the data', async () => {
    const { short_id: named } = await addData(client);
    const payload = { object_type: 'experiment', name: 'outside', input_id: named } as const;
    const made = expectKind(await client.createObject({ body: { payload } }), 'experiment');
    const { objects } = await client.listObjects({
      query: { object_type: 'experiment', data_id: [named] },
    });
    expect(objects.map((object) => object.short_id)).toEqual([made.short_id]);
  });
});

describe('draws', () => {
  it('are returned in columns by chain and variable, with a revision that grows', async () => {
    const { short_id: id } = await startExperiment(client);
    const empty = decodeDraws(await client.viewDraws(of(id)));
    expect(empty.header.columns).toEqual([]);
    await addDraws(service, id, { chains: 2, draws: 4 });
    await addDraws(service, id, { chains: 2, draws: 3, phase: 'warmup' });
    const { header, values } = decodeDraws(await client.viewDraws(of(id)));
    expect(header.columns.map(({ chain, variable }) => `${chain} ${variable}`)).toEqual([
      'chain#1 lp__',
      'chain#1 mu',
      'chain#1 divergent__',
      'chain#2 lp__',
      'chain#2 mu',
      'chain#2 divergent__',
    ]);
    expect(values).toHaveLength(24);
    expect(Number(header.revision)).toBeGreaterThan(Number(empty.header.revision));
    const warmup = decodeDraws(
      await client.viewDraws({
        ...of(id),
        query: { phase: 'warmup', variable: ['mu', 'nothing'] },
      }),
    );
    expect(warmup.header.columns).toMatchObject([
      { phase: 'warmup', count: 3 },
      { phase: 'warmup', count: 3 },
    ]);
  });

  it('are thinned to their extremes, and keep divergent draws', async () => {
    const { short_id: id } = await startExperiment(client);
    const value = (_: number, variable: number, iteration: number) =>
      variable === 2
        ? Number(iteration === 777)
        : iteration === 500
          ? 99
          : iteration === 123
            ? -99
            : Math.sin(iteration);
    await addDraws(service, id, { chains: 1, draws: 1000, value });
    const { header, values } = decodeDraws(
      await client.viewDraws({ ...of(id), query: { variable: ['mu'], max_points: 20 } }),
    );
    const [column] = header.columns;
    expect(column).toMatchObject({ step: 0, first_iteration: 1 });
    expect(column.count).toBeLessThanOrEqual(21);
    const pairs = new Map(
      Array.from({ length: column.count }, (_, i) => [values[2 * i], values[2 * i + 1]]),
    );
    expect([pairs.get(500), pairs.get(123), pairs.get(777)]).toEqual([99, -99, Math.sin(777)]);
    const whole = decodeDraws(
      await client.viewDraws({ ...of(id), query: { variable: ['mu'], max_points: 1000 } }),
    );
    expect(whole.header.columns).toMatchObject([{ step: 1, count: 1000 }]);
  });

  it('are exported as CSV, which is rewritten when they have grown', async () => {
    const { short_id: id } = await startExperiment(client);
    const csv = async (query = {}) => {
      const answer = await client.viewObject({ ...of(id), query: { sampledata: true, ...query } });
      expect(answer).toMatchObject({ object_type: 'experiment.sampledata', progress: 'done' });
      return (
        await service.inject({
          method: 'GET',
          url: new URL((answer as { url: string }).url).pathname,
        })
      ).body;
    };
    await addDraws(service, id, { chains: 1, draws: 2 });
    expect(await csv()).toBe(
      'chain#1,lp__,1.001\nchain#1,lp__,1.002\nchain#1,mu,1.001\nchain#1,mu,1.002\nchain#1,divergent__,0\nchain#1,divergent__,0\n',
    );
    await addDraws(service, id, { chains: 1, draws: 1, firstIteration: 3 });
    expect((await csv()).split('\n')).toHaveLength(10);
    expect((await csv({ n_iteration: 1 })).split('\n')).toHaveLength(4);
  });

  it('are exported as CSV even if the file was lost, and only one file is kept', async () => {
    const { short_id: id } = await addFinishedExperiment(service, client);
    const address = async () => {
      const answer = await client.viewObject({ ...of(id), query: { sampledata: true } });
      return new URL((answer as { url: string }).url).pathname;
    };
    const first = await address();
    const folder = path.join(service.filesDir, 'exports', id, 'live-csv-0');
    expect(fs.readdirSync(folder)).toHaveLength(1);
    fs.rmSync(folder, { recursive: true });
    expect((await service.inject({ method: 'GET', url: first })).json().code).toBe(
      'PERMISSION_DENIED',
    );
    expect((await service.inject({ method: 'GET', url: await address() })).statusCode).toBe(200);
    await addDraws(service, id, { chains: 2, draws: 5, firstIteration: 21 });
    await address();
    expect(fs.readdirSync(folder)).toHaveLength(1);
  });
});
