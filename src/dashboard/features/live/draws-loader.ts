/** Incrementally fetches the missing draws of the requested variables into a draws store. */
import type { Client, DecodedDraws } from '../../../client/create-client.ts';
import { decodeDraws } from '../../../contract/draws.ts';
import type { Access } from '../../objects/object-queries.ts';
import type { DrawsStore, Phase } from './draws-store.ts';

/** Iterations of one phase that the server has: for the chains listed, and for every other chain. */
export interface Available {
  readonly byChain: ReadonlyMap<string, number>;
  readonly others: number;
}

/** Variables per request: keeps addresses shorter than any proxy's limit. */
const variablesARequest = 40;
/** Approximate values per request: 32 MB, an eighth of what our server allows. */
const valuesARequest = 4 * 2 ** 20;
/** Chains this close share a request: at most this many draws are sent twice. */
const closeIterations = 256;

/** Marks divergent draws; requested with every variable, since every trace shows it. */
export const divergentColumn = 'divergent__';

interface Batch {
  readonly from: number;
  /** Absent: all of them. */
  readonly chains?: string[];
  readonly variables: readonly string[];
}

export class DrawsLoader {
  private readonly wanted = new Map<string, number>();
  /** Iterations up to which the server has reported that there is no such column. */
  private readonly absent = new Map<string, number>();
  private last: Promise<unknown> = Promise.resolve();
  /** The current request, aborted when none of its variables is needed any more. */
  private current: { readonly batch: Batch; readonly control: AbortController } | null = null;

  constructor(
    private readonly client: Client,
    private readonly objid: string,
    private readonly access: Access,
    readonly store: DrawsStore,
  ) {}

  /** Counts a reader of `variable`; the returned function releases it. */
  want(variable: string): () => void {
    this.wanted.set(variable, (this.wanted.get(variable) ?? 0) + 1);
    return () => {
      const left = (this.wanted.get(variable) ?? 1) - 1;
      if (left > 0) {
        this.wanted.set(variable, left);
        return;
      }
      this.wanted.delete(variable);
      // a reader that replaces this one requests it in the same turn
      queueMicrotask(() => this.endUnwanted());
    };
  }

  private endUnwanted(): void {
    if (this.current !== null && !this.isWanted(this.current.batch)) this.current.control.abort();
  }

  private isWanted({ variables }: Batch): boolean {
    if (this.wanted.size === 0) return false;
    return variables.some((name) => name === divergentColumn || this.wanted.has(name));
  }

  /** What is requested of a phase, to subscribe to. */
  variables(phase: Phase): readonly string[] {
    if (this.wanted.size === 0) return [];
    // No plot marks the divergences of warmup.
    const marks = phase === 'warmup' ? [] : [divergentColumn];
    return [...new Set([...marks, ...this.wanted.keys()])];
  }

  /**
   * Fetches the draws that the requested variables lack in a phase. Runs one at a time, so that two readers never
   * request the same draws. Returns whether any draws arrived. Throws `ApiError`.
   */
  refresh(phase: Phase, available: Available, signal?: AbortSignal): Promise<boolean> {
    const load = this.last.then(() => this.load(phase, available, signal));
    this.last = load.catch(() => undefined);
    return load;
  }

  private async load(phase: Phase, available: Available, signal?: AbortSignal): Promise<boolean> {
    let changed = false;
    for (const batch of this.missing(phase, available)) {
      // its readers may have gone since the batches were made
      if (!this.isWanted(batch)) continue;
      const control = new AbortController();
      const onAbort = () => control.abort();
      signal?.addEventListener('abort', onAbort);
      if (signal?.aborted) onAbort();
      this.current = { batch, control };
      const body = await this.client
        .viewDraws({
          params: { objid: this.objid },
          query: {
            variable: [...batch.variables],
            chain: batch.chains,
            phase,
            from: batch.from,
            share_id: this.access.shareId ?? '',
          },
          sharePassword: this.access.password,
          signal: control.signal,
        })
        .catch((error: unknown) => {
          if (control.signal.aborted && !signal?.aborted) return null;
          throw error;
        })
        .finally(() => {
          signal?.removeEventListener('abort', onAbort);
          this.current = null;
        });
      if (body === null) continue;
      const draws = decodeDraws(body);
      changed = this.store.append(draws) || changed;
      this.noteAbsent(phase, batch, draws);
    }
    return changed;
  }

