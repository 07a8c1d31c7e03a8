/** Opens the database an operator chose: a server by its address, or the embedded one of the data folder. */
import path from 'node:path';
import { type DataFolderHold, holdDataFolder } from './hold-data-folder.ts';
import { migrate } from './migrations/migrate.ts';
import { DATABASE, embeddedConnection } from './postgres/connection.ts';
import { findRunningPostgres } from './postgres/supervisor.ts';
import {
  type Connection,
  createClient,
  type Database,
  isUnavailable,
  openDatabase,
} from './repositories/database.ts';
import { StartError } from './start-error.ts';

export interface Store {
  readonly database: Database;
  close(): Promise<void>;
}

export interface OpenStoreOptions {
  readonly dataDir: string;
  readonly databaseUrl: string;
  /** Who asks, for the message that a second one gets. */
  readonly what: string;
  readonly say: (text: string) => void;
  readonly maxConnections?: number;
}

/** Alone on a data folder: locks it, starts PostgreSQL, migrates; or connects to the server that was named. */
export async function openStore(options: OpenStoreOptions): Promise<Store> {
  if (options.databaseUrl !== '') return openServer(options);
  const hold = await holdDataFolder(options);
  try {
    const connection = embeddedConnection(await hold.startPostgres());
    const database = await openMigrated(connection, { ...options, isEmbedded: true });
    return storeOf(database, hold);
  } catch (error) {
    await hold.release();
    throw error;
  }
}

/**
 * For programs beside the service (a worker, a command): joins the running PostgreSQL of the data folder; where none
 * runs, does as the service would, for as long as it takes.
 */
export async function joinStore(options: OpenStoreOptions): Promise<Store> {
  if (options.databaseUrl !== '') return openServer(options);
  const running = findRunningPostgres(options.dataDir);
  if (running === null) return openStore(options);
  return storeOf(await openMigrated(embeddedConnection(running), options));
}

async function openServer(options: OpenStoreOptions): Promise<Store> {
  return storeOf(await openMigrated({ connectionString: options.databaseUrl }, options));
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
  extends Pick<OpenStoreOptions, 'dataDir' | 'databaseUrl' | 'maxConnections'> {
  /** The server is ours alone: the database is made when it is missing. */
  readonly isEmbedded?: boolean;
  readonly onError?: (error: Error) => void;
}

/** Throws `StartError` when the operator can do something about it. */
export async function openMigrated(
  connection: Connection,
  options: OpenMigratedOptions,
): Promise<Database> {
  const { isEmbedded = false, maxConnections, onError } = options;
  if (isEmbedded) await ensureDatabase(connection);
  const database = openDatabase(connection, { maxConnections, onError });
  try {
    await migrate(database.pool);
    return database;
  } catch (error) {
    await database.close();
    throw explain(error, options);
  }
}

/** The cluster is ours alone, and so is its one database. */
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
  if (isUnavailable(error) || code === 'ENOTFOUND' || code === 'EAI_AGGREGATE') {
    return new StartError(
      `The database ${where} does not answer: ${message}.\nCheck that the server is running and that the address is right.`,
    );
  }
  if (code.startsWith('28'))
    return new StartError(`The database ${where} refused the connection: ${message}.`);
  if (code === '3D000')
    return new StartError(`${message} on ${where}. Create it first: createdb NAME.`);
  return error;
}

/** Without user and password. */
function addressOf(databaseUrl: string): string {
  try {
    const url = new URL(databaseUrl);
    return `${url.host}${url.pathname}`;
  } catch {
    return 'that was given';
  }
}
