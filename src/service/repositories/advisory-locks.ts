/** Locks of PostgreSQL that belong to no row: held by a transaction, released when it ends. */
import type pg from 'pg';
import { execute, inTransaction, selectOne, sql } from './database.ts';

export interface AdvisoryLock {
  /** A number of its own for each purpose. */
  readonly lockClass: number;
  readonly id: number;
}

/** Well below the time after which the server ends a transaction that rests. */
const SIGN_MS = 5000;

/**
 * Works while a transaction of its own has the lock; false, and no work, when another has it. Not a lock of the session,
 * which a pooler may give to somebody else meanwhile. A process that is frozen loses the lock, so what `work` writes must
 * check by itself that it is still wanted.
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
    await workInside(tx, work);
    return true;
  });
}

/** {@link workLocked}, but waits until nobody else has the lock. */
export async function workInTurn(
  pool: pg.Pool,
  { lockClass, id }: AdvisoryLock,
  work: () => Promise<void>,
): Promise<void> {
  await inTransaction(pool, async (tx) => {
    await execute(tx, sql`select pg_advisory_xact_lock(${lockClass}::int, ${id}::int)`);
    await workInside(tx, work);
  });
}

/** Keeps the transaction from being ended as idle while the work uses other connections. */
async function workInside(tx: pg.PoolClient, work: () => Promise<void>): Promise<void> {
  let sign: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    // when the connection is lost, the commit says so
    sign = sign.then(() => tx.query('select 1')).catch(() => {});
  }, SIGN_MS);
  try {
    await work();
  } finally {
    clearInterval(timer);
    await sign;
  }
}
