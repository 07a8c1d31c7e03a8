/** Counts draws, where a chain may have gaps. */
import { array, type Executor, select, sql } from './database.ts';

/**
 * Iterations of the sampling phase with a draw of any variable, by the name of each chain that has some. `bounds`: the
 * last iteration that counts, by chain (chains not named have none); absent: all.
 */
export async function countIterations(
  db: Executor,
  experimentId: number,
  bounds?: ReadonlyMap<string, number>,
): Promise<Map<string, number>> {
  const counted =
    bounds === undefined
      ? sql`int8range(b.first_iteration, b.first_iteration + b.count)`
      : sql`int8range(b.first_iteration, b.first_iteration + b.count) * int8range(1, v.last + 1)`;
  const bounded =
    bounds === undefined
      ? sql``
      : sql`join unnest(${array([...bounds.keys()], 'text')}, ${array([...bounds.values()], 'bigint')}) v(name, last)
          on v.name = c.name`;
  const rows = await select<{ name: string; count: number }>(
    db,
    sql`with chains as (
          select c.chain, c.name, range_agg(${counted}) as ranges
          from experiment_chains c
            join draw_batches b on b.experiment_id = c.experiment_id and b.chain = c.chain and b.phase = 'sampling'
            ${bounded}
          where c.experiment_id = ${experimentId} group by c.chain, c.name)
        select name, (select coalesce(sum(upper(r) - lower(r)), 0) from unnest(ranges) r)::bigint as count
        from chains order by chain`,
  );
  return new Map(rows.filter(({ count }) => count > 0).map(({ name, count }) => [name, count]));
}
