/** Stores the draws in a message by chain and iteration, each value once. */
import { setImmediate } from 'node:timers/promises';
import { itemAt } from '../../shared/items.ts';
import { limitExceeded } from '../http/service-error.ts';
import { ensureOutsideChain, listChains } from '../repositories/chains.ts';
import type { Executor } from '../repositories/database.ts';
import { type DrawBatch, type DrawColumn, listColumns, mergeDraws } from '../repositories/draws.ts';
import {
  addSaved,
  type ChainBlock,
  clearBooleans,
  countChains,
  countPlaces,
  ensureRunnerLayout,
  findChains,
  insertNewDraws,
  listLayoutEnds,
  type RunnerLayout,
  readOthersDraws,
  updateCounts,
} from '../repositories/runner-draws.ts';
import {
  type Compared,
  listStretches,
  type Placed,
  type PlaceRequest,
  placeIterations,
  recogniseSource,
} from '../repositories/runner-places.ts';
import type { RunKey } from '../repositories/runner-runs.ts';
import { isRunnerInternal } from '../results/variable-names.ts';
import { checkCount } from './read-draws-message.ts';

/** Sets of variables an experiment may have: a reader has to look at each. */
const maxLayouts = 1000;
/** Values of a batch that is stored as sent: 8 MiB. A larger one is merged with stored draws and split. */
const plainValues = 2 ** 20;

/**
 * Returns how many iterations were new, over all chains. The caller must lock the experiment's row. Other batches' draws are not replaced; repeating this run's draws changes nothing.
 * Updates the counts. Uses few statements, however many chains: they dominate the cost of small messages. Throws
 * LIMIT_EXCEEDED for too many chains or variables.
 */
export async function storeDraws(
  tx: Executor,
  experimentId: number,
  { key, blocks }: { readonly key: RunKey; readonly blocks: readonly ChainBlock[] },
): Promise<number> {
  if (blocks.length === 0) return 0;
  const source = JSON.stringify([key.batchId, key.runId]);
  const layouts = new Layouts(tx, experimentId);
  const placed: PlacedBlock[] = [];
  const chains = await openChains(tx, experimentId, blocks);
  const stretches = await listStretches(tx, experimentId, chains);
  for (const [i, block] of blocks.entries()) {
    const chain = itemAt(chains, i);
    const layout = await layouts.of(block);
    const request = {
      experimentId,
      chain,
      stretches: stretches.get(chain) ?? [],
      source,
      first: block.first,
      last: block.first + block.count - 1,
    };
    await recogniseSource(tx, request, (places) => compare(tx, request, { block, layout, places }));
    const parts = await placeIterations(tx, request);
    placed.push({ block, chain, layout, parts });
  }
  const news = await storePlaced(tx, { experimentId, source }, placed);
  if (news.size === 0) return 0;
  await addSaved(tx, experimentId, layouts.isOnly ? news : await recount(tx, experimentId, news));
  await updateCounts(tx, experimentId, layouts.numVariables);
  return [...news.values()].reduce((sum, count) => sum + count, 0);
}

/** Values compared before other work may run. */
const TURN_VALUES = 2 ** 18;

/** Compares value by value where draws of the same variables are stored. */
async function compare(
  tx: Executor,
  { experimentId, chain, source }: PlaceRequest,
  { block, layout, places }: Omit<PlacedBlock, 'chain' | 'parts'> & { places: readonly Placed[] },
): Promise<Compared> {
  const values = inOrder(block, layout.names);
  let both = 0;
  let compared = 0;
  for (const { iteration, count, place } of places) {
    const range = { from: place, to: place + count - 1 };
    const where = { experimentId, chain, layoutId: layout.id, source, ...range };
    for (const piece of await readOthersDraws(tx, where)) {
      const from = Math.max(place, piece.first_iteration);
      const to = Math.min(place + count, piece.first_iteration + piece.count);
      for (let at = from; at < to; at++) {
        const sent = iteration - block.first + at - place;
        for (let c = 0; c < layout.names.length; c++) {
          const stored = piece.values[c * piece.count + at - piece.first_iteration];
          if (!Object.is(values[c * block.count + sent], stored))
            return { both, differsFrom: block.first + sent };
        }
        both++;
        compared += layout.names.length;
        if (compared < TURN_VALUES) continue;
        compared = 0;
        await setImmediate();
      }
    }
  }
  return { both, differsFrom: null };
}

interface PlacedBlock {
  readonly block: ChainBlock;
  readonly chain: number;
  readonly layout: RunnerLayout;
  readonly parts: readonly Placed[];
}

/** Numbers of the blocks' chains, which are created if they are missing. */
async function openChains(
  tx: Executor,
  experimentId: number,
  blocks: readonly ChainBlock[],
): Promise<number[]> {
  const names = blocks.map((block) => block.chain);
  const known = await findChains(tx, experimentId, names);
  for (const name of names)
    if (!known.has(name)) {
      known.set(name, (await ensureOutsideChain(tx, experimentId, name)).chain);
      checkCount('runner_chains', await countChains(tx, experimentId), 'chains');
    }
  return names.map((name) => known.get(name) as number);
}

