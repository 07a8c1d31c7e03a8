import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../../src/client/create-client.ts';
import { type ObjectKind, objectKinds } from '../../../src/contract/common.ts';
import {
  type Actor,
  accessOf,
  actors,
  type Operation,
  operations,
  permissions,
} from '../../../src/contract/permissions.ts';
import { hashPassword } from '../../../src/service/auth/passwords.ts';
import {
  insertCallback,
  insertEvent,
  insertRelation,
} from '../../../src/service/repositories/relations.ts';
import {
  addData,
  addFinishedExperiment,
  addModel,
  addProject,
  addShare,
  addWorkflow,
  rename,
} from '../../support/objects.ts';
import { createTestService, type Person, type TestService } from '../../support/service.ts';
import { addFunction } from '../functions/function-service.ts';
import { listen, openSocket } from '../live/sockets.ts';

/** Ada owns everything, Bob is named by shares, Carol is a stranger, Root may see all. */
let service: TestService;
let origin: string;
let people: Record<'ada' | 'bob' | 'carol' | 'root', Person>;

beforeAll(async () => {
  service = await createTestService();
  origin = await listen(service.app);
  people = {
    ada: await service.addPerson('ada'),
    bob: await service.addPerson('bob'),
    carol: await service.addPerson('carol'),
    root: service.owner,
  };
});
afterAll(() => service.close());

const password = 'pässwörd';
const isShareable = (kind: ObjectKind): kind is 'model' | 'experiment' | 'workflow' | 'project' =>
  permissions[kind].share !== undefined;

async function makeObject(kind: ObjectKind): Promise<string> {
  const { ada } = people;
  const { pool } = service.database;
  switch (kind) {
    case 'model':
      return addFunction(ada.client, 'export default () => 1;', { name: 'frozen' });
    case 'data':
      return (await addData(ada.client, { name: 'frozen' })).short_id;
    case 'experiment':
      return (await addFinishedExperiment(service, ada.client, { name: 'frozen' })).short_id;
    case 'workflow':
      return (await addWorkflow(ada.client, 'frozen')).short_id;
    case 'share':
      return (
        await addShare(ada.client, { objid: (await addModel(ada.client)).short_id, password })
      ).short_id;
    case 'event':
      return (await insertEvent(pool, ada.row.id, 'frozen')).short_id;
    case 'callback':
      return (
        await insertCallback(pool, {
          ownerId: ada.row.id,
          lang: 'python',
          code: 'x',
          singleInstance: true,
          token: '',
        })
      ).short_id;
    case 'project':
      return (await addProject(ada.client, { name: 'frozen' })).short_id;
    case 'relation': {
      const event = await insertEvent(pool, ada.row.id, 'an event');
      return (await insertRelation(pool, ada.row.id, event, event)).short_id;
    }
  }
}

interface Setting {
  readonly kind: ObjectKind;
  readonly objid: string;
  readonly token: string | null;
  readonly password: string | null;
}

/** An object as the actor finds it: shared when it was called "frozen", then renamed to "live". */
async function prepare(kind: ObjectKind, actor: Actor): Promise<Setting> {
  const objid = await makeObject(kind);
  const { ada, bob, carol, root } = people;
  const tokens: Partial<Record<Actor, string>> = {
    sharee: bob.token,
    owner: ada.token,
    other: carol.token,
    super: root.token,
  };
  // data are shared only as members of a project
  if (isShareable(kind) || kind === 'data') {
    const shared =
      kind === 'data' ? (await addProject(ada.client, { members: [objid] })).short_id : objid;
    const include = kind === 'data' ? ['data' as const] : [];
    if (actor === 'share_viewer' || actor === 'share_viewer_without_password')
      await addShare(ada.client, { objid: shared, password, include });
    if (actor === 'sharee')
      await addShare(ada.client, { objid: shared, target_user: bob.username, include });
  }
  if (isShareable(kind) || kind === 'data') await rename(ada.client, objid, kind, 'live');
  const given = actor === 'share_viewer' ? password : null;
  return { kind, objid, token: tokens[actor] ?? null, password: given };
}

type Attempt = (setting: Setting) => Promise<{ code: string | null; name?: string }>;

async function call(
  setting: Setting,
  method: 'GET' | 'POST' | 'DELETE',
  url: string,
  body?: unknown,
) {
  const headers =
    setting.password === null
      ? {}
      : { 'x-share-password': Buffer.from(setting.password).toString('latin1') };
  const payload = body === undefined ? undefined : JSON.stringify(body);
  const response = await service.inject({ method, url, headers, payload }, setting.token);
  const binary = ['application/octet-stream', 'application/zip'];
  if (binary.includes(String(response.headers['content-type']))) return { code: null };
  const { status, code, data } = response.json();
  return status === 'ok'
    ? { code: null, name: data?.name as string | undefined, data }
    : { code: code as string };
}

const view =
  (query: string): Attempt =>
  (setting) =>
    call(setting, 'GET', `/api/object/${setting.objid}${query}`);

let lastKey = '';
const restore = (setting: Setting) =>
  call({ ...setting, token: people.ada.token }, 'DELETE', `/api/object?deleted_key=${lastKey}`);

