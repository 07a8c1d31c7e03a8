import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { objectKinds } from '../../src/contract/common.ts';
import { hashPassword } from '../../src/service/auth/passwords.ts';
import { insertToken } from '../../src/service/repositories/tokens.ts';
import {
  addData,
  addFinishedExperiment,
  addModel,
  addProject,
  addShare,
  addWorkflow,
  codeOf,
} from '../support/objects.ts';
import { createTestService, type Person, type TestService } from '../support/service.ts';

let service: TestService;
let ada: Person;
let bob: Person;
beforeAll(async () => {
  service = await createTestService();
  ada = await service.addPerson('ada', { passwordHash: await hashPassword('correct horse') });
  bob = await service.addPerson('bob');
});
afterAll(() => service.close());

/** What bob sees of every kind, through every kind of request. */
async function lookEverywhere(ids: string[]) {
  const seen = [];
  for (const object_type of objectKinds)
    for (const query of [
      {},
      { q: 'secret' },
      { q: ids[0] },
      { model_ids: ids },
      { workflow_id: ids },
      { member_id: ids },
      { with_share_info: true },
      { tags: ['model', 'builtin'] },
    ]) {
      const page = await bob.client.listObjects({ query: { object_type, ...query } });
      const asked = JSON.stringify(query).replaceAll(/"[A-Z]\w{7}"/g, '"an id"');
      seen.push([object_type, JSON.parse(asked), page.total, page.objects] as const);
    }
  return seen;
}

describe('two people', () => {
  it('see nothing of each other in lists, searches and filters, or by id', async () => {
    const none = ['X', 'M', 'F', 'D', 'P'].map((letter) => `${letter}0000000`);
    const before = await lookEverywhere(none);
    // only the service's own objects are visible to everyone: functions found by their tag, and events
    for (const [object_type, query, total, objects] of before) {
      const isSeen = object_type === 'event' || 'tags' in query;
      if (!isSeen) expect([object_type, query, total]).toEqual([object_type, query, 0]);
      expect(objects).toHaveLength(total);
      for (const one of objects)
        expect(one).toMatchObject({ tags: expect.arrayContaining(['builtin']) });
    }
    const experiment = await addFinishedExperiment(service, ada.client, { name: 'secret' });
    const ids = [
      experiment.short_id,
      experiment.model_id,
      experiment.workflow_id,
      experiment.input,
    ] as string[];
    const members = [experiment.short_id];
    ids.push((await addProject(ada.client, { name: 'secret', members })).short_id);
    expect(await lookEverywhere(ids)).toEqual(before);
    for (const objid of ids)
      expect(await codeOf(bob.client.viewObject({ params: { objid } }))).toBe('PERMISSION_DENIED');
  });

  it('cannot undo or revoke what the other did', async () => {
    const { short_id: objid } = await addModel(ada.client);
    const { deleted_key: key } = await ada.client.deleteObject({ params: { objid } });
    expect(await codeOf(bob.client.deleteObjects({ query: { deleted_key: key as string } }))).toBe(
      'NOT_FOUND',
    );
    expect(await codeOf(bob.client.deleteTokens({ query: { deleted_key: key as string } }))).toBe(
      'NOT_FOUND',
    );
    const share = await addShare(ada.client, { objid: (await addModel(ada.client)).short_id });
    expect(await codeOf(bob.client.deleteObject({ params: { objid: share.short_id } }))).toBe(
      'PERMISSION_DENIED',
    );
  });

  it('delete all objects of a request or none', async () => {
    const own = (await addData(bob.client)).short_id;
    const foreign = (await addData(ada.client)).short_id;
    expect(await codeOf(bob.client.deleteObjects({ query: { objids: [own, foreign] } }))).toBe(
      'PERMISSION_DENIED',
    );
    expect(await codeOf(bob.client.viewObject({ params: { objid: own } }))).toBeNull();
  });

  it("cannot attach each other's objects, even when these are shared with them", async () => {
    const { short_id: model } = await addModel(ada.client);
    await addShare(ada.client, { objid: model, target_user: bob.username });
    expect(await codeOf(bob.client.viewObject({ params: { objid: model } }))).toBeNull();
    const payloads = [
      { object_type: 'workflow', model_id: model },
      { object_type: 'experiment', model_id: model },
    ] as const;
    for (const payload of payloads)
      expect(await codeOf(bob.client.createObject({ body: { payload } }))).toBe(
        'PERMISSION_DENIED',
      );
    const { short_id: objid } = await addWorkflow(bob.client);
    const { short_id: data } = await addData(ada.client);
    for (const change of [{ data_id: data }, { analyzer_id: model }])
      expect(
        await codeOf(
          bob.client.updateObject({
            params: { objid },
            body: { payload: { object_type: 'workflow', ...change } },
          }),
        ),
      ).toBe('PERMISSION_DENIED');
  });
});

