import { describe, expect, it } from 'vitest';
import { createFairQueue } from '../../../src/service/auth/fair-queue.ts';

/** Work that ends when the test says so; `started` in order. */
function work() {
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const job = (name: string) => () => {
    started.push(name);
    return new Promise<string>((resolve) => ends.push(() => resolve(name)));
  };
  const endOne = async () => {
    ends.shift()?.();
    // the slot is passed on in a few turns
    for (let i = 0; i < 5; i++) await Promise.resolve();
  };
  return { started, job, endOne };
}

describe('the fair queue', () => {
  it('admits a newcomer after one job of a crowd, and refuses the excess of the crowd', async () => {
    const { started, job, endOne } = work();
    const queue = createFairQueue({ running: 2, perLane: 32, total: 1000 });
    const crowd = Array.from({ length: 300 }, (_, i) => queue.run('crowd', job(`crowd ${i}`)));
    const refused = Promise.allSettled(crowd.slice(34));
    const one = queue.run('ada', job('ada'));
    const other = queue.run('bob', job('bob'));
    expect(started).toEqual(['crowd 0', 'crowd 1']);
    for (const answer of await refused)
      expect(answer).toMatchObject({
        status: 'rejected',
        reason: {
          code: 'RATE_LIMITED',
          retryAfterSeconds: 2,
          message: 'Too many sign-ins at once from your network; try again in a moment.',
        },
      });
    for (let i = 0; i < 3; i++) await endOne();
    expect(started.slice(2)).toEqual(['crowd 2', 'ada', 'bob']);
    for (let i = 0; i < 40; i++) await endOne();
    expect(await Promise.all([one, other])).toEqual(['ada', 'bob']);
    expect(await Promise.all(crowd.slice(0, 34))).toHaveLength(34);
    expect(started).toHaveLength(36);
  });

  it('takes turns between lanes, and keeps the order within each', async () => {
    const { started, job, endOne } = work();
    const queue = createFairQueue({ running: 1, perLane: 9, total: 99 });
    const all = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map((name) => queue.run(name[0], job(name)));
    for (let i = 0; i < 6; i++) await endOne();
    await Promise.all(all);
    expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
  });

  it('frees the slot of a failed job, and limits all lanes together', async () => {
    const queue = createFairQueue({ running: 1, perLane: 9, total: 1 });
    const failing = queue.run('a', () => Promise.reject(new Error('no')));
    const next = queue.run('b', () => Promise.resolve('in'));
    await expect(queue.run('c', () => Promise.resolve())).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      retryAfterSeconds: 2,
      message: 'Too many sign-ins at once; try again.',
    });
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('in');
    expect(await queue.run('c', () => Promise.resolve('in'))).toBe('in');
    for (let i = 0; i < 3; i++) {
      const pair = ['d', 'e'].map((lane) => queue.run(lane, () => Promise.resolve(lane)));
      expect(await Promise.all(pair)).toEqual(['d', 'e']);
    }
  });
});
