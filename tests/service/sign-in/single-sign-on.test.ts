/** Signing in through a real provider on loopback: who gets in, as whom, and what is refused. */
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { hashPassword } from '../../../src/service/auth/passwords.ts';
import type { OidcConfig } from '../../../src/service/oidc-config.ts';
import { inTransaction } from '../../../src/service/repositories/database.ts';
import { insertUser } from '../../../src/service/repositories/users.ts';
import {
  type OidcServer,
  oidcConfigOf,
  passProvider,
  startOidcServer,
} from '../../support/oidc-server.ts';
import { createTestService, type TestService } from '../../support/service.ts';

let provider: OidcServer;
let service: TestService;
let oidc: OidcConfig;

beforeAll(async () => {
  provider = await startOidcServer();
  provider.allow('http://localhost');
  oidc = oidcConfigOf(provider);
  service = await createTestService({ config: { oidc } });
});
afterEach(() => {
  provider.bend(null);
  provider.setDown(false);
});
afterAll(async () => {
  await service.close();
  await provider.close();
});

async function begin(at = service, subject: string | null = 'none') {
  const { url, browser_key: browserKey } = await at.anonymous.beginSignIn();
  return { browser_key: browserKey, query: await passProvider(url, subject) };
}

/** The client of a person who has signed in through the provider. */
async function signIn(subject: string, at = service) {
  const { tokens } = await at.anonymous.finishSignIn({ body: await begin(at, subject) });
  return at.clientOf(tokens[0] ?? null);
}

const person = (name: string, groups: string[] = ['modellers']) => {
  provider.accounts.set(`sub-${name}`, { preferred_username: name, groups });
  return `sub-${name}`;
};

const refused = (code: string, message: RegExp) => ({
  code,
  message: expect.stringMatching(message),
});

