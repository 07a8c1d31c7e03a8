/** Totals of objects without counting: maintained by triggers, exact at all times. */
import type { ObjectKind } from '../../contract/common.ts';
import { type Executor, execute, join, prepared, select, selectCount, sql } from './database.ts';

export interface TallyFilter {
  readonly ownerId: number;
  /** Null: every kind but shares and projects. */
  readonly kind: ObjectKind | null;
  /** Stored statuses; null: any. */
  readonly statuses: readonly string[] | null;
}

/** Existing objects, without data that lists hide. */
export async function countObjects(
  db: Executor,
  { ownerId, kind, statuses }: TallyFilter,
): Promise<number> {
  const ofStatus =
    statuses === null
      ? sql``
      : sql`and status in (${join(
          statuses.map((word) => sql`${word}`),
          ', ',
        )})`;
  const ofKind = kind === null ? sql`kind not in ('share', 'project')` : sql`kind = ${kind}`;
  return selectCount(
    db,
    prepared(sql`select coalesce(sum(n), 0)::bigint as total from object_tallies
        where owner_id = ${ownerId} and ${ofKind} and not hidden ${ofStatus}`),
  );
}

/** Existing experiments by stored status. */
export function countStatuses(
  db: Executor,
  ownerId: number,
): Promise<{ readonly status: string; readonly n: number }[]> {
  return select(
    db,
    sql`select status, sum(n)::bigint as n from object_tallies
        where owner_id = ${ownerId} and kind = 'experiment' group by status`,
  );
}

/** Rows that are summed at each read, before they are merged into one. */
const MANY = 500;

/** Does nothing if there are few. */
export async function foldTallies(db: Executor): Promise<void> {
  await execute(
    db,
    sql`select fold_object_tallies()
        where (select count(*) from (select 1 from object_tallies where not is_folded limit ${MANY + 1}) t) > ${MANY}`,
  );
}
