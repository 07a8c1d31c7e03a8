/** Locks of PostgreSQL that belong to no row: held by a connection, released when it ends. */
import type pg from 'pg';
import { execute, selectOne, sql } from './database.ts';

export interface AdvisoryLock {
  /** A number of its own for each purpose. */
  readonly lockClass: number;
  readonly id: number;
}

/** Works while `holder` has the lock; false, and no work, when another connection has it. */
export async function workLocked(
  holder: pg.PoolClient,
  { lockClass, id }: AdvisoryLock,
  work: () => Promise<void>,
): Promise<boolean> {
  const lock = sql`${lockClass}::int, ${id}::int`;
  const row = await selectOne<{ got: boolean }>(
    holder,
    sql`select pg_try_advisory_lock(${lock}) as got`,
  );
  if (row?.got !== true) return false;
  try {
    await work();
  } finally {
    await execute(holder, sql`select pg_advisory_unlock(${lock})`);
  }
  return true;
}
