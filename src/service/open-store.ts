/** Opens the database an operator chose: a server by its address, or the embedded one of the data folder. */
import path from 'node:path';
import { migrate } from './migrations/migrate.ts';
import { type KeptPostgres, keepPostgres } from './postgres/keep-postgres.ts';
import {
  DATABASE_USER,
  findRunningPostgres,
  makeDataFolder,
  startPostgres,
} from './postgres/supervisor.ts';
import {
  type Connection,
  createClient,
  type Database,
  isUnavailable,
  openDatabase,
} from './repositories/database.ts';
import { StartError } from './start-error.ts';
import { type DataLock, lockDataFolder } from './storage/data-lock.ts';

export interface Store {
  readonly database: Database;
  /** Settles with a reason when the embedded PostgreSQL ended and could not be started again. */
  readonly ended: Promise<string>;
  close(): Promise<void>;
}

export interface OpenStoreOptions {
  readonly dataDir: string;
  readonly databaseUrl: string;
  /** Who asks, for the message that a second one gets. */
  readonly what: string;
  readonly say: (words: string) => void;
  readonly maxConnections?: number;
  readonly onError?: (error: Error) => void;
  /** PostgreSQL died and is started again. */
  readonly onRestart?: (reason: string) => void;
}

const DATABASE = 'ergodic';

/** For the one service of a data folder: locks the folder, starts PostgreSQL, migrates. */
export async function openStore(options: OpenStoreOptions): Promise<Store> {
  const { dataDir, databaseUrl, say, what } = options;
  if (databaseUrl !== '') return openServer(options);

  makeDataFolder(dataDir);
  const lock = await lockDataFolder({ dataDir, what });
  let postgres: KeptPostgres | null = null;
  try {
    postgres = await keepPostgres(() => startPostgres({ dataDir, say }), options.onRestart);
    const { host, port } = postgres;
    const connection: Connection = { host, port, user: DATABASE_USER, database: DATABASE };
    await ensureDatabase(connection);
    return await finish(options, connection, { postgres, lock });
  } catch (error) {
    await postgres?.stop();
    lock.release();
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
  const { host, port } = running;
  return finish(options, { host, port, user: DATABASE_USER, database: DATABASE }, {});
}

async function openServer(options: OpenStoreOptions): Promise<Store> {
  return finish(options, { connectionString: options.databaseUrl }, {});
}

async function finish(
  options: OpenStoreOptions,
  connection: Connection,
  held: { postgres?: KeptPostgres; lock?: DataLock },
): Promise<Store> {
  const { maxConnections, onError } = options;
  const database = openDatabase(connection, { maxConnections, onError });
  try {
    await migrate(database.pool);
  } catch (error) {
    await database.close();
    throw explain(error, options);
  }
  return {
    database,
    ended: held.postgres?.ended ?? new Promise<string>(() => {}),
    async close() {
      await database.close();
      await held.postgres?.stop();
      held.lock?.release();
    },
  };
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

function explain(error: unknown, { databaseUrl, dataDir }: OpenStoreOptions): unknown {
  if (error instanceof StartError) return error;
  const where = databaseUrl === '' ? path.join(dataDir, 'postgres') : addressOf(databaseUrl);
  const code = (error as { code?: string }).code ?? '';
  const message = (error as Error).message || code;
  if (isUnavailable(error) || code === 'ENOTFOUND' || code === 'EAI_AGGREGATE') {
    return new StartError(
      `The database ${where} does not answer: ${message}.\nIs the server running, and the address right?`,
    );
  }
  if (code.startsWith('28'))
    return new StartError(`The database ${where} refused to let us in: ${message}.`);
  if (code === '3D000')
    return new StartError(`${message} on ${where}. Make it first: createdb NAME.`);
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
