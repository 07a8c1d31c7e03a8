/** Draws of several experiments: a store and loader for each, one subscription. */
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { ApiError } from '../../../client/api-error.ts';
import type { Client } from '../../../client/create-client.ts';
import { DrawsLoader } from '../live/draws-loader.ts';
import { DrawsStore } from '../live/draws-store.ts';
import { longestChain } from '../status/longest-chain.ts';
import { chainsLeftOut } from '../status/used-chains.ts';
import type { ComparedRun } from './use-compared.ts';

/** The owner's own access: no share. */
const live = {};

interface Drawer {
  readonly store: DrawsStore;
  readonly loader: DrawsLoader;
}

export class DrawsGroup {
  private readonly drawers = new Map<string, Drawer>();
  private readonly listeners = new Set<() => void>();
  private changes = 0;

  constructor(private readonly client: Client) {}

  of(id: string): Drawer {
    let drawer = this.drawers.get(id);
    if (drawer === undefined) {
      const store = new DrawsStore();
      drawer = { store, loader: new DrawsLoader(this.client, id, live, store) };
      store.subscribe(() => {
        this.changes += 1;
        for (const listener of this.listeners) listener();
      });
      this.drawers.set(id, drawer);
    }
    return drawer;
  }

  /** A snapshot for `useSyncExternalStore`: a different number after every change. */
  version = (): number => this.changes;

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
}

export interface ComparedDrawsState {
  /** Sampling draws by chain, without empty chains. Shares memory with the store: read only, do not store. */
  readonly read: (run: ComparedRun, variable: string) => readonly Float64Array[];
  readonly error: ApiError | null;
  readonly retry: () => void;
}

/**
 * Fetches the draws of `names` while mounted, from the experiments that have them. `names` must be the same array while
 * nothing changes. `read` is a different function after every change.
 */
export function useComparedDraws(
  group: DrawsGroup,
  runs: readonly ComparedRun[],
  names: readonly string[],
): ComparedDrawsState {
  const version = useSyncExternalStore(group.subscribe, group.version);
  const [error, setError] = useState<ApiError | null>(null);
  const [attempt, setAttempt] = useState(0);
  // What determines the requests, as text: a run is a new object after every refetch.
  const key = JSON.stringify(
    runs
      .filter((run) => run.source === 'columns')
      .map(({ id, rows, experiment }) => ({
        id,
        others: experiment === null ? 0 : longestChain(experiment),
        wanted: names.filter((name) => rows.has(name)),
      })),
  );
  useEffect(() => {
    const orders = JSON.parse(key) as { id: string; others: number; wanted: string[] }[];
    const control = new AbortController();
    const releases: (() => void)[] = [];
    const loads = orders
      .filter(({ wanted }) => wanted.length > 0)
      .map(({ id, others, wanted }) => {
        const { loader } = group.of(id);
        for (const name of wanted) releases.push(loader.want(name));
        return loader.refresh('sampling', { byChain: new Map(), others }, control.signal);
      });
    Promise.all(loads).then(
      () => control.signal.aborted || setError(null),
      (thrown: unknown) => control.signal.aborted || setError(ApiError.from(thrown)),
    );
    return () => {
      control.abort();
      for (const release of releases) release();
    };
  }, [group, key, attempt]);
  const read = useMemo(() => {
    // A new function after every change: whatever is computed from draws depends on it.
    void version;
    return (run: ComparedRun, variable: string) => {
      const store = run.fileStore ?? group.of(run.id).store;
      return usedDraws(run, store, variable);
    };
  }, [group, version]);
  return { read, error, retry: () => setAttempt(attempt + 1) };
}

/** The draws that the run's summary uses: no chains left out, and the same number from each of the others. */
export function usedDraws(
  { experiment, summary, isLive }: Pick<ComparedRun, 'experiment' | 'summary' | 'isLive'>,
  store: DrawsStore,
  variable: string,
): Float64Array[] {
  const leftOut = experiment === null ? [] : chainsLeftOut(experiment);
  const chains = store
    .chains()
    .filter((chain) => !leftOut.includes(chain))
    .map((chain) => store.read(variable, chain, 'sampling'))
    .filter((draws) => draws.length > 0);
  const common = isLive ? undefined : summary?.verdict.draws;
  return common === undefined ? chains : chains.map((draws) => draws.subarray(0, common));
}

/** All chains of a variable, concatenated. */
export function pooledChains(chains: readonly Float64Array[]): Float64Array {
  const pooled = new Float64Array(chains.reduce((sum, chain) => sum + chain.length, 0));
  let at = 0;
  for (const chain of chains) {
    pooled.set(chain, at);
    at += chain.length;
  }
  return pooled;
}
