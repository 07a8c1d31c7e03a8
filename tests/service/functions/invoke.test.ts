import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectKind } from '../../../src/client/expect-kind.ts';
import { requestCall } from '../../../src/service/functions/request-call.ts';
import { carryOutCall } from '../../../src/service/functions/run-call.ts';
import { viewerOfUser } from '../../../src/service/functions/viewer-of-user.ts';
import { registerBuiltin } from '../../../src/service/policy/builtin-functions.ts';
import { execute, sql } from '../../../src/service/repositories/database.ts';
import {
  claimCall,
  endCall,
  insertCall,
  listCalls,
  listNextCalls,
  MAX_WAITING,
} from '../../../src/service/repositories/function-calls.ts';
import { recoverLostTasks } from '../../../src/service/worker/take-jobs.ts';
import { addData, addFinishedExperiment, addModel, addShare } from '../../support/objects.ts';
import type { Person } from '../../support/service.ts';
import {
  addFunction,
  callFunction,
  createFunctionService,
  type FunctionService,
} from './function-service.ts';

let service: FunctionService;
let ada: Person;
let bob: Person;

beforeAll(async () => {
  service = await createFunctionService();
  ada = await service.addPerson('ada');
  bob = await service.addPerson('bob');
});
afterAll(() => service.close());

const callsOf = (id: string) => listCalls(service.database.pool, id, 50);
const refused = (code: string, pattern: RegExp) => ({
  code,
  message: expect.stringMatching(pattern),
});
const sum = 'export default ({ a, b }) => ({ sum: a + b });';

describe('a synchronous call', () => {
  it('returns the result of the function, and is recorded', async () => {
    const id = await addFunction(ada.client, sum);
    expect(await callFunction(ada.client, id, { a: 1, b: 2 })).toEqual({
      cloudfunction_response: { sum: 3 },
    });
    expect(await callsOf(id)).toMatchObject([
      {
        state: 'done',
        user_id: ada.row.id,
        error: null,
        background: false,
        version: 1,
        parameters: '',
      },
    ]);
    const view = expectKind(await ada.client.viewObject({ params: { objid: id } }), 'model');
    expect(view.runs).toMatchObject([{ target: id, state: 'done', error: '' }]);
  });

  it('runs the newest version of the function', async () => {
    const id = await addFunction(ada.client, 'export default () => 1;');
    const tree = [
      { name: 'main.js', content: 'export default () => 2;', encoding: 'text' as const },
    ];
    const payload = { object_type: 'model' as const, content: { tree } };
    await ada.client.updateObject({ params: { objid: id }, body: { payload } });
    expect(await callFunction(ada.client, id)).toEqual({ cloudfunction_response: 2 });
  });

  it('that fails is reported with the file, the line and the log', async () => {
    const id = await addFunction(
      ada.client,
      'export default () => {\n  console.log("got so far");\n  throw new TypeError("no such thing");\n};',
    );
    await expect(callFunction(ada.client, id)).rejects.toMatchObject({
      ...refused(
        'INVALID_PARAMETER',
        /^The function failed\. main\.js, line 3: TypeError: no such thing$/,
      ),
      details: { file: 'main.js', line: 3, log: 'got so far\n' },
    });
    expect(await callsOf(id)).toMatchObject([
      { state: 'failed', error_code: 'INVALID_PARAMETER', log: 'got so far\n' },
    ]);
  });

  it('that exceeds a limit is reported with the limit', async () => {
    const id = await addFunction(ada.client, 'export default function f() { return f() + 1; }');
    await expect(callFunction(ada.client, id)).rejects.toMatchObject(
      refused('LIMIT_EXCEEDED', /recurses too deeply/),
    );
  });

  it('is refused for a model that is not a function', async () => {
    const model = await addModel(ada.client);
    await expect(callFunction(ada.client, model.short_id)).rejects.toMatchObject(
      refused('INVALID_PARAMETER', /is a model, not a cloud function.*tag "code"/),
    );
    const stan = await addFunction(ada.client, { 'main.stan': 'model {}' });
    await expect(callFunction(ada.client, stan)).rejects.toMatchObject(
      refused('INVALID_PARAMETER', /main\.stan cannot be called/),
    );
    const lost = await addFunction(ada.client, { 'main.js': sum }, { entrance_file: 'other.js' });
    await expect(callFunction(ada.client, lost)).rejects.toMatchObject(
      refused('INVALID_PARAMETER', /no file other\.js/),
    );
    const empty = await addFunction(ada.client, {});
    await expect(callFunction(ada.client, empty)).rejects.toMatchObject(
      refused('INVALID_PARAMETER', /no (entrance file|files)/),
    );
  });

  it('of a function in another language says what to install if there is no sandbox', async () => {
    const id = await addFunction(ada.client, { 'main.py': 'print(1)' });
    for (const waits of [true, false])
      await expect(callFunction(ada.client, id, {}, waits)).rejects.toMatchObject(
        refused('NOT_SUPPORTED', /: install /),
      );
  });
});