/** New iterations by chain. Iterations after all of a chain's stored ones are new without a lookup. */
async function storePlaced(
  tx: Executor,
  { experimentId, source }: { readonly experimentId: number; readonly source: string },
  placed: readonly PlacedBlock[],
): Promise<Map<number, number>> {
  const ends = await listLayoutEnds(
    tx,
    experimentId,
    placed.map(({ chain, layout }) => ({ chain, layoutId: layout.id })),
  );
  const news = new Map<number, number>();
  const plain: DrawBatch[] = [];
  for (const [i, { block, chain, layout, parts }] of placed.entries()) {
    const values = inOrder(block, layout.names);
    for (const { iteration, count, place } of parts) {
      const batch: DrawBatch = {
        experimentId,
        chain,
        phase: 'sampling',
        layoutId: layout.id,
        firstIteration: place,
        count,
        values: cut(values, block.count, { skip: iteration - block.first, count }),
        source,
      };
      const isPlain = place > itemAt(ends, i) && batch.values.length <= plainValues;
      if (isPlain) plain.push(batch);
      const added = isPlain ? count : await mergeDraws(tx, batch);
      if (added > 0) news.set(chain, (news.get(chain) ?? 0) + added);
    }
  }
  await insertNewDraws(tx, plain);
  return news;
}

/** With several sets of variables, what is new in one may be stored in another: returns the change of the total count. */
async function recount(
  tx: Executor,
  experimentId: number,
  news: ReadonlyMap<number, number>,
): Promise<Map<number, number>> {
  const saved = new Map(
    (await listChains(tx, experimentId)).map((row) => [row.chain, row.saved_samples]),
  );
  const added = new Map<number, number>();
  for (const chain of news.keys())
    added.set(chain, (await countPlaces(tx, experimentId, chain)) - (saved.get(chain) ?? 0));
  return added;
}

/** The layouts of one message: the chains of a run usually have the same variables. */
class Layouts {
  /** The experiment has no other set of variables, so that new iterations in this one are new overall. */
  isOnly = false;
  /** Without the sampler's own variables; null: no variable is new. */
  numVariables: number | null = null;
  private readonly known = new Map<string, RunnerLayout>();

  constructor(
    private readonly tx: Executor,
    private readonly experimentId: number,
  ) {}

  async of({ variables }: ChainBlock): Promise<RunnerLayout> {
    const key = JSON.stringify(variables.map((variable) => variable.name));
    const known = this.known.get(key);
    if (known !== undefined) return this.withTypes(known, variables);
    const { tx, experimentId } = this;
    const columns = variables.map(({ name, isBool }): DrawColumn => {
      const internal = isRunnerInternal(name) ? { sampler: true } : {};
      return { name, ...internal, ...(isBool ? { type: 'bool' as const } : {}) };
    });
    const layout = await ensureRunnerLayout(tx, experimentId, columns);
    this.known.set(key, layout);
    this.isOnly = layout.numLayouts === 1;
    if (layout.isNew) await this.countVariables(layout.numLayouts);
    return this.withTypes(layout, variables);
  }

  /** A boolean column becomes numeric when other numbers arrive for it. */
  private async withTypes(
    layout: RunnerLayout,
    variables: ChainBlock['variables'],
  ): Promise<RunnerLayout> {
    // runs for each message, and there may be 20 000 variables
    if (!layout.bools.includes(true)) return layout;
    const numbers = new Set(variables.filter(({ isBool }) => !isBool).map(({ name }) => name));
    const mixed = [...layout.bools.keys()].filter(
      (place) => layout.bools[place] && numbers.has(layout.names[place] ?? ''),
    );
    if (mixed.length === 0) return layout;
    await clearBooleans(this.tx, layout.id, mixed);
    const bools = layout.bools.map((isBool, place) => isBool && !mixed.includes(place));
    const now = { ...layout, bools };
    this.known.set(JSON.stringify(variables.map((variable) => variable.name)), now);
    return now;
  }

  private async countVariables(numLayouts: number): Promise<void> {
    if (numLayouts > maxLayouts)
      throw limitExceeded(
        `The variables of this experiment's messages come in more than ${maxLayouts} different sets.`,
        { limit: 'runner_layouts', allowed: maxLayouts, size: numLayouts },
      );
    const all = await listColumns(this.tx, this.experimentId);
    checkCount('runner_variables', all.length, 'variables');
    this.numVariables = all.filter((column) => column.sampler !== true).length;
  }
}

/** Values in the order of the layout's columns. */
function inOrder({ variables, values, count }: ChainBlock, names: readonly string[]): Float64Array {
  if (variables.every((variable, i) => variable.name === names[i])) return values;
  const places = new Map(variables.map((variable, i) => [variable.name, i]));
  const ordered = new Float64Array(values.length);
  names.forEach((name, i) => {
    const from = (places.get(name) as number) * count;
    ordered.set(values.subarray(from, from + count), i * count);
  });
  return ordered;
}

/** From each column of `length` values, takes `count` values after skipping `skip`. */
function cut(
  values: Float64Array,
  length: number,
  { skip, count }: { readonly skip: number; readonly count: number },
): Float64Array {
  if (count === length) return values;
  const numColumns = values.length / length;
  const part = new Float64Array(numColumns * count);
  for (let c = 0; c < numColumns; c++) {
    const from = c * length + skip;
    part.set(values.subarray(from, from + count), c * count);
  }
  return part;
}
