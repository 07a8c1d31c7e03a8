import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiError } from '../../../src/client/api-error.ts';
import type { Client } from '../../../src/client/create-client.ts';
import { expectKind } from '../../../src/client/expect-kind.ts';
import type { Project } from '../../../src/contract/project.ts';
import {
  addData,
  addDraws,
  addFinishedExperiment,
  addModel,
  addProject,
  addShare,
  addWorkflow,
  codeOf,
  rename,
} from '../../support/objects.ts';
import { createTestService, type Person, type TestService } from '../../support/service.ts';

let service: TestService;
let ada: Person;
let bob: Person;
beforeAll(async () => {
  service = await createTestService();
  ada = await service.addPerson('ada');
  bob = await service.addPerson('bob');
});
afterAll(() => service.close());

const of = (objid: string) => ({ params: { objid } });
const view = async (client: Client, objid: string, share_id = '', sharePassword?: string) =>
  expectKind(
    await client.viewObject({ ...of(objid), query: { share_id }, sharePassword }),
    'project',
  );
type Change = Readonly<Record<string, unknown>>;
const change = async (objid: string, payload: Change, client = ada.client) =>
  expectKind(
    await client.updateObject({
      ...of(objid),
      body: { payload: { object_type: 'project', ...payload } },
    }),
    'project',
  );
const write = (objid: string, payload: Change, client = ada.client) =>
  change(objid, { object_type: 'project.entry', ...payload }, client);
const remove = async (objid: string): Promise<string> => {
  const { deleted_key: key } = await ada.client.deleteObject(of(objid));
  return key as string;
};
const idsOf = ({ members = [] }: Project) => members.map(({ object }) => object.short_id);
const textsOf = ({ entries = [] }: Project) => entries.map(({ text }) => text);
const failureOf = async (call: Promise<unknown>) =>
  call.then(
    () => null,
    (error: ApiError) => ({ code: error.code, details: error.details }),
  );

describe('members of a project', () => {
  it('are added and removed in any order, once each, and counted by kind', async () => {
    const [model, other, data] = [
      (await addModel(ada.client)).short_id,
      (await addModel(ada.client)).short_id,
      (await addData(ada.client)).short_id,
    ];
    const project = await addProject(ada.client, { members: [data, model, data] });
    expect(idsOf(project)).toEqual([data, model]);
    expect(project.counts).toEqual({ model: 1, data: 1, experiment: 0 });
    const times = project.members?.map(({ added_at: at }) => at) ?? [];
    expect(times).toEqual(times.toSorted());
    expect(idsOf(await change(project.short_id, { add: [other, model] }))).toEqual([
      data,
      model,
      other,
    ]);
    const left = await change(project.short_id, { remove: [data, other] });
    expect(idsOf(left)).toEqual([model]);
    const { objects } = await ada.client.listObjects({
      query: { object_type: 'project', member_id: [model] },
    });
    expect(objects).toMatchObject([
      { short_id: project.short_id, counts: { model: 1, data: 0, experiment: 0 }, note: '' },
    ]);
    const none = await ada.client.listObjects({
      query: { object_type: 'project', member_id: [other] },
    });
    expect(none.total).toBe(0);
  });

  it('may be in several projects, disappear when deleted and reappear when restored', async () => {
    const { short_id: model } = await addModel(ada.client);
    const projects = [
      await addProject(ada.client, { members: [model] }),
      await addProject(ada.client, { members: [model] }),
    ];
    const seen = () =>
      Promise.all(
        projects.map(async ({ short_id }) => {
          const { counts, ...project } = await view(ada.client, short_id);
          return [idsOf(project), counts?.model];
        }),
      );
    expect(await seen()).toEqual([
      [[model], 1],
      [[model], 1],
    ]);
    const key = await remove(model);
    expect(await seen()).toEqual([
      [[], 0],
      [[], 0],
    ]);
    await ada.client.deleteObjects({ query: { deleted_key: key } });
    expect(await seen()).toEqual([
      [[model], 1],
      [[model], 1],
    ]);
  });

  it('are added by several simultaneous requests without loss', async () => {
    const { short_id: id } = await addProject(ada.client);
    const models = await Promise.all(Array.from({ length: 6 }, () => addModel(ada.client)));
    await Promise.all(models.map(({ short_id }) => change(id, { add: [short_id] })));
    expect(idsOf(await view(ada.client, id)).toSorted()).toEqual(
      models.map(({ short_id }) => short_id).toSorted(),
    );
  });

  it('are models, data and runs of the owner only', async () => {
    const workflow = await addWorkflow(ada.client);
    const foreign = await addModel(bob.client);
    const { short_id: id } = await addProject(ada.client);
    expect(await codeOf(change(id, { add: [workflow.short_id] }))).toBe('INVALID_PARAMETER');
    expect(await codeOf(change(id, { add: [foreign.short_id] }))).toBe('PERMISSION_DENIED');
    expect(await codeOf(change(id, { add: ['M0000000'] }))).toBe('NOT_FOUND');
    // a user who may see everything may not bring a stranger's object into a share either
    const { client } = service.owner;
    expect(await codeOf(change(id, { add: [foreign.short_id] }, client))).toBe('INVALID_PARAMETER');
    expect(idsOf(await view(ada.client, id))).toEqual([]);
  });

  it('are limited in number', async () => {
    const { short_id: id } = await addProject(ada.client);
    const { short_id: model } = await addModel(ada.client);
    await service.database.pool.query(
      `with made as (insert into objects (kind, row_number, short_id, owner_id, name)
         select 'event', 900000 + n, 'Efiller' || n || $1, $2, '' from generate_series(1, 500) n returning id)
       insert into project_members (project_id, object_id)
         select (select id from objects where short_id = $1), id from made`,
      [id, ada.row.id],
    );
    expect(await failureOf(change(id, { add: [model], name: 'too many' }))).toMatchObject({
      code: 'LIMIT_EXCEEDED',
      details: { limit: 'project_members', allowed: 500 },
    });
    expect((await view(ada.client, id)).name).toBe('A project');
  });
});

