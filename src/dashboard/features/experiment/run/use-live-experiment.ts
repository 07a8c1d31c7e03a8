/** Everything the experiment page shows, kept up to date while the run goes on. */
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
import { isLiveStatus } from '../../../objects/live-status.ts';
import { type Access, objectQueryOptions } from '../../../objects/object-queries.ts';
import { objectKeys } from '../../../objects/query-keys.ts';
import { configQueryOptions, hasCapability } from '../../../objects/server.ts';
import { useClient } from '../../../objects/use-client.ts';
import { DrawsLoader } from '../../live/draws-loader.ts';
import { DrawsStore, type DrawsView } from '../../live/draws-store.ts';
import { SampleFileLoader, type SampleFileState } from '../../live/sample-file.ts';
import { ThinDraws } from '../../live/thin-draws.ts';
import { type PollHealth, usePoll } from '../../live/use-poll.ts';
import { useRunPush } from '../../live/use-run-push.ts';
import { summaryQueryOptions } from './queries.ts';
import { availableDraws, chainNamesOf, progressOf, settingNumber } from './run-facts.ts';

export interface LiveExperiment {
  readonly experiment: Experiment;
  readonly summary: Summary | null;
  readonly summaryError: unknown;
  readonly store: DrawsStore;
  readonly access: Access;
  /** Asks the server for thinned draws; null where it cannot. */
  readonly thin: ThinDraws | null;
  /** In order; the place of a name is the chain's colour. */
  readonly chainNames: readonly string[];
  /** Declares interest in a variable; the returned function ends it. */
  readonly want: (variable: string) => () => void;
  /** Why draws that a plot wants are not here; null while all is well. */
  readonly drawsError: ApiError | null;
  readonly retry: () => void;
  readonly health: PollHealth;
  readonly isLive: boolean;
}

/** How draws come: columns by increments, or the whole file as documented; null while that is not known. */
type DrawSource = 'columns' | 'file' | null;

function useDrawSource(): DrawSource {
  const client = useClient();
  const config = useQuery(configQueryOptions(client)).data;
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
  const canPush = hasCapability(useQuery(configQueryOptions(client)).data, 'live');
  const isLive = !isShare && isLiveStatus(experiment.status);

  const { store, loader, file, thin } = useLoaders(id, access);
  const newest = () => queryClient.getQueryData(options.queryKey) ?? experiment;
  const summaryOptions = summaryQueryOptions(
    client,
    id,
    access,
    source === 'file' ? (signal) => file.load(fileState(newest()), signal) : undefined,
  );
  const summary = useQuery({ ...summaryOptions, enabled: hasDraws(experiment) && source !== null });

  const line = useRunPush({
    experimentId: id,
    loader,
    enabled: isLive && source === 'columns' && canPush,
    onStatus: (pushed) => {
      const before = newest();
      const next = withStatus(before, pushed);
      if (next !== null) queryClient.setQueryData(options.queryKey, next);
      return next !== null;
    },
  });
  const refreshDraws = useCallback(
    async (from: Experiment, signal?: AbortSignal) => {
      if (source !== 'columns') return false;
      const available = availableDraws(from, isShare);
      const warmup = await loader.refresh('warmup', available.warmup, signal);
      const sampling = await loader.refresh('sampling', available.sampling, signal);
      // From here on the socket brings them, and there is nothing left to fetch.
      line.sync();
      return warmup || sampling;
    },
    [loader, source, isShare, line],
  );

  const health = useRunPoll({
    initial,
    isLive,
    line,
    source,
    file,
    newest,
    refetch: (staleTime) => queryClient.fetchQuery({ ...options, staleTime, retry: false }),
    refreshDraws,
    refreshSummary: () => queryClient.fetchQuery({ ...summaryOptions, staleTime: 0, retry: false }),
    onEnd: () => refreshAfterEnd(queryClient, id),
  });

  const { want, drawsError, retry } = useWant(loader, refreshDraws, experiment);
  const retrySummary = summary.refetch;
  const names = chainNamesOf(experiment, summary.data ?? null, store.chains()).join('\n');
  return {
    experiment,
    summary: summary.data ?? null,
    summaryError: summary.error,
    store,
    access,
    thin: source === 'columns' ? thin : null,
    chainNames: useMemo(() => (names === '' ? [] : names.split('\n')), [names]),
    want,
    drawsError,
    retry: () => {
      retry();
      if (summary.isError) void retrySummary();
    },
    health,
    isLive,
  };
}

