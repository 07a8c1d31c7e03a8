/** The rows of a run's variables: draws are read a few columns at a time while threads summarise the ones before. */
import type { VariableDraws } from '../../posterior/draws.ts';
import type { SummaryRow } from '../../posterior/summary.ts';
import { releaseMemory } from '../release-memory.ts';
import type { Executor } from '../repositories/database.ts';
import { listLayouts } from '../repositories/draws.ts';
import { type ReadChain, readChains } from './read-chains.ts';
import { openSummaryDesk } from './summary-threads.ts';

/** Values read together: 2 MB, so that the first are soon summarised. A longer variable is read alone. */
const VALUES_AT_ONCE = 2 ** 18;
/** Values that count as many: 8 MB. */
export const MANY_VALUES = 2 ** 20;
/** Values of short variables read before their memory is released: 32 MB; for a long variable immediately. */
const VALUES_A_RELEASE = 4 * MANY_VALUES;

export interface SummariseVariables {
  readonly readable: readonly ReadChain[];
  readonly judged: readonly string[];
  /** Draws of a variable, all chains together. */
  readonly total: number;
  readonly superchains: ReadonlyMap<string, number> | null;
}

/** One row for each variable, in order. */
export async function summariseVariables(
  db: Executor,
  experimentId: number,
  { readable, judged, total, superchains }: SummariseVariables,
): Promise<SummaryRow[]> {
  const desk = openSummaryDesk(total, judged.length);
  const groups: Promise<SummaryRow[]>[] = [];
  let read = 0;
  try {
    const layouts = await listLayouts(db, experimentId);
    const size = Math.max(1, Math.floor(VALUES_AT_ONCE / Math.max(1, total)));
    for (const group of groupsOf(judged, size)) {
      await groups.at(-desk.atOnce);
      const chainDraws: ChainValues[] = [];
      for (const chains of readTogether(readable, total)) {
        const drawsOfChain = await readChains(db, experimentId, chains, group, layouts);
        for (const { name } of chains)
          chainDraws.push({
            draws: drawsOfChain.get(name) ?? new Map(),
            superchain: superchains?.get(name),
          });
      }
      const rows = desk.summarise(group.map((variable) => drawsOf(variable, chainDraws)));
      // An awaiting caller gets the error; until then it does not count as unhandled.
      rows.catch(() => undefined);
      groups.push(rows);
      read += total * group.length;
      // the caller releases it after the last group
      if (group.at(-1) === judged.at(-1)) break;
      if (read >= VALUES_A_RELEASE || total >= MANY_VALUES / 2) {
        releaseMemory();
        read = 0;
      }
    }
    return (await Promise.all(groups)).flat();
  } finally {
    await desk.end();
  }
}

interface ChainValues {
  readonly draws: ReadonlyMap<string, Float64Array>;
  /** Undefined: the chain belongs to no superchain. */
  readonly superchain: number | undefined;
}

function drawsOf(variable: string, chains: readonly ChainValues[]): VariableDraws {
  const having = chains.filter(({ draws }) => draws.has(variable));
  const superchains = having.flatMap(({ superchain }) => superchain ?? []);
  return {
    variable,
    chains: having.flatMap(({ draws }) => draws.get(variable) ?? []),
    ...(superchains.length === having.length ? { superchains } : {}),
  };
}

/** Chains that one statement can read; those of a long variable are read one after another. */
function readTogether(chains: readonly ReadChain[], total: number): readonly ReadChain[][] {
  const areAlike = chains.every(({ to }) => to === chains[0]?.to);
  return areAlike && total <= VALUES_AT_ONCE ? [[...chains]] : chains.map((chain) => [chain]);
}

function* groupsOf<T>(items: readonly T[], size: number): Generator<T[]> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size);
}