describe('the notebook of a project', () => {
  it('keeps entries in the order of writing when they are changed, deleted and restored', async () => {
    const { short_id: id } = await addProject(ada.client);
    await write(id, { text: 'first' });
    const { entries = [] } = await write(id, { text: 'second' });
    const [first] = entries;
    const changed = await write(id, { entry_id: first?.id, text: 'first, better' });
    expect(textsOf(changed)).toEqual(['first, better', 'second']);
    expect(changed.entries?.[0]).toMatchObject({ version: 2, created_at: first?.created_at });
    const gone = await write(id, { entry_id: first?.id, deleted: true });
    expect(textsOf(gone)).toEqual(['second']);
    expect(await codeOf(write(id, { entry_id: first?.id, text: 'to nobody' }))).toBe('NOT_FOUND');
    const back = await write(id, { entry_id: first?.id, deleted: false });
    expect(textsOf(back)).toEqual(['first, better', 'second']);
  });

  it('refuses an edit of an older text, so that neither text is lost', async () => {
    const { short_id: id } = await addProject(ada.client, { note: 'old' });
    const { entries = [] } = await write(id, { text: 'old' });
    const entry_id = entries[0]?.id;
    const answers = await Promise.all(
      ['one', 'other'].map((text) => failureOf(write(id, { entry_id, text, base_version: 1 }))),
    );
    expect(answers.filter((answer) => answer === null)).toHaveLength(1);
    expect(answers).toContainEqual({ code: 'CONFLICT', details: { version: 2 } });
    const notes = await Promise.all(
      ['one', 'other'].map((note) => failureOf(change(id, { note, base_version: 1 }))),
    );
    expect(notes.filter((answer) => answer === null)).toHaveLength(1);
    expect(notes).toContainEqual({ code: 'CONFLICT', details: { version: 2 } });
  });

  it('lets members be added while the note is edited', async () => {
    const { short_id: id, version } = await addProject(ada.client);
    const { short_id: model } = await addModel(ada.client);
    await change(id, { add: [model] });
    await write(id, { text: 'an entry' });
    const saved = await change(id, { note: 'a note', base_version: version });
    expect([saved.note, saved.version, idsOf(saved)]).toEqual(['a note', version + 1, [model]]);
  });

  it('belongs to its project: entries of another project are not found', async () => {
    const mine = await addProject(ada.client);
    const theirs = await addProject(bob.client);
    const { entries = [] } = await write(theirs.short_id, { text: 'secret' }, bob.client);
    const entry_id = entries[0]?.id;
    expect(await codeOf(write(mine.short_id, { entry_id, deleted: true }))).toBe('NOT_FOUND');
    expect(await codeOf(write(mine.short_id, {}))).toBe('INVALID_PARAMETER');
    for (const odd of [0.5, -1, 1e300])
      expect(await codeOf(write(mine.short_id, { entry_id: odd, text: 'x' }))).toBe(
        'INVALID_PARAMETER',
      );
    expect(textsOf(await view(bob.client, theirs.short_id))).toEqual(['secret']);
  });
});

