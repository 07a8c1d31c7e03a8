/** The draws a socket subscribed to: sends what is new, block by block, each iteration of a variable once. */

import { limits } from '../../contract/limits.ts';
import type { EventItem, ExperimentOrder } from '../../contract/live.ts';
import { itemAt } from '../../shared/items.ts';
import { limitExceeded } from '../http/service-error.ts';
import type { Executor } from '../repositories/database.ts';
import type { Phase } from '../repositories/draws.ts';
import {
  type BatchPlace,
  type BatchSearch,
  type ChainLayout,
  listChainLayouts,
  listNewBatches,
  readBatchBlock,
} from '../repositories/live-draws.ts';
import { Coverage, type Range } from './coverage.ts';

/** Values in a frame at most: about a quarter of a megabyte. */
const valuesAFrame = 8192;
/** Batches considered in one pass. */
const batchesAtOnce = 256;

type Subscriptions = Extract<ExperimentOrder, { action: 'subscribe' }>['data'];

interface Subscription {
  readonly coverage: Coverage;
  isActive: boolean;
}

export interface ChainNames {
  readonly chain: string;
  readonly names: readonly string[];
}

export class DrawStream {
  private readonly layouts: ChainLayout[] = [];
  private readonly named = new Map<string, Set<string>>();
  /** By chain and phase, then variable. */
  private readonly groups = new Map<string, Map<string, Subscription>>();
  private count = 0;

  constructor(
    private readonly db: Executor,
    private readonly experimentId: number,
    /** Shares reads with other streams that request the same thing under the same name. */
    private readonly together: <T>(what: string, ask: () => Promise<T>) => Promise<T>,
  ) {}

  /** Throws LIMIT_EXCEEDED. */
  subscribe(items: Subscriptions): void {
    for (const { chain, variables, phase = 'sampling', from } of items) {
      const key = keyOf(chain, phase);
      const group = this.groups.get(key) ?? new Map<string, Subscription>();
      this.groups.set(key, group);
      for (const variable of variables) this.subscribeTo(group, variable, from);
    }
  }

  private subscribeTo(
    group: Map<string, Subscription>,
    variable: string,
    from: number | undefined,
  ): void {
    const known = group.get(variable);
    if (known !== undefined && from === undefined) {
      known.isActive = true;
      return;
    }
    if (known === undefined && this.count >= limits.socket_subscriptions) {
      throw limitExceeded(
        `One socket may subscribe to ${limits.socket_subscriptions} variables, counted in each chain (socket_subscriptions).`,
        { limit: 'socket_subscriptions', allowed: limits.socket_subscriptions },
      );
    }
    if (known === undefined) this.count++;
    const first = from === undefined ? 1 : Math.max(1, Math.floor(from));
    group.set(variable, { coverage: new Coverage(first), isActive: true });
  }

  /** Sent ranges are remembered: a new subscription continues after them. */
  unsubscribe(items: Subscriptions): void {
    for (const { chain, variables, phase = 'sampling' } of items) {
      const group = this.groups.get(keyOf(chain, phase));
      for (const variable of variables) {
        const known = group?.get(variable);
        if (known !== undefined) known.isActive = false;
      }
    }
  }

  /** Chains and variables that have draws and were not announced before. */
  async newNames(): Promise<ChainNames[]> {
    const known = [...this.layouts];
    const key = known.map(({ chain, layoutId }) => `${layoutId} ${chain}`).join(', ');
    const added = await this.together(`names beyond ${key}`, () =>
      listChainLayouts(this.db, this.experimentId, known),
    );
    this.layouts.push(...added);
    const names: ChainNames[] = [];
    for (const { chain, columns } of added) {
      const announced = this.named.get(chain) ?? new Set<string>();
      this.named.set(chain, announced);
      const fresh = columns.filter((column) => !announced.has(column));
      for (const column of fresh) announced.add(column);
      if (fresh.length > 0) names.push({ chain, names: fresh });
    }
    return names;
  }

