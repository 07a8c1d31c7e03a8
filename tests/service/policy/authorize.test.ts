/** Who may do what, asked of the policy itself: modes, messages, and on which shares a password is tried. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ObjectKind } from '../../../src/contract/common.ts';
import type { Operation } from '../../../src/contract/permissions.ts';
import { hashPassword } from '../../../src/service/auth/passwords.ts';
import type { CoreContext } from '../../../src/service/context.ts';
import type { User } from '../../../src/service/http/call.ts';
import { ServiceError } from '../../../src/service/http/service-error.ts';
import {
  authorize,
  authorizeBuiltin,
  authorizeLive,
  requireAdministrator,
} from '../../../src/service/policy/authorize.ts';
import { registerBuiltin } from '../../../src/service/policy/builtin-functions.ts';
import { insertObject, type ObjectRow } from '../../../src/service/repositories/objects.ts';
import { findShare, insertShare, type NewShare } from '../../../src/service/repositories/shares.ts';
import { insertUser, type UserRow } from '../../../src/service/repositories/users.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
let hash: string;
const people = {} as Record<'ada' | 'bob' | 'carol' | 'root', UserRow>;
/** Targets and addresses of the attempts, in order. */
let attempts: string[][] = [];
/** What a share's attempt throws. */
let failure: Error | null = null;
const remembered = new Set<string>();
const keyOf = (...parts: unknown[]) => parts.join(' ');

beforeAll(async () => {
  database = await createTestDatabase();
  hash = await hashPassword('right');
  for (const name of ['ada', 'bob', 'carol', 'root'] as const)
    people[name] = (await insertUser(database.pool, {
      name,
      passwordHash: null,
      isSuper: name === 'root',
    })) as UserRow;
});
beforeEach(() => {
  attempts = [];
  failure = null;
  remembered.clear();
});

const context = (): CoreContext =>
  ({
    pool: database.pool,
    limits: {
      attempt: async (target: string, address: string, check: (lane: string) => unknown) => {
        attempts.push([target, address]);
        if (failure !== null) throw failure;
        return check('lane');
      },
    },
    remembered: {
      has: (...parts: unknown[]) => remembered.has(keyOf(...parts)),
      add: (...parts: unknown[]) => remembered.add(keyOf(...parts)),
    },
  }) as unknown as CoreContext;

const viewerOf = (name: keyof typeof people | null, sharePassword: string | null = null) => ({
  user:
    name === null
      ? null
      : {
          id: people[name].id,
          name,
          isSuper: people[name].super,
          roles: [],
          teams: [],
          tokenId: 1,
          scope: null,
        },
  sharePassword,
  address: '192.0.2.7',
});

const add = (kind: ObjectKind = 'model') =>
  insertObject(database.pool, { kind, ownerId: people.ada.id });
const share = (object: ObjectRow, more: Partial<NewShare> = {}) =>
  insertShare(database.pool, {
    ownerId: people.ada.id,
    objectId: object.id,
    snapshot: {},
    ...more,
  });

interface Question {
  readonly objid: string;
  readonly as?: keyof typeof people | null;
  readonly password?: string;
  readonly operation?: Operation;
  readonly shareId?: string;
}
const requestOf = ({ objid, as = null, password, operation = 'view', shareId }: Question) => ({
  objid,
  operation,
  viewer: viewerOf(as, password ?? null),
  ...(shareId === undefined ? {} : { shareId }),
});
/** Mode and share, or code and message. */
async function ask(question: Question): Promise<string[]> {
  try {
    const access = await authorize(context(), requestOf(question));
    return [access.mode, access.mode === 'live' ? '' : access.share.short_id];
  } catch (error) {
    return [(error as ServiceError).code, (error as Error).message];
  }
}
const refused = [
  'PERMISSION_DENIED',
  'You may not see this: sign in as its owner, or use a share, with its password if it has one.',
];

