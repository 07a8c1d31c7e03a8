/** Keeps the socket of a watched run open while the page is visible, and reports news. */
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
  /** The run is in progress, and the server can push its changes. */
  readonly enabled: boolean;
  /** Applies a pushed status to what is shown; false: the entire run has to be fetched. */
  readonly onStatus: (status: LiveStatus) => boolean;
  /** More has changed than a push contains: the status itself, or the run has ended. */
  readonly onChange: () => void;
}

/** The page's interface to the connection of a run. */
export interface RunLine extends PollPush {
  sync(): void;
  /** True once after pushes that were applied completely: nothing needs to be fetched. */
  takeStatus(): boolean;
}

class Line implements RunLine {
  push: RunPush | null = null;
  private open = false;
  private hasNews = false;
  private isWhole = false;
  private readonly listeners = new Set<(isUrgent: boolean) => void>();

  isOpen(): boolean {
    return this.open;
  }

  onNews(listener: (isUrgent: boolean) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  sync(): void {
    if (this.open) this.push?.sync();
  }

  takeStatus(): boolean {
    const isTaken = this.open && this.hasNews && this.isWhole;
    this.hasNews = false;
    this.isWhole = true;
    return isTaken;
  }

  /** `isWhole` false: something happened that the push does not contain. `isUrgent`: must be handled without delay. */
  receive(isWhole: boolean, isUrgent = false): void {
    this.hasNews = true;
    if (!isWhole) this.isWhole = false;
    for (const listener of this.listeners) listener(isUrgent);
  }

  setOpen(isOpen: boolean): void {
    if (this.open === isOpen) return;
    this.open = isOpen;
    // Changes missed in the meantime are fetched.
    this.isWhole = false;
    for (const listener of this.listeners) listener(false);
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
        onStatus: (status) => {
          const isWhole = latest.current.onStatus(status);
          if (!isWhole) latest.current.onChange();
          line.receive(isWhole);
        },
        onFinish: () => {
          latest.current.onChange();
          line.receive(false, true);
        },
        onNames: () => line.receive(true),
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
