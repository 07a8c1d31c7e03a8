/** How programs reach the database of the embedded PostgreSQL. Loaded by the supervisor, so it imports no driver. */
import type { Connection } from '../repositories/client-config.ts';
import { DATABASE_USER } from './supervisor.ts';

export const DATABASE = 'ergodic';

export function embeddedConnection({ host, port }: { host: string; port: number }): Connection {
  return { host, port, user: DATABASE_USER, database: DATABASE };
}

/** The server named by an operator. */
export function serverConnection({
  databaseUrl,
  directDatabaseUrl = '',
}: {
  readonly databaseUrl: string;
  readonly directDatabaseUrl?: string;
}): Connection {
  return {
    connectionString: databaseUrl,
    ...(directDatabaseUrl === '' ? {} : { directString: directDatabaseUrl }),
  };
}
