import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createAttemptLimits } from '../../../src/service/auth/attempt-limits.ts';
import { createRememberedPasswords } from '../../../src/service/auth/remembered-passwords.ts';
import { networkOf } from '../../../src/service/http/caller-network.ts';
import { execute, sql } from '../../../src/service/repositories/database.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
let now = 0;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  now = Date.UTC(2030, 0, 1);
  await execute(database.pool, sql`delete from limits`);
});

const hourMs = 3_600_000;
const wrong = () => Promise.resolve(false);
const right = () => Promise.resolve(true);

describe('attempt limits', () => {
  it('allow five wrong answers, then ten an hour, and recover', async () => {
    const limits = createAttemptLimits(database.pool, () => now);
    for (let i = 0; i < 5; i++)
      expect(await limits.attempt('login:ada', '10.0.0.1', wrong)).toBe(false);
    await expect(limits.attempt('login:ada', '10.0.0.1', right)).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      retryAfterSeconds: 360,
      message: 'Too many wrong attempts; try again in 6 min.',
    });
    now += 359_000;
    await expect(limits.attempt('login:ada', '10.0.0.1', right)).rejects.toMatchObject({
      retryAfterSeconds: 1,
      message: 'Too many wrong attempts; try again in 1 min.',
    });
    now += 1_000;
    expect(await limits.attempt('login:ada', '10.0.0.1', wrong)).toBe(false);
    let passed = 0;
    for (let minute = 0; minute < 60; minute++) {
      now += 60_000;
      await limits.attempt('login:ada', '10.0.0.1', wrong).then(
        () => passed++,
        () => {},
      );
    }
    expect(passed).toBe(10);
    now += hourMs;
    for (let i = 0; i < 5; i++) await limits.attempt('login:ada', '10.0.0.1', wrong);
  });

  it('counted while the clock was ahead recover as fast as others', async () => {
    const limits = createAttemptLimits(database.pool, () => now);
    const today = now;
    now += 72 * hourMs;
    for (let i = 0; i < 5; i++) await limits.attempt('login:ada', '10.0.0.1', wrong);
    now = today;
    await expect(limits.attempt('login:ada', '10.0.0.1', right)).rejects.toMatchObject({
      retryAfterSeconds: 360,
    });
    now += 360_000;
    expect(await limits.attempt('login:ada', '10.0.0.1', right)).toBe(true);
  });

  it('count failures only', async () => {
    const limits = createAttemptLimits(database.pool, () => now);
    for (let i = 0; i < 30; i++)
      expect(await limits.attempt('login:ada', '10.0.0.1', right)).toBe(true);
    const broken = () => Promise.reject(new Error('no database'));
    for (let i = 0; i < 30; i++)
      await expect(limits.attempt('login:ada', '10.0.0.1', broken)).rejects.toThrow('no database');
    expect(await limits.attempt('login:ada', '10.0.0.1', wrong)).toBe(false);
  });

  it('count addresses and targets separately, with at most sixty an hour for one target', async () => {
    const limits = createAttemptLimits(database.pool, () => now);
    for (let i = 0; i < 60; i++)
      expect(await limits.attempt('login:ada', `10.0.0.${i}`, wrong)).toBe(false);
    await expect(limits.attempt('login:ada', '10.0.1.1', wrong)).rejects.toMatchObject({
      code: 'RATE_LIMITED',
    });
    expect(await limits.attempt('login:bob', '10.0.1.1', right)).toBe(true);
    now += 60_000;
    expect(await limits.attempt('login:ada', '10.0.1.1', wrong)).toBe(false);
  });

  it('take a slot before the check, so that simultaneous attempts count', async () => {
    const limits = createAttemptLimits(database.pool, () => now);
    const all = await Promise.allSettled(
      Array.from({ length: 20 }, () => limits.attempt('login:ada', '10.0.0.1', wrong)),
    );
    expect(all.filter((one) => one.status === 'fulfilled')).toHaveLength(5);
  });

  it('admit a network that succeeded before, in its own lane, whatever others got wrong', async () => {
    const limits = createAttemptLimits(database.pool, () => now, 2);
    const lanes: string[] = [];
    const attempt = (address: string, isRight = true) =>
      limits.attempt('login:ada', address, async (lane) => lanes.push(lane) > 0 && isRight);
    for (const address of ['10.1.0.1', '10.1.0.2', '10.1.0.1', '10.1.0.3']) await attempt(address);
    for (let i = 0; i < 60; i++) await attempt(`10.0.0.${i}`, false);
    lanes.length = 0;
    // The second succeeded longest ago, and two are remembered.
    await expect(attempt('10.1.0.2')).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    await expect(attempt('10.1.0.4')).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    for (const address of ['10.1.0.3', '10.1.0.1']) expect(await attempt(address)).toBe(true);
    expect(lanes).toEqual(['login:ada@10.1.0.3', 'login:ada@10.1.0.1']);
    await limits.attempt('login:bob', '10.1.0.3', async (lane) => lanes.push(lane) > 0);
    expect(lanes.at(-1)).toBe('10.1.0.3');
  });

  it('are shared by all services of a database', async () => {
    const [a, b] = [
      createAttemptLimits(database.pool, () => now),
      createAttemptLimits(database.pool, () => now),
    ];
    for (let i = 0; i < 5; i++) await a.attempt('login:ada', '10.0.0.1', wrong);
    await expect(b.attempt('login:ada', '10.0.0.1', right)).rejects.toMatchObject({
      code: 'RATE_LIMITED',
    });
  });
});

describe('networkOf', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0db8:1:2::9', '2001:db8:1:2::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ])('%s counts as %s', (address, network) => expect(networkOf(address)).toBe(network));
});

describe('remembered passwords', () => {
  it('last ten minutes, for one share, version and password', () => {
    const remembered = createRememberedPasswords(new Uint8Array(32), () => now);
    remembered.add('S1', 1, 'p');
    expect(remembered.has('S1', 1, 'p')).toBe(true);
    expect(remembered.has('S2', 1, 'p')).toBe(false);
    expect(remembered.has('S1', 2, 'p')).toBe(false);
    expect(remembered.has('S1', 1, 'q')).toBe(false);
    now += 599_999;
    expect(remembered.has('S1', 1, 'p')).toBe(true);
    now += 1;
    expect(remembered.has('S1', 1, 'p')).toBe(false);
  });

  it('are limited in number, and the oldest are forgotten first', () => {
    const remembered = createRememberedPasswords(new Uint8Array(32), () => now, 2);
    for (const share of ['S1', 'S2', 'S3']) remembered.add(share, 1, 'p');
    expect(['S1', 'S2', 'S3'].map((share) => remembered.has(share, 1, 'p'))).toEqual([
      false,
      true,
      true,
    ]);
  });
});