/** One store and its loaders per page: they survive every render and go with the page. */
function useLoaders(id: string, access: Access) {
  const client = useClient();
  return useMemo(() => {
    const store = new DrawsStore();
    return {
      store,
      loader: new DrawsLoader(client, id, access, store),
      file: new SampleFileLoader(client, id, access, store),
      thin: new ThinDraws(client, id, access),
    };
  }, [client, id, access]);
}

interface RunPoll {
  readonly initial: Experiment;
  readonly isLive: boolean;
  readonly line: ReturnType<typeof useRunPush>;
  readonly source: DrawSource;
  readonly file: SampleFileLoader;
  readonly newest: () => Experiment;
  readonly refetch: (staleTime: number) => Promise<Experiment>;
  readonly refreshDraws: (from: Experiment, signal?: AbortSignal) => Promise<boolean>;
  readonly refreshSummary: () => Promise<Summary>;
  readonly onEnd: () => Promise<void>;
}

/** Keeps the run, its draws and its summary up to date until it ends. */
function useRunPoll(poll: RunPoll): PollHealth {
  const { initial, isLive, line, source, file } = poll;
  const seen = useRef(progressOf(initial));
  const hasFetched = useRef(false);
  return usePoll(
    async (signal) => {
      const before = seen.current;
      // What the route's loader has just brought counts as the first answer, and a status that was pushed counts as
      // any; but one pushed a moment ago must not stand for an answer once a push said that more has changed.
      const staleTime = hasFetched.current ? 0 : 500;
      const now = line.takeStatus() ? poll.newest() : await poll.refetch(staleTime);
      hasFetched.current = true;
      const ended = !isLiveStatus(now.status);
      const drew = await poll.refreshDraws(now, signal);
      const moved = drew || ended || progressOf(now) !== before;
      seen.current = progressOf(now);
      const isDue = source === 'file' ? file.isDue(fileState(now)) : moved && source !== null;
      if (isDue && hasDraws(now)) await poll.refreshSummary();
      if (ended) await poll.onEnd();
      return { changed: moved, live: !ended };
    },
    isLive,
    line,
  );
}

function hasDraws({ n_samples, meta }: Experiment): boolean {
  return n_samples > 0 || (meta?.progress?.done ?? 0) > 0;
}

/** The run with the status that was pushed; null: more has changed than that. */
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

function fileState(experiment: Experiment): SampleFileState {
  return {
    numSamples: experiment.n_samples,
    ended: !isLiveStatus(experiment.status),
    maxTreedepth: settingNumber(experiment, 'max_treedepth'),
  };
}

/** What an end changes beside the page itself: the log's last lines, lists, the count of what runs. */
async function refreshAfterEnd(queryClient: QueryClient, id: string): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: objectKeys('experiment').part(id, ['log']) }),
    queryClient.invalidateQueries({ queryKey: objectKeys('experiment').lists }),
  ]);
}

/** `want` that fetches soon: plots mounted together make one request. */
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
  // Plots may be there before it is known how draws come.
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

/** Wants `variable` while mounted and renders again when the store changes. */
export function useDraws(
  live: Pick<LiveExperiment, 'store' | 'want'>,
  variable: string | null,
): DrawsView {
  const { want, store } = live;
  useEffect(() => (variable === null ? undefined : want(variable)), [want, variable]);
  return useSyncExternalStore(store.subscribe, store.view);
}