  /** The next block of new draws, oldest first; empty when all stored draws were sent. */
  async nextItems(attempt = 1): Promise<EventItem[]> {
    const searches = this.searches();
    if (searches.length === 0) return [];
    const items: EventItem[] = [];
    let hasMoved = false;
    let room = valuesAFrame;
    const places = await listNewBatches(this.db, this.experimentId, searches, batchesAtOnce);
    for (const place of places) {
      for (const part of this.missingOf(place)) {
        if (room <= 0) return items;
        const item = await this.read(place, part, room);
        if (item === null) {
          hasMoved = true;
          continue;
        }
        room -= item.data.length * part.variables.length;
        items.push(item);
      }
    }
    // Batches were merged during the read: the missing iterations are in another batch now.
    const isWorthAnother = items.length === 0 && hasMoved && attempt < 5;
    return isWorthAnother ? this.nextItems(attempt + 1) : items;
  }

  /** For each chain, phase and layout with a subscribed variable: the first iteration that any of them was not sent. */
  private searches(): BatchSearch[] {
    const searches: BatchSearch[] = [];
    for (const { chain, layoutId, columns } of this.layouts) {
      for (const phase of ['warmup', 'sampling'] as const) {
        const group = this.groups.get(keyOf(chain, phase));
        if (group === undefined) continue;
        let low = Number.POSITIVE_INFINITY;
        for (const column of columns) {
          const known = group.get(column);
          if (known?.isActive) low = Math.min(low, known.coverage.next);
        }
        if (Number.isFinite(low)) searches.push({ chain, phase, layoutId, low });
      }
    }
    return searches;
  }

  /** Variables of a batch with the same missing iterations are sent together. */
  private missingOf({ name, phase, layoutId, firstIteration, count }: BatchPlace): Part[] {
    const group = this.groups.get(keyOf(name, phase));
    const layout = this.layouts.find((one) => one.chain === name && one.layoutId === layoutId);
    const parts = new Map<string, Part>();
    for (const [place, variable] of (layout?.columns ?? []).entries()) {
      const known = group?.get(variable);
      if (!known?.isActive) continue;
      for (const range of known.coverage.missing(firstIteration, firstIteration + count - 1)) {
        const key = range.join(' ');
        const part = parts.get(key) ?? { range, variables: [] };
        parts.set(key, part);
        part.variables.push({ name: variable, place, coverage: known.coverage });
      }
    }
    return [...parts.values()].flatMap(splitWide);
  }

  private async read(
    place: BatchPlace,
    { range: [from, last], variables }: Part,
    room: number,
  ): Promise<EventItem | null> {
    const most = Math.max(1, Math.floor(room / variables.length));
    const count = Math.min(last - from + 1, most);
    const columns = variables.map((variable) => variable.place);
    const block = { columns, from, count };
    const values = await readBatchBlock(this.db, this.experimentId, place, block);
    if (values === null) return null;
    for (const { coverage } of variables) coverage.add(from, from + count - 1);
    const data = Array.from({ length: count }, (_, i) =>
      Object.fromEntries(
        variables.map(({ name }, k) => [name, toWire(itemAt(values, k * count + i))]),
      ),
    );
    const item = { chain_name: place.name, iteration: from, data };
    return place.phase === 'sampling' ? item : { ...item, phase: place.phase };
  }
}

interface Part {
  readonly range: Range;
  readonly variables: {
    readonly name: string;
    readonly place: number;
    readonly coverage: Coverage;
  }[];
}

/** Ensures that one iteration of a part always fits into a frame. */
function splitWide(part: Part): Part[] {
  const parts: Part[] = [];
  for (let at = 0; at < part.variables.length; at += valuesAFrame)
    parts.push({ ...part, variables: part.variables.slice(at, at + valuesAFrame) });
  return parts;
}

const keyOf = (chain: string, phase: Phase) => `${phase} ${chain}`;

/** JSON cannot represent values that are not finite. */
const toWire = (value: number): number | string => (Number.isFinite(value) ? value : String(value));