describe('permissions', () => {
  it('to call belong to the owner, not to users the function is shared with', async () => {
    const id = await addFunction(ada.client, sum);
    await addShare(ada.client, { objid: id, target_user: bob.username });
    await addShare(ada.client, { objid: id });
    await expect(callFunction(bob.client, id)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
    await expect(callFunction(service.anonymous, id)).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
    });
    expect(await callFunction(service.owner.client, id, { a: 1, b: 1 })).toEqual({
      cloudfunction_response: { sum: 2 },
    });
    expect(
      expectKind(await bob.client.viewObject({ params: { objid: id } }), 'model').runs,
    ).toBeUndefined();
  });

  it('to read are those of the caller', async () => {
    const experiment = await addFinishedExperiment(service, ada.client);
    const data = await addData(ada.client, { data: '{"N": 3}' });
    const read = `export default ({ x, d }, e) => ({
      status: e.experiment(x).status, mu: e.draws(x, { variables: 'mu', thin: 10 }).mu.map((c) => [c.chain, c.length, c[1]]),
      chains: e.summary(x).n_chains, data: e.data(d).text });`;
    const given = { x: experiment.short_id, d: data.short_id };
    expect(await callFunction(ada.client, await addFunction(ada.client, read), given)).toEqual({
      cloudfunction_response: {
        status: 'FIN',
        mu: [
          ['chain#1', 2, 1.011],
          ['chain#2', 2, 2.011],
        ],
        chains: 2,
        data: '{"N": 3}',
      },
    });
    const bobs = await addFunction(
      bob.client,
      `export default ({ x, d }, e) => [
      () => e.experiment(x), () => e.draws(x), () => e.summary(x), () => e.data(d), () => e.data(x), () => e.draws('X0000000'), () => e.draws('nonsense'),
    ].map((f) => { try { return f(); } catch (error) { return error.message; } });`,
    );
    const { cloudfunction_response: answers } = await callFunction(bob.client, bobs, given);
    expect(answers).toEqual([
      ...Array.from({ length: 5 }, () => expect.stringMatching(/You may not see this/)),
      ...Array.from({ length: 2 }, () => expect.stringMatching(/There is no such object/)),
    ]);
  });

  it('to read through a share are those of the share', async () => {
    const experiment = await addFinishedExperiment(service, ada.client, { draws: 12 });
    await addShare(ada.client, { objid: experiment.short_id, target_user: bob.username });
    const id = await addFunction(
      bob.client,
      'export default ({ x }, e) => [e.draws(x).mu[0].length, e.experiment(x).workflow_id, e.draws(x, { phase: "warmup" })];',
    );
    expect(await callFunction(bob.client, id, { x: experiment.short_id })).toEqual({
      cloudfunction_response: [12, '', {}],
    });
  });
});