describe('a user of the provider', () => {
  it('gets an account, and the same one the next time', async () => {
    const subject = person('grace');
    const first = await (await signIn(subject)).viewUser();
    expect(first).toMatchObject({
      username: expect.stringMatching(/^grace\(@\d+\)$/),
      super: false,
      has_password: false,
      is_provided: true,
    });
    expect((await (await signIn(subject)).viewUser()).id).toBe(first.id);
  });

  it('is renamed when the provider renames them, and keeps the same account', async () => {
    const subject = person('maiden');
    const before = await (await signIn(subject)).viewUser();
    provider.accounts.set(subject, { preferred_username: 'married', groups: ['modellers'] });
    const after = await (await signIn(subject)).viewUser();
    expect(after).toEqual({ ...before, username: `married(@${before.id})` });
  });

  it('gets a name with a number if another user takes it at the same moment', async () => {
    const subject = person('before-zoe');
    await signIn(subject);
    person('zoe');
    provider.accounts.set(subject, { preferred_username: 'zoe', groups: ['modellers'] });
    const body = await begin(service, subject);
    const { pool } = service.database;
    const { finished } = await inTransaction(pool, async (tx) => {
      await insertUser(tx, { name: 'zoe', passwordHash: null });
      const finished = service.anonymous.finishSignIn({ body });
      await vi.waitFor(async () => {
        const { rows } = await pool.query(
          "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        );
        expect(rows).toHaveLength(1);
      });
      return { finished };
    });
    const { tokens } = await finished;
    expect((await service.clientOf(tokens[0] ?? null).viewUser()).username).toMatch(/^zoe-2\(/);
  });

  it('never gets a local account with their name', async () => {
    const passwordHash = await hashPassword('correct horse');
    const local = await service.addPerson('ada', { passwordHash });
    const user = await (await signIn(person('ada'))).viewUser();
    expect(user.id).not.toBe(local.row.id);
    expect(user.username).toBe(`ada-2(@${user.id})`);
    expect((await (await signIn('sub-ada')).viewUser()).username).toBe(user.username);
  });

  it('is different from another subject with the same name', async () => {
    const one = await (await signIn(person('twin'))).viewUser();
    provider.accounts.set('sub-other', { preferred_username: 'twin', groups: ['modellers'] });
    const two = await (await signIn('sub-other')).viewUser();
    expect(two.id).not.toBe(one.id);
  });

  it('is a super user only while they are in the group of administrators', async () => {
    const subject = person('linus', ['/operators']);
    const client = await signIn(subject);
    expect((await client.viewUser()).super).toBe(true);
    person('linus');
    await signIn(subject);
    expect((await client.viewUser()).super).toBe(false);
  });

  it('is in the teams of their groups, and no longer in those they have left', async () => {
    const subject = person('member', ['modellers', '/Data Science']);
    const client = await signIn(subject);
    const names = async () =>
      (await client.listTeams()).teams.map(({ name, group }) => [name.split('(')[0], group]);
    expect(await names()).toEqual([
      ['Data-Science', 'Data Science'],
      ['modellers', 'modellers'],
    ]);
    const colleague = await signIn(person('colleague', ['Data Science', 'modellers']));
    expect((await colleague.listTeams()).teams).toEqual((await client.listTeams()).teams);
    const [team] = (await client.listTeams()).teams;
    const { short_id: objid } = await client.createObject({
      body: { payload: { object_type: 'data', name: 'd', data: '{}' }, owner: team?.name },
    });
    person('member');
    await signIn(subject);
    expect(await names()).toEqual([['modellers', 'modellers']]);
    await expect(client.viewObject({ params: { objid } })).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
    });
    await expect(
      service.owner.client.updateTeam({
        params: { team_id: String(team?.id) },
        body: { members: [] },
      }),
    ).rejects.toMatchObject(refused('PERMISSION_DENIED', /follows the group Data Science/));
  });

  it('cannot set a password, which would outlive the groups', async () => {
    const client = await signIn(person('sly'));
    await expect(
      client.updateUser({ body: { password: '', new_password: 'long enough' } }),
    ).rejects.toMatchObject(refused('PERMISSION_DENIED', /identity provider/));
  });

  it('has to sign in again after the configured hours', async () => {
    const client = await signIn(person('tired'));
    const { pool } = service.database;
    const { rows } = await pool.query(
      "select extract(epoch from t.expires_at - now()) / 3600 as hours from tokens t join users u on u.id = t.user_id where u.name = 'tired'",
    );
    expect(Number(rows[0]?.hours)).toBeCloseTo(12, 1);
    await pool.query(
      "update tokens set expires_at = now() where user_id = (select id from users where name = 'tired')",
    );
    await expect(client.viewUser()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });
});

describe('users who may sign in', () => {
  it('are members of an allowed group, or of an allowed domain with a verified address', async () => {
    provider.accounts.set('mail', { email: 'vera@Lab.example', email_verified: true });
    expect((await (await signIn('mail')).viewUser()).username).toMatch(/^vera\(/);
    provider.accounts.set('unverified', { email: 'eve@lab.example', email_verified: false });
    provider.accounts.set('below', { email: 'eve@evil.lab.example', email_verified: true });
    provider.accounts.set('other', { preferred_username: 'eve', groups: ['modellers2'] });
    for (const subject of ['unverified', 'below', 'other'])
      await expect(signIn(subject)).rejects.toMatchObject(
        refused('PERMISSION_DENIED', /Lab knows you as eve.*may not use this server/),
      );
  });

  it('lose every session and token when they sign in without the group', async () => {
    const subject = person('leaver');
    const client = await signIn(subject);
    const { token } = await client.createToken({ body: { name: 'script' } });
    person('leaver', []);
    await expect(signIn(subject)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
    for (const one of [client, service.clientOf(token)])
      await expect(one.viewUser()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });
});

describe('a local account', () => {
  it('can be linked by its owner, who can then sign in either way', async () => {
    const passwordHash = await hashPassword('correct horse');
    const local = await service.addPerson('local', { passwordHash });
    const { url, browser_key: browserKey } = await local.client.beginLink();
    const query = await passProvider(url, person('elsewhere'));
    const body = { browser_key: browserKey, query };
    expect(await service.anonymous.finishSignIn({ body })).toEqual({ tokens: [], linked: true });
    const user = await (await signIn('sub-elsewhere')).viewUser();
    expect(user).toMatchObject({ id: local.row.id, username: local.username, has_password: true });
    const login = { username: 'local', password: 'correct horse' };
    await service.anonymous.login({ body: login });
    expect((await local.client.listLinkedAccounts()).linked_accounts).toEqual([
      { type: 'oidc', account: 'elsewhere' },
    ]);
  });

  it('cannot be linked to a user of the provider who has another account', async () => {
    await signIn(person('taken'));
    const local = await service.addPerson('greedy');
    const { url, browser_key: browserKey } = await local.client.beginLink();
    const body = { browser_key: browserKey, query: await passProvider(url, 'sub-taken') };
    await expect(service.anonymous.finishSignIn({ body })).rejects.toMatchObject(
      refused('CONFLICT', /another account/),
    );
  });
});

describe('the response of the provider', () => {
  const finish = (body: { browser_key: string; query: string }) =>
    service.anonymous.finishSignIn({ body });
  const stale = refused('PERMISSION_DENIED', /Sign in again/);
  const unverified = refused('PERMISSION_DENIED', /could not be verified/);

  it('works once', async () => {
    const body = await begin(service, person('once'));
    await finish(body);
    await expect(finish(body)).rejects.toMatchObject(stale);
  });

  it('is refused with an unknown state, and in a browser that did not start the sign-in', async () => {
    const body = await begin(service, person('state'));
    const query = body.query.replace(/state=[^&]+/, 'state=invented');
    await expect(finish({ ...body, query })).rejects.toMatchObject(stale);
    const other = await service.anonymous.beginSignIn();
    await expect(finish({ ...body, browser_key: other.browser_key })).rejects.toMatchObject(stale);
    expect((await finish(body)).tokens).toHaveLength(1);
  });

  it('is refused after ten minutes', async () => {
    const body = await begin(service, person('slow'));
    await service.database.pool.query(
      "update sign_ins set expires_at = expires_at - interval '10 minutes'",
    );
    await expect(finish(body)).rejects.toMatchObject(stale);
  });

  it('is refused with the code of another sign-in', async () => {
    const mine = await begin(service, person('mine'));
    const theirs = await begin(service, person('theirs'));
    const code = /code=[^&]+/.exec(theirs.query)?.[0] ?? '';
    const query = mine.query.replace(/code=[^&]+/, code);
    await expect(finish({ ...mine, query })).rejects.toMatchObject(unverified);
  });

  it.each<[string, (claims: Record<string, unknown>) => void]>([
    ['another nonce', (claims) => Object.assign(claims, { nonce: 'other' })],
    ['another audience', (claims) => Object.assign(claims, { aud: 'another program' })],
    ['another issuer', (claims) => Object.assign(claims, { iss: 'https://evil.example' })],
    ['expired two minutes ago', (claims) => Object.assign(claims, { exp: seconds() - 120 })],
  ])('is refused if its token has %s', async (_, change) => {
    const body = await begin(service, person('bent'));
    provider.bend(change);
    await expect(finish(body)).rejects.toMatchObject(unverified);
  });

  it('is refused if its token is signed by another key of the same name', async () => {
    const body = await begin(service, person('forged'));
    provider.bend(() => {}, true);
    await expect(finish(body)).rejects.toMatchObject(unverified);
  });

  it('is accepted from a clock that is half a minute behind or ahead', async () => {
    for (const shift of [-30, 30]) {
      const body = await begin(service, person('skewed'));
      provider.bend((claims) =>
        Object.assign(claims, { iat: seconds() + shift, exp: seconds() + Math.min(shift, 0) + 1 }),
      );
      expect((await finish(body)).tokens).toHaveLength(1);
    }
  });

  it('reports that the user cancelled at the provider', async () => {
    await expect(finish(await begin(service, null))).rejects.toMatchObject(
      refused('PERMISSION_DENIED', /Lab did not sign you in/),
    );
  });
});

const seconds = () => Math.floor(Date.now() / 1000);

describe('the provider', () => {
  it('may change its keys between two sign-ins', async () => {
    await signIn(person('before'));
    provider.rotateKeys();
    expect((await (await signIn(person('after'))).viewUser()).username).toMatch(/^after\(/);
  });

  it('may be unreachable when the service starts, which reports it and retries', async () => {
    provider.setDown(true);
    const late = await createTestService({ database: service.database, config: { oidc } });
    await expect(late.anonymous.beginSignIn()).rejects.toMatchObject(
      refused('UNAVAILABLE', /Lab cannot be reached/),
    );
    const ways = async () => (await late.anonymous.viewConfig()).sign_in;
    expect(await ways()).toEqual({
      provider: 'Lab',
      passwords: true,
      problem: `Lab cannot be reached at ${provider.issuer}.`,
    });
    provider.setDown(false);
    late.clock.now += 5000;
    expect((await (await signIn(person('late'), late)).viewUser()).username).toMatch(/^late\(/);
    expect(await ways()).toMatchObject({ problem: null });
    await late.app.close();
  });

  it('is reported if it does not answer as an OpenID Connect provider', async () => {
    const issuer = `${provider.issuer}/nothing-here`;
    const wrong = await createTestService({
      database: service.database,
      config: { oidc: { ...oidc, issuer } },
    });
    await expect(wrong.anonymous.beginSignIn()).rejects.toMatchObject(
      refused('UNAVAILABLE', /does not answer as an OpenID Connect provider/),
    );
    await wrong.app.close();
  });

  it('may become unreachable in the middle of a sign-in', async () => {
    const body = await begin(service, person('cut'));
    provider.setDown(true);
    await expect(service.anonymous.finishSignIn({ body })).rejects.toMatchObject(
      refused('UNAVAILABLE', /could not be reached/),
    );
  });

  it('ends its own session at sign-out', async () => {
    const client = await signIn(person('out'));
    const { url } = await client.signOutEverywhere();
    const address = new URL(url ?? '');
    expect(address.origin).toBe(provider.issuer);
    expect(address.searchParams.get('post_logout_redirect_uri')).toBe('http://localhost/sign-in');
    expect((await fetch(address)).status).toBe(200);
    await expect(client.viewUser()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect(await service.owner.client.signOutEverywhere()).toEqual({ url: null });
  });
});

describe('other services', () => {
  it('finish a sign-in that one of them started, only once in total', async () => {
    const two = await createTestService({ database: service.database, config: { oidc } });
    const body = await begin(service, person('balanced'));
    const answers = await Promise.allSettled(
      [service, two, service, two].map((one) => one.anonymous.finishSignIn({ body })),
    );
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await two.app.close();
  });

  it('create one account for simultaneous first sign-ins', async () => {
    const bodies = await Promise.all([1, 2, 3].map(() => begin(service, person('racer'))));
    const answers = await Promise.all(
      bodies.map((body) => service.anonymous.finishSignIn({ body })),
    );
    const users = answers.map(({ tokens }) => service.clientOf(tokens[0] ?? null).viewUser());
    expect(new Set((await Promise.all(users)).map(({ id }) => id)).size).toBe(1);
  });
});

describe('passwords', () => {
  it('are refused if only the provider may sign users in; tokens remain valid', async () => {
    const strict = await createTestService({
      database: service.database,
      config: { oidc: { ...oidc, only: true } },
    });
    await expect(
      strict.anonymous.login({ body: { username: 'ada', password: 'correct horse' } }),
    ).rejects.toMatchObject(refused('PERMISSION_DENIED', /does not accept passwords.*Lab/));
    expect(await strict.owner.client.viewUser()).toMatchObject({ super: true });
    expect((await strict.anonymous.viewConfig()).sign_in?.passwords).toBe(false);
    await strict.app.close();
  });
});
