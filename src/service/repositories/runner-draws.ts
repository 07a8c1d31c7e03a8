/** Draws of outside runners in the rows they share with ours: layouts found by names, counts updated with the draws. */
import { createHash } from 'node:crypto';
import {
  array,
  type Executor,
  execute,
  join,
  json,
  select,
  selectCount,
  selectOne,
  selectValues,
  sql,
  unnest,
} from './database.ts';
import { type DrawBatch, type DrawColumn, toFloats } from './draws.ts';
import type { Columns } from './tables.ts';

export interface RunnerLayout {
  readonly id: number;
  readonly names: readonly string[];
  /** Of its columns: all values so far were true or false. */
  readonly bools: readonly boolean[];
  readonly isNew: boolean;
  /** Sets of variables in the experiment. */
  readonly numLayouts: number;
}

/**
 * The layout of exactly these columns in any order, created if new: messages that name the same variables in
 * different orders belong to the same batches.
 */
export async function ensureRunnerLayout(
  tx: Executor,
  experimentId: number,
  columns: readonly DrawColumn[],
): Promise<RunnerLayout> {
  const sorted = columns.map((column) => column.name).sort();
  const hash = createHash('sha256')
    .update(`runner ${JSON.stringify(sorted)}`)
    .digest();
  const count = sql`(select count(*)::int from draw_layouts where experiment_id = ${experimentId})`;
  const found = await selectOne<{ id: number; columns: DrawColumn[]; numLayouts: number }>(
    tx,
    sql`select id, columns, ${count} as "numLayouts"
        from draw_layouts where experiment_id = ${experimentId} and hash = ${hash}`,
  );
  const known = (stored: readonly DrawColumn[]) => ({
    names: stored.map((column) => column.name),
    bools: stored.map((column) => column.type === 'bool'),
  });
  if (found !== null) {
    const { id, numLayouts } = found;
    return { id, numLayouts, ...known(found.columns), isNew: false };
  }
  const made = (await selectOne<{ id: number; before: number }>(
    tx,
    sql`insert into draw_layouts (experiment_id, hash, columns) values (${experimentId}, ${hash}, ${json(columns)})
        returning id, ${count} as before`,
  )) as { id: number; before: number };
  return { id: made.id, ...known(columns), isNew: true, numLayouts: made.before + 1 };
}

/** Notes that these columns contain numbers other than the runner's true and false. */
export async function clearBooleans(
  tx: Executor,
  layoutId: number,
  columns: readonly number[],
): Promise<void> {
  const places = array(columns, 'integer');
  await execute(
    tx,
    sql`update draw_layouts set columns = (
          select jsonb_agg(case when n - 1 = any(${places}) then c - 'type' else c end order by n)
          from jsonb_array_elements(columns) with ordinality e(c, n))
        where id = ${layoutId}`,
  );
}

export interface StoredPiece extends Columns<'draw_batches', 'first_iteration' | 'count'> {
  /** Column after column, in the layout's order. */
  readonly values: Float64Array;
}

/** Draws of a layout that others than `source` stored in a chain, in a range of places. */
export async function readOthersDraws(
  tx: Executor,
  range: {
    readonly experimentId: number;
    readonly chain: number;
    readonly layoutId: number;
    readonly source: string;
    readonly from: number;
    readonly to: number;
  },
): Promise<StoredPiece[]> {
  const rows = await select<Columns<'draw_batches', 'first_iteration' | 'count' | 'bytes'>>(
    tx,
    sql`select first_iteration, count, bytes from draw_batches
        where experiment_id = ${range.experimentId} and chain = ${range.chain} and phase = 'sampling'
          and layout_id = ${range.layoutId} and source <> ${range.source}
          and first_iteration <= ${range.to} and first_iteration + count > ${range.from}
        order by first_iteration`,
  );
  return rows.map(({ bytes, ...row }) => ({ ...row, values: toFloats(bytes) }));
}

/** Numbers of the chains with these names; missing ones are absent. */
export async function findChains(
  db: Executor,
  experimentId: number,
  names: readonly string[],
): Promise<Map<string, number>> {
  const rows = await select<Columns<'experiment_chains', 'name' | 'chain'>>(
    db,
    sql`select name, chain from experiment_chains
        where experiment_id = ${experimentId} and name = any(${array(names, 'text')})`,
  );
  return new Map(rows.map(({ name, chain }) => [name, chain]));
}

