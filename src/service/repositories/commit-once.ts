/** A transaction that is retried until it is committed, and is never carried out twice. */
import type pg from 'pg';
import {
  type Executor,
  inTransaction,
  isConflict,
  isUnavailable,
  selectOne,
  selectValue,
  sql,
} from './database.ts';

export interface CommitOptions {
  /** Before each attempt. */
  readonly before?: () => Promise<void>;
  readonly onRetry: (error: unknown) => void;
  /** True: it is not retried. */
  readonly isGivenUp?: () => boolean;
}

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 2000;

/**
 * Retries while the database is unavailable. If a connection is lost between a commit and its answer, asks the server
 * what became of the transaction, because repeating a committed one would write its log lines again.
 */
export async function commitOnce(
  pool: pg.Pool,
  work: (tx: pg.PoolClient) => Promise<void>,
  { before, onRetry, isGivenUp = () => false }: CommitOptions,
): Promise<void> {
  const attempt = { id: null as string | null };
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)) {
    try {
      await before?.();
      if (attempt.id !== null && (await isCommitted(pool, attempt.id))) return;
      attempt.id = null;
      await inTransaction(pool, async (tx) => {
        await work(tx);
        attempt.id = await transactionId(tx);
      });
      return;
    } catch (error) {
      if (isGivenUp() || !(isUnavailable(error) || isConflict(error))) throw error;
      onRetry(error);
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
}

/** Null: it wrote nothing. */
async function transactionId(tx: Executor): Promise<string | null> {
  return selectValue<string>(tx, sql`select pg_current_xact_id_if_assigned()::text as id`);
}

/** Rejects as unavailable until the server notices that its client is gone. */
async function isCommitted(db: Executor, id: string): Promise<boolean> {
  // a server that took over without the last transactions has not reached this id, or has reused it
  const row = await selectOne<{ status: string | null }>(
    db,
    sql`select case when ${id}::text::xid8 < pg_snapshot_xmax(pg_current_snapshot())
          then pg_xact_status(${id}::text::xid8) end as status`,
  );
  if (row?.status === 'in progress')
    throw Object.assign(new Error('the outcome of a transaction is not known yet'), {
      code: '57P03',
    });
  return row?.status === 'committed';
}
