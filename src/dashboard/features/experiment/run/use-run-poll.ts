/** Keeps a run, its draws and its summary up to date until it has ended and its last draws have arrived. */
import { useRef, useState } from 'react';
import type { Summary } from '../../../../contract/draws.ts';
import type { Experiment } from '../../../../contract/experiment.ts';
import { isLiveStatus } from '../../../objects/live-status.ts';
import type { Freshness } from '../../live/freshness.ts';
import type { SampleFileLoader, SampleFileState } from '../../live/sample-file.ts';
import { type PollHealth, usePoll } from '../../live/use-poll.ts';
import type { RunLine } from '../../live/use-run-push.ts';
import { progressOf, settingNumber } from './run-facts.ts';

/** How draws arrive: as columns, in increments, or as the entire file as documented; null until known. */
export type DrawSource = 'columns' | 'file' | null;

export interface RunPoll {
  readonly initial: Experiment;
  readonly isLive: boolean;
  readonly line: RunLine;
  readonly source: DrawSource;
  readonly file: SampleFileLoader;
  readonly freshness: Freshness;
  readonly newest: () => Experiment;
  readonly refetch: (staleTime: number) => Promise<Experiment>;
  readonly refreshDraws: (from: Experiment, signal?: AbortSignal) => Promise<boolean>;
  /** `isLast`: an answer still under way was requested before the end, and does not count. */
  readonly refreshSummary: (isLast: boolean) => Promise<Summary>;
  readonly onEnd: () => Promise<void>;
}

export function useRunPoll(poll: RunPoll): PollHealth {
  const { initial, isLive, line, source, file, freshness } = poll;
  const seen = useRef(progressOf(initial));
  const hasFetched = useRef(false);
  const pace = useRef(newPace());
  // The end is shown as soon as it is known; the same loop then fetches the final results, with retries.
  const [isSettled, setSettled] = useState(!isLive);
  if (isLive && isSettled) setSettled(false);
  return usePoll(
    async (signal) => {
      const before = seen.current;
      // Data just fetched by the route's loader counts as the first answer, and a pushed status counts as any other.
      // However, a status pushed a moment ago must not count once a push said that more has changed.
      const staleTime = hasFetched.current ? 0 : 500;
      const now = line.takeStatus() ? poll.newest() : await poll.refetch(staleTime);
      freshness.note();
      hasFetched.current = true;
      const ended = !isLiveStatus(now.status);
      const drew = await poll.refreshDraws(now, signal);
      const moved = drew || ended || progressOf(now) !== before;
      seen.current = progressOf(now);
      if (hasDraws(now)) {
        if (source === 'file') {
          if (file.isDue(fileState(now))) await poll.refreshSummary(ended);
        } else if (source !== null && ended) await poll.refreshSummary(true);
        else if (source !== null) pace.current.offer(moved, () => poll.refreshSummary(false));
      }
      if (ended) {
        await poll.onEnd();
        setSettled(true);
      }
      return { changed: moved, live: !ended };
    },
    isLive || !isSettled,
    line,
  );
}

/** With many draws a summary takes seconds: the loop does not wait for it, nor request two at a time. */
function newPace() {
  let isOwed = false;
  let isBusy = false;
  let earliest = Number.NEGATIVE_INFINITY;
  return {
    offer(moved: boolean, refresh: () => Promise<unknown>): void {
      isOwed ||= moved;
      const start = performance.now();
      if (!isOwed || isBusy || start < earliest) return;
      isOwed = false;
      isBusy = true;
      refresh()
        .catch(() => {
          // Shown in place of the summary; retried with the next answer.
          isOwed = true;
        })
        .finally(() => {
          isBusy = false;
          const end = performance.now();
          earliest = end + 4 * (end - start);
        });
    },
  };
}

export function hasDraws({ n_samples, meta }: Experiment): boolean {
  return n_samples > 0 || (meta?.progress?.done ?? 0) > 0;
}

export function fileState(experiment: Experiment): SampleFileState {
  return {
    numSamples: experiment.n_samples,
    ended: !isLiveStatus(experiment.status),
    maxTreedepth: settingNumber(experiment, 'max_treedepth'),
  };
}
