/** Migrates a database to this version's schema: each missing migration in its own transaction, one process at a time. */
import { createHash } from 'node:crypto';
import type pg from 'pg';
import { isUnavailable, withClient } from '../repositories/database.ts';
import { StartError } from '../start-error.ts';
import { type Migration, migrations as ours } from './migrations.ts';

/** An arbitrary number, the same in every Ergodic: the holder of the lock migrates. */
const ADVISORY_LOCK = 4_715_001;

function checksum(sql: string): string {
  return createHash('sha256').update(sql).digest('hex');
}

/**
 * Returns how many migrations were applied. Throws `StartError` when the database was made by a newer version or
 * contains a migration whose text differs here.
 */
export async function migrate(
  pool: pg.Pool,
  migrations: readonly Migration[] = ours,
): Promise<number> {
  return withClient(pool, async (client) => {
    await client.query('select pg_advisory_lock($1)', [ADVISORY_LOCK]);
    try {
      return await applyMissing(client, migrations);
    } finally {
      await client.query('select pg_advisory_unlock($1)', [ADVISORY_LOCK]);
    }
  });
}

async function applyMissing(
  client: pg.PoolClient,
  migrations: readonly Migration[],
): Promise<number> {
  await client.query(
    `create table if not exists schema_migrations (
       number integer primary key, name text not null, checksum text not null, applied_at timestamptz not null default now()
     )`,
  );
  const { rows } = await client.query<{ number: number; name: string; checksum: string }>(
    'select number, name, checksum from schema_migrations order by number',
  );
  checkApplied(rows, migrations);
  let applied = 0;
  for (const migration of migrations) {
    if (rows.some((row) => row.number === migration.number)) continue;
    await client.query('begin');
    try {
      await client.query(migration.sql);
      await client.query(
        'insert into schema_migrations (number, name, checksum) values ($1, $2, $3)',
        [migration.number, migration.name, checksum(migration.sql)],
      );
      await client.query('commit');
    } catch (error) {
      await client.query('rollback').catch(() => {});
      if (isUnavailable(error)) throw error;
      throw new StartError(
        `Migration ${migration.number} (${migration.name}) failed and changed nothing: ${(error as Error).message}`,
      );
    }
    applied += 1;
  }
  return applied;
}

function checkApplied(
  rows: readonly { number: number; name: string; checksum: string }[],
  migrations: readonly Migration[],
): void {
  for (const row of rows) {
    const own = migrations.find((migration) => migration.number === row.number);
    if (own === undefined) {
      throw new StartError(
        `The database was created by a newer version of Ergodic (migration ${row.number}, ${row.name}).\n` +
          'Start that version, or restore a backup from before the upgrade.',
      );
    }
    if (row.number === 1 && row.name !== own.name) {
      throw new StartError(
        'The database was created before the first release of Ergodic, which cannot open it.\n' +
          'Start with an empty folder (--data DIR), or with the version that created it.',
      );
    }
    if (checksum(own.sql) !== row.checksum) {
      throw new StartError(
        `Migration ${row.number} (${row.name}) of the database differs from the one in this version.\n` +
          'The program or the database was changed by hand; start the version that created it.',
      );
    }
  }
}