describe('a background call', () => {
  it('returns at once and is carried out by a job', async () => {
    const id = await addFunction(
      ada.client,
      'export default ({ a }) => { console.log("a is", a); return a; };',
    );
    expect(await callFunction(ada.client, id, { a: 1 }, false)).toEqual({});
    expect(await callsOf(id)).toMatchObject([{ state: 'waiting', background: true }]);
    await service.queue.drain();
    expect(await callsOf(id)).toMatchObject([{ state: 'done', log: 'a is 1\n' }]);
  });

  it('runs again when its worker dies, and fails when workers die three times', async () => {
    const { pool } = service.database;
    const id = await addFunction(ada.client, 'export default () => 5;');
    await callFunction(ada.client, id, {}, false);
    const die = async () => {
      const [call] = await callsOf(id);
      expect(await claimCall(pool, call)).not.toBeNull();
      // as if its worker had been killed and its lease had expired
      await execute(
        pool,
        sql`update tasks set lease_until = now() - interval '1 second' where kind = 'call' and subject_id = ${call.id}`,
      );
      await recoverLostTasks({ pool, queue: service.queue });
    };
    await die();
    expect(await callsOf(id)).toMatchObject([{ state: 'waiting', attempts: 1 }]);
    await die();
    await service.queue.drain();
    expect(await callsOf(id)).toMatchObject([{ state: 'done', attempts: 3 }]);
    await callFunction(ada.client, id, {}, false);
    for (const _ of [1, 2, 3]) await die();
    expect((await callsOf(id))[0]).toMatchObject({ state: 'failed', error_code: 'UNAVAILABLE' });
  });

  it('that has ended cannot be claimed or run again', async () => {
    const { pool } = service.database;
    const id = await addFunction(ada.client, 'export default () => 5;');
    await callFunction(ada.client, id, {}, false);
    const [call] = await callsOf(id);
    await carryOutCall(service.context, call.id);
    expect(await carryOutCall(service.context, call.id)).toEqual({ kind: 'done' });
    expect(await claimCall(pool, call)).toBeNull();
    expect(await callsOf(id)).toMatchObject([{ state: 'done', attempts: 1 }]);
  });

  it('of a caller who waited for a service that died has failed', async () => {
    const { pool } = service.database;
    const order = {
      functionId: 'M0000001',
      userId: ada.row.id,
      background: false,
      parameters: '{}',
      lockKey: null,
    };
    const call = await insertCall(pool, order);
    await execute(
      pool,
      sql`update tasks set lease_until = now() - interval '1 second' where kind = 'call' and subject_id = ${call?.id}`,
    );
    await recoverLostTasks({ pool, queue: service.queue });
    expect(await callsOf('M0000001')).toMatchObject([
      { state: 'failed', error: 'The service ended while this call waited or ran.' },
    ]);
  });
});

