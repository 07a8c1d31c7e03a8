/** Notifies open sockets that a user's rights may have changed. */
import { type Executor, execute, sql } from './database.ts';

/** Channel of PostgreSQL. JSON: {user_id} whose tokens changed; null: objects or shares, for all watchers. */
export const ACCESS_CHANNEL = 'ergodic_access';

/** Delivered when the transaction commits. */
export async function publishAccess(db: Executor, userId: number | null): Promise<void> {
  await execute(
    db,
    sql`select pg_notify(${ACCESS_CHANNEL}, ${JSON.stringify({ user_id: userId })})`,
  );
}
