// Runs in a window.
import { afterEach, describe, expect, it } from 'vitest';
import { createClient } from '../../../src/client/create-client.ts';
import {
  forgetPassword,
  openShare,
  rememberedPassword,
  rememberPassword,
} from '../../../src/dashboard/features/sharing/shared-access.ts';
import { createFakeShare } from '../../support/fake-objects.ts';
import { FakeRun } from '../../support/fake-run.ts';
import {
  FakeRunServer,
  type FakeRunServerOptions,
  triesAShare,
} from '../../support/fake-run-server.ts';

afterEach(() => sessionStorage.clear());

const ids = { objectId: 'X0000001', shareId: 'S0000001' };
function setUp(options: FakeRunServerOptions = {}) {
  const objects = [createFakeShare({ short_id: ids.shareId })];
  const runs = [new FakeRun({ status: 'FIN' })];
  const server = new FakeRunServer({ objects, runs, ...options });
  const client = createClient({ baseUrl: 'http://fake.test', fetch: server.fetch });
  return { server, open: (password?: string) => openShare(client, ids, password) };
}
const locked = { sharePasswords: { S0000001: 'quiet-fjord-42' } };

describe('opening a share', () => {
  it('needs nothing when it is public', async () => {
    const { open } = setUp();
    const opening = await open();
    expect(opening).toMatchObject({ state: 'open', object: { short_id: 'X0000001' } });
  });

  it('asks for a password before it requests the object', async () => {
    const { server, open } = setUp(locked);
    expect(await open()).toEqual({ state: 'locked', refusal: null });
    expect(server.log).toEqual(['GET /api/object/S0000001']);
  });

  it('opens with the right password, which is in no address', async () => {
    const { server, open } = setUp(locked);
    expect(await open('quiet-fjord-42')).toMatchObject({
      state: 'open',
      password: 'quiet-fjord-42',
    });
    expect(server.log.join()).not.toContain('quiet');
  });

  it('accepts a password in any script', async () => {
    const { open } = setUp({ sharePasswords: { S0000001: 'зимородок 鍵 é' } });
    expect(await open('зимородок 鍵 é')).toMatchObject({ state: 'open' });
  });

  it('rejects a wrong password with a message, then says how long to wait', async () => {
    const { open } = setUp(locked);
    for (let i = 0; i < triesAShare; i++) {
      expect(await open('wrong')).toEqual({
        state: 'locked',
        refusal: 'Wrong password. Try again.',
      });
    }
    expect(await open('wrong')).toEqual({
      state: 'locked',
      refusal: 'Too many tries. Wait 2 minutes, then try again.',
    });
  });

  it('says that it is gone', async () => {
    const { server, open } = setUp(locked);
    server.objects.objects.delete(ids.shareId);
    expect(await open()).toMatchObject({ state: 'gone' });
    expect(await open('quiet-fjord-42')).toMatchObject({ state: 'gone' });
  });

  it('throws other errors: no connection, a broken server', async () => {
    const { server, open } = setUp();
    server.trouble = 'offline';
    await expect(open()).rejects.toMatchObject({ kind: 'network' });
    server.trouble = 'broken';
    await expect(open('x')).rejects.toMatchObject({ kind: 'http', status: 500 });
  });
});

describe('a password', () => {
  it('is remembered for its share only, until it is forgotten', () => {
    rememberPassword('S0000001', 'a');
    expect(rememberedPassword('S0000001')).toBe('a');
    expect(rememberedPassword('S0000002')).toBeUndefined();
    forgetPassword('S0000001');
    expect(rememberedPassword('S0000001')).toBeUndefined();
    expect(localStorage.length).toBe(0);
  });
});