describe('single_instance', () => {
  /** Whether calls overlapped, from their own record. */
  const overlap = async (id: string) => {
    const calls = (await callsOf(id)).toReversed();
    return calls.some(
      (call, i) => i > 0 && String(call.started_at) < String(calls[i - 1].finished_at),
    );
  };
  const busy =
    'export default ({ i }) => { const end = Date.now() + 60; while (Date.now() < end); return i; };';

  it('applies to waiting callers, in their order', async () => {
    const id = await addFunction(ada.client, busy, { single_instance: true });
    const answers = await Promise.all([1, 2, 3].map((i) => callFunction(ada.client, id, { i })));
    expect(answers.map((answer) => answer.cloudfunction_response)).toEqual([1, 2, 3]);
    expect(await overlap(id)).toBe(false);
  });

  it('applies to jobs and waiting callers together', async () => {
    const id = await addFunction(ada.client, busy, { single_instance: true });
    await callFunction(ada.client, id, { i: 1 }, false);
    await callFunction(ada.client, id, { i: 2 }, false);
    const waiting = callFunction(ada.client, id, { i: 3 });
    await service.queue.drain();
    expect(await waiting).toEqual({ cloudfunction_response: 3 });
    expect((await callsOf(id)).map((call) => call.state)).toEqual(['done', 'done', 'done']);
    expect(await overlap(id)).toBe(false);
  });

  it('limits how many calls wait', async () => {
    const { pool } = service.database;
    const id = await addFunction(ada.client, busy, { single_instance: true });
    const order = {
      functionId: id,
      userId: ada.row.id,
      background: true,
      parameters: '{}',
      lockKey: id,
    };
    for (let i = 0; i < MAX_WAITING; i++) await insertCall(pool, order);
    await expect(callFunction(ada.client, id)).rejects.toMatchObject(
      refused('LIMIT_EXCEEDED', /Too many calls are waiting: at most 100 of this function/),
    );
    await execute(pool, sql`delete from function_calls where function_id = ${id}`);
  });

  it('refuses a caller whose turn does not come in time', async () => {
    const { pool } = service.database;
    const id = await addFunction(ada.client, busy, { single_instance: true });
    const order = {
      functionId: id,
      userId: ada.row.id,
      background: true,
      parameters: '{}',
      lockKey: id,
    };
    const held = await insertCall(pool, order);
    if (held === null || (await claimCall(pool, held)) === null) throw new Error('it was refused');
    const viewer = await viewerOfUser(pool, ada.row.id);
    if (viewer === null) throw new Error('nobody');
    await expect(
      requestCall(service.context, {
        target: id,
        parameters: {},
        getResponse: true,
        viewer,
        maxWaitMs: 120,
      }),
    ).rejects.toMatchObject({ code: 'CONFLICT' });
    expect((await callsOf(id)).map((call) => call.error_code)).toEqual(['CONFLICT', null]);
  });

  it('with a lock_key applies only to calls with the same key', async () => {
    const { pool } = service.database;
    const id = await addFunction(ada.client, 'export default ({ i }) => i;', {
      single_instance: true,
    });
    const blocker = {
      functionId: id,
      userId: ada.row.id,
      background: true,
      parameters: '{}',
      lockKey: `${id}:x`,
    };
    const held = await insertCall(pool, blocker);
    if (held === null) throw new Error('it was refused');
    const run = (lock_key: string) =>
      ada.client.updateObject({
        params: { objid: id },
        body: {
          payload: {
            object_type: 'model.run_script',
            params: '{"i": 4}',
            get_response: true,
            lock_key,
          },
        },
      });
    expect(await run('y')).toEqual({ object_type: 'model.run_response', data: 4 });
    const blocked = run('x');
    await carryOutCall(service.context, held.id);
    expect(await blocked).toEqual({ object_type: 'model.run_response', data: 4 });
  });
});

describe('model.run_script', () => {
  const run = (
    objid: string,
    payload: { params?: string; get_response?: boolean; cache?: boolean },
  ) =>
    ada.client.updateObject({
      params: { objid },
      body: { payload: { object_type: 'model.run_script', ...payload } },
    });

  it('accepts its parameters as JSON text', async () => {
    const id = await addFunction(ada.client, sum);
    expect(await run(id, { params: '{"a": 1, "b": 2}', get_response: true })).toEqual({
      object_type: 'model.run_response',
      data: { sum: 3 },
    });
    expect(await run(id, {})).toEqual({ object_type: 'model.run_response', data: null });
    await expect(run(id, { params: '{a}' })).rejects.toMatchObject(
      refused('INVALID_PARAMETER', /payload\.params is not valid JSON/),
    );
  });

  it('caches results by version and parameters on request', async () => {
    const random = 'export default ({ seed }) => [seed, Math.random()];';
    const id = await addFunction(ada.client, random, { single_instance: false });
    const ask = (params: string, cache = true) => run(id, { params, get_response: true, cache });
    const first = await ask('{"seed": 1}');
    expect(await ask('{"seed": 1}')).toEqual(first);
    expect(await ask('{"seed": 2}')).not.toEqual(first);
    expect(await ask('{"seed": 1}', false)).not.toEqual(first);
    const tree = [{ name: 'main.js', content: `${random}\n`, encoding: 'text' as const }];
    const payload = { object_type: 'model' as const, content: { tree } };
    await ada.client.updateObject({ params: { objid: id }, body: { payload } });
    expect(await ask('{"seed": 1}')).not.toEqual(first);
  });

  it('finds the cached result of a background call', async () => {
    const id = await addFunction(ada.client, 'export default () => Math.random();');
    await run(id, { params: '{"k": 1}' });
    await service.queue.drain();
    const answer = await run(id, { params: '{"k": 1}', get_response: true, cache: true });
    expect(await run(id, { params: '{"k": 1}', get_response: true, cache: true })).toEqual(answer);
    expect(await callsOf(id)).toHaveLength(1);
  });
});

