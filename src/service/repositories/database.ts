/** The connection to PostgreSQL and query functions for all repositories: SQL templates, rows typed by the caller. */
import { createHash } from 'node:crypto';
import pg from 'pg';
import sql, { join, raw, type Sql as SQL } from 'sql-template-tag';
import { inChildSpan } from '../spans.ts';
import {
  type Connection,
  clientConfig,
  directConnection,
  type ServerConfig,
} from './client-config.ts';
import { connecting, READ_ONLY_STATE, ServerClient } from './server-client.ts';
import { nameStatement } from './statement-name.ts';

export type { Connection, SQL };
export { join, raw, sql };

/** A pool, or one connection inside a transaction. Repositories accept either: callers decide what is atomic. */
export type Executor = pg.Pool | pg.PoolClient;

export interface Database {
  readonly pool: pg.Pool;
  readonly connection: Connection;
  close(): Promise<void>;
}

const { builtins } = pg.types;

/** 64-bit numbers as numbers (ids and counts stay far below 2^53), times as ISO 8601 text. */
const typeParsers: Readonly<Record<number, (text: string) => unknown>> = {
  [builtins.INT8]: Number,
  [builtins.NUMERIC]: Number,
  [builtins.TIMESTAMPTZ]: (text) => new Date(text).toISOString(),
};

const types = {
  getTypeParser: (id: number, format?: 'text') =>
    typeParsers[id] ?? pg.types.getTypeParser(id, format),
} as pg.CustomTypesConfig;

export interface OpenDatabaseOptions {
  readonly maxConnections?: number;
  /** An idle connection broke: the pool opens another when needed. */
  readonly onError?: (error: Error) => void;
  /** Values as pg parses them, for libraries that expect that. */
  readonly plainTypes?: boolean;
}

export function openDatabase(connection: Connection, options: OpenDatabaseOptions = {}): Database {
  const { maxConnections = 12, onError = () => {}, plainTypes = false } = options;
  const pool = new pg.Pool({
    ...clientConfig(connection),
    max: maxConnections,
    ...(plainTypes ? {} : { types }),
    ...connecting,
    Client: ServerClient,
  });
  let isClosing = false;
  pool.on('error', (error) => {
    if (!isClosing) onError(error);
  });
  return {
    pool,
    connection,
    async close() {
      isClosing = true;
      await pool.end();
    },
  };
}

/**
 * A separate connection, outside the pool and past a pooler, for LISTEN and for session locks. Not yet connected.
 */
export function createClient(connection: Connection): pg.Client {
  return new ServerClient({ ...clientConfig(directConnection(connection)), ...connecting, types });
}

export async function select<Row extends object>(db: Executor, query: SQL): Promise<Row[]> {
  return (await send<Row & pg.QueryResultRow>(db, query)).rows;
}

/** Spans never contain values, nor the original text with values. */
function send<Row extends pg.QueryResultRow>(
  db: Executor,
  query: SQL,
): Promise<pg.QueryResult<Row>> {
  const config = isPrepared.has(query) && prepares(db) ? withName(query) : query;
  const work = () => db.query<Row>(config);
  return inChildSpan(() => nameStatement(query.text), statementSpan, work);
}

const isPrepared = new WeakSet<SQL>();

/**
 * A statement that each session parses and plans once, which is half the cost of a short one. For statements that run
 * often, name each column (a session that knows `*` fails after a migration), and have one best plan whatever their
 * values.
 */
export function prepared(query: SQL): SQL {
  isPrepared.add(query);
  return query;
}

/** By text: a name can be used for only one text per session. */
const names = new Map<string, string>();

function withName({ text, values }: SQL): pg.QueryConfig {
  let name = names.get(text);
  if (name === undefined) {
    name = createHash('sha256').update(text).digest('base64url');
    names.set(text, name);
  }
  return { name, text, values };
}

/** A pooler sends the next statement to another session, which would not know the name. */
function prepares(db: Executor): boolean {
  const { prepares } = (db instanceof pg.Pool ? db.options : db) as Partial<ServerConfig>;
  return prepares === true;
}

/** The span of a statement. */
export const statementSpan = {
  kind: 'client',
  attributes: { 'db.system.name': 'postgresql' },
} as const;

export async function selectOne<Row extends object>(db: Executor, query: SQL): Promise<Row | null> {
  return (await select<Row>(db, query))[0] ?? null;
}

/** The first column of each row. */
export async function selectValues<Value>(db: Executor, query: SQL): Promise<Value[]> {
  const rows = await select<Record<string, Value>>(db, query);
  return rows.map((row) => Object.values(row)[0] as Value);
}

/** The first column of the first row; null if there is no row. */
export async function selectValue<Value>(db: Executor, query: SQL): Promise<Value | null> {
  return (await selectValues<Value>(db, query))[0] ?? null;
}

/** What a query counts; 0 if it has no row. */
export async function selectCount(db: Executor, query: SQL): Promise<number> {
  return (await selectValue<number>(db, query)) ?? 0;
}