describe('a token', () => {
  it('of a run gives access to its own experiment only', async () => {
    const { short_id: objid } = await addFinishedExperiment(service, ada.client);
    const { text } = await insertToken(service.database.pool, {
      userId: ada.row.id,
      kind: 'run',
      scope: objid,
    });
    const client = service.clientOf(text);
    expect(await codeOf(client.viewObject({ params: { objid } }))).toBeNull();
    expect(await codeOf(client.viewUser())).toBeNull();
    const { short_id: model } = await addModel(ada.client);
    const refused = [
      () => client.listObjects({ query: { object_type: 'model' } }),
      () => client.viewObject({ params: { objid: model } }),
      () => client.createToken({ body: {} }),
      () => client.updateUser({ body: { password: 'correct horse', new_password: 'taken over' } }),
      () => client.deleteObject({ params: { objid } }),
      () => client.createObject({ body: { payload: { object_type: 'data', name: 'd' } } }),
      () => client.invoke({ body: { target: objid, action: 'run' } }),
    ];
    for (const call of refused) expect(await codeOf(call())).toBe('PERMISSION_DENIED');
  });

  it('of another sign-in ends when the password changes; the current and created ones stay valid', async () => {
    const signIn = async () =>
      (await service.anonymous.login({ body: { username: 'ada', password: 'correct horse' } }))
        .tokens[0];
    const [one, two] = [await signIn(), await signIn()];
    const made = await ada.client.createToken({ body: {} });
    await service
      .clientOf(one)
      .updateUser({ body: { password: 'correct horse', new_password: 'battery staple' } });
    expect(await codeOf(service.clientOf(one).viewUser())).toBeNull();
    expect(await codeOf(service.clientOf(made.token).viewUser())).toBeNull();
    expect(await codeOf(service.clientOf(two).viewUser())).toBe('UNAUTHORIZED');
    expect(
      await codeOf(
        service.anonymous.login({ body: { username: 'ada', password: 'correct horse' } }),
      ),
    ).toBe('PERMISSION_DENIED');
    ada = { ...ada, token: one, client: service.clientOf(one) };
  });

  it('appears in clear text neither in the database nor in the log', async () => {
    const { tokens } = await service.anonymous.login({
      body: { username: 'ada', password: 'battery staple' },
    });
    await service.inject({ method: 'GET', url: `/?token=${tokens[0]}` });
    const { rows } = await service.database.pool.query('select * from tokens');
    expect(JSON.stringify(rows)).not.toContain(tokens[0]);
    expect(service.log.join('')).not.toContain(tokens[0]);
    expect(service.log.join('')).not.toContain('battery staple');
  });
});

describe('signing in', () => {
  it('answers the same for unknown names, wrong passwords and users without a password', async () => {
    const answers = await Promise.all(
      ['ada', 'nobody', 'bob', 'owner', 'owner(@1)', '\u0000', 'ada(@999)'].map((username) =>
        service.inject({
          method: 'POST',
          url: '/base/login',
          payload: JSON.stringify({ username, password: '' }),
        }),
      ),
    );
    for (const answer of answers) {
      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toEqual({
        status: 'error',
        code: 'PERMISSION_DENIED',
        message: 'User name or password is wrong.',
      });
    }
  });

  it('takes about as long for an unknown name as for a wrong password', async () => {
    const measure = async (username: string) => {
      const start = process.hrtime.bigint();
      await codeOf(service.anonymous.login({ body: { username, password: 'wrong' } }));
      return Number(process.hrtime.bigint() - start) / 1e6;
    };
    // alternating, so that other load on the machine affects both
    let known = Infinity;
    let unknown = Infinity;
    for (const name of ['n1', 'n2', 'n3']) {
      known = Math.min(known, await measure('ada'));
      unknown = Math.min(unknown, await measure(name));
    }
    // both hash; without the decoy the unknown name would be many times faster
    expect(unknown).toBeGreaterThan(known / 3);
  });
});

describe('the address of a caller', () => {
  const wrongFrom = async (target: TestService, username: string, forwarded: string) =>
    (
      await target.inject({
        method: 'POST',
        url: '/base/login',
        payload: JSON.stringify({ username, password: 'wrong' }),
        headers: { 'x-forwarded-for': forwarded },
      })
    ).json().code;

  it('is the address of the socket, whatever the headers claim', async () => {
    const codes: string[] = [];
    for (let i = 0; i < 6; i++) codes.push(await wrongFrom(service, 'eve', `10.0.0.${i}`));
    expect(codes.at(-1)).toBe('RATE_LIMITED');
  });

  it('behind a trusted proxy is the one the proxy adds, not the one the caller sent', async () => {
    const behind = await createTestService({ config: { trustProxy: true } });
    const codes: string[] = [];
    for (let i = 0; i < 6; i++)
      codes.push(await wrongFrom(behind, 'eve', `10.0.0.${i}, 192.0.2.9`));
    expect(codes.at(-1)).toBe('RATE_LIMITED');
    expect(await wrongFrom(behind, 'eve', '192.0.2.10')).toBe('PERMISSION_DENIED');
    await behind.close();
  });
});

describe('internal errors', () => {
  it('are reported by request id only, and logged with their details', async () => {
    const { short_id: objid } = await addFinishedExperiment(service, ada.client);
    await service.database.pool.query('alter table draw_layouts rename to away');
    const response = await service.inject(
      { method: 'GET', url: `/api/draws/${objid}`, headers: { 'x-request-id': 'fault-1' } },
      ada.token,
    );
    await service.database.pool.query('alter table away rename to draw_layouts');
    expect(response.statusCode).toBe(500);
    expect(response.json()).toEqual({
      status: 'error',
      code: 'INTERNAL',
      message: 'The service failed to answer; see request fault-1 in its log.',
    });
    const line = service.log
      .map((text) => JSON.parse(text))
      .find((entry) => entry.requestId === 'fault-1');
    expect(line.err.message).toContain('draw_layouts');
  });
});