describe('an object', () => {
  it('is live for its owner and a super user, and refused to others', async () => {
    const { short_id: objid } = await add();
    for (const as of ['ada', 'root'] as const)
      expect(await ask({ objid, as })).toEqual(['live', '']);
    for (const as of ['carol', null] as const) expect(await ask({ objid, as })).toEqual(refused);
  });

  it('that does not exist is not found, whatever share is named', async () => {
    const { short_id: shareId } = await share(await add());
    for (const objid of ['M0000000', 'nonsense'])
      expect((await ask({ objid, as: 'ada' }))[0]).toBe('NOT_FOUND');
    expect((await ask({ objid: 'nonsense', shareId }))[0]).toBe('NOT_FOUND');
  });

  it('that is a built-in function can only be viewed and called, by signed-in users', async () => {
    const remove = registerBuiltin({
      id: 'M0policy',
      name: '',
      description: '',
      readme: '',
      handler: async () => null,
    });
    expect(await ask({ objid: 'M0policy', as: 'ada' })).toEqual([
      'PERMISSION_DENIED',
      'This is a built-in function: it can only be viewed and called.',
    ]);
    const may = (as: keyof typeof people | null, operation: Operation) => {
      try {
        return authorizeBuiltin(requestOf({ objid: 'M0policy', as, operation }))?.id;
      } catch (error) {
        return (error as ServiceError).code;
      }
    };
    expect(may('carol', 'view')).toBe('M0policy');
    expect(may('root', 'invoke')).toBe('M0policy');
    expect(may(null, 'view')).toBe('PERMISSION_DENIED');
    expect(may('root', 'update')).toBe('PERMISSION_DENIED');
    remove();
    for (const as of ['carol', null] as const) expect(may(as, 'view')).toBeUndefined();
  });
});

it('operations without an object may be reserved for administrators', () => {
  const userOf = (name: 'carol' | 'root') => viewerOf(name).user as User;
  expect(() => requireAdministrator(userOf('root'))).not.toThrow();
  expect(() => requireAdministrator(userOf('carol'))).toThrow(
    expect.objectContaining({
      code: 'PERMISSION_DENIED',
      message: 'Only an administrator of this server may do this.',
    }),
  );
});

it('a share itself may be viewed by every user and changed by its owner', async () => {
  const { short_id: objid } = await share(await add());
  expect((await ask({ objid, as: 'carol' }))[0]).toBe('live');
  expect(await ask({ objid, as: 'carol', operation: 'update' })).toEqual(refused);
  expect((await ask({ objid, as: 'ada', operation: 'update' }))[0]).toBe('live');
});

describe('a named share', () => {
  it('opens its snapshot to anyone, including its owner and super users', async () => {
    const object = await add();
    const { short_id: shareId } = await share(object);
    for (const as of [null, 'carol', 'ada', 'root'] as const)
      expect(await ask({ objid: object.short_id, as, shareId })).toEqual(['snapshot', shareId]);
  });

  it('opens to its owner and super users without the password, and to others with it', async () => {
    const object = await add();
    const { short_id: shareId } = await share(object, { passwordHash: hash });
    const open = (as: keyof typeof people | null, password?: string) =>
      ask({ objid: object.short_id, as, shareId, password });
    for (const as of ['ada', 'root'] as const) expect((await open(as))[0]).toBe('snapshot');
    expect(await open('carol')).toEqual(refused);
    expect(attempts).toEqual([]);
    expect(await open('carol', 'wrong')).toEqual(refused);
    expect(attempts).toEqual([[expect.stringMatching(/^share:\d+$/), '192.0.2.7']]);
    expect(await open(null, 'right')).toEqual(['snapshot', shareId]);
  });

  it('hashes a correct password once, and counts wrong ones', async () => {
    const object = await add();
    const { id, short_id: shareId } = await share(object, { passwordHash: hash });
    const open = (password: string) => ask({ objid: object.short_id, shareId, password });
    for (const password of ['right', 'right', 'wrong', 'right']) await open(password);
    expect(attempts).toHaveLength(2);
    expect([...remembered]).toEqual([keyOf(id, 1, 'right')]);
    expect(await findShare(database.pool, shareId)).toMatchObject({ failed_attempts: 1 });
  });

  it('opens only to the person it names', async () => {
    const object = await add();
    const { short_id: shareId } = await share(object, { targetUserId: people.bob.id });
    const open = (as: keyof typeof people | null) => ask({ objid: object.short_id, as, shareId });
    expect(await open('bob')).toEqual(['snapshot', shareId]);
    for (const as of ['carol', null] as const) expect(await open(as)).toEqual(refused);
  });

  it('allows others only the operations of a share', async () => {
    const object = await add('experiment');
    const { short_id: shareId } = await share(object);
    const open = (as: keyof typeof people | null, operation: Operation) =>
      ask({ objid: object.short_id, as, shareId, operation });
    expect((await open(null, 'draws'))[0]).toBe('snapshot');
    expect(await open(null, 'stdlog')).toEqual(refused);
    expect((await open('ada', 'stdlog'))[0]).toBe('snapshot');
  });

  it('is refused if it does not exist or belongs to another object', async () => {
    const object = await add();
    const { short_id: shareId } = await share(await add());
    expect(await ask({ objid: object.short_id, shareId: 'S0000000' })).toEqual([
      'PERMISSION_DENIED',
      'This share has ended or does not exist.',
    ]);
    expect(await ask({ objid: object.short_id, as: 'ada', shareId })).toEqual([
      'PERMISSION_DENIED',
      'This share belongs to another object.',
    ]);
    expect(await ask({ objid: object.short_id, as: 'ada', shareId: '' })).toEqual(['live', '']);
  });

  it('opens the frozen program for viewing, if it includes one', async () => {
    const [model, other] = [await add(), await add()];
    const snapshot = { model_id: model.short_id };
    const [experiment, bare] = [await add('experiment'), await add('experiment')];
    const included = await share(experiment, { include: ['data', 'program'], snapshot });
    const without = await share(bare, { include: ['data'], snapshot });
    const open = (objid: string, shareId: string, operation: Operation = 'view') =>
      ask({ objid, shareId, operation });
    expect(await open(model.short_id, included.short_id)).toEqual(['program', included.short_id]);
    for (const [objid, shareId, operation] of [
      [model.short_id, without.short_id, 'view'],
      [other.short_id, included.short_id, 'view'],
      [model.short_id, included.short_id, 'list'],
    ] as const)
      expect((await open(objid, shareId, operation))[1]).toBe(
        'This share belongs to another object.',
      );
  });

  it('gives no access to the live object', async () => {
    const object = await add();
    const { short_id: shareId } = await share(object);
    const { short_id: objid } = object;
    const live = (request: Question) => authorizeLive(context(), requestOf(request));
    expect((await live({ objid, as: 'ada' })).short_id).toBe(objid);
    await expect(live({ objid, as: 'ada', shareId })).rejects.toThrow(refused[1]);
    await expect(live({ objid })).rejects.toThrow(refused[1]);
  });
});

