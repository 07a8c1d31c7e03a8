/** Fetches what is missing of the wanted variables, by increments, into a draws store. */
import type { Client } from '../../../client/create-client.ts';
import { decodeDraws } from '../../../contract/draws.ts';
import type { DrawsStore, Phase } from './draws-store.ts';

/** How an object is reached: live as its owner, or through a share. */
export interface Access {
  readonly shareId?: string;
  readonly password?: string;
}

/** Variables a request asks for at once: keeps addresses short of every proxy's limit. */
const variablesARequest = 40;

/** Marks divergent draws; always wanted, since every trace shows it. */
export const divergentColumn = 'divergent__';

export class DrawsLoader {
  private readonly wanted = new Map<string, number>();

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
      if (left === 0) this.wanted.delete(variable);
      else this.wanted.set(variable, left);
    };
  }

  /**
   * Fetches what the wanted variables lack of a phase. `available` is how many iterations a chain the server has at
   * least: nothing is asked when all are here. Answers whether draws came.
   */
  async refresh(phase: Phase, available: number, signal?: AbortSignal): Promise<boolean> {
    const groups = this.missing(phase, available);
    const answers = await Promise.all(
      groups.map(({ from, variables }) =>
        this.client.viewDraws({
          params: { objid: this.objid },
          query: { variable: variables, phase, from, share_id: this.access.shareId ?? '' },
          sharePassword: this.access.password,
          signal,
        }),
      ),
    );
    let changed = false;
    for (const body of answers) changed = this.store.append(decodeDraws(body)) || changed;
    return changed;
  }

  /** Wanted variables that lack draws, by the first iteration they lack. */
  private missing(phase: Phase, available: number): { from: number; variables: string[] }[] {
    const byStart = new Map<number, string[]>();
    const chains = this.store.chains();
    for (const variable of [divergentColumn, ...this.wanted.keys()]) {
      const have = this.store.countOf(variable, chains, phase);
      if (have >= available) continue;
      const group = byStart.get(have + 1);
      if (group === undefined) byStart.set(have + 1, [variable]);
      else group.push(variable);
    }
    const groups: { from: number; variables: string[] }[] = [];
    for (const [from, variables] of byStart) {
      for (let i = 0; i < variables.length; i += variablesARequest) {
        groups.push({ from, variables: variables.slice(i, i + variablesARequest) });
      }
    }
    return groups;
  }
}
