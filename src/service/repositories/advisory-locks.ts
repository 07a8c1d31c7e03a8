/** Locks of PostgreSQL that belong to no row: held by a transaction, released when it ends. */
import type pg from 'pg';
import { inTransaction, selectOne, sql } from './database.ts';

export interface AdvisoryLock {
  /** A number of its own for each purpose. */
  readonly lockClass: number;
  readonly id: number;
}

/**
 * Works while a transaction of its own has the lock; false, and no work, when another has it. Not a lock of the session,
 * which a pooler may give to somebody else meanwhile.
 */
export async function workLocked(
  pool: pg.Pool,
  { lockClass, id }: AdvisoryLock,
  work: () => Promise<void>,
): Promise<boolean> {
  return inTransaction(pool, async (tx) => {
    const row = await selectOne<{ got: boolean }>(
      tx,
      sql`select pg_try_advisory_xact_lock(${lockClass}::int, ${id}::int) as got`,
    );
    if (row?.got !== true) return false;
    await work();
    return true;
  });
}