/** The last place of each chain with a draw of a layout; 0: none. */
export async function listLayoutEnds(
  db: Executor,
  experimentId: number,
  chains: readonly { readonly chain: number; readonly layoutId: number }[],
): Promise<number[]> {
  return selectValues<number>(
    db,
    sql`select coalesce((select b.first_iteration + b.count - 1 from draw_batches b
            where b.experiment_id = ${experimentId} and b.chain = c.chain and b.phase = 'sampling'
              and b.layout_id = c.layout_id order by b.first_iteration desc limit 1), 0) as "end"
        from ${unnest(chains, { chain: 'integer', layoutId: 'bigint' })} with ordinality c(chain, layout_id, place) order by c.place`,
  );
}

/** Adds batches that overlap nothing, in one statement. */
export async function insertNewDraws(tx: Executor, batches: readonly DrawBatch[]): Promise<void> {
  if (batches.length === 0) return;
  const rows = batches.map((batch) => {
    const { values, source = '' } = batch;
    const bytes = Buffer.from(values.buffer, values.byteOffset, values.byteLength);
    return sql`(${batch.experimentId}::bigint, ${batch.chain}::integer, ${batch.phase}, ${batch.layoutId}::bigint,
      ${batch.firstIteration}::bigint, ${batch.count}::integer, ${source}, ${bytes}::bytea)`;
  });
  await execute(
    tx,
    sql`insert into draw_batches (experiment_id, chain, phase, layout_id, first_iteration, count, source, bytes)
        values ${join(rows, ', ')}`,
  );
}

/** Iterations of a chain with a draw of any variable. */
export async function countPlaces(
  db: Executor,
  experimentId: number,
  chain: number,
): Promise<number> {
  return selectCount(
    db,
    sql`select coalesce(sum(upper(r) - lower(r)), 0)::bigint as count from (
          select unnest(range_agg(int8range(first_iteration, first_iteration + count))) as r from draw_batches
          where experiment_id = ${experimentId} and chain = ${chain} and phase = 'sampling') ranges`,
  );
}

/** More saved draws of outside chains, by chain. */
export async function addSaved(
  tx: Executor,
  experimentId: number,
  added: ReadonlyMap<number, number>,
): Promise<void> {
  await execute(
    tx,
    sql`update experiment_chains c set phase = 'sampling', saved_samples = c.saved_samples + v.added,
          iteration = c.saved_samples + v.added, heartbeat_at = now(), started_at = coalesce(c.started_at, now())
        from unnest(${array([...added.keys()], 'integer')}, ${array([...added.values()], 'bigint')}) v(chain, added)
        where c.experiment_id = ${experimentId} and c.chain = v.chain`,
  );
}

/** Counts of an experiment whose draws grew; `numVariables` null: unchanged. Earlier statistics become invalid. */
export async function updateCounts(
  tx: Executor,
  experimentId: number,
  numVariables: number | null,
): Promise<void> {
  await execute(
    tx,
    sql`update experiments e set revision = revision + 1, sample_update_time = now(), summary = null,
          n_variables = coalesce(${numVariables}::integer, n_variables), n_chains = c.chains, n_samples = c.samples
        from (select count(*)::int as chains, coalesce(min(saved_samples), 0) as samples from experiment_chains
              where experiment_id = ${experimentId} and saved_samples > 0) c
        where e.id = ${experimentId}`,
  );
}

export async function countChains(db: Executor, experimentId: number): Promise<number> {
  return selectCount(
    db,
    sql`select count(*) from experiment_chains where experiment_id = ${experimentId}`,
  );
}

/** The draws of one chain in a message. */
export interface ChainBlock {
  /** As sent. */
  readonly chain: string;
  /** The runner's own number of the first iteration, from 1. */
  readonly first: number;
  readonly count: number;
  readonly variables: readonly BlockVariable[];
  /** `count` values per variable, variable after variable. */
  readonly values: Float64Array;
}

export interface BlockVariable {
  readonly name: string;
  /** All are the runner's true and false, stored as 1 and 0. */
  readonly isBool: boolean;
}
