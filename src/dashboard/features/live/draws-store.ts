/**
 * Draws of one experiment in the browser: growing columns outside React.
 *
 * Values are placed by iteration, so repeats and overlaps have no effect. Readers get views of the columns; a version
 * number shows when to look again.
 */
import type { DecodedDraws } from '../../../client/create-client.ts';
import type { Phase } from '../../../contract/draws.ts';

export type { Phase };

class GrowingColumn {
  private values: Float64Array = new Float64Array(0);
  count = 0;

  /**
   * Places `source`, which may be stored, so that its first value is iteration `first` (1-based); a gap before it reads
   * as NaN.
   * Returns whether anything has changed.
   */
  place(first: number, source: Float64Array): boolean {
    if (this.count === 0 && first === 1) {
      // Reuses the answer's memory: a million draws are not copied for display.
      this.values = source;
      this.count = source.length;
      return source.length > 0;
    }
    const end = first - 1 + source.length;
    const isNew = end > this.count || !holds(this.values, first - 1, source);
    if (end > this.values.length) {
      const larger = new Float64Array(Math.max(1024, end, 2 * this.values.length));
      larger.set(this.values.subarray(0, this.count));
      this.values = larger;
    }
    if (first - 1 > this.count) this.values.fill(Number.NaN, this.count, first - 1);
    this.values.set(source, first - 1);
    this.count = Math.max(this.count, end);
    return isNew;
  }

  view(): Float64Array {
    return this.values.subarray(0, this.count);
  }
}

/** Whether the values from `start` on already equal those of `source`. */
function holds(values: Float64Array, start: number, source: Float64Array): boolean {
  return source.every((value, i) => Object.is(values[start + i], value));
}

const empty = new Float64Array(0);

/** What a reader draws from. The arrays share memory with the store: read only, do not store. */
export interface DrawsView {
  readonly read: (variable: string, chain: string, phase: Phase) => Float64Array;
}

export class DrawsStore {
  private readonly columns = new Map<string, GrowingColumn>();
  private readonly chainNames: string[] = [];
  private readonly listeners = new Set<() => void>();
  private currentView = this.makeView();

  /** A new object after every change; a snapshot for `useSyncExternalStore`. */
  view = (): DrawsView => this.currentView;

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Chains in order of their number. */
  chains(): readonly string[] {
    return this.chainNames;
  }

  /** Draws of a variable so far; empty if there are none. Shares memory with the store: read only, do not store. */
  read(variable: string, chain: string, phase: Phase): Float64Array {
    return this.columns.get(keyOf(variable, chain, phase))?.view() ?? empty;
  }

  /** Stores a response of the draws endpoint. Thinned columns are refused: the store holds only complete columns. */
  append({ header, values }: DecodedDraws): boolean {
    let changed = false;
    for (const column of header.columns) {
      if (column.step !== 1 || column.count === 0) continue;
      this.addChain(column.chain);
      const key = keyOf(column.variable, column.chain, column.phase);
      let target = this.columns.get(key);
      if (target === undefined) {
        target = new GrowingColumn();
        this.columns.set(key, target);
      }
      const { offset, count } = column;
      const isNew = target.place(column.first_iteration, values.subarray(offset, offset + count));
      changed = isNew || changed;
    }
    if (changed) this.publish();
    return changed;
  }

  /** Replaces everything in one step with the contents of an entire sample file. */
  replace(draws: readonly { variable: string; chain: string; values: Float64Array }[]): void {
    this.columns.clear();
    this.chainNames.length = 0;
    for (const { variable, chain, values } of draws) {
      this.addChain(chain);
      const column = new GrowingColumn();
      column.place(1, values);
      this.columns.set(keyOf(variable, chain, 'sampling'), column);
    }
    this.publish();
  }

  private addChain(chain: string): void {
    if (this.chainNames.includes(chain)) return;
    this.chainNames.push(chain);
    this.chainNames.sort(inChainOrder);
  }

  private makeView(): DrawsView {
    return { read: (variable, chain, phase) => this.read(variable, chain, phase) };
  }

  private publish(): void {
    this.currentView = this.makeView();
    for (const listener of this.listeners) listener();
  }
}

function keyOf(variable: string, chain: string, phase: Phase): string {
  return `${phase}\n${chain}\n${variable}`;
}

/** 3 of `chain#3`; names without a number come last, by name. */
export function chainNumber(chain: string): number {
  const match = /(\d+)$/.exec(chain);
  return match === null ? Number.MAX_SAFE_INTEGER : Number(match[1]);
}

/** Orders names of chains by their number, then by name. */
export function inChainOrder(a: string, b: string): number {
  return chainNumber(a) - chainNumber(b) || a.localeCompare(b);
}
