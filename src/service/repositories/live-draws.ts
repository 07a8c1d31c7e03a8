/** Draws for viewers of a running run: lists the batches, and reads a block of one without the rest. */
import { array, type Executor, type SQL, select, selectOne, sql, unnest } from './database.ts';
import { type DrawBatch, type Phase, toFloats } from './draws.ts';

/** Columns of some chain's draws, in the order they are stored. */
export interface ChainLayout {
  readonly chain: string;
  readonly layoutId: number;
  readonly columns: readonly string[];
}

/** Which chains have draws of which columns; `known`: pairs that can be omitted. */
export async function listChainLayouts(
  db: Executor,
  experimentId: number,
  known: readonly ChainLayout[] = [],
): Promise<ChainLayout[]> {
  const has = (phase: Phase): SQL =>
    sql`exists (select 1 from draw_batches b where b.experiment_id = c.experiment_id and b.chain = c.chain
          and b.phase = ${phase} and b.layout_id = l.id)`;
  const rows = await select<Omit<ChainLayout, 'columns'> & { columns: { name: string }[] }>(
    db,
    sql`select c.name as chain, l.id as "layoutId", l.columns from experiment_chains c
          join draw_layouts l on l.experiment_id = c.experiment_id
        where c.experiment_id = ${experimentId}
          and not exists (select 1 from ${unnest(known, { chain: 'text', layoutId: 'bigint' })} k(chain, layout_id) where k.chain = c.name and k.layout_id = l.id)
          and (${has('sampling')} or ${has('warmup')})
        order by c.chain, l.id`,
  );
  return rows.map((row) => ({ ...row, columns: row.columns.map((column) => column.name) }));
}

export interface BatchPlace extends Omit<DrawBatch, 'experimentId' | 'values' | 'source'> {
  /** Of the chain. */
  readonly name: string;
}

/** The batches to look for: those that extend to `low` or beyond. */
export interface BatchSearch {
  readonly chain: string;
  readonly phase: Phase;
  readonly layoutId: number;
  readonly low: number;
}

/** Places of batches, at most `limit`, by chain and iteration. Skips batches that lie entirely below. */
export async function listNewBatches(
  db: Executor,
  experimentId: number,
  searches: readonly BatchSearch[],
  limit: number,
): Promise<BatchPlace[]> {
  return select<BatchPlace>(
    db,
    sql`select b.chain, c.name, b.phase, b.layout_id as "layoutId", b.first_iteration as "firstIteration", b.count
        from ${unnest(searches, { chain: 'text', phase: 'text', layoutId: 'bigint', low: 'bigint' })} w(name, phase, layout_id, low)
          join experiment_chains c on c.experiment_id = ${experimentId} and c.name = w.name
          cross join lateral (
            select coalesce(max(p.first_iteration), 0) as first from draw_batches p
            where p.experiment_id = c.experiment_id and p.chain = c.chain and p.phase = w.phase
              and p.layout_id = w.layout_id and p.first_iteration <= w.low) start
          join draw_batches b on b.experiment_id = c.experiment_id and b.chain = c.chain and b.phase = w.phase
            and b.layout_id = w.layout_id and b.first_iteration >= start.first
            and b.first_iteration + b.count > w.low
        order by b.chain, b.phase desc, b.first_iteration, b.layout_id limit ${limit}`,
  );
}

/**
 * `count` values of each column (by its index in the layout) starting at iteration `from` of a batch, column after
 * column; null if the batch has since been joined with others.
 */
export async function readBatchBlock(
  db: Executor,
  experimentId: number,
  place: BatchPlace,
  block: { readonly columns: readonly number[]; readonly from: number; readonly count: number },
): Promise<Float64Array | null> {
  const skip = block.from - place.firstIteration;
  const row = await selectOne<{ bytes: Buffer }>(
    db,
    sql`select (select string_agg(substring(b.bytes from ((i * b.count + ${skip}::bigint) * 8 + 1)::int for ${block.count * 8}::int),
            ''::bytea order by place)
          from unnest(${array(block.columns, 'bigint')}) with ordinality columns(i, place)) as bytes
        from draw_batches b where b.experiment_id = ${experimentId} and b.chain = ${place.chain}
          and b.phase = ${place.phase} and b.layout_id = ${place.layoutId}
          and b.first_iteration = ${place.firstIteration} and b.count = ${place.count}`,
  );
  return row === null ? null : toFloats(row.bytes);
}
