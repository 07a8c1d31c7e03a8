/** The versions of the schema and the engine that a database belongs to. */
import { type Executor, execute, json, selectOne, sql } from './database.ts';

export interface StoredVersions {
  /** Number of the last migration; null: none. */
  readonly schema: number | null;
  /** 0: no service has stored it. */
  readonly engine: number;
}

export async function findVersions(db: Executor): Promise<StoredVersions> {
  const there = await selectOne<{ yes: boolean }>(
    db,
    sql`select to_regclass('schema_migrations') is not null and to_regclass('settings') is not null as yes`,
  );
  if (there?.yes !== true) return { schema: null, engine: 0 };
  return (await selectOne<StoredVersions>(
    db,
    sql`select (select max(number) from schema_migrations) as schema,
          coalesce((select (value #>> '{}')::int from settings where key = 'engine'), 0) as engine`,
  )) as StoredVersions;
}

/** Never lowers it. */
export async function raiseEngine(db: Executor, engine: number): Promise<void> {
  await execute(
    db,
    sql`insert into settings (key, value) values ('engine', ${json(engine)})
        on conflict (key) do update set value = excluded.value
        where (settings.value #>> '{}')::int < (excluded.value #>> '{}')::int`,
  );
}

/** The server's identity and the protection of this connection, for users. */
export async function describeServer(db: Executor): Promise<string> {
  const row = (await selectOne<{ version: string; tls: string | null; standby: boolean }>(
    db,
    sql`select current_setting('server_version') as version, s.version as tls, pg_is_in_recovery() as standby
        from pg_stat_ssl s where s.pid = pg_backend_pid()`,
  )) ?? { version: 'unknown', tls: null, standby: false };
  return `PostgreSQL ${row.version}, ${row.tls ?? 'without TLS'}${row.standby ? ', a standby that accepts no changes' : ''}`;
}
