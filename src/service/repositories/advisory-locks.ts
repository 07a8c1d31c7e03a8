/** Locks of PostgreSQL that belong to no row: held by a transaction, released when it ends. */
import type pg from 'pg';
import { execute, inTransaction, selectValue, sql } from './database.ts';

export interface AdvisoryLock {
  /** A separate number for each purpose. */
  readonly lockClass: number;
  readonly id: number;
}

/** Well below the time after which the server ends an idle transaction. */
const SIGN_MS = 5000;

/**
 * Runs `work` while a separate transaction has the lock; returns false without running it if another has the lock. Not
 * a session lock, because a pooler may give the session to another client. A frozen process loses the lock, so `work`
 * must check before writing that it is still wanted.
 */
export async function workLocked(
  pool: pg.Pool,
  { lockClass, id }: AdvisoryLock,
  work: () => Promise<void>,
): Promise<boolean> {
  return inTransaction(pool, async (tx) => {
    const query = sql`select pg_try_advisory_xact_lock(${lockClass}::int, ${id}::int)`;
    if ((await selectValue(tx, query)) !== true) return false;
    await workInside(tx, work);
    return true;
  });
}

/** {@link workLocked}, but waits until the lock is free. */
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

/** Prevents the transaction from being ended as idle while the work uses other connections. */
async function workInside(tx: pg.PoolClient, work: () => Promise<void>): Promise<void> {
  let sign: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    // if the connection is lost, the commit fails
    sign = sign.then(() => tx.query('select 1')).catch(() => {});
  }, SIGN_MS);
  try {
    await work();
  } finally {
    clearInterval(timer);
    await sign;
  }
}