describe('without a named share', () => {
  it('the newest share that admits the caller is opened', async () => {
    const object = await add();
    const { short_id: objid } = object;
    const first = await share(object);
    const second = await share(object);
    await share(object, { passwordHash: hash });
    await share(object, { targetUserId: people.bob.id, passwordHash: hash });
    expect(await ask({ objid })).toEqual(['snapshot', second.short_id]);
    expect(attempts).toEqual([]);
    expect(second.id).toBeGreaterThan(first.id);
  });

  it('a share that does not allow the operation is not opened', async () => {
    const object = await add();
    await share(object);
    const { short_id: objid } = object;
    expect(await ask({ objid, operation: 'list' })).toEqual(refused);
    const named = await share(object, { targetUserId: people.bob.id });
    expect(await ask({ objid, operation: 'list', as: 'bob' })).toEqual([
      'snapshot',
      named.short_id,
    ]);
  });

  it('no password is checked for an operation that no share allows', async () => {
    const object = await add();
    await share(object, { passwordHash: hash });
    const question = { objid: object.short_id, password: 'right' };
    expect(await ask({ ...question, operation: 'update' })).toEqual(refused);
    expect(attempts).toEqual([]);
  });

  it('a password is checked against the five newest shares that have one', async () => {
    const object = await add();
    const { short_id: objid } = object;
    const sixth = await share(object, { passwordHash: hash });
    const fifth = await share(object, { passwordHash: hash });
    for (let i = 0; i < 4; i++) await share(object, { passwordHash: 'unreadable' });
    remembered.add(keyOf(sixth.id, 1, 'old'));
    failure = new ServiceError('RATE_LIMITED', 'wait', { retryAfterSeconds: 9 });
    expect((await ask({ objid, password: 'old' }))[0]).toBe('RATE_LIMITED');
    expect(attempts).toHaveLength(5);
    remembered.add(keyOf(fifth.id, 1, 'old'));
    expect(await ask({ objid, password: 'old' })).toEqual(['snapshot', fifth.short_id]);
  });

  it('shares without a password do not count among the five', async () => {
    const object = await add();
    const { short_id: objid } = object;
    const secret = await share(object, { passwordHash: hash });
    for (let i = 0; i < 6; i++) await share(object, { targetUserId: people.bob.id });
    expect(await ask({ objid, password: 'right' })).toEqual(['snapshot', secret.short_id]);
  });

  it('a rate-limited share does not block the others, and is reported if none of them admits', async () => {
    const object = await add();
    const { short_id: objid } = object;
    await share(object, { passwordHash: hash });
    failure = new ServiceError('RATE_LIMITED', 'wait', { retryAfterSeconds: 9 });
    expect(await ask({ objid, password: 'right' })).toEqual(['RATE_LIMITED', 'wait']);
    const older = await add();
    const open = await share(older);
    await share(older, { passwordHash: hash });
    const question = { objid: older.short_id, password: 'right' };
    expect(await ask(question)).toEqual(['snapshot', open.short_id]);
    for (const other of [new ServiceError('UNAVAILABLE', 'busy'), new Error('no database')]) {
      failure = other;
      expect((await ask(question))[1]).toBe(other.message);
    }
  });
});
