import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../../src/client/create-client.ts';
import type { CreatePayload } from '../../../src/contract/objects.ts';
import type { FunctionRun } from '../../../src/contract/relations.ts';
import { parseCallbackCode } from '../../../src/service/functions/callback-program.ts';
import { carryOutCall } from '../../../src/service/functions/run-call.ts';
import { execute, selectOne, sql } from '../../../src/service/repositories/database.ts';
import { fireSampleEvents } from '../../../src/service/repositories/event-calls.ts';
import { findExperiment } from '../../../src/service/repositories/experiments.ts';
import { finaliseRun } from '../../../src/service/runs/finalise.handler.ts';
import { recoverLostTasks } from '../../../src/service/worker/take-jobs.ts';
import {
  addDraws,
  addModel,
  addShare,
  addWorkflow,
  startExperiment,
} from '../../support/objects.ts';
import type { Person } from '../../support/service.ts';
import {
  addFunction,
  createFunctionService,
  type FunctionService,
} from '../functions/function-service.ts';

let service: FunctionService;
let ada: Person;
let bob: Person;

beforeAll(async () => {
  service = await createFunctionService();
  ada = await service.addPerson('ada');
  bob = await service.addPerson('bob');
});
afterAll(() => service.close());

interface Made {
  readonly short_id: string;
  readonly token?: string;
  readonly name?: string;
  readonly tags?: readonly string[];
  readonly runs?: readonly FunctionRun[];
}

const create = async (client: Client, payload: CreatePayload) =>
  (await client.createObject({ body: { payload } })) as Made;
const view = async (client: Client, objid: string) =>
  (await client.viewObject({ params: { objid } })) as Made;
const runsOf = async (client: Client, objid: string) => (await view(client, objid)).runs ?? [];
const addEvent = async (client: Client, name = 'an event') =>
  (await create(client, { object_type: 'event', name })).short_id;
const addCallback = async (
  client: Client,
  code = echo,
  options: { lang?: 'javascript' | 'python' | 'julia'; single_instance?: boolean } = {},
) =>
  (await create(client, { object_type: 'callback', lang: 'javascript', code, ...options }))
    .short_id;
const bind = (client: Client, object1_id: string, object2_id: string, params?: { n: number }) =>
  create(client, { object_type: 'relation', object1_id, object2_id, params });
const fire = (
  client: Client,
  objid: string,
  payload: { params?: string; lock_key?: string } = {},
) =>
  client.updateObject({
    params: { objid },
    body: { payload: { object_type: 'event', ...payload } },
  });
const listEvents = async (client: Client) => {
  const { objects } = await client.listObjects({ query: { object_type: 'event', page_size: 100 } });
  return objects as Made[];
};
const eventNamed = async (client: Client, name: string) =>
  (await listEvents(client)).find((event) => event.name === name)?.short_id ?? '';

const echo = 'export default (parameters) => { console.log(JSON.stringify(parameters)); };';
const logged = (runs: readonly FunctionRun[]) =>
  runs.map((run) => JSON.parse(run.log) as Record<string, unknown>);

/** What a worker does in a round, and its jobs. */
async function work(): Promise<void> {
  const { pool } = service.database;
  await fireSampleEvents(pool);
  await recoverLostTasks({ pool, queue: service.queue });
  await service.queue.drain();
}

/** Gives a run its draws and lets it end. */
async function endRun(objid: string, draws: number, failure: string | null = null): Promise<void> {
  const { pool } = service.database;
  await addDraws(service, objid, { chains: 2, draws });
  const id = (await findExperiment(pool, objid))?.id ?? 0;
  const state = failure === null ? 'done' : 'failed';
  await execute(
    pool,
    sql`update experiment_chains set state = ${state}, error_message = ${failure} where experiment_id = ${id}`,
  );
  await execute(pool, sql`update objects set status = 'SAMPLE_FIN' where id = ${id}`);
  await finaliseRun(pool, id);
}

