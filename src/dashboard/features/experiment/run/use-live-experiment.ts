/** Everything the experiment page shows, kept up to date while the run continues. */
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { ApiError } from '../../../../client/api-error.ts';
import type { Summary } from '../../../../contract/draws.ts';
import { type Experiment, experimentMetaSchema } from '../../../../contract/experiment.ts';
import type { LiveStatus } from '../../../../contract/live.ts';
import type { ChainUsage } from '../../../../posterior/chain-usage.ts';
import { isLiveStatus } from '../../../objects/live-status.ts';
import { type Access, objectQueryOptions } from '../../../objects/object-queries.ts';
import { objectKeys } from '../../../objects/query-keys.ts';
import { hasCapability } from '../../../objects/server.ts';
import { useClient } from '../../../objects/use-client.ts';
import { useCapability, useConfig } from '../../../objects/use-config.ts';
import { DrawsLoader } from '../../live/draws-loader.ts';
import { DrawsStore, type DrawsView } from '../../live/draws-store.ts';
import { Freshness } from '../../live/freshness.ts';
import { SampleFileLoader } from '../../live/sample-file.ts';
import { ThinDraws } from '../../live/thin-draws.ts';
import type { PollHealth } from '../../live/use-poll.ts';
import { type RunLine, useRunPush } from '../../live/use-run-push.ts';
import { drawsByChain, totalDraws } from '../../status/draw-counts.ts';
import { chainsLeftOut, usageOfRun } from '../../status/used-chains.ts';
import { type DrawsLimit, limitDraws } from './chain-choice.ts';
import { summaryQueryOptions } from './queries.ts';
import { availableDraws, chainNamesOf } from './run-facts.ts';
import { type DrawSource, fileState, hasDraws, useRunPoll } from './use-run-poll.ts';

export interface LiveExperiment {
  readonly experiment: Experiment;
  readonly summary: Summary | null;
  readonly summaryError: unknown;
  readonly store: DrawsStore;
  readonly access: Access;
  /** Requests thinned draws from the server; null if it cannot thin. */
  readonly thin: ThinDraws | null;
  /** In order; a name's position determines the chain's colour. */
  readonly chainNames: readonly string[];
  /** Declares interest in a variable; the returned function ends it. */
  readonly want: (variable: string) => () => void;
  /** Why draws that a plot needs are missing; null while all is well. */
  readonly drawsError: ApiError | null;
  readonly retry: () => void;
  readonly health: PollHealth;
  readonly freshness: Freshness;
  readonly isLive: boolean;
  /** Which chains, and how many draws of each, the numbers are based on; null if the server does not say. */
  readonly usage: ChainUsage | null;
  /** Which draws plots show, so that they agree with the numbers. */
  readonly limit: DrawsLimit;
}

function useDrawSource(): DrawSource {
  const config = useConfig();
  if (config === undefined) return null;
  return hasCapability(config, 'draws') && hasCapability(config, 'summary') ? 'columns' : 'file';
}

