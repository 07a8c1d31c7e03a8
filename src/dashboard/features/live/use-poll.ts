/** Runs a task again and again by the poll policy: the next is planned after the answer, and at once on return to the tab. */
import { useEffect, useRef, useState } from 'react';
import { nextPollDelay } from './poll-policy.ts';

export interface PollResult {
  /** Something new came. */
  readonly changed: boolean;
  /** The thing asked about can still change; false ends the polling. */
  readonly live: boolean;
}

export interface PollHealth {
  /** When the last good answer came, milliseconds since the epoch; 0 = never. */
  readonly updatedAt: number;
  readonly failures: number;
}

/** `enabled` false stops it. `task` may change at every render; the newest is called. */
export function usePoll(
  task: (signal: AbortSignal) => Promise<PollResult>,
  enabled: boolean,
): PollHealth {
  const latest = useRef(task);
  latest.current = task;
  const [health, setHealth] = useState<PollHealth>({ updatedAt: 0, failures: 0 });

  useEffect(() => {
    if (!enabled) return;
    const controller = new AbortController();
    const state = {
      live: true,
      hidden: document.hidden,
      unchanged: 0,
      failures: 0,
      lastDurationMs: 0,
    };
    let timer: ReturnType<typeof setTimeout> | undefined;
    let running = false;

    const run = async () => {
      if (running || controller.signal.aborted) return;
      running = true;
      const started = performance.now();
      try {
        const result = await latest.current(controller.signal);
        state.live = result.live;
        state.unchanged = result.changed ? 0 : state.unchanged + 1;
        state.failures = 0;
        if (!controller.signal.aborted) setHealth({ updatedAt: Date.now(), failures: 0 });
      } catch {
        state.failures += 1;
        if (!controller.signal.aborted)
          setHealth((before) => ({ ...before, failures: state.failures }));
      }
      state.lastDurationMs = performance.now() - started;
      running = false;
      plan();
    };
    const plan = () => {
      clearTimeout(timer);
      const delay = controller.signal.aborted ? null : nextPollDelay(state, Math.random());
      if (delay !== null) timer = setTimeout(() => void run(), delay);
    };
    const onVisibility = () => {
      const returned = state.hidden && !document.hidden;
      state.hidden = document.hidden;
      if (returned && state.live) void run();
      else plan();
    };
    document.addEventListener('visibilitychange', onVisibility);
    if (!state.hidden) void run();
    return () => {
      controller.abort();
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onVisibility);
    };
  }, [enabled]);

  return health;
}