export async function hasRow(db: Executor, query: SQL): Promise<boolean> {
  return (await selectOne(db, query)) !== null;
}

/** Runs a statement and returns the number of rows it affected. */
export async function execute(db: Executor, query: SQL): Promise<number> {
  return (await send(db, query)).rowCount ?? 0;
}

/**
 * Holds one connection of the pool while `work` runs: the only place that checks one out. A connection that broke
 * meanwhile, or was passed to `discard`, is closed instead of returned.
 */
export async function withClient<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient, discard: (reason: Error) => void) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  const discard = (reason: Error) => {
    broken ??= reason;
  };
  client.on('error', discard);
  try {
    return await work(client, discard);
  } catch (error) {
    // When shutting down, the server rejects a statement some time before the socket closes.
    if (isUnavailable(error)) discard(error as Error);
    throw error;
  } finally {
    client.removeListener('error', discard);
    client.release(broken);
  }
}

/** Commits when `work` returns, rolls back when it throws. Given a transaction, joins it. */
export async function inTransaction<T>(
  db: Executor,
  work: (tx: pg.PoolClient) => Promise<T>,
): Promise<T> {
  if (!(db instanceof pg.Pool)) return work(db);
  return withClient(db, async (client, discard) => {
    try {
      await client.query('begin');
      const result = await work(client);
      await inChildSpan('COMMIT', statementSpan, () => client.query('commit'));
      return result;
    } catch (error) {
      await client.query('rollback').catch(discard);
      throw error;
    }
  });
}

/** Notifies the listeners of a channel, once the transaction commits. */
export async function notify(tx: Executor, channel: string, text: string): Promise<void> {
  await execute(tx, sql`select pg_notify(${channel}, ${text})`);
}

/** For a transaction that may wait long between two statements, for a disk or a person: disables the idle timeout. */
export async function allowIdle(tx: Executor): Promise<void> {
  await execute(tx, sql`set local idle_in_transaction_session_timeout = 0`);
}

/** A PostgreSQL array as one parameter, with its type. */
export function array(values: readonly unknown[], type: ArrayType): SQL {
  return sql`${[...values]}::${raw(type)}[]`;
}

type ArrayType = 'text' | 'bigint' | 'integer' | 'bytea';

/** Rows as a table in `from`: each named property is a column, in this order. */
export function unnest<Row>(
  rows: readonly Row[],
  columns: Readonly<Partial<Record<keyof Row, ArrayType>>>,
): SQL {
  const names = Object.keys(columns) as (keyof Row)[];
  const arrays = names.map((name) =>
    array(
      rows.map((row) => row[name]),
      columns[name] as ArrayType,
    ),
  );
  return sql`unnest(${join(arrays, ', ')})`;
}

/** PostgreSQL's JSON cannot hold U+0000: it becomes U+FFFD. */
export function json(value: unknown): SQL {
  const text = JSON.stringify(value ?? null).replace(/(?<!\\)((?:\\\\)*)\\u0000/g, '$1\\ufffd');
  return sql`${text}::jsonb`;
}

/** Nor can its text type. */
export function cleanText(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text;
}

/** Neither absent nor null: in changes both mean "unchanged". */
export function isGiven<T>(value: T | null | undefined): value is T {
  return value !== null && value !== undefined;
}

/** The SQLSTATE of a failed statement, or null when it was not a database error. */
export function errorState(error: unknown): string | null {
  const code = (error as { code?: unknown } | null)?.code;
  // Each state has a digit; codes of the operating system (EPIPE) have none.
  return typeof code === 'string' && /^(?=.*\d)[0-9A-Z]{5}$/.test(code) ? code : null;
}

/** True if two transactions conflicted, and one has to start again. */
export function isConflict(error: unknown): boolean {
  return /^40(001|P01)$/.test(errorState(error) ?? '');
}

/** True if a disk is full: the database's (`53100`) or ours, even as the cause of another error. */
export function isDiskFull(error: unknown): boolean {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    const { code } = at as NodeJS.ErrnoException;
    if (code === '53100' || code === 'ENOSPC' || code === 'EDQUOT') return true;
  }
  return false;
}

/** Errors of a socket to a server that is away or has just died. */
const lostCodes: ReadonlySet<unknown> = new Set([
  'EAGAIN',
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'ENOTCONN',
  'EPIPE',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
  'ETIMEDOUT',
]);

/** True if the database is away or dropped the connection: worth a retry in a moment. */
export function isUnavailable(error: unknown): boolean {
  const state = errorState(error);
  // 25P03: a transaction was idle too long; a server that takes no writes was the primary a moment ago
  if (state !== null)
    return /^(08|57P|53)/.test(state) || state === '25P03' || state === READ_ONLY_STATE;
  if (lostCodes.has((error as { code?: unknown } | null)?.code)) return true;
  return /Connection terminated|connection error and is not queryable|Client was closed and is not queryable|timeout exceeded when trying to connect|^timeout expired$/.test(
    (error as Error)?.message ?? '',
  );
}
