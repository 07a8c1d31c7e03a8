/** Entire tables as JSON rows, for backups: read in one snapshot, written into an empty database. */
import { type Executor, execute, hasRow, join, raw, type SQL, select, sql } from './database.ts';

const name = (table: string): SQL => raw(`"${table}"`);

/** All reads of the transaction see the time of its first one. */
export async function setSnapshotReads(tx: Executor): Promise<void> {
  await execute(tx, sql`set transaction isolation level repeatable read, read only`);
}

/** Few at a time: a row may be megabytes. */
const ROWS_AT_ONCE = 32;

/** Generated columns are left out: the database recomputes them. */
export async function* readTableRows(tx: Executor, table: string): AsyncGenerator<string> {
  const stored = await select<{ column: string }>(
    tx,
    sql`select attname as column from pg_attribute
        where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = ''
        order by attnum`,
  );
  const columns = join(
    stored.map(({ column }) => name(column)),
    ', ',
  );
  await execute(
    tx,
    sql`declare rows no scroll cursor for
        select row_to_json(t)::text as line from (select ${columns} from ${name(table)}) t`,
  );
  for (;;) {
    const batch = await select<{ line: string }>(
      tx,
      sql`fetch ${raw(String(ROWS_AT_ONCE))} from rows`,
    );
    for (const { line } of batch) yield line;
    if (batch.length < ROWS_AT_ONCE) break;
  }
  await execute(tx, sql`close rows`);
}

export async function hasObjects(db: Executor): Promise<boolean> {
  return hasRow(db, sql`select 1 as one from objects limit 1`);
}

/** Removes what a first start writes. */
export async function clearNewDatabase(tx: Executor): Promise<void> {
  await execute(tx, sql`delete from tokens`);
  await execute(tx, sql`delete from users`);
  await execute(tx, sql`delete from settings`);
}

/** Columns that a later version added get their defaults. */
export async function insertTableRow(tx: Executor, table: string, line: string): Promise<void> {
  const columns = Object.keys(JSON.parse(line) as object).map((column) => name(column));
  const list = join(columns, ', ');
  await execute(
    tx,
    sql`insert into ${name(table)} (${list}) overriding system value
        select ${list} from json_populate_record(null::${name(table)}, ${line}::json)`,
  );
}

/** New rows get numbers above the restored ones. */
export async function moveSequences(tx: Executor): Promise<void> {
  const owned = await select<{ table: string; sequence: string }>(
    tx,
    sql`select c.table_name as "table", pg_get_serial_sequence(format('%I', c.table_name), c.column_name) as sequence
        from information_schema.columns c
        where c.table_schema = current_schema() and c.is_identity = 'YES' and c.column_name = 'id'`,
  );
  for (const { table, sequence } of owned) {
    await execute(
      tx,
      sql`select setval(${sequence}::regclass, greatest((select max(id) from ${name(table)}), 1))`,
    );
  }
  const kinds = await select<{ kind: string; last: number }>(
    tx,
    sql`select kind, max(row_number) as last from objects group by kind`,
  );
  for (const { kind, last } of kinds) {
    await execute(tx, sql`select setval(${`row_number_${kind}`}::regclass, ${last})`);
  }
}
