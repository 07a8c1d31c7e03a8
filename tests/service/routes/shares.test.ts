import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectKind } from '../../../src/client/expect-kind.ts';
import { decodeDraws } from '../../../src/contract/draws.ts';
import { updateExperiment } from '../../../src/service/repositories/experiments.ts';
import { findObject } from '../../../src/service/repositories/objects.ts';
import {
  addData,
  addDraws,
  addFinishedExperiment,
  addModel,
  addShare,
  addWorkflow,
  codeOf,
  finishExperiment,
  rename,
  startExperiment,
} from '../../support/objects.ts';
import { createTestService, type Person, type TestService } from '../../support/service.ts';

let service: TestService;
let ada: Person;
let bob: Person;
let carol: Person;
beforeAll(async () => {
  service = await createTestService();
  ada = await service.addPerson('ada');
  bob = await service.addPerson('bob');
  carol = await service.addPerson('carol');
});
afterAll(() => service.close());

const of = (objid: string) => ({ params: { objid } });

describe('a share of an experiment', () => {
  it('shows the state when it was made and never later changes', async () => {
    const { short_id: id } = await startExperiment(ada.client, 'frozen');
    await addDraws(service, id, { chains: 2, draws: 10 });
    const share = await addShare(ada.client, { objid: id });
    const look = async () => ({
      view: await service.anonymous.viewObject(of(id)),
      draws: decodeDraws(await service.anonymous.viewDraws(of(id))),
      summary: await service.anonymous.viewSummary(of(id)),
    });
    const before = await look();
    expect(before.view).toMatchObject({ name: 'frozen', status: 'NEW', n_samples: 10 });
    expect(before.draws.header.columns.map((column) => column.count)).toEqual([
      10, 10, 10, 10, 10, 10,
    ]);
    expect(before.summary).toMatchObject({ n_samples: 10 });

    await addDraws(service, id, { chains: 2, draws: 10, firstIteration: 11 });
    await addDraws(service, id, { chains: 2, draws: 5, phase: 'warmup' });
    await finishExperiment(service, id, 20);
    await rename(ada.client, id, 'experiment', 'live');
    expect(await ada.client.viewObject(of(id))).toMatchObject({
      name: 'live',
      status: 'FIN',
      n_samples: 20,
    });
    expect(await look()).toEqual(before);
    const withId = await ada.client.viewDraws({ ...of(id), query: { share_id: share.short_id } });
    expect(decodeDraws(withId).header).toEqual(before.draws.header);
    const warmup = decodeDraws(
      await service.anonymous.viewDraws({ ...of(id), query: { phase: 'warmup' } }),
    );
    expect(warmup.header.columns).toEqual([]);
    const past = await service.anonymous.viewDraws({ ...of(id), query: { from: 11, to: 20 } });
    expect(decodeDraws(past).header.columns).toEqual([]);
  });

  it('limits the CSV too', async () => {
    const { short_id: id } = await startExperiment(ada.client);
    await addDraws(service, id, { chains: 2, draws: 3 });
    await addShare(ada.client, { objid: id });
    await addDraws(service, id, { chains: 2, draws: 3, firstIteration: 4 });
    const rows = async (client = service.anonymous) => {
      const answer = await client.viewObject({ ...of(id), query: { sampledata: true } });
      expect(answer).toMatchObject({ progress: 'done', message: '' });
      const { pathname } = new URL((answer as { url: string }).url);
      const file = await service.inject({ method: 'GET', url: pathname });
      expect(file.headers['content-disposition']).toMatch(/^attachment; filename="X\w+\.csv"/);
      expect(file.headers['content-security-policy']).toMatch(/^sandbox; default-src 'none'/);
      return file.body.trim().split('\n');
    };
    expect(await rows()).toHaveLength(2 * 3 * 3);
    expect(await rows(ada.client)).toHaveLength(2 * 3 * 6);
    expect((await rows())[3]).toBe('chain#1,mu,1.001');
  });

  it('of a run that was stopped has its state, and the draws of the chains that had begun', async () => {
    const { short_id: id } = await startExperiment(ada.client);
    await addDraws(service, id, { chains: 1, draws: 12 });
    await finishExperiment(service, id, 12);
    const meta = { action: 'stopped', time_limit_reached: true };
    const { id: row } = (await findObject(service.database.pool, id)) as { id: number };
    await updateExperiment(service.database.pool, row, { meta });
    // the other chain had not begun
    expect(await ada.client.viewObject(of(id))).toMatchObject({ n_samples: 12, meta });
    await addShare(ada.client, { objid: id });
    const view = expectKind(await service.anonymous.viewObject(of(id)), 'experiment');
    expect(view).toMatchObject({ status: 'FIN', n_samples: 12, meta });
    const summary = await service.anonymous.viewSummary(of(id));
    expect(summary.chains.map(({ n_samples }) => n_samples)).toEqual([12, 0]);
  });

  it('counts the draws of the chains that its owner judges', async () => {
    const { short_id: id } = await startExperiment(ada.client);
    await addDraws(service, id, { chains: 2, draws: 12 });
    await addDraws(service, id, { chains: 1, draws: 30, firstIteration: 13 });
    await finishExperiment(service, id, 12);
    const payload = { object_type: 'experiment', meta: { chains_left_out: ['chain#2'] } } as const;
    await ada.client.updateObject({ ...of(id), body: { payload } });
    await addShare(ada.client, { objid: id });
    expect(await service.anonymous.viewObject(of(id))).toMatchObject({ n_samples: 42 });
  });

  it('of a run that failed says why; of a paused one that it is; never a client’s own text', async () => {
    const { short_id: id } = await startExperiment(ada.client);
    const { pool } = service.database;
    const { id: row } = (await findObject(pool, id)) as { id: number };
    const actionOf = async (action: string) => {
      await updateExperiment(pool, row, { meta: { action } });
      const share = await addShare(ada.client, { objid: id });
      const query = { share_id: share.short_id };
      return expectKind(await service.anonymous.viewObject({ ...of(id), query }), 'experiment').meta
        ?.action;
    };
    expect(await actionOf('paused')).toBe('paused');
    expect(await actionOf('private')).toBe('');
    const error = { code: 'PROGRAM_FAILED', message: 'index 5 is out of range 1 to 3' };
    await updateExperiment(pool, row, { status: 'ERR', meta: { error } });
    await addShare(ada.client, { objid: id });
    const view = expectKind(await service.anonymous.viewObject(of(id)), 'experiment');
    expect(view).toMatchObject({ status: 'ERR', meta: { error } });
  });

  it('omits all other ids, and shows no note, input or log', async () => {
    const { short_id: id } = await addFinishedExperiment(service, ada.client);
    const note = {
      object_type: 'experiment',
      meta: { note: 'private', tags: ['t'], run_info: { batch_id: 'b' } },
    } as const;
    await ada.client.updateObject({ ...of(id), body: { payload: note } });
    await addShare(ada.client, { objid: id });
    const view = expectKind(await service.anonymous.viewObject(of(id)), 'experiment');
    expect(view).toMatchObject({
      model_id: '',
      workflow_id: '',
      workflow_name: '',
      input: null,
      output: null,
      model_name: 'A model',
    });
    expect(view.meta).toMatchObject({ settings: { seed: 4 }, iteration_count: 10 });
    expect(JSON.stringify(view)).not.toMatch(/private|run_info|"[MFDS][0-9A-Za-z]{7}"|ada\(@/);
    for (const query of [
      { stdlog: true },
      { cloudwatch_log: true },
      { batch_id: 'b', run_id: 'r' },
    ])
      expect(await codeOf(service.anonymous.viewObject({ ...of(id), query }))).toBe(
        'PERMISSION_DENIED',
      );
  });

  it('includes program and data only on request', async () => {
    const {
      short_id: id,
      model_id: model,
      input,
    } = await addFinishedExperiment(service, ada.client);
    const plain = await addShare(ada.client, { objid: id });
    const program = of(model as string);
    expect(
      await codeOf(
        service.anonymous.viewObject({ ...program, query: { share_id: plain.short_id } }),
      ),
    ).toBe('PERMISSION_DENIED');
    const full = await addShare(ada.client, { objid: id, include: ['program', 'data'] });
    const query = { share_id: full.short_id };
    const view = expectKind(await service.anonymous.viewObject({ ...of(id), query }), 'experiment');
    expect(view.model_id).toBe(model);
    expect(view.meta).toMatchObject({ data_name: 'Some data', data_version: 1 });
    const shown = await service.anonymous.viewObject({
      ...of(id),
      query: { share_id: plain.short_id },
    });
    expect(expectKind(shown, 'experiment').meta).not.toHaveProperty('data_name');
    // the program is frozen: neither a new version nor deleting the model changes it
    await ada.client.updateObject({
      ...program,
      body: { payload: { object_type: 'model', content: { tree: [] } } },
    });
    await ada.client.deleteObjects({ query: { objids: [model as string, input as string] } });
    const frozen = expectKind(await service.anonymous.viewObject({ ...program, query }), 'model');
    expect(frozen.content?.tree.map((node) => node.name)).toEqual(['model.stan']);
    const { pathname } = new URL((view.meta as { data_path: string }).data_path);
    expect((await service.inject({ method: 'GET', url: pathname })).body).toBe('{"N": 3}');
    // and it opens nothing else of the owner's
    const other = await addModel(ada.client);
    for (const objid of [other.short_id, view.workflow_id || 'F0000000'])
      expect(await codeOf(service.anonymous.viewObject({ ...of(objid), query }))).toBe(
        'PERMISSION_DENIED',
      );
  });

  it('has files that end with it', async () => {
    const { short_id: id } = await addFinishedExperiment(service, ada.client);
    const share = await addShare(ada.client, { objid: id });
    const answer = await service.anonymous.viewObject({
      ...of(id),
      query: { sampledata: true, share_id: share.short_id },
    });
    const { pathname: url } = new URL((answer as { url: string }).url);
    expect((await service.inject({ method: 'GET', url })).statusCode).toBe(200);
    await ada.client.deleteObject(of(share.short_id));
    expect((await service.inject({ method: 'GET', url })).json().code).toBe('PERMISSION_DENIED');
  });
});

describe('file addresses from a share with a password', () => {
  it('end when the password is changed or removed, and not with other changes of the share', async () => {
    const { short_id: id } = await addFinishedExperiment(service, ada.client);
    const first = 'the first password';
    const share = await addShare(ada.client, { objid: id, password: first, include: ['data'] });
    const query = { share_id: share.short_id };
    const addresses = async (sharePassword?: string) => {
      const look = { ...of(id), ...(sharePassword === undefined ? {} : { sharePassword }) };
      const draws = await service.anonymous.viewObject({
        ...look,
        query: { ...query, sampledata: true },
      });
      const view = expectKind(await service.anonymous.viewObject({ ...look, query }), 'experiment');
      return [(draws as { url: string }).url, (view.meta as { data_path: string }).data_path];
    };
    const statuses = (urls: readonly string[]) =>
      Promise.all(
        urls.map(async (url) => {
          const at = { method: 'GET', url: new URL(url).pathname } as const;
          return (await service.inject(at)).statusCode;
        }),
      );
    const change = (payload: { password?: string; expires_at?: string }) =>
      ada.client.updateObject({
        ...of(share.short_id),
        body: { payload: { object_type: 'share', ...payload } },
      });
    const old = await addresses(first);
    expect(await statuses(old)).toEqual([200, 200]);
    await change({ expires_at: new Date(Date.now() + 86_400_000).toISOString() });
    expect(await statuses(old)).toEqual([200, 200]);
    await change({ password: 'the second one' });
    expect(await statuses(old)).toEqual([400, 400]);
    const newer = await addresses('the second one');
    expect(await statuses(newer)).toEqual([200, 200]);
    await change({ password: '' });
    expect(await statuses([...old, ...newer])).toEqual([400, 400, 400, 400]);
    expect(await statuses(await addresses())).toEqual([200, 200]);
  });
});

describe('a share of a model or workflow', () => {
  it('shows the tree as it was when shared', async () => {
    const { short_id: id } = await addModel(ada.client);
    await addShare(ada.client, { objid: id });
    const content = { tree: [{ name: 'new.stan', content: '', encoding: 'text' as const }] };
    await ada.client.updateObject({
      ...of(id),
      body: { payload: { object_type: 'model', content } },
    });
    const seen = expectKind(await service.anonymous.viewObject(of(id)), 'model');
    expect(seen).toMatchObject({ version: 1, content: { tree: [{ name: 'model.stan' }] } });
    expect(await codeOf(service.anonymous.viewObject({ ...of(id), query: { version: 2 } }))).toBe(
      'PERMISSION_DENIED',
    );
  });

  it('shows scripts of a workflow only with its program', async () => {
    const { short_id: id } = await addWorkflow(ada.client);
    const scripts = {
      object_type: 'workflow',
      startup_script: 'start()',
      data_script: 'parse()',
    } as const;
    await ada.client.updateObject({ ...of(id), body: { payload: scripts } });
    await addShare(ada.client, { objid: id });
    expect(await service.anonymous.viewObject(of(id))).toMatchObject({
      model_id: '',
      data_id: '',
      experiment_id: '',
      analyzer_id: '',
      startup_script: null,
      data_script: null,
      settings: expect.stringContaining('num_chains'),
      model_name: 'A model',
    });
    const full = await addShare(ada.client, { objid: id, include: ['program'] });
    expect(
      await service.anonymous.viewObject({ ...of(id), query: { share_id: full.short_id } }),
    ).toMatchObject({ startup_script: 'start()' });
  });
});

describe('a share', () => {
  it('names one user by their full account name', async () => {
    const { short_id: id } = await addModel(ada.client, { name: 'for bob' });
    for (const target_user of [
      'bob',
      `bob(@${carol.row.id})`,
      ada.username,
      'nobody(@99)',
      '\0(@1)',
    ])
      expect(await codeOf(addShare(ada.client, { objid: id, target_user }))).toBe(
        'INVALID_PARAMETER',
      );
    const share = await addShare(ada.client, { objid: id, target_user: bob.username });
    expect(share).toMatchObject({ from_user: ada.username, to_user: bob.username, password: '' });
    expect(await service.anonymous.viewObject(of(share.short_id))).toEqual({
      object_type: 'share',
      require_password: false,
    });
    expect(await codeOf(bob.client.viewObject(of(id)))).toBeNull();
    expect(await codeOf(carol.client.viewObject(of(id)))).toBe('PERMISSION_DENIED');
    expect(await codeOf(service.anonymous.viewObject(of(id)))).toBe('PERMISSION_DENIED');
  });

  it('is listed for the user it names, as frozen and without details of the owner', async () => {
    const { short_id: id } = await addModel(ada.client, { name: 'frozen' });
    await addShare(ada.client, { objid: id, target_user: bob.username });
    await addShare(ada.client, { objid: id, target_user: carol.username });
    await rename(ada.client, id, 'model', 'live');
    const query = { object_type: 'model', shared_with_me: true, page_size: 1000 } as const;
    const { objects } = await bob.client.listObjects({ query });
    const entry = expectKind(objects.find((object) => object.short_id === id) ?? null, 'model');
    expect(entry.name).toBe('frozen');
    expect(entry.share_info).toEqual([
      expect.objectContaining({ to_user: bob.username, password: '' }),
    ]);
    expect(entry.share_info?.[0]).not.toHaveProperty('failed_attempts');
    const own = await bob.client.listObjects({ query: { object_type: 'model' } });
    expect(own.objects.map((object) => object.short_id)).not.toContain(id);
    const both = await ada.client.listObjects({
      query: { object_type: 'model', with_share_info: true, q: id },
    });
    expect(both.objects).toMatchObject([{ name: 'live', share_info: [{}, {}] }]);
  });

  it('is found by its frozen content, never by the current one', async () => {
    const { short_id: id, model_id: model } = await addFinishedExperiment(service, ada.client, {
      name: 'frozen needle',
    });
    await addShare(ada.client, { objid: id, target_user: bob.username });
    await rename(ada.client, id, 'experiment', 'renamed pin');
    const find = async (client: typeof bob.client, query: object) => {
      const shared = { object_type: 'experiment', with_share_info: true, ...query } as const;
      return (await client.listObjects({ query: shared })).total;
    };
    expect([await find(bob.client, { q: 'needle' }), await find(bob.client, { q: 'pin' })]).toEqual(
      [1, 0],
    );
    expect([await find(ada.client, { q: 'needle' }), await find(ada.client, { q: 'pin' })]).toEqual(
      [0, 1],
    );
    expect(await find(bob.client, { q: 'needle', status: 'FIN' })).toBe(1);
    expect(await find(bob.client, { q: 'needle', status: 'RUN' })).toBe(0);
    expect(await find(bob.client, { q: 'needle', model_ids: [model] })).toBe(0);
    expect(await find(ada.client, { q: 'pin', model_ids: [model] })).toBe(1);
  });

  it('is used if it is the newest one that admits the caller and none is named', async () => {
    const { short_id: id } = await addModel(ada.client, { name: 'first' });
    await addShare(ada.client, { objid: id });
    await rename(ada.client, id, 'model', 'second');
    await addShare(ada.client, { objid: id, password: 'p' });
    await rename(ada.client, id, 'model', 'third');
    await addShare(ada.client, { objid: id, target_user: bob.username });
    await rename(ada.client, id, 'model', 'now');
    const name = async (client = service.anonymous, sharePassword?: string) =>
      expectKind(await client.viewObject({ ...of(id), sharePassword }), 'model').name;
    expect([
      await name(),
      await name(service.anonymous, 'p'),
      await name(bob.client),
      await name(carol.client),
      await name(ada.client),
    ]).toEqual(['first', 'second', 'third', 'first', 'now']);
  });

  it('ends when it or its object is deleted, and is restored by undo', async () => {
    const { short_id: id } = await addModel(ada.client);
    const share = of((await addShare(ada.client, { objid: id })).short_id);
    const look = () =>
      codeOf(service.anonymous.viewObject({ ...of(id), query: { share_id: share.params.objid } }));
    for (const target of [share, of(id)]) {
      expect(await look()).toBeNull();
      const { deleted_key: key } = await ada.client.deleteObject(target);
      expect(await look()).toBe('PERMISSION_DENIED');
      expect(await codeOf(service.anonymous.viewObject(share))).toBe('NOT_FOUND');
      await ada.client.deleteObjects({ query: { deleted_key: key as string } });
    }
    expect(await look()).toBeNull();
  });

  it('is listed for its owner with a mark while its object is deleted', async () => {
    const { short_id: id } = await addModel(ada.client);
    const { short_id: share } = await addShare(ada.client, { objid: id });
    const mark = async () => {
      const { objects } = await ada.client.listObjects({ query: { object_type: 'share' } });
      const listed = objects.find((one) => one.object_type === 'share' && one.short_id === share);
      return listed?.object_type === 'share' ? listed.object_deleted : null;
    };
    expect(await mark()).toBeUndefined();
    const { deleted_key: key } = await ada.client.deleteObject(of(id));
    expect(await mark()).toBe(true);
    await ada.client.deleteObjects({ query: { deleted_key: key as string } });
    expect(await mark()).toBeUndefined();
  });

  it('is available for models, experiments and workflows only, and only to their owner', async () => {
    const { short_id: data } = await addData(ada.client);
    expect(await codeOf(addShare(ada.client, { objid: data }))).toBe('NOT_SUPPORTED');
    const { short_id: model } = await addModel(ada.client);
    expect(await codeOf(addShare(bob.client, { objid: model }))).toBe('PERMISSION_DENIED');
    await addShare(ada.client, { objid: model, target_user: bob.username });
    expect(await codeOf(addShare(bob.client, { objid: model }))).toBe('PERMISSION_DENIED');
  });
});