describe('the note of a run', () => {
  it('is refused if it was edited from an older one, with the current note', async () => {
    const { short_id: id } = await addFinishedExperiment(service, ada.client);
    const note = (text: string, base_note?: string) =>
      failureOf(
        ada.client.updateObject({
          ...of(id),
          body: { payload: { object_type: 'experiment', meta: { note: text }, base_note } },
        }),
      );
    expect(await note('one', '')).toBeNull();
    expect(await note('two', '')).toEqual({ code: 'CONFLICT', details: { note: 'one' } });
    expect(await note('two', 'one')).toBeNull();
    expect(await note('whatever')).toBeNull();
    expect(await ada.client.viewObject(of(id))).toMatchObject({ meta: { note: 'whatever' } });
  });
});

describe('a shared project', () => {
  const password = 'pässwörd of the project';

  /** A model, data and a run of others, with notes on them. */
  async function furnish() {
    const run = await addFinishedExperiment(service, ada.client, { name: 'a run' });
    await ada.client.updateObject({
      ...of(run.short_id),
      body: { payload: { object_type: 'experiment', meta: { note: 'private thoughts' } } },
    });
    const model = await addModel(ada.client, { name: 'a model' });
    const data = await addData(ada.client, { name: 'some data', data: '{"N": 42}' });
    const members = [model.short_id, data.short_id, run.short_id];
    const made = await addProject(ada.client, { name: 'frozen', note: 'why', members });
    const project = await write(made.short_id, { text: 'decided' });
    return { project, run, model, data };
  }
  type Shared = Awaited<ReturnType<typeof furnish>>;
  const shareIdOf = ({ members = [] }: Project, id: string) =>
    members.find(({ object }) => object.short_id === id)?.share_id as string;
  const open = ({ project }: Shared, shareId: string, given: string | undefined = password) =>
    view(service.anonymous, project.short_id, shareId, given);

  it('opens project and members with one password, each as it was when shared', async () => {
    const shared = await furnish();
    const { project, run, model } = shared;
    const share = await addShare(ada.client, { objid: project.short_id, password });
    const first = await open(shared, share.short_id);
    expect(first).toMatchObject({ name: 'frozen', note: 'why', entries: [{ text: 'decided' }] });
    expect(first.owner).toBeUndefined();
    const look = async () => ({
      project: await open(shared, share.short_id),
      run: await service.anonymous.viewObject({
        ...of(run.short_id),
        query: { share_id: shareIdOf(first, run.short_id) },
        sharePassword: password,
      }),
      model: await service.anonymous.viewObject({
        ...of(model.short_id),
        query: { share_id: shareIdOf(first, model.short_id) },
        sharePassword: password,
      }),
      draws: await service.anonymous.viewDraws({
        ...of(run.short_id),
        query: { share_id: shareIdOf(first, run.short_id) },
        sharePassword: password,
      }),
    });
    const before = await look();
    expect(before.run).toMatchObject({ name: 'a run', n_samples: 20, workflow_id: '' });
    expect(before.model).toMatchObject({ name: 'a model', content: { tree: [{}] } });

    await rename(ada.client, run.short_id, 'experiment', 'live');
    await rename(ada.client, model.short_id, 'model', 'live');
    await addDraws(service, run.short_id, { chains: 2, draws: 5, firstIteration: 21 });
    const late = await addModel(ada.client, { name: 'late' });
    await change(project.short_id, { name: 'live', note: 'other', add: [late.short_id] });
    await change(project.short_id, { remove: [model.short_id] });
    await write(project.short_id, { text: 'later' });
    expect(await look()).toEqual(before);
  });

  it('omits what single shares omit: data, programs, notes and all other ids', async () => {
    const shared = await furnish();
    const { project, run, data } = shared;
    const share = await addShare(ada.client, { objid: project.short_id, password });
    const seen = await open(shared, share.short_id);
    const text = JSON.stringify(seen);
    for (const secret of [
      'private thoughts',
      data.short_id,
      run.model_id,
      run.input,
      run.workflow_id,
      ada.username,
    ])
      expect([secret, text.includes(String(secret))]).toEqual([secret, false]);
    const named = seen.members?.find(({ object }) => object.object_type === 'data');
    expect(named).toMatchObject({ share_id: null, object: { name: 'some data', short_id: '' } });
    expect(await codeOf(view(service.anonymous, data.short_id, share.short_id, password))).toBe(
      'PERMISSION_DENIED',
    );
    const whole = await addShare(ada.client, {
      objid: project.short_id,
      password,
      include: ['program', 'data', 'note'],
    });
    const more = await open(shared, whole.short_id);
    expect(JSON.stringify(more)).toContain('private thoughts');
    const query = { share_id: shareIdOf(more, data.short_id) };
    const shown = await service.anonymous.viewObject({
      ...of(data.short_id),
      query,
      sharePassword: password,
    });
    const { pathname } = new URL((shown as { path: string }).path);
    expect((await service.inject({ method: 'GET', url: pathname })).body).toBe('{"N": 42}');
    const program = await service.anonymous.viewObject({
      ...of(run.model_id as string),
      query: { share_id: shareIdOf(more, run.short_id) },
      sharePassword: password,
    });
    expect(program).toMatchObject({ object_type: 'model', content: { tree: [{}] } });
    // a version of the model needs a separate right
    const versioned = { ...query, version: 1 };
    expect(
      await codeOf(
        service.anonymous.viewObject({
          ...of(data.short_id),
          query: versioned,
          sharePassword: password,
        }),
      ),
    ).toBe('PERMISSION_DENIED');
  });

  it('opens only its members, and each member by its own share id', async () => {
    const shared = await furnish();
    const { project, run, model } = shared;
    const other = await addModel(ada.client);
    const share = await addShare(ada.client, { objid: project.short_id, password });
    const frozen = await open(shared, share.short_id);
    const ask = (objid: string, share_id: string, given: string | null = password) =>
      codeOf(
        service.anonymous.viewObject({
          ...of(objid),
          query: { share_id },
          sharePassword: given ?? undefined,
        }),
      );
    const ofRun = shareIdOf(frozen, run.short_id);
    expect(await ask(run.short_id, ofRun)).toBeNull();
    for (const [objid, shareId] of [
      [other.short_id, share.short_id],
      [other.short_id, ofRun],
      [model.short_id, ofRun],
      [model.short_id, share.short_id],
      [project.short_id, ofRun],
      [run.model_id as string, ofRun],
    ] as const)
      expect([objid, shareId, await ask(objid, shareId)]).toEqual([
        objid,
        shareId,
        'PERMISSION_DENIED',
      ]);
    expect(await ask(run.short_id, ofRun, null)).toBe('PERMISSION_DENIED');
    const { objects } = await ada.client.listObjects({ query: { object_type: 'share' } });
    expect(objects.map(({ short_id }) => short_id)).not.toContain(ofRun);
    const payload = { object_type: 'share' } as const;
    for (const act of [
      () => ada.client.deleteObject(of(ofRun)),
      () => ada.client.updateObject({ ...of(ofRun), body: { payload } }),
    ])
      expect(await codeOf(act())).toBe('NOT_FOUND');
  });

  it('follows its share: password, end, revocation, and deletion of project or member', async () => {
    const shared = await furnish();
    const { project, run } = shared;
    const share = await addShare(ada.client, { objid: project.short_id, password });
    const ofRun = shareIdOf(await open(shared, share.short_id), run.short_id);
    const askRun = (given: string | undefined) =>
      codeOf(
        service.anonymous.viewObject({
          ...of(run.short_id),
          query: { share_id: ofRun },
          sharePassword: given,
        }),
      );
    const file = async () => {
      const answer = await service.anonymous.viewObject({
        ...of(run.short_id),
        query: { share_id: ofRun, sampledata: true },
        sharePassword: password,
      });
      return new URL((answer as { url: string }).url).pathname;
    };
    const url = await file();
    const statusOf = async () => (await service.inject({ method: 'GET', url })).statusCode;
    expect(await statusOf()).toBe(200);
    const changeShare = (payload: Change) =>
      ada.client.updateObject({
        ...of(share.short_id),
        body: { payload: { object_type: 'share', ...payload } },
      });
    await changeShare({ password: 'another password' });
    expect([await askRun(password), await askRun('another password'), await statusOf()]).toEqual([
      'PERMISSION_DENIED',
      null,
      400,
    ]);
    await changeShare({ password: '' });
    expect(await askRun(undefined)).toBeNull();
    expect(await service.anonymous.viewObject(of(ofRun))).toMatchObject({
      require_password: false,
    });

    const runKey = await remove(run.short_id);
    expect(await askRun(undefined)).toBe('PERMISSION_DENIED');
    expect(idsOf(await open(shared, share.short_id))).not.toContain(run.short_id);
    await ada.client.deleteObjects({ query: { deleted_key: runKey } });
    expect(await askRun(undefined)).toBeNull();
    const projectKey = await remove(project.short_id);
    expect(await askRun(undefined)).toBe('PERMISSION_DENIED');
    await ada.client.deleteObjects({ query: { deleted_key: projectKey } });
    await service.database.pool.query(
      "update shares set expires_at = now() - interval '1 second' where id = (select id from objects where short_id = $1)",
      [share.short_id],
    );
    expect(await askRun(undefined)).toBe('PERMISSION_DENIED');
    await changeShare({ expires_at: null });
    expect(await askRun(undefined)).toBeNull();
    await remove(share.short_id);
    expect(await askRun(undefined)).toBe('PERMISSION_DENIED');
    expect(await codeOf(service.anonymous.viewObject(of(ofRun)))).toBe('NOT_FOUND');
  });

  it('counts each wrong password once, whichever member is requested', async () => {
    const shared = await furnish();
    const { project, run, model } = shared;
    const share = await addShare(ada.client, { objid: project.short_id, password });
    const frozen = await open(shared, share.short_id);
    for (const id of [run.short_id, model.short_id])
      await codeOf(view(service.anonymous, id, shareIdOf(frozen, id), 'wrong'));
    const { objects } = await ada.client.listObjects({ query: { object_type: 'share' } });
    expect(objects.find(({ short_id }) => short_id === share.short_id)).toMatchObject({
      failed_attempts: 2,
    });
  });

  it('is listed as it was for the user it is shared with, without its members', async () => {
    const { project, run } = await furnish();
    const share = await addShare(ada.client, {
      objid: project.short_id,
      target_user: bob.username,
    });
    await change(project.short_id, { name: 'live' });
    const listed = async (object_type: 'project' | 'experiment') =>
      (await bob.client.listObjects({ query: { object_type, shared_with_me: true } })).objects;
    expect(await listed('project')).toMatchObject([
      { short_id: project.short_id, name: 'frozen', share_info: [{ short_id: share.short_id }] },
    ]);
    expect(await listed('experiment')).toEqual([]);
    const seen = await view(bob.client, project.short_id);
    const query = { share_id: shareIdOf(seen, run.short_id) };
    expect(await bob.client.viewObject({ ...of(run.short_id), query })).toMatchObject({
      name: 'a run',
    });
    expect(await codeOf(change(project.short_id, { name: 'taken' }, bob.client))).toBe(
      'PERMISSION_DENIED',
    );
    await remove(share.short_id);
    expect(await listed('project')).toEqual([]);
  });
});

it('projects do not appear in a list of all kinds', async () => {
  const carol = await service.addPerson('carol');
  await addProject(carol.client);
  await addModel(carol.client);
  const answer = await service.inject(
    { method: 'GET', url: '/api/object?object_type=' },
    carol.token,
  );
  const { total, objects } = answer.json().data as { total: number; objects: Change[] };
  const kinds = objects.map(({ object_type: kind }) => kind).filter((kind) => kind !== 'event');
  expect([total, kinds]).toEqual([objects.length, ['model']]);
});
