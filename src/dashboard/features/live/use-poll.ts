/** Repeats a task by the poll policy: the next is scheduled after the answer, and immediately on return to the tab. */
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { ApiError } from '../../../client/api-error.ts';
import { newsDelay, nextPollDelay } from './poll-policy.ts';

export interface PollResult {
  /** There is something new. */
  readonly changed: boolean;
  /** The polled object can still change; false ends the polling. */
  readonly live: boolean;
}

/** Notifies when there is news, so that timed polling is rarely needed. */
export interface PollPush {
  isOpen(): boolean;
  /** Called on news, and when `isOpen` changes; `isUrgent`: to be handled immediately, such as the end of a run. */
  onNews(listener: (isUrgent: boolean) => void): () => void;
}

export interface PollHealth {
  /** Time of the last good answer before the failures, milliseconds since the epoch; 0 = never. */
  readonly updatedAt: number;
  /** Consecutive failures. */
  readonly failures: number;
  /** The error of the last answer; null while all is well. */
  readonly error: ApiError | null;
}

const healthy: PollHealth = { updatedAt: 0, failures: 0, error: null };

/**
 * `enabled` false schedules no further request; one in progress still completes, since the last answer of a run is
 * also what turns polling off. `task` may change at every render; the newest is called. With `push` the timer is
 * slow and news set the pace.
 */
export function usePoll(
  task: (signal: AbortSignal) => Promise<PollResult>,
  enabled: boolean,
  push?: PollPush,
): PollHealth {
  const latest = useRef(task);
  useLayoutEffect(() => {
    latest.current = task;
  });
  const [health, setHealth] = useState(healthy);
  // Aborted with the page, not with `enabled`.
  const lifetime = useRef(new AbortController());
  useEffect(() => {
    lifetime.current = new AbortController();
    return () => lifetime.current.abort();
  }, []);

  useEffect(() => {
    if (!enabled) return;
    const { signal } = lifetime.current;
    const newest = () => latest.current(signal);
    return startPolling({ task: newest, push, onHealth: setHealth, signal });
  }, [enabled, push]);

  return health;
}

interface Polling {
  readonly task: () => Promise<PollResult>;
  readonly push: PollPush | undefined;
  readonly onHealth: (next: (before: PollHealth) => PollHealth) => void;
  /** Aborted when the page is closed, which makes its health irrelevant. */
  readonly signal: AbortSignal;
}

/** Polls until the returned function is called. */
function startPolling({ task, push, onHealth, signal }: Polling): () => void {
  const state = {
    live: true,
    hidden: document.hidden,
    unchanged: 0,
    failures: 0,
    lastDurationMs: 0,
  };
  let updatedAt = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running = false;
  let stopped = false;
  let hasNews = false;
  let isUrgent = false;
  let endedAt = Number.NEGATIVE_INFINITY;

  const run = async () => {
    if (running || stopped) return;
    running = true;
    hasNews = false;
    isUrgent = false;
    const started = performance.now();
    try {
      const result = await task();
      state.live = result.live;
      state.unchanged = result.changed ? 0 : state.unchanged + 1;
      state.failures = 0;
      updatedAt = Date.now();
      if (!signal.aborted) onHealth((before) => (before.failures === 0 ? before : healthy));
    } catch (thrown) {
      state.failures += 1;
      const { failures } = state;
      const error = ApiError.from(thrown);
      if (!signal.aborted) onHealth(() => ({ updatedAt, failures, error }));
    }
    endedAt = performance.now();
    state.lastDurationMs = endedAt - started;
    running = false;
    plan();
  };
  const plan = () => {
    clearTimeout(timer);
    if (stopped || running) return;
    const pushed = push?.isOpen() ?? false;
    const byClock = nextPollDelay({ ...state, pushed }, Math.random());
    const isNews = byClock !== null && hasNews && state.failures === 0;
    const pause = () => newsDelay(state.lastDurationMs, performance.now() - endedAt);
    const delay = isNews ? (isUrgent ? 0 : pause()) : byClock;
    if (delay !== null) timer = setTimeout(() => void run(), delay);
  };
  const onVisibility = () => {
    const returned = state.hidden && !document.hidden;
    state.hidden = document.hidden;
    if (returned && state.live) void run();
    else plan();
  };
  document.addEventListener('visibilitychange', onVisibility);
  const stopNews = push?.onNews((urgent) => {
    hasNews = true;
    isUrgent ||= urgent;
    plan();
  });
  if (!state.hidden) void run();
  return () => {
    stopped = true;
    clearTimeout(timer);
    stopNews?.();
    document.removeEventListener('visibilitychange', onVisibility);
  };
}
