/**
 * A fresh migrated database per test: one PostgreSQL for all test processes (the first starts it, the last stops it),
 * copied from a template. With TEST_DATABASE_URL, that server is used instead.
 */
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll } from 'vitest';
import { migrate } from '../../src/service/migrations/migrate.ts';
import {
  DATABASE_USER,
  findRunningPostgres,
  startPostgres,
} from '../../src/service/postgres/supervisor.ts';
import { isProcessAlive } from '../../src/service/process-info.ts';
import {
  type Connection,
  createClient,
  type Database,
  openDatabase,
} from '../../src/service/repositories/database.ts';
import { makeSharedFolder, schemaHash, sharedFolder } from './shared-folder.ts';

const usersFolder = path.join(sharedFolder, 'users');
const lockFolder = path.join(sharedFolder, 'lock');
const template = `template_${schemaHash}`;

/** Databases that are dropped after their test: nothing waits for the disk, and little is written to it. */
const quickSettings = {
  fsync: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  autovacuum: 'off',
};

const server = process.env.TEST_DATABASE_URL ?? '';
let joining: Promise<Connection> | null = null;

export interface TestDatabase extends Database {
  readonly name: string;
  drop(): Promise<void>;
}

/** Migrated, or empty if the test runs the migrations itself. Closed and dropped after the file's tests. */
export async function createTestDatabase(
  maxConnections = 8,
  { isEmpty = false } = {},
): Promise<TestDatabase> {
  const base = await join();
  const name = `test_${process.pid}_${randomBytes(6).toString('hex')}`;
  const source = isEmpty ? 'template0' : template;
  await withAdmin(base, (admin) =>
    admin.query(`create database ${name} template ${source} strategy file_copy`),
  );
  const connection = connectionTo(base, name);
  const database = openDatabase(connection, { maxConnections });
  const drop = async () => {
    await database.close().catch(() => {});
    await withAdmin(base, (admin) => admin.query(`drop database if exists ${name} with (force)`));
  };
  open.add(drop);
  return {
    ...database,
    name,
    drop: async () => {
      open.delete(drop);
      await drop();
    },
  };
}

/** The address of a test's database for another process, through its socket. */
export function addressOf(connection: object): string {
  if ('connectionString' in connection) return String(connection.connectionString);
  const { host, port, user, database } = connection as Record<string, string | number>;
  return `postgresql://${user}@localhost/${database}?host=${encodeURIComponent(String(host))}&port=${port}`;
}

const open = new Set<() => Promise<void>>();

afterAll(async () => {
  for (const drop of open) await drop();
  open.clear();
  await leave();
});

function connectionTo(base: Connection, database: string): Connection {
  if (!('connectionString' in base)) return { ...base, database };
  const url = new URL(base.connectionString);
  url.pathname = `/${database}`;
  return { connectionString: url.href };
}

async function withAdmin<T>(
  base: Connection,
  work: (client: ReturnType<typeof createClient>) => Promise<T>,
): Promise<T> {
  const client = createClient(base);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The connection to the shared server, once its template exists. */
function join(): Promise<Connection> {
  joining ??= server === '' ? joinEmbedded() : joinServer();
  return joining;
}

async function joinServer(): Promise<Connection> {
  const base: Connection = { connectionString: server };
  fs.mkdirSync(usersFolder, { recursive: true });
  await locked(() => ensureTemplate(base));
  return base;
}

async function joinEmbedded(): Promise<Connection> {
  makeSharedFolder();
  fs.mkdirSync(usersFolder, { recursive: true });
  return locked(async () => {
    fs.writeFileSync(path.join(usersFolder, String(process.pid)), '');
    const running =
      findRunningPostgres(sharedFolder) ??
      (await startPostgres({ dataDir: sharedFolder, settings: quickSettings }));
    const { host, port } = running;
    const base: Connection = { host, port, user: DATABASE_USER, database: 'postgres' };
    // The database is dropped after the test: no commit need wait for the disk.
    await withAdmin(base, (admin) =>
      admin.query(`alter role ${DATABASE_USER} set synchronous_commit = off`),
    );
    await ensureTemplate(base);
    return base;
  });
}

async function ensureTemplate(base: Connection): Promise<void> {
  const isThere = await withAdmin(base, async (admin) => {
    const { rowCount } = await admin.query('select 1 from pg_database where datname = $1', [
      template,
    ]);
    if (rowCount === 0) await admin.query(`create database ${template}_new`).catch(() => {});
    return rowCount === 1;
  });
  if (isThere) return;
  const database = openDatabase(connectionTo(base, `${template}_new`));
  await migrate(database.pool);
  await database.close();
  await withAdmin(base, (admin) =>
    admin.query(`alter database ${template}_new rename to ${template}`),
  );
}

/** The last user stops the server. */
async function leave(): Promise<void> {
  if (joining === null || server !== '') return;
  joining = null;
  await locked(async () => {
    fs.rmSync(path.join(usersFolder, String(process.pid)), { force: true });
    const others = fs.readdirSync(usersFolder).filter((pid) => isProcessAlive(Number(pid)));
    if (others.length > 0) return;
    fs.rmSync(usersFolder, { recursive: true, force: true });
    if (findRunningPostgres(sharedFolder) === null) return;
    await (await startPostgres({ dataDir: sharedFolder })).stop();
  });
}

/** 0: no holder, or it was released while we looked. */
function readHolder(file: string): number {
  try {
    return Number(fs.readFileSync(file, 'utf8'));
  } catch {
    return 0;
  }
}

/** One process at a time, with a folder that only one can make; an abandoned one is taken over. */
async function locked<T>(work: () => Promise<T>): Promise<T> {
  const holder = path.join(lockFolder, 'pid');
  for (;;) {
    try {
      fs.mkdirSync(lockFolder);
      fs.writeFileSync(holder, String(process.pid));
      break;
    } catch {
      const pid = readHolder(holder);
      const age =
        Date.now() - (fs.statSync(lockFolder, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
      if ((pid !== 0 && !isProcessAlive(pid)) || (pid === 0 && age > 5000)) {
        fs.rmSync(lockFolder, { recursive: true, force: true });
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
  try {
    return await work();
  } finally {
    fs.rmSync(lockFolder, { recursive: true, force: true });
  }
}
