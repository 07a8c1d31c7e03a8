/** The PostgreSQL of a measurement: the one named, or Debian's, started for it with room for many connections. */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { migrate } from '../../../src/service/migrations/migrate.ts';
import { type Database, openDatabase } from '../../../src/service/repositories/database.ts';
import { startDebianPostgres } from '../../support/debian-postgres.mjs';

export interface BenchServer {
  readonly url: string;
  /** Migrated. */
  readonly database: Database;
  close(): Promise<void>;
}

/** The folder of the newest Debian PostgreSQL on this machine. */
export function debianBin(): string {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : [];
  if (versions[0] === undefined) throw new Error('apt-get install postgresql, or --database-url');
  return path.join(root, versions[0], 'bin');
}

/** As in production: commits are flushed to disk. A quarter of the memory is for pages. */
const settings = [
  'fsync=on',
  'full_page_writes=on',
  'shared_buffers=2GB',
  'maintenance_work_mem=512MB',
  'max_wal_size=8GB',
  'max_connections=1400',
  'random_page_cost=1.1',
  'jit=off',
];

export async function openServer(
  url: string | undefined,
  maxConnections = 12,
): Promise<BenchServer> {
  const server = url
    ? { url, stop: async () => {} }
    : await startDebianPostgres(debianBin(), { settings });
  const database = openDatabase({ connectionString: server.url }, { maxConnections });
  await migrate(database.pool);
  return {
    url: server.url,
    database,
    async close() {
      await database.close();
      await server.stop();
    },
  };
}
