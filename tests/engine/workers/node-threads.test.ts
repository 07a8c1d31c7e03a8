import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  countIdleThreads,
  endThreads,
  keepThread,
  takeThread,
} from '../../../src/engine/workers/node-threads.ts';
import { idleWorker } from '../../support/idle-worker.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(async () => {
  await endThreads();
  vi.useRealTimers();
});

describe('threads that wait', () => {
  it('are taken by the next chain of their run, the oldest first', () => {
    const [a, b, other] = [idleWorker(), idleWorker(), idleWorker()];
    keepThread('run', a);
    keepThread('run', b);
    keepThread('other', other);
    expect(countIdleThreads()).toBe(3);
    expect([a, b, other].map(({ isHeld }) => isHeld)).toEqual([false, false, false]);
    expect(takeThread('run')).toBe(a);
    expect(a.isHeld).toBe(true);
    expect(takeThread('run')).toBe(b);
    expect(takeThread('run')).toBeNull();
    expect(takeThread('none')).toBeNull();
    expect(countIdleThreads()).toBe(1);
    // nobody ends what has been taken
    vi.advanceTimersByTime(10_000);
    expect([a, b, other].map(({ isTerminated }) => isTerminated)).toEqual([false, false, true]);
    expect([a.listenerCount('error'), a.listenerCount('exit')]).toEqual([0, 0]);
  });

  it('are ended after three seconds', () => {
    const worker = idleWorker();
    keepThread('run', worker);
    vi.advanceTimersByTime(2999);
    expect(worker.isTerminated).toBe(false);
    vi.advanceTimersByTime(1);
    expect(worker.isTerminated).toBe(true);
    expect(takeThread('run')).toBeNull();
    expect([worker.listenerCount('error'), worker.listenerCount('exit')]).toEqual([0, 0]);
  });

  it.each(['error', 'exit'])('are forgotten on %s, and take no process down', (event) => {
    const [lost, kept] = [idleWorker(), idleWorker()];
    keepThread('run', lost);
    keepThread('run', kept);
    lost.emit(event, new Error('out of memory'));
    expect(countIdleThreads()).toBe(1);
    expect(takeThread('run')).toBe(kept);
  });

  it('are ended when no chain of their run will follow', async () => {
    const [a, b, other] = [idleWorker(), idleWorker(), idleWorker()];
    for (const worker of [a, b]) keepThread('run', worker);
    keepThread('other', other);
    await endThreads('none');
    await endThreads('run');
    expect([a, b, other].map(({ isTerminated }) => isTerminated)).toEqual([true, true, false]);
    expect(countIdleThreads()).toBe(1);
    await endThreads();
    expect(other.isTerminated).toBe(true);
    expect(countIdleThreads()).toBe(0);
  });
});
