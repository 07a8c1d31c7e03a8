/** Opens the database an operator chose: a server at an address, or the embedded one of the data folder. */
import path from 'node:path';
import { type DataFolderHold, type HoldOptions, holdDataFolder } from './hold-data-folder.ts';
import { checkVersions, leadVersions, type Role } from './migrations/handshake.ts';
import { migrate } from './migrations/migrate.ts';
import { DATABASE, embeddedConnection, serverConnection } from './postgres/connection.ts';
import { findRunningPostgres } from './postgres/supervisor.ts';
import { directConnection, readAddress } from './repositories/client-config.ts';
import {
  type Connection,
  createClient,
  type Database,
  isUnavailable,
  openDatabase,
} from './repositories/database.ts';
import { losesSessions } from './repositories/pooling.ts';
import { READ_ONLY_STATE } from './repositories/server-client.ts';
import { StartError } from './start-error.ts';

export interface Store {
  readonly database: Database;
  close(): Promise<void>;
}

export interface OpenStoreOptions extends HoldOptions {
  readonly databaseUrl: string;
  /** The same database without the pooler in between; empty or absent: there is no pooler. */
  readonly directDatabaseUrl?: string;
  /** Absent: a leader, which may migrate the database to its version. */
  readonly role?: Role;
  readonly maxConnections?: number;
}

/** With exclusive use of a data folder: locks it, starts PostgreSQL, migrates. Or connects to the named server. */
export async function openStore(options: OpenStoreOptions): Promise<Store> {
  if (options.databaseUrl !== '') return openServer(options);
  const hold = await holdDataFolder(options);
  try {
    const connection = embeddedConnection(await hold.startPostgres());
    const database = await openMigrated(connection, {
      ...options,
      // no other program uses this database
      role: 'leader',
      isEmbedded: true,
    });
    return storeOf(database, hold);
  } catch (error) {
    await hold.release();
    throw error;
  }
}

/**
 * For programs that run alongside the service (a worker, a command): joins the running PostgreSQL of the data folder.
 * If none runs, does what the service would, until the program ends.
 */
export async function joinStore(options: OpenStoreOptions): Promise<Store> {
  if (options.databaseUrl !== '') return openServer(options);
  const running = findRunningPostgres(options.dataDir);
  if (running === null) return openStore(options);
  return storeOf(await openMigrated(embeddedConnection(running), options));
}

async function openServer(options: OpenStoreOptions): Promise<Store> {
  return storeOf(await openMigrated(serverConnection(options), options));
}

function storeOf(database: Database, hold?: DataFolderHold): Store {
  return {
    database,
    async close() {
      await database.close();
      await hold?.release();
    },
  };
}

export interface OpenMigratedOptions
  extends Pick<OpenStoreOptions, 'dataDir' | 'databaseUrl' | 'maxConnections' | 'role'> {
  /** Only we use the server: a missing database is created. */
  readonly isEmbedded?: boolean;
  readonly onError?: (error: Error) => void;
}

/** Throws `StartError` for faults that the operator can fix. */
export async function openMigrated(
  connection: Connection,
  options: OpenMigratedOptions,
): Promise<Database> {
  const { isEmbedded = false, maxConnections, onError } = options;
  if (isEmbedded) await ensureDatabase(connection);
  let database: Database | undefined;
  try {
    if ('connectionString' in connection) await refusePooler(connection);
    database = openDatabase(connection, { maxConnections, onError });
    await bringUp(database, options.role);
    return database;
  } catch (error) {
    await database?.close();
    throw explain(error, options);
  }
}

async function bringUp({ pool, connection }: Database, role: Role = 'leader'): Promise<void> {
  if (role === 'follower') return checkVersions(pool);
  const direct = directConnection(connection);
  if (direct === connection) {
    await migrate(pool);
  } else {
    // the migration lock outlives a transaction
    const alone = openDatabase(direct, { maxConnections: 1 });
    try {
      await migrate(alone.pool);
    } finally {
      await alone.close();
    }
  }
  return leadVersions(pool);
}

/** Notifications and workers' locks need dedicated database sessions. */
async function refusePooler(connection: Connection): Promise<void> {
  const direct = directConnection(connection);
  if (!(await losesSessions(direct))) return;
  const [option, advice] =
    direct === connection
      ? ['--database-url', 'Give the address of the server itself as well, --direct-database-url']
      : ['--direct-database-url', 'Give the address of the server itself there'];
  throw new StartError(
    `${option} leads to a pooler that gives each transaction a different session (PgBouncer with pool_mode = transaction), where nothing can listen for changes.\n${advice}, or set pool_mode = session.`,
  );
}

/** Only we use the cluster, which has only this database. */
async function ensureDatabase(connection: Connection): Promise<void> {
  const client = createClient({ ...connection, database: 'postgres' } as Connection);
  await client.connect();
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [
      DATABASE,
    ]);
    if (rowCount === 0) await client.query(`create database ${DATABASE}`);
  } finally {
    await client.end();
  }
}

function explain(error: unknown, { databaseUrl, dataDir }: OpenMigratedOptions): unknown {
  if (error instanceof StartError) return error;
  const where = databaseUrl === '' ? path.join(dataDir, 'postgres') : addressOf(databaseUrl);
  const code = (error as { code?: string }).code ?? '';
  const message = (error as Error).message || code;
  if (code === READ_ONLY_STATE)
    return new StartError(
      `The database ${where} accepts no writes: it is a standby, or read-only.\nGive the address of the primary, or of all servers (postgresql://HOST1,HOST2/NAME): the one that accepts writes is used.`,
    );
  if (isUnavailable(error) || code === 'ENOTFOUND' || code === 'EAI_AGGREGATE') {
    return new StartError(
      `The database ${where} does not answer: ${message}.\nCheck that the server is running and that the address is right.`,
    );
  }
  if (/certificate|self-signed|SSL|TLS|ERR_TLS/i.test(`${code} ${message}`))
    return new StartError(
      `No TLS connection to the database ${where}: ${message}.\nCheck sslmode, sslrootcert, sslcert and sslkey of its address.`,
    );
  if (message.includes('client password must be'))
    return new StartError(
      `The database ${where} needs a password: set PGPASSWORD, or use a password file that nobody else can read (passfile=, PGPASSFILE or ~/.pgpass).`,
    );
  if (code.startsWith('28'))
    return new StartError(`The database ${where} refused the connection: ${message}.`);
  if (code === '3D000')
    return new StartError(`${message} on ${where}. Create it first: createdb NAME.`);
  return error;
}

/** The address without user and password. */
function addressOf(databaseUrl: string): string {
  try {
    const { url, servers } = readAddress(databaseUrl);
    return `${servers.map(({ host, port }) => `${host}:${port}`).join(',')}${url.pathname}`;
  } catch {
    return 'that was given';
  }
}