describe('a built-in function', () => {
  const id = 'M0test00';
  let remove: () => void;
  beforeAll(() => {
    remove = registerBuiltin({
      id,
      name: 'Test echo',
      description: 'Gives back what it gets.',
      readme: '# Test echo\n\n`text`: any text.\n',
      handler: async (_, { parameters, caller }) => ({
        said: parameters.text,
        to: caller.user?.name,
      }),
    });
  });
  afterAll(() => remove());

  it('is listed only if built-in functions are requested', async () => {
    const carol = await service.addPerson('carol');
    const list = (query: object) =>
      carol.client.listObjects({ query: { object_type: 'model', ...query } });
    const { total, objects } = await list({ tags: ['builtin'] });
    expect([total, objects]).toEqual([
      expect.any(Number),
      expect.arrayContaining([
        expect.objectContaining({ short_id: id, tags: ['builtin', 'code'] }),
      ]),
    ]);
    expect(objects.some((object) => 'content' in object)).toBe(false);
    expect((await list({ tags: ['builtin'], q: 'echo test' })).objects).toHaveLength(1);
    expect((await list({ tags: ['builtin'], page_size: 1, page_no: total + 1 })).objects).toEqual(
      [],
    );
    expect((await list({})).objects.map((object) => object.short_id)).not.toContain(id);
    const own = await addFunction(carol.client, sum);
    const both = await list({ tags: ['builtin', 'code'], page_size: 1 });
    expect([both.total, both.objects.map((object) => object.short_id)]).toEqual([total + 1, [own]]);
    const next = await list({ tags: ['builtin', 'code'], page_size: 1, page_no: 2 });
    expect(next.objects).toHaveLength(1);
  });

  it('can be viewed and called by every signed-in user', async () => {
    const view = expectKind(await bob.client.viewObject({ params: { objid: id } }), 'model');
    expect(view.content?.tree).toMatchObject([
      { name: 'README.md', content: expect.stringContaining('any text') },
    ]);
    expect(await callFunction(bob.client, id, { text: 'hello' })).toEqual({
      cloudfunction_response: { said: 'hello', to: 'bob' },
    });
    await expect(service.anonymous.viewObject({ params: { objid: id } })).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
    });
    await expect(callFunction(service.anonymous, id)).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
    });
  });

  it('cannot be changed, deleted or shared by anyone', async () => {
    const { client } = service.owner;
    const payload = { object_type: 'model' as const, name: 'mine' };
    const attempts = [
      () => client.updateObject({ params: { objid: id }, body: { payload } }),
      () => client.deleteObject({ params: { objid: id } }),
      () => client.createObject({ body: { payload: { object_type: 'share', objid: id } } }),
    ];
    for (const attempt of attempts)
      await expect(attempt()).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
  });
});

it('the jobs of one user leave room for those of others', async () => {
  const { pool } = service.database;
  const dora = await service.addPerson('dora');
  const order = { userId: dora.row.id, background: true, parameters: '{}', lockKey: null };
  const calls = [];
  for (let i = 0; i < 3; i++) {
    const call = await insertCall(pool, { ...order, functionId: 'M0000002' });
    if (call === null) throw new Error('it was refused');
    calls.push(call);
  }
  const [first, second, third] = calls;
  const claimed = await claimCall(pool, first);
  expect([claimed === null, (await claimCall(pool, second)) === null]).toEqual([false, false]);
  expect(await claimCall(pool, third)).toBeNull();
  if (claimed === null) throw new Error('it was not claimed');
  await endCall(pool, claimed, {});
  expect(await listNextCalls(pool, claimed.call)).toEqual([third.id]);
  expect(await claimCall(pool, third)).not.toBeNull();
});