/** `initial` comes from the route's loader, so the page never shows without its experiment. */
export function useLiveExperiment(initial: Experiment, access: Access): LiveExperiment {
  const client = useClient();
  const id = initial.short_id;
  const isShare = access.shareId !== undefined;
  const queryClient = useQueryClient();
  const source = useDrawSource();
  const options = objectQueryOptions(client, 'experiment', id, access);
  const experiment = useQuery({ ...options, initialData: initial }).data;
  const canPush = useCapability('live');
  const isLive = !isShare && isLiveStatus(experiment.status);

  const { store, loader, file, thin, freshness } = useLoaders(id, access);
  const newest = () => queryClient.getQueryData(options.queryKey) ?? experiment;
  const summaryOptions = summaryQueryOptions(
    client,
    id,
    access,
    source === 'file' ? (signal) => file.load(fileState(newest()), signal) : undefined,
  );
  const summaryKey = useMemo(
    () => summaryQueryOptions(client, id, { shareId: access.shareId }).queryKey,
    [client, id, access.shareId],
  );
  const summary = useQuery({ ...summaryOptions, enabled: hasDraws(experiment) && source !== null });

  const line = useRunPush({
    experimentId: id,
    loader,
    enabled: isLive && source === 'columns' && canPush,
    onStatus: (pushed) => {
      const before = newest();
      const next = withStatus(before, pushed);
      if (next === null) return false;
      freshness.note();
      queryClient.setQueryData(options.queryKey, next);
      return true;
    },
    // The page shows it immediately, even while the loop waits for a long answer; the loop retries if this fails.
    onChange: () => void queryClient.prefetchQuery({ ...options, staleTime: 0, retry: false }),
  });
  const refreshDraws = useRefreshDraws({ loader, source, isShare, line, summaryKey });

  const health = useRunPoll({
    initial,
    isLive,
    line,
    source,
    file,
    freshness,
    newest,
    refetch: (staleTime) => queryClient.fetchQuery({ ...options, staleTime, retry: false }),
    refreshDraws,
    refreshSummary: async (isLast) => {
      if (isLast) await queryClient.cancelQueries({ queryKey: summaryKey, exact: true });
      return queryClient.fetchQuery({ ...summaryOptions, staleTime: 0, retry: false });
    },
    onEnd: () => refreshAfterEnd(queryClient, id),
  });

  const { want, drawsError, retry } = useWant(loader, refreshDraws, experiment);
  const known = useShownSummary(summary.data ?? null, experiment, isLive);
  const chainNames = useChainNames(chainNamesOf(experiment, known, store.chains()));
  return {
    ...useUsage(experiment, known, isLive),
    experiment,
    summary: known,
    summaryError: summary.error,
    store,
    access,
    thin: source === 'columns' ? thin : null,
    chainNames,
    want,
    drawsError,
    retry: () => {
      retry();
      if (summary.isError) void summary.refetch();
    },
    health,
    freshness,
    isLive,
  };
}

interface RefreshDrawsOptions {
  readonly loader: DrawsLoader;
  readonly source: DrawSource;
  readonly isShare: boolean;
  readonly line: RunLine;
  readonly summaryKey: ReturnType<typeof summaryQueryOptions>['queryKey'];
}

/** Fetches the draws that are still missing; returns whether there were any. */
function useRefreshDraws({ loader, source, isShare, line, summaryKey }: RefreshDrawsOptions) {
  const queryClient = useQueryClient();
  return useCallback(
    async (from: Experiment, signal?: AbortSignal) => {
      if (source !== 'columns') return false;
      // A summary may be older than the run's own counts; a share has no others.
      const shared = isShare ? queryClient.getQueryData(summaryKey) : undefined;
      const counts = drawsByChain(from, shared ?? null);
      const available = availableDraws(from, isShare, counts);
      const warmup = await loader.refresh('warmup', available.warmup, signal);
      const sampling = await loader.refresh('sampling', available.sampling, signal);
      // From now on the socket delivers them, and there is nothing left to fetch.
      line.sync();
      return warmup || sampling;
    },
    [loader, source, isShare, line, queryClient, summaryKey],
  );
}

/** The same array while the names do not change. */
function useChainNames(chains: readonly string[]): readonly string[] {
  const names = chains.join('\n');
  return useMemo(() => (names === '' ? [] : names.split('\n')), [names]);
}

/** The summary without its variables if the run ended before the first draw: there is nothing to show of them. */
function useShownSummary(
  summary: Summary | null,
  experiment: Experiment,
  isLive: boolean,
): Summary | null {
  const isSaved = experiment.meta?.settings?.save_warmup === true;
  const isEmpty = !isLive && !isSaved && totalDraws(experiment, summary) === 0;
  return useMemo(
    () => (isEmpty && summary !== null ? { ...summary, variables: [] } : summary),
    [isEmpty, summary],
  );
}

