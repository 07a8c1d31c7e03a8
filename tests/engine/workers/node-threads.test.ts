import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  countIdleThreads,
  endThreads,
  keepThread,
  takeThread,
} from '../../../src/engine/workers/node-threads.ts';
import { idleWorker } from '../../support/idle-worker.ts';

beforeEach(async () => {
  // end threads that other tests left behind
  await endThreads();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(async () => {
  await endThreads();
  vi.useRealTimers();
});

const needs = (run: string, kind = 'kind') => ({ run, kind });
const few = 2 ** 20;
const most = 64 * 2 ** 20;

describe('idle threads', () => {
  it('are reused by the next chain of their run, the oldest first', () => {
    const [a, b, other] = [idleWorker(), idleWorker(), idleWorker()];
    keepThread(needs('run'), a, few);
    keepThread(needs('run'), b, few);
    keepThread(needs('other'), other, few);
    expect(countIdleThreads()).toBe(3);
    expect([a, b, other].map(({ isHeld }) => isHeld)).toEqual([false, false, false]);
    vi.advanceTimersByTime(1000);
    expect(takeThread(needs('run'))).toEqual({ worker: a, isOfRun: true });
    expect(a.isHeld).toBe(true);
    expect(takeThread(needs('run'))).toEqual({ worker: b, isOfRun: true });
    expect(countIdleThreads()).toBe(1);
    // threads in use are never ended
    vi.advanceTimersByTime(4_000_000);
    expect([a, b, other].map(({ isTerminated }) => isTerminated)).toEqual([false, false, true]);
    expect([a.listenerCount('error'), a.listenerCount('exit')]).toEqual([0, 0]);
  });

  it('are reused by other runs after half a second, the warmest first', () => {
    const [a, b, c] = [idleWorker(), idleWorker(), idleWorker()];
    keepThread(needs('a'), a, few);
    vi.advanceTimersByTime(10);
    keepThread(needs('b'), b, few);
    vi.advanceTimersByTime(489);
    expect(takeThread(needs('new'))).toBeNull();
    vi.advanceTimersByTime(1);
    keepThread(needs('c'), c, few);
    expect(takeThread(needs('new'))).toEqual({ worker: a, isOfRun: false });
    expect(takeThread(needs('new'))).toBeNull();
    vi.advanceTimersByTime(500);
    expect(takeThread(needs('new'))).toEqual({ worker: c, isOfRun: false });
    expect(takeThread(needs('new'))).toEqual({ worker: b, isOfRun: false });
  });

  it('are not reused by a chain that needs another kind', () => {
    keepThread(needs('run', 'small heap'), idleWorker(), few);
    vi.advanceTimersByTime(1000);
    expect(takeThread(needs('run', 'large heap'))).toBeNull();
    expect(countIdleThreads()).toBe(1);
  });

  it.each([
    ['an hour', few, 3_600_000],
    ['an hour if they hold 64 MiB', most, 3_600_000],
    ['three seconds if they hold more', most + 1, 3000],
  ])('are ended after %s', (_, bytes, milliseconds) => {
    const worker = idleWorker();
    keepThread(needs('run'), worker, bytes);
    vi.advanceTimersByTime(milliseconds - 1);
    expect(worker.isTerminated).toBe(false);
    vi.advanceTimersByTime(1);
    expect(worker.isTerminated).toBe(true);
    expect(takeThread(needs('run'))).toBeNull();
    expect([worker.listenerCount('error'), worker.listenerCount('exit')]).toEqual([0, 0]);
  });

  it('are ended after three seconds if four are already waiting', () => {
    const workers = Array.from({ length: 6 }, idleWorker);
    for (const worker of workers) keepThread(needs('run'), worker, few);
    vi.advanceTimersByTime(3000);
    expect(workers.map(({ isTerminated }) => isTerminated)).toEqual([
      false,
      false,
      false,
      false,
      true,
      true,
    ]);
  });

  it.each(['error', 'exit'])('are dropped on %s without ending the process', (event) => {
    const [lost, kept] = [idleWorker(), idleWorker()];
    keepThread(needs('run'), lost, few);
    keepThread(needs('run'), kept, few);
    lost.emit(event, new Error('out of memory'));
    expect(countIdleThreads()).toBe(1);
    expect(takeThread(needs('run'))).toEqual({ worker: kept, isOfRun: true });
    // its timer was cancelled too
    vi.advanceTimersByTime(3_600_000);
    expect(lost.isTerminated).toBe(false);
  });

  it('are ended together', async () => {
    const workers = [idleWorker(), idleWorker()];
    for (const worker of workers) keepThread(needs('run'), worker, few);
    await endThreads();
    expect(workers.map(({ isTerminated }) => isTerminated)).toEqual([true, true]);
    expect(countIdleThreads()).toBe(0);
  });
});
