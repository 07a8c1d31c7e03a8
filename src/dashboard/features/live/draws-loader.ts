/** Fetches what is missing of the wanted variables, by increments, into a draws store. */
import type { Client, DecodedDraws } from '../../../client/create-client.ts';
import { decodeDraws } from '../../../contract/draws.ts';
import type { Access } from '../../objects/object-queries.ts';
import type { DrawsStore, Phase } from './draws-store.ts';

/** Iterations of one phase that the server has: of the chains it names, and of every chain it does not. */
export interface Available {
  readonly byChain: ReadonlyMap<string, number>;
  readonly others: number;
}

/** Variables a request asks for at once: keeps addresses short of every proxy's limit. */
const variablesARequest = 40;
/** Values a request asks for at once, about: 32 MB, an eighth of what our server gives. */
const valuesARequest = 4 * 2 ** 20;
/** Chains as close as this share a request: at most this many draws are sent twice. */
const closeIterations = 256;

/** Marks divergent draws; wanted with every variable, since every trace shows it. */
export const divergentColumn = 'divergent__';

interface Batch {
  readonly from: number;
  /** Absent: all of them. */
  readonly chains?: string[];
  readonly variables: readonly string[];
}

export class DrawsLoader {
  private readonly wanted = new Map<string, number>();
  /** Iterations up to which the server has answered that there is no such column. */
  private readonly absent = new Map<string, number>();
  private last: Promise<unknown> = Promise.resolve();
  /** The request on its way, which ends when nobody wants any of its variables any more. */
  private current: { readonly batch: Batch; readonly control: AbortController } | null = null;

  constructor(
    private readonly client: Client,
    private readonly objid: string,
    private readonly access: Access,
    readonly store: DrawsStore,
  ) {}

  /** Counts a reader of `variable`; the returned function takes it back. */
  want(variable: string): () => void {
    this.wanted.set(variable, (this.wanted.get(variable) ?? 0) + 1);
    return () => {
      const left = (this.wanted.get(variable) ?? 1) - 1;
      if (left > 0) {
        this.wanted.set(variable, left);
        return;
      }
      this.wanted.delete(variable);
      // a reader that comes in place of this one wants it in the same turn
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

  /** What is wanted of a phase: what to subscribe to. */
  variables(phase: Phase): readonly string[] {
    if (this.wanted.size === 0) return [];
    // No plot marks the divergences of warmup.
    const marks = phase === 'warmup' ? [] : [divergentColumn];
    return [...new Set([...marks, ...this.wanted.keys()])];
  }

  /**
   * Fetches what the wanted variables lack of a phase: nothing when all is here. One at a time, so that two readers
   * never ask for the same draws. Answers whether draws came. Throws `ApiError`.
   */
  refresh(phase: Phase, available: Available, signal?: AbortSignal): Promise<boolean> {
    const load = this.last.then(() => this.load(phase, available, signal));
    this.last = load.catch(() => undefined);
    return load;
  }

  private async load(phase: Phase, available: Available, signal?: AbortSignal): Promise<boolean> {
    let changed = false;
    for (const batch of this.missing(phase, available)) {
      // since the batches were made, those who wanted these may have gone
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

  /** A variable that is not among the columns of a chain is not asked for again up to where the others are. */
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

  /** Wanted variables that lack draws in any of the chains, by the first iteration they lack. */
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

/** Chains that lack the same variables from nearly the same place become one request. */
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
