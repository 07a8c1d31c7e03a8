// Runs in a window.
import { act, cleanup, renderHook } from '@testing-library/react';
import { StrictMode } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../../../src/client/api-error.ts';
import { type PollResult, usePoll } from '../../../src/dashboard/features/live/use-poll.ts';

let hidden = false;
beforeEach(() => {
  hidden = false;
  vi.useFakeTimers();
  vi.spyOn(document, 'hidden', 'get').mockImplementation(() => hidden);
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
function setHidden(value: boolean) {
  hidden = value;
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
}
const news: PollResult = { changed: true, live: true };
function poll(task: (signal: AbortSignal) => Promise<PollResult>, strict = false) {
  return renderHook(({ enabled }) => usePoll(task, enabled), {
    initialProps: { enabled: true },
    wrapper: strict ? StrictMode : undefined,
  });
}

describe('polling', () => {
  it('asks at once, then a second after each answer', async () => {
    const task = vi.fn(async () => news);
    poll(task);
    await pass(0);
    expect(task).toHaveBeenCalledTimes(1);
    await pass(999);
    expect(task).toHaveBeenCalledTimes(1);
    await pass(1);
    expect(task).toHaveBeenCalledTimes(2);
  });

  it('counts from the end of the response and waits four times its duration', async () => {
    const task = vi.fn(() => new Promise<PollResult>((done) => setTimeout(() => done(news), 600)));
    poll(task);
    await pass(600 + 2399);
    expect(task).toHaveBeenCalledTimes(1);
    await pass(1);
    expect(task).toHaveBeenCalledTimes(2);
  });

  it('asks for nothing in a hidden tab for an hour, and at once on return', async () => {
    const task = vi.fn(async () => news);
    poll(task);
    await pass(0);
    setHidden(true);
    await pass(3_600_000);
    expect(task).toHaveBeenCalledTimes(1);
    setHidden(false);
    await pass(0);
    expect(task).toHaveBeenCalledTimes(2);
    await pass(1000);
    expect(task).toHaveBeenCalledTimes(3);
  });

  it('that begins in a hidden tab waits until it is visible', async () => {
    hidden = true;
    const task = vi.fn(async () => news);
    poll(task);
    await pass(60_000);
    expect(task).not.toHaveBeenCalled();
    setHidden(false);
    await pass(0);
    expect(task).toHaveBeenCalledTimes(1);
  });

  it('stops when its object is no longer live', async () => {
    const task = vi.fn(async () => ({ changed: true, live: false }));
    poll(task);
    await pass(600_000);
    expect(task).toHaveBeenCalledTimes(1);
    setHidden(true);
    setHidden(false);
    await pass(600_000);
    expect(task).toHaveBeenCalledTimes(1);
  });

  it('lets the last request finish when it is disabled, and aborts it with the page', async () => {
    const signals: AbortSignal[] = [];
    const finished = vi.fn();
    const { rerender, unmount } = poll((signal) => {
      signals.push(signal);
      return new Promise((done) => setTimeout(() => (finished(), done(news)), 500));
    });
    await pass(100);
    rerender({ enabled: false });
    await pass(60_000);
    expect(signals.map((signal) => signal.aborted)).toEqual([false]);
    expect(finished).toHaveBeenCalledTimes(1);
    unmount();
    expect(signals.map((signal) => signal.aborted)).toEqual([true]);
  });

  it('backs off after failures, reports them, and recovers', async () => {
    let broken = true;
    const task = vi.fn(async () => {
      if (broken) throw new ApiError('network', 'The server cannot be reached.');
      return news;
    });
    const { result } = poll(task);
    await pass(0);
    expect(result.current).toMatchObject({ failures: 1, error: { kind: 'network' } });
    await pass(2000);
    await pass(4000);
    expect(result.current.failures).toBe(3);
    expect(task).toHaveBeenCalledTimes(3);
    broken = false;
    await pass(8000);
    expect(result.current).toMatchObject({ failures: 0, error: null });
  });

  it('keeps the time of the last good response', async () => {
    const start = Date.now();
    let broken = false;
    const { result } = poll(async () => {
      if (broken) throw new Error('no');
      return news;
    });
    await pass(1000);
    broken = true;
    await pass(1000);
    expect(result.current).toMatchObject({ failures: 1, updatedAt: start + 1000 });
  });

  it('rerenders nothing while all is well', async () => {
    let renders = 0;
    renderHook(() => {
      renders++;
      return usePoll(async () => news, true);
    });
    await pass(30_000);
    expect(renders).toBe(1);
  });

  it('runs once at a time under StrictMode', async () => {
    let running = 0;
    let most = 0;
    const task = vi.fn(async () => {
      most = Math.max(most, ++running);
      await new Promise((done) => setTimeout(done, 10));
      running--;
      return news;
    });
    poll(task, true);
    await pass(10_000);
    expect(task.mock.calls.length).toBeLessThan(12);
    expect(most).toBeLessThanOrEqual(2);
  });
});

it('does not wait four times the duration of a response for urgent news', async () => {
  const task = vi.fn(() => new Promise<PollResult>((done) => setTimeout(() => done(news), 5000)));
  const listeners = new Set<(isUrgent: boolean) => void>();
  const push = {
    isOpen: () => true,
    onNews: (listener: (isUrgent: boolean) => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const publish = (isUrgent: boolean) => {
    for (const listener of listeners) listener(isUrgent);
  };
  renderHook(() => usePoll(task, true, push));
  await pass(4000);
  publish(true);
  await pass(999);
  expect(task).toHaveBeenCalledTimes(1);
  await pass(2);
  expect(task).toHaveBeenCalledTimes(2);
  await pass(5000);
  publish(false);
  await pass(19_000);
  expect(task).toHaveBeenCalledTimes(2);
  await pass(1001);
  expect(task).toHaveBeenCalledTimes(3);
});
