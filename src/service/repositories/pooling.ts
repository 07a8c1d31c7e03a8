/** Whether a pooler in front of PostgreSQL gives each transaction another session, as PgBouncer may. */
import { type Connection, clientConfig } from './client-config.ts';
import { openDatabase, selectValue, sql, withClient } from './database.ts';

/** Another client may take the released session between two checks. */
const TRIES = 5;

/**
 * Two simultaneous connections never share a session, unless the first lost its own when its statement ended. Such a
 * session cannot listen, nor hold a lock beyond a transaction.
 */
export async function losesSessions(connection: Connection): Promise<boolean> {
  // fails before opening anything if the address is invalid
  clientConfig(connection);
  const database = openDatabase(connection, { maxConnections: 2 });
  const { pool } = database;
  const session = sql`select pg_backend_pid()`;
  try {
    return await withClient(pool, (first) =>
      withClient(pool, async (second) => {
        for (let tries = 0; tries < TRIES; tries++) {
          const before = await selectValue(first, session);
          await second.query('begin');
          const other = await selectValue(second, session);
          // compared before the first queries again, which may have to wait for the second
          const isSame = before === other;
          const after = isSame ? null : await selectValue(first, session);
          await second.query('rollback');
          if (isSame || before !== after) return true;
        }
        return false;
      }),
    );
  } finally {
    await database.close();
  }
}
