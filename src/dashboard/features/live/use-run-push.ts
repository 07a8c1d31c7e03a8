/** Keeps the socket of a watched run open while the page is seen, and says when there is news. */
import { useEffect, useLayoutEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import type { LiveStatus } from '../../../contract/live.ts';
import { useClient } from '../../objects/use-client.ts';
import { importWithRetry } from '../../ui/import-with-retry.ts';
import type { DrawsLoader } from './draws-loader.ts';
import type { RunPush } from './run-push.ts';
import type { PollPush } from './use-poll.ts';
import { watchRun } from './watched-runs.ts';

export interface RunPushInput {
  readonly experimentId: string;
  readonly loader: DrawsLoader;
  /** The run goes on, and the server can tell of it. */
  readonly enabled: boolean;
  /** Takes what the run told of itself into what is shown; false: it has to be asked for as a whole. */
  readonly onStatus: (status: LiveStatus) => boolean;
}

/** What the page does with its line to the run. */
export interface RunLine extends PollPush {
  sync(): void;
  /** True once after news that were taken in whole: nothing needs to be asked. */
  takeTold(): boolean;
}

class Line implements RunLine {
  push: RunPush | null = null;
  private open = false;
  private told = false;
  private isWhole = false;
  private readonly listeners = new Set<() => void>();

  isOpen(): boolean {
    return this.open;
  }

  onNews(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  sync(): void {
    if (this.open) this.push?.sync();
  }

  takeTold(): boolean {
    const isTold = this.open && this.told && this.isWhole;
    this.told = false;
    this.isWhole = true;
    return isTold;
  }

  /** `isWhole` false: something happened that the news do not hold. */
  hear(isWhole: boolean): void {
    this.told = true;
    if (!isWhole) this.isWhole = false;
    for (const listener of this.listeners) listener();
  }

  setOpen(isOpen: boolean): void {
    if (this.open === isOpen) return;
    this.open = isOpen;
    // What was missed meanwhile is asked for.
    this.isWhole = false;
    for (const listener of this.listeners) listener();
  }
}

export function useRunPush(input: RunPushInput): RunLine {
  const { experimentId, loader, enabled } = input;
  const client = useClient();
  const isSeen = useSyncExternalStore(subscribeToSeen, () => !document.hidden);
  const line = useMemo(() => new Line(), []);
  const latest = useRef(input);
  useLayoutEffect(() => {
    latest.current = input;
  });
  useEffect(() => {
    if (!enabled || !isSeen || typeof WebSocket === 'undefined') return;
    watchRun(experimentId);
    let isGone = false;
    void importWithRetry(() => import('./run-push.ts')).then(({ openRunPush }) => {
      if (isGone) return;
      line.push = openRunPush({
        client,
        experimentId,
        loader,
        onOpenChange: (isOpen) => line.setOpen(isOpen),
        onStatus: (status) => line.hear(latest.current.onStatus(status)),
        onFinish: () => line.hear(false),
        onNames: () => line.hear(true),
      });
    });
    return () => {
      isGone = true;
      line.push?.close();
      line.push = null;
      line.setOpen(false);
    };
  }, [client, experimentId, loader, enabled, isSeen, line]);
  return line;
}

function subscribeToSeen(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
}
