/** Everything the experiment page shows, kept fresh while the run goes on. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import type { Client } from '../../../client/create-client.ts';
import type { Summary } from '../../../contract/draws.ts';
import type { Experiment } from '../../../contract/experiment.ts';
import { type Access, DrawsLoader } from '../live/draws-loader.ts';
import { DrawsStore } from '../live/draws-store.ts';
import { type PollHealth, usePoll } from '../live/use-poll.ts';
import { experimentKeys, experimentQueryOptions, summaryQueryOptions } from './queries.ts';

export interface LiveExperiment {
  readonly experiment: Experiment;
  readonly summary: Summary | null;
  readonly summaryError: unknown;
  readonly store: DrawsStore;
  /** Declares interest in a variable; the returned function ends it. */
  readonly want: (variable: string) => () => void;
  readonly health: PollHealth;
  readonly isLive: boolean;
}

/** A run of these statuses changes by itself. */
export function isLiveStatus(status: string): boolean {
  return status === 'NEW' || status === 'RUN' || status === 'SAMPLE_FIN';
}

/** Iterations a chain that are on the server at least, by phase. */
export function availableIterations(experiment: Experiment): { warmup: number; sampling: number } {
  const numWarmup = settingNumber(experiment, 'num_warmup') ?? 0;
  const chains = experiment.meta?.progress?.chains ?? [];
  if (!isLiveStatus(experiment.status) || chains.length === 0) {
    const kept = experiment.meta?.settings?.save_warmup === true ? numWarmup : 0;
    return { warmup: kept, sampling: experiment.n_samples };
  }
  const thin = settingNumber(experiment, 'thin') ?? 1;
  const largest = Math.max(...chains.map((chain) => chain.iteration));
  return {
    warmup: Math.min(largest, numWarmup),
    sampling: Math.floor(Math.max(0, largest - numWarmup) / thin),
  };
}

/** A number of the settings as run; null where another server does not tell. */
export function settingNumber(experiment: Experiment, key: string): number | null {
  const value = experiment.meta?.settings?.[key];
  return typeof value === 'number' ? value : null;
}

/** `initial` comes from the route's loader, so the page never shows without its experiment. */
export function useLiveExperiment(
  client: Client,
  initial: Experiment,
  access: Access,
): LiveExperiment {
  const id = initial.short_id;
  const isShare = access.shareId !== undefined;
  const queryClient = useQueryClient();
  const experiment = useQuery({
    ...experimentQueryOptions(client, id, access),
    initialData: initial,
  }).data;
  const isLive = !isShare && isLiveStatus(experiment.status);
  const hasDraws = experiment.n_samples > 0 || (experiment.meta?.progress?.done ?? 0) > 0;
  const summary = useQuery({ ...summaryQueryOptions(client, id, access), enabled: hasDraws });

  // One store and one loader a page: they survive every render and go with the page.
  const loader = useMemo(
    () => new DrawsLoader(client, id, access, new DrawsStore()),
    [client, id, access],
  );
  const refreshDraws = useCallback(
    async (from: Experiment, signal?: AbortSignal) => {
      const available = availableIterations(from);
      const changes = await Promise.all([
        loader.refresh('warmup', available.warmup, signal),
        loader.refresh('sampling', available.sampling, signal),
      ]);
      return changes.includes(true);
    },
    [loader],
  );

  const health = usePoll(async (signal) => {
    const before =
      queryClient.getQueryData(experimentQueryOptions(client, id, access).queryKey) ?? experiment;
    const now = await queryClient.fetchQuery({
      ...experimentQueryOptions(client, id, access),
      staleTime: 0,
    });
    const drew = await refreshDraws(now, signal);
    const ended = !isLiveStatus(now.status);
    if (drew || ended)
      await queryClient.fetchQuery({ ...summaryQueryOptions(client, id, access), staleTime: 0 });
    if (ended) await queryClient.invalidateQueries({ queryKey: experimentKeys.log(id) });
    return { changed: drew || progressOf(before) !== progressOf(now), live: !ended };
  }, isLive);

  const want = useWant(loader, refreshDraws, experiment);
  return {
    experiment,
    summary: summary.data ?? null,
    summaryError: summary.error,
    store: loader.store,
    want,
    health,
    isLive,
  };
}

function progressOf(experiment: Experiment): string {
  return `${experiment.status} ${experiment.meta?.action ?? ''} ${experiment.meta?.progress?.done ?? experiment.n_samples}`;
}

/** `want` that fetches soon: plots mounted together make one request. */
function useWant(
  loader: DrawsLoader,
  refreshDraws: (experiment: Experiment, signal?: AbortSignal) => Promise<boolean>,
  experiment: Experiment,
) {
  const latest = useRef(experiment);
  latest.current = experiment;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return useCallback(
    (variable: string) => {
      const release = loader.want(variable);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => {
        // A failure shows in the plots as missing draws and is tried again by the next poll or plot.
        refreshDraws(latest.current).catch(() => undefined);
      }, 30);
      return release;
    },
    [loader, refreshDraws],
  );
}

/** Wants `variable` while mounted and renders again when the store changes. */
export function useDraws(
  live: Pick<LiveExperiment, 'store' | 'want'>,
  variable: string | null,
): number {
  const { want, store } = live;
  useEffect(() => (variable === null ? undefined : want(variable)), [want, variable]);
  return useSyncExternalStore(store.subscribe, store.version);
}

/** True once `element` has come near the view: plots out of view are not mounted. */
export function useInView<T extends Element>(): [React.RefCallback<T>, boolean] {
  const [inView, setInView] = useState(false);
  const observer = useRef<IntersectionObserver>(undefined);
  const ref = useCallback((element: T | null) => {
    observer.current?.disconnect();
    if (element === null) return;
    observer.current = new IntersectionObserver(
      (entries) => setInView(entries.some((entry) => entry.isIntersecting)),
      {
        rootMargin: '200px',
      },
    );
    observer.current.observe(element);
  }, []);
  return [ref, inView];
}
