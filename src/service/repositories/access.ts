/** Notifies open sockets that a user's rights may have changed. */
import { type Executor, execute, sql } from './database.ts';

/**
 * Channel of PostgreSQL. JSON: {user_id} whose tokens changed; null: {objects}, the short ids of objects that were
 * deleted or moved (null: too many to name). Viewers of a share recheck on each message, since shares open more than
 * the objects named.
 */
export const ACCESS_CHANNEL = 'ergodic_access';

/** A message of PostgreSQL has at most 8000 bytes. */
const MOST_NAMED = 500;

/** Delivered when the transaction commits. */
export async function publishAccess(db: Executor, userId: number): Promise<void> {
  await notifyAccess(db, { user_id: userId, objects: [] });
}

/** Delivered when the transaction commits. For a share, no object is named. */
export async function publishAccessTo(db: Executor, shortIds: readonly string[]): Promise<void> {
  await notifyAccess(db, {
    user_id: null,
    objects: shortIds.length > MOST_NAMED ? null : shortIds,
  });
}

async function notifyAccess(
  db: Executor,
  change: { readonly user_id: number | null; readonly objects: readonly string[] | null },
): Promise<void> {
  await execute(db, sql`select pg_notify(${ACCESS_CHANNEL}, ${JSON.stringify(change)})`);
}