  /** A variable missing from a chain's columns is not requested again up to where the others are. */
  private noteAbsent(phase: Phase, { variables }: Batch, { header }: DecodedDraws): void {
    const ends = new Map<string, number>();
    const here = new Set<string>();
    for (const { chain, variable, first_iteration, count } of header.columns) {
      ends.set(chain, Math.max(ends.get(chain) ?? 0, first_iteration + count - 1));
      here.add(keyOf(phase, chain, variable));
    }
    for (const [chain, end] of ends) {
      for (const variable of variables) {
        const key = keyOf(phase, chain, variable);
        if (!here.has(key)) this.absent.set(key, end);
      }
    }
  }

  private missing(phase: Phase, available: Available): Batch[] {
    if (this.wanted.size === 0) return [];
    const isNamed = available.byChain.size > 0;
    const batches = isNamed
      ? mergeClose(
          [...available.byChain].flatMap(([chain, count]) => this.lacking(phase, [chain], count)),
        )
      : this.lacking(phase, this.store.chains(), available.others).map(
          ({ from, variables }): Batch => ({ from, variables }),
        );
    const most = Math.max(available.others, ...available.byChain.values());
    return batches.flatMap((batch) => splitBatch(batch, most));
  }

  /** Requested variables that lack draws in any of the chains, by the first iteration they lack. */
  private lacking(phase: Phase, chains: readonly string[], count: number) {
    const byStart = new Map<number, string[]>();
    for (const variable of this.variables(phase)) {
      const have = chains.map((chain) =>
        Math.max(
          this.store.read(variable, chain, phase).length,
          this.absent.get(keyOf(phase, chain, variable)) ?? 0,
        ),
      );
      const least = have.length === 0 ? 0 : Math.min(...have);
      if (least >= count) continue;
      const group = byStart.get(least + 1);
      if (group === undefined) byStart.set(least + 1, [variable]);
      else group.push(variable);
    }
    return [...byStart].map(([from, names]) => ({ from, chains: [...chains], variables: names }));
  }
}

function keyOf(phase: Phase, chain: string, variable: string): string {
  return `${phase}\n${chain}\n${variable}`;
}

/** Chains that lack the same variables from nearly the same iteration share one request. */
function mergeClose(batches: readonly { from: number; chains: string[]; variables: string[] }[]) {
  const merged: { from: number; chains: string[]; variables: string[] }[] = [];
  for (const batch of batches.toSorted((a, b) => a.from - b.from)) {
    const names = batch.variables.join('\n');
    const near = merged.find(
      (other) =>
        batch.from - other.from <= closeIterations &&
        other.variables.join('\n') === names &&
        !batch.chains.some((chain) => other.chains.includes(chain)),
    );
    if (near === undefined) merged.push({ ...batch, chains: [...batch.chains] });
    else near.chains.push(...batch.chains);
  }
  return merged;
}

function splitBatch(batch: Batch, available: number): Batch[] {
  const chains = batch.chains?.length ?? 4;
  const values = Math.max(1, (available - batch.from + 1) * chains);
  const size = Math.min(variablesARequest, Math.max(1, Math.floor(valuesARequest / values)));
  const parts: Batch[] = [];
  for (let i = 0; i < batch.variables.length; i += size) {
    parts.push({ ...batch, variables: batch.variables.slice(i, i + size) });
  }
  return parts;
}
