/** Password hashes: at the cost that OWASP recommends, a few at a time, and as slow for users who do not exist. */
import { hash, verify } from '@node-rs/argon2';
import { afterEach, expect, it, vi } from 'vitest';
import { hashPassword, isPasswordRight, laneOfUser } from '../../../src/service/auth/passwords.ts';

vi.mock('@node-rs/argon2', async (load) => {
  const actual = await load<typeof import('@node-rs/argon2')>();
  return { ...actual, hash: vi.fn(actual.hash), verify: vi.fn(actual.verify) };
});
afterEach(() => {
  // to the factory's implementation
  for (const mock of [hash, verify]) vi.mocked(mock).mockReset();
});

it('hashes use argon2id with 19 MiB and two passes, and match their password only', async () => {
  const stored = await hashPassword('pässwörd');
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await isPasswordRight(stored, 'pässwörd', 'a')).toBe(true);
  expect(await isPasswordRight(stored, 'passwörd', 'a')).toBe(false);
});

it('a password without a user is checked against a decoy and never matches', async () => {
  vi.resetModules();
  const argon2 = await import('@node-rs/argon2');
  const passwords = await import('../../../src/service/auth/passwords.ts');
  const isRight = (password: string) => passwords.isPasswordRight(null, password, '');
  for (const password of ['a', 'b']) expect(await isRight(password)).toBe(false);
  expect(vi.mocked(argon2.hash).mock.calls).toHaveLength(1);
  expect(vi.mocked(argon2.verify).mock.calls).toHaveLength(2);
  vi.mocked(argon2.verify).mockResolvedValueOnce(true);
  expect(await isRight('c')).toBe(false);
});

it('hashes are computed two at a time, and 32 more may wait in a lane', async () => {
  const ends: (() => void)[] = [];
  vi.mocked(hash).mockImplementation(
    () => new Promise((resolve) => ends.push(() => resolve('hash'))),
  );
  const crowd = Array.from({ length: 35 }, () => hashPassword('p', 'crowd'));
  await expect(crowd.pop()).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  expect(ends).toHaveLength(2);
  const all = Promise.all(crowd);
  while (vi.mocked(hash).mock.calls.length < 34 || ends.length > 0) {
    ends.shift()?.();
    await Promise.resolve();
  }
  expect(await all).toEqual(Array(34).fill('hash'));
});

it('hashes of a user wait in the lane of the user', () => {
  expect([laneOfUser({ id: 7 }), laneOfUser(null)]).toEqual(['user:7', 'user:']);
});