describe('an event', () => {
  it('calls everything bound to it, with its parameters, and shows the results', async () => {
    const event = await addEvent(ada.client);
    const callback = await addCallback(ada.client);
    const fn = await addFunction(
      ada.client,
      'export default ({ a }) => { throw new Error("a is " + a); };',
    );
    await bind(ada.client, event, callback);
    await bind(ada.client, event, fn);
    const answer = (await fire(ada.client, event, { params: '{"a": 1}' })) as Made;
    expect(answer.runs?.map((run) => run.state)).toEqual(['waiting', 'waiting']);
    await service.queue.drain();
    const runs = await runsOf(ada.client, event);
    expect(runs.find((run) => run.target === callback)).toMatchObject({
      state: 'done',
      log: '{"a":1}\n',
      error: '',
    });
    expect(runs.find((run) => run.target === fn)).toMatchObject({
      state: 'failed',
      error: 'The function failed. main.js, line 1: a is 1',
    });
    expect(await runsOf(ada.client, callback)).toHaveLength(1);
  });

  it('passes text that is not JSON as text, and no text as an empty object', async () => {
    const event = await addEvent(ada.client);
    await bind(ada.client, event, await addCallback(ada.client));
    for (const params of ['', 'plain words', '[1, 2]']) await fire(ada.client, event, { params });
    await service.queue.drain();
    expect(logged(await runsOf(ada.client, event)).toReversed()).toEqual([
      {},
      'plain words',
      [1, 2],
    ]);
  });

  it('runs one call per target and key at a time, and others in parallel', async () => {
    const event = await addEvent(ada.client);
    await bind(ada.client, event, await addCallback(ada.client));
    for (const lock_key of ['x', 'x', 'y']) await fire(ada.client, event, { lock_key });
    const [y, second, first] = await runsOf(ada.client, event);
    const states = async () => (await runsOf(ada.client, event)).map((run) => run.state);
    await carryOutCall(service.context, second.id);
    expect(await states()).toEqual(['waiting', 'waiting', 'waiting']);
    await carryOutCall(service.context, y.id);
    expect(await states()).toEqual(['done', 'waiting', 'waiting']);
    await carryOutCall(service.context, first.id);
    await service.queue.drain();
    expect(await states()).toEqual(['done', 'done', 'done']);
  });

  it('calls nothing that was unbound or deleted', async () => {
    const event = await addEvent(ada.client);
    const callback = await addCallback(ada.client);
    const relation = await bind(ada.client, event, callback);
    const { deleted_key: key } = await ada.client.deleteObject({
      params: { objid: relation.short_id },
    });
    await fire(ada.client, event);
    expect(await runsOf(ada.client, event)).toEqual([]);
    await ada.client.deleteObjects({ query: { deleted_key: key as string } });
    await fire(ada.client, event);
    await ada.client.deleteObject({ params: { objid: callback } });
    await service.queue.drain();
    expect(await runsOf(ada.client, event)).toMatchObject([
      { state: 'failed', error: 'There is no such object.' },
    ]);
    await ada.client.deleteObject({ params: { objid: event } });
    await expect(fire(ada.client, event)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('belongs to its owner, and runs with the permissions of its owner', async () => {
    const event = await addEvent(ada.client);
    const experiment = await startExperiment(ada.client);
    await bind(
      ada.client,
      event,
      await addCallback(
        ada.client,
        'export default ({ x }, e) => console.log(e.experiment(x).name);',
      ),
    );
    await expect(fire(bob.client, event)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
    await expect(view(bob.client, event)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
    // a super user sets it off, and it runs as its owner, who alone reads what it logged
    await fire(service.owner.client, event, { params: JSON.stringify({ x: experiment.short_id }) });
    await service.queue.drain();
    expect(await runsOf(ada.client, event)).toMatchObject([{ state: 'done', log: 'A workflow\n' }]);
    expect(await runsOf(service.owner.client, event)).toMatchObject([{ state: 'done', log: '' }]);
  });

  it('may not have the name of a built-in event', async () => {
    await expect(addEvent(ada.client, 'experiment.finished')).rejects.toMatchObject({
      code: 'INVALID_PARAMETER',
    });
  });
});

describe('a callback', () => {
  it('shows its token only when it is created, and the token opens nothing else', async () => {
    const made = await create(ada.client, {
      object_type: 'callback',
      lang: 'javascript',
      code: echo,
    });
    expect(made.token).toMatch(/^erg_/);
    expect((await view(ada.client, made.short_id)).token).toBe('');
    const holder = service.clientOf(made.token as string);
    expect(await view(holder, made.short_id)).toMatchObject({
      short_id: made.short_id,
      code: echo,
    });
    const event = await addEvent(ada.client);
    await expect(view(holder, event)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
    await expect(holder.listObjects({ query: { object_type: 'model' } })).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
    });
  });

  it('in another language says what to install if there is no sandbox', async () => {
    const event = await addEvent(ada.client);
    await bind(ada.client, event, await addCallback(ada.client, 'print(1)', { lang: 'python' }));
    await fire(ada.client, event);
    await service.queue.drain();
    expect(await runsOf(ada.client, event)).toMatchObject([
      { state: 'failed', error: expect.stringMatching(/: install /) },
    ]);
  });

  it('may be stored in a snippet or a repository', async () => {
    expect(parseCallbackCode('gist:ab12:main.js')).toEqual({
      kind: 'gist',
      id: 'ab12',
      file: 'main.js',
    });
    expect(parseCallbackCode('repo:ada/tools:src/every.js')).toEqual({
      kind: 'repo',
      repo: 'ada/tools',
      file: 'src/every.js',
    });
    expect(parseCallbackCode('const gist = 1;')).toEqual({
      kind: 'inline',
      text: 'const gist = 1;',
    });
    for (const code of ['gist:', 'gist:ab12', 'repo:ada:main.js', 'repo:ada/tools:a\\b.js'])
      await expect(addCallback(ada.client, code)).rejects.toMatchObject({
        code: 'INVALID_PARAMETER',
      });
    const event = await addEvent(ada.client);
    await bind(ada.client, event, await addCallback(ada.client, 'repo:ada/my-tools:src/a b.js'));
    await fire(ada.client, event);
    const [{ id }] = await runsOf(ada.client, event);
    const asked: string[] = [];
    const fetcher = {
      isOn: true,
      fetch: async (address: string) => {
        asked.push(address);
        return {
          bytes: Buffer.from(echo),
          fileName: 'a b.js',
          mediaType: '',
          finalAddress: address,
        };
      },
    };
    await carryOutCall({ ...service.context, fetcher }, id);
    expect(asked).toEqual([
      expect.stringMatching(/^https:\/\/[^/]+\/ada\/my-tools\/HEAD\/src\/a%20b\.js$/),
    ]);
    expect(await runsOf(ada.client, event)).toMatchObject([{ state: 'done', log: '{}\n' }]);
  });

  it('from a snippet is the current version of its file of that name', async () => {
    const call = async (code: string) => {
      const event = await addEvent(ada.client);
      await bind(ada.client, event, await addCallback(ada.client, code));
      await fire(ada.client, event);
      const [{ id }] = await runsOf(ada.client, event);
      const gist = { files: { 'main.js': { filename: 'main.js', content: echo } } };
      const bytes = Buffer.from(JSON.stringify(gist));
      const answer = { bytes, fileName: 'ab12', mediaType: 'application/json' };
      const fetch = async (finalAddress: string) => ({ ...answer, finalAddress });
      await carryOutCall({ ...service.context, fetcher: { isOn: true, fetch } }, id);
      return (await runsOf(ada.client, event))[0];
    };
    expect(await call('gist:ab12:main.js')).toMatchObject({ state: 'done', log: '{}\n' });
    expect(await call('gist:ab12:other.js')).toMatchObject({
      state: 'failed',
      error: 'The snippet ab12 has no file other.js.',
    });
  });

  it('needs code, of limited size', async () => {
    await expect(addCallback(ada.client, ' ')).rejects.toMatchObject({ code: 'INVALID_PARAMETER' });
    await expect(addCallback(ada.client, 'x'.repeat(2 ** 20 + 1))).rejects.toMatchObject({
      code: 'TOO_LARGE',
    });
  });
});

describe('a relation', () => {
  it('connects an event with a callback or function of the same owner, and nothing else', async () => {
    const event = await addEvent(ada.client);
    const callback = await addCallback(ada.client);
    const model = (await addModel(ada.client)).short_id;
    const workflow = (await addWorkflow(ada.client)).short_id;
    const bobs = await addCallback(bob.client);
    const cases: [string, string, string][] = [
      [callback, event, 'INVALID_PARAMETER'],
      [event, event, 'INVALID_PARAMETER'],
      [event, workflow, 'INVALID_PARAMETER'],
      [event, model, 'INVALID_PARAMETER'],
      [event, 'nonsense', 'INVALID_PARAMETER'],
      [event, 'C0000000', 'NOT_FOUND'],
      [event, bobs, 'PERMISSION_DENIED'],
    ];
    for (const [from, to, code] of cases)
      await expect([from, to, bind(ada.client, from, to)][2]).rejects.toMatchObject({ code });
    await expect(bind(service.owner.client, event, bobs)).rejects.toMatchObject({
      code: 'INVALID_PARAMETER',
    });
    await expect(bind(ada.client, event, callback, { n: 0 })).rejects.toMatchObject({
      code: 'INVALID_PARAMETER',
    });
    const made = await bind(ada.client, event, callback, { n: 10 });
    expect(await view(ada.client, made.short_id)).toMatchObject({
      object1_id: event,
      object2_id: callback,
      user_id: ada.row.id,
      params: { n: 10 },
    });
    const { objects } = await ada.client.listObjects({ query: { object_type: 'relation' } });
    expect(objects.map((object) => object.short_id)).toContain(made.short_id);
  });
});

describe('built-in events', () => {
  const names = [
    'experiment.every_n_samples',
    'experiment.failed',
    'experiment.finished',
    'share.received',
  ];

  it('are listed only for their owner, even if their tag is requested', async () => {
    const [dan, eve] = [await service.addPerson('dan'), await service.addPerson('eve')];
    const theirs = (await listEvents(dan.client)).map((event) => event.short_id);
    await listEvents(eve.client);
    const query = { object_type: 'event' as const, tags: ['builtin'], page_size: 100 };
    const { objects } = await eve.client.listObjects({ query });
    expect(objects).toHaveLength(names.length);
    expect(objects.filter((event) => theirs.includes(event.short_id))).toEqual([]);
  });

  it('exist once for each user who lists them, and stay deleted until they are restored', async () => {
    const carol = await service.addPerson('carol');
    const both = await Promise.all([listEvents(carol.client), listEvents(carol.client)]);
    for (const events of both)
      expect(events.map((event) => `${event.name} ${event.tags?.join()}`).toSorted()).toEqual(
        names.map((name) => `${name} builtin`),
      );
    expect(both[0].map((event) => event.short_id).toSorted()).toEqual(
      both[1].map((event) => event.short_id).toSorted(),
    );
    const [gone] = both[0];
    const { deleted_key: key } = await carol.client.deleteObject({
      params: { objid: gone.short_id },
    });
    expect(await listEvents(carol.client)).toHaveLength(3);
    await carol.client.deleteObjects({ query: { deleted_key: key as string } });
    expect(await listEvents(carol.client)).toHaveLength(4);
  });

  it('fire when a run finishes or fails', async () => {
    const finished = await eventNamed(ada.client, 'experiment.finished');
    const failed = await eventNamed(ada.client, 'experiment.failed');
    const callback = await addCallback(ada.client);
    const relations = [
      await bind(ada.client, finished, callback),
      await bind(ada.client, failed, callback),
    ];
    const good = await startExperiment(ada.client);
    const bad = await startExperiment(ada.client);
    await endRun(good.short_id, 10);
    await endRun(bad.short_id, 5, 'it ran away');
    await work();
    expect(logged(await runsOf(ada.client, finished))).toEqual([
      {
        event: 'experiment.finished',
        object_id: good.short_id,
        experiment_id: good.short_id,
        batch_id: '',
        run_id: '',
        chain_name: '',
        n_iteration: 10,
        message: '',
      },
    ]);
    expect(logged(await runsOf(ada.client, failed))).toMatchObject([
      { experiment_id: bad.short_id, message: 'it ran away' },
    ]);
    for (const { short_id: objid } of relations)
      await ada.client.deleteObject({ params: { objid } });
  });

  it('fire when something is shared with a user, as that user', async () => {
    const event = await eventNamed(bob.client, 'share.received');
    await bind(bob.client, event, await addCallback(bob.client));
    const model = await addModel(ada.client);
    await addShare(ada.client, { objid: model.short_id, target_user: bob.username });
    await work();
    expect(logged(await runsOf(bob.client, event))).toMatchObject([
      { event: 'share.received', object_id: model.short_id, experiment_id: '' },
    ]);
  });

  it('fire for no other user, and write nothing where nothing is bound', async () => {
    const { pool } = service.database;
    await listEvents(bob.client);
    const count = async () =>
      (await selectOne<{ n: number }>(pool, sql`select count(*) as n from function_calls`))?.n;
    const before = await count();
    await endRun((await startExperiment(bob.client)).short_id, 5);
    expect(await count()).toBe(before);
  });

  it('fire every n draws of each chain, once if several steps are passed at once', async () => {
    const event = await eventNamed(ada.client, 'experiment.every_n_samples');
    const callback = await addCallback(ada.client, echo, { single_instance: false });
    await bind(ada.client, event, callback, { n: 10 });
    const { short_id } = await startExperiment(ada.client);
    await execute(
      service.database.pool,
      sql`update objects set status = 'RUN' where short_id = ${short_id}`,
    );
    const reached = async () => {
      await work();
      const runs = logged(await runsOf(ada.client, event)).filter(
        (run) => run.experiment_id === short_id,
      );
      return runs.map((run) => `${String(run.chain_name)} ${String(run.n_iteration)}`).toSorted();
    };
    await addDraws(service, short_id, { chains: 2, draws: 9 });
    expect(await reached()).toEqual([]);
    await addDraws(service, short_id, { chains: 1, draws: 3, firstIteration: 10 });
    expect(await reached()).toEqual(['chain#1 10']);
    expect(await reached()).toEqual(['chain#1 10']);
    await addDraws(service, short_id, { chains: 2, draws: 25, firstIteration: 13 });
    expect(await reached()).toEqual(['chain#1 10', 'chain#1 30', 'chain#2 30']);
  });

  it('do nothing when nothing is bound to every n draws', async () => {
    const { pool } = service.database;
    await execute(pool, sql`delete from relations`);
    expect(await fireSampleEvents(pool)).toBe(0);
  });
});