/** Which draws the run's numbers are based on, and which of them plots show. */
function useUsage(
  experiment: Experiment,
  summary: Summary | null,
  isLive: boolean,
): Pick<LiveExperiment, 'usage' | 'limit'> {
  const usage = useMemo(() => usageOfRun(experiment, summary), [experiment, summary]);
  return { usage, limit: useDrawsLimit(experiment, usage, isLive) };
}

/** The same object while nothing changes: plots are redrawn when it does. */
function useDrawsLimit(
  experiment: Experiment,
  usage: ChainUsage | null,
  isLive: boolean,
): DrawsLimit {
  const key = chainsLeftOut(experiment).join('\n');
  // While chains sample, their lengths always differ: plots show all draws.
  const common = isLive || usage === null || usage.beyond === 0 ? null : usage.common;
  return useMemo(() => ({ leftOut: key === '' ? [] : key.split('\n'), common }), [key, common]);
}

/** One store and its loaders per page: they survive every render and are dropped with the page. */
function useLoaders(id: string, access: Access) {
  const client = useClient();
  return useMemo(() => {
    const store = new DrawsStore();
    return {
      store,
      loader: new DrawsLoader(client, id, access, store),
      file: new SampleFileLoader(client, id, access, store),
      thin: new ThinDraws(client, id, access),
      freshness: new Freshness(),
    };
  }, [client, id, access]);
}

/** The run with the pushed status; null if more has changed than that. */
function withStatus(experiment: Experiment, pushed: LiveStatus): Experiment | null {
  const { status, action, n_samples } = pushed;
  if (status !== experiment.status || action !== (experiment.meta?.action ?? '')) return null;
  const read = experimentMetaSchema.safeParse({
    progress: pushed.progress,
    queue_place: pushed.queue_place,
  });
  if (!read.success || !read.data.progress) return null;
  const { progress, queue_place } = read.data;
  return { ...experiment, n_samples, meta: { ...experiment.meta, progress, queue_place } };
}

/** What the end of a run changes besides the page itself: the log's last lines, lists, the running count. */
async function refreshAfterEnd(queryClient: QueryClient, id: string): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: objectKeys('experiment').part(id, ['log']) }),
    queryClient.invalidateQueries({ queryKey: objectKeys('experiment').lists }),
  ]);
}

/** `want` that fetches after a delay: plots mounted together make one request. */
function useWant(
  loader: DrawsLoader,
  refreshDraws: (experiment: Experiment, signal?: AbortSignal) => Promise<boolean>,
  experiment: Experiment,
) {
  const latest = useRef({ experiment, refreshDraws });
  useLayoutEffect(() => {
    latest.current = { experiment, refreshDraws };
  });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [drawsError, setDrawsError] = useState<ApiError | null>(null);
  const lifetime = useRef(new AbortController());
  useEffect(() => {
    lifetime.current = new AbortController();
    return () => {
      clearTimeout(timer.current);
      lifetime.current.abort();
    };
  }, []);
  const retry = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      const { signal } = lifetime.current;
      const current = latest.current;
      current.refreshDraws(current.experiment, signal).then(
        () => setDrawsError(null),
        (error: unknown) => signal.aborted || setDrawsError(ApiError.from(error)),
      );
    }, 30);
  }, []);
  // Plots may be mounted before the source of draws is known.
  useEffect(() => retry(), [retry, refreshDraws]);
  const want = useCallback(
    (variable: string) => {
      const release = loader.want(variable);
      retry();
      return release;
    },
    [loader, retry],
  );
  return { want, drawsError, retry };
}

/** Requests `variable` while mounted and renders again when the store changes. Every draw of the chains in use. */
export function useDraws(
  live: Pick<LiveExperiment, 'store' | 'want' | 'limit'>,
  variable: string | null,
): DrawsView {
  const { want, store, limit } = live;
  useEffect(() => (variable === null ? undefined : want(variable)), [want, variable]);
  const view = useSyncExternalStore(store.subscribe, store.view);
  return useMemo(() => limitDraws(view, { ...limit, common: null }), [view, limit]);
}
