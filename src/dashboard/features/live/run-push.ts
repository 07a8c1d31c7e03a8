/**
 * The socket of a watched run: draws of the requested variables go into the store as they arrive, changes of the run to
 * its listeners. Loaded when the first run is watched.
 */
import type { Client } from '../../../client/create-client.ts';
import {
  type ExperimentSocket,
  openExperimentSocket,
  type Subscription,
} from '../../../client/sockets.ts';
import type { EventItem, LiveStatus } from '../../../contract/live.ts';
import type { DrawsLoader } from './draws-loader.ts';
import type { DrawsStore, Phase } from './draws-store.ts';

export interface RunPushOptions {
  readonly client: Client;
  readonly experimentId: string;
  readonly loader: DrawsLoader;
  readonly onOpenChange: (isOpen: boolean) => void;
  readonly onStatus: (status: LiveStatus) => void;
  readonly onFinish: () => void;
  /** Chains or variables have their first draws. */
  readonly onNames: () => void;
}

export interface RunPush {
  /** Subscribes to requested variables from where the store ends; unsubscribes from those no longer requested. */
  sync(): void;
  close(): void;
}

/** Draws per chain that the socket may lag behind before it skips them. */
const mostBehind = 500;
const phases: readonly Phase[] = ['warmup', 'sampling'];

export function openRunPush(options: RunPushOptions): RunPush {
  const { client, experimentId, loader } = options;
  const { store } = loader;
  /** By phase and chain: what is subscribed to, and up to where. */
  const subscribed = new Map<string, { readonly variables: Set<string>; end: number }>();
  const chains = new Set<string>();
  const socket: ExperimentSocket = openExperimentSocket(
    client,
    { experimentId },
    {
      onState: ({ state }) => options.onOpenChange(state === 'open'),
      onNames: (named) => {
        for (const { chain } of named) chains.add(chain);
        options.onNames();
      },
      onDraws: (items) => {
        appendItems(store, items);
        for (const { chain_name: chain, phase = 'sampling', iteration, data } of items) {
          const place = subscribed.get(`${phase} ${chain}`);
          if (place !== undefined) place.end = Math.max(place.end, iteration + data.length - 1);
        }
      },
      onStatus: options.onStatus,
      onFinish: options.onFinish,
    },
  );
  const sync = () => {
    const fresh: Subscription[] = [];
    const gone: Subscription[] = [];
    for (const chain of new Set([...chains, ...store.chains()])) {
      for (const phase of phases) {
        const wanted = loader.variables(phase);
        const key = `${phase} ${chain}`;
        const lengthOf = (variable: string) => store.read(variable, chain, phase).length;
        const place = subscribed.get(key) ?? { variables: new Set<string>(), end: 0 };
        subscribed.set(key, place);
        const known = place.variables;
        const variables = [...known].filter((name) => !wanted.includes(name));
        for (const variable of variables) known.delete(variable);
        if (variables.length > 0) gone.push({ chain, phase, variables });
        // Entire columns are faster for a fast run: the socket continues after the draws they delivered.
        const isOvertaken = wanted.some(
          (variable) => known.has(variable) && lengthOf(variable) > place.end + mostBehind,
        );
        if (isOvertaken) known.clear();
        const byFrom = new Map<number, string[]>();
        for (const variable of wanted.filter((name) => !known.has(name))) {
          known.add(variable);
          const length = lengthOf(variable);
          place.end = Math.max(place.end, length);
          byFrom.set(length + 1, [...(byFrom.get(length + 1) ?? []), variable]);
        }
        for (const [from, names] of byFrom) fresh.push({ chain, phase, from, variables: names });
      }
    }
    if (fresh.length > 0) socket.subscribe(fresh);
    if (gone.length > 0) socket.unsubscribe(gone);
  };
  return { sync, close: () => socket.close() };
}

/** Stores them as if they had come from the draws endpoint. */
export function appendItems(store: DrawsStore, items: readonly EventItem[]): void {
  const columns = items.flatMap((item) =>
    Object.keys(item.data[0] ?? {}).map((variable) => ({ item, variable })),
  );
  const size = columns.reduce((sum, { item }) => sum + item.data.length, 0);
  const values = new Float64Array(size);
  let offset = 0;
  const header = {
    revision: '',
    columns: columns.map(({ item, variable }) => {
      const { chain_name: chain, iteration, data, phase = 'sampling' } = item;
      const first = offset;
      for (const row of data) values[offset++] = Number(row[variable]);
      const count = data.length;
      return { chain, variable, phase, first_iteration: iteration, step: 1, count, offset: first };
    }),
  };
  store.append({ header, values });
}