const attempts: Record<Operation, Attempt> = {
  async list(setting) {
    const who = Object.values(people).find((person) => person.token === setting.token);
    const scope =
      who === people.root
        ? `owner=${people.ada.username}`
        : who === people.bob
          ? 'shared_with_me=true'
          : '';
    const answer = await call(
      setting,
      'GET',
      `/api/object?object_type=${setting.kind}&page_size=1000&${scope}`,
    );
    if (answer.code !== null) return answer;
    const { objects } = answer.data as { objects: { short_id: string; name?: string }[] };
    const entry = objects.find((object) => object.short_id === setting.objid);
    return entry === undefined ? { code: 'PERMISSION_DENIED' } : { code: null, name: entry.name };
  },
  view: view(''),
  view_version: view('?version=1'),
  sampledata: view('?sampledata=true'),
  stdlog: view('?stdlog=true'),
  cloudwatch_log: view('?cloudwatch_log=true'),
  run_info: view('?batch_id=a&run_id=b'),
  view_analyzer: view('?view-analyzer=true'),
  draws: (setting) => call(setting, 'GET', `/api/draws/${setting.objid}`),
  summary: (setting) => call(setting, 'GET', `/api/summary/${setting.objid}`),
  log: (setting) => call(setting, 'GET', `/api/log/${setting.objid}`),
  versions: (setting) => call(setting, 'GET', `/api/versions/${setting.objid}`),
  update: (setting) =>
    call(setting, 'POST', `/api/object/${setting.objid}`, {
      payload: setting.kind === 'share' ? { password: 'new' } : { name: 'changed' },
    }),
  delete: (setting) => call(setting, 'DELETE', `/api/object/${setting.objid}`),
  async undo(setting) {
    const own = await call(setting, 'DELETE', `/api/object/${setting.objid}`);
    const asAda = { ...setting, token: people.ada.token };
    const deleted =
      own.code === null ? own : await call(asAda, 'DELETE', `/api/object/${setting.objid}`);
    lastKey = (deleted.data as { deleted_key: string }).deleted_key;
    return call(setting, 'DELETE', `/api/object?deleted_key=${lastKey}`);
  },
  share: (setting) =>
    call(setting, 'POST', '/api/object', {
      payload: { object_type: 'share', objid: setting.objid },
    }),
  async live({ objid, token, password: given }) {
    const socket = await openSocket(`${origin}/mcmc/ws/sub/object/${objid}`);
    const sent = { token: token ?? undefined, password: given ?? undefined };
    socket.send({ action: 'authorization', ...sent });
    const { action, data } = await socket.next(() => true);
    await socket.close();
    return { code: action === 'authorized' ? null : (data as { code: string }).code };
  },
  download: (setting) => call(setting, 'GET', `/download/${setting.objid}`),
  invoke: (setting) =>
    call(setting, 'POST', '/invoke', {
      target: setting.objid,
      action: setting.kind === 'model' ? 'run' : 'run_sample',
    }),
};

/** The answer to a caller without the right: a bearer token missing where one is needed, and a key that is not theirs. */
function refusalOf(operation: Operation, { token }: Setting): string {
  const isViewers = [
    'view',
    'view_version',
    'sampledata',
    'draws',
    'summary',
    'stdlog',
    'cloudwatch_log',
    'run_info',
    'view_analyzer',
    'live',
  ];
  if (token === null && !isViewers.includes(operation)) return 'UNAUTHORIZED';
  return operation === 'undo' ? 'NOT_FOUND' : 'PERMISSION_DENIED';
}

/** Every operation on one object: first those that change nothing, last the one that deletes. */
const inOrder: Operation[] = operations.filter(
  (name) => !['update', 'share', 'invoke', 'undo', 'delete'].includes(name),
);
inOrder.push('share', 'invoke', 'update', 'undo', 'delete');

describe.each(objectKinds)('%s', (kind) => {
  it.each(actors)('as %s: follows every cell of the matrix', async (actor) => {
    const setting = await prepare(kind, actor);
    for (const operation of inOrder.filter((name) => permissions[kind][name] !== undefined)) {
      const answer = await attempts[operation](setting);
      const access = accessOf(kind, operation, actor);
      const cell = `${kind} ${operation} ${actor}`;
      if (access === null) {
        expect([cell, answer.code]).toEqual([cell, refusalOf(operation, setting)]);
        if (operation === 'undo') await restore(setting);
        continue;
      }
      expect([cell, answer.code]).toEqual([cell, null]);
      const isNamed =
        (operation === 'view' || operation === 'list') && (isShareable(kind) || kind === 'data');
      if (isNamed)
        expect([cell, answer.name]).toEqual([cell, access === 'snapshot' ? 'frozen' : 'live']);
    }
  });
});

describe('operations that a kind lacks', () => {
  const isOffered = (kind: ObjectKind, operation: Operation) =>
    permissions[kind][operation] !== undefined;
  it.each(objectKinds)('are refused even to the owner of a %s', async (kind) => {
    const setting = await prepare(kind, 'owner');
    // a plain view ignores flags of other kinds' variants, as the document has them on one endpoint
    const flags: readonly Operation[] = [
      'view_version',
      'sampledata',
      'stdlog',
      'cloudwatch_log',
      'run_info',
      'view_analyzer',
    ];
    for (const operation of operations.filter(
      (name) => !isOffered(kind, name) && !flags.includes(name) && name !== 'undo',
    )) {
      const { code } = await attempts[operation](setting);
      expect([operation, code]).not.toEqual([operation, null]);
    }
  });
});

describe('a public share', () => {
  it('gives everyone access to its snapshot without a password', async () => {
    const { ada, carol } = people;
    const objid = await makeObject('model');
    await addShare(ada.client, { objid });
    await rename(ada.client, objid, 'model', 'live');
    const clients: Client[] = [service.anonymous, carol.client];
    for (const client of clients)
      expect(await client.viewObject({ params: { objid } })).toMatchObject({ name: 'frozen' });
  });
});

it('password hashes use argon2id', async () =>
  expect(await hashPassword('x')).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/));
