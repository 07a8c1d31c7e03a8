/**
 * `repositories/tables.ts` matches the schema: a column that is renamed, dropped or made nullable changes the
 * types of rows, and code that reads it no longer compiles. `UPDATE_EXPECTED=1` writes the file from the schema.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { expect, it } from 'vitest';
import { createTestDatabase } from '../../support/database.ts';

const path = join(import.meta.dirname, '../../../src/service/repositories/tables.ts');

interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly isNullable: boolean;
}

/** As the database client returns them, see `repositories/database.ts`. */
const typeNames: Readonly<Record<string, string>> = {
  bigint: 'number',
  integer: 'number',
  smallint: 'number',
  real: 'number',
  'double precision': 'number',
  text: 'string',
  uuid: 'string',
  boolean: 'boolean',
  bytea: 'Uint8Array',
  jsonb: 'unknown',
  'timestamp with time zone': 'string',
  'text[]': 'readonly string[]',
};

async function listColumns(pool: pg.Pool): Promise<Column[]> {
  const { rows } = await pool.query<Column>(`
    select c.relname as table, a.attname as name, format_type(a.atttypid, null) as type,
      not a.attnotnull as "isNullable"
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and a.attnum > 0 and not a.attisdropped
    order by c.relname, a.attnum`);
  return rows;
}

/** `table.column` → the texts that its check allows. */
async function listChecks(pool: pg.Pool): Promise<Map<string, string[]>> {
  const { rows } = await pool.query<{ column: string; check: string }>(`
    select c.relname || '.' || a.attname as column, pg_get_constraintdef(k.oid) as check
    from pg_constraint k join pg_class c on c.oid = k.conrelid
      join pg_attribute a on a.attrelid = c.oid and a.attnum = k.conkey[1]
    where k.contype = 'c' and k.connamespace = 'public'::regnamespace and cardinality(k.conkey) = 1`);
  return new Map(
    rows
      .filter(({ check }) => check.includes('= ANY'))
      .map(({ column, check }) => [column, [...check.matchAll(/'(\w+)'::text/g)].map((m) => m[1])]),
  );
}

function fieldOf({ table, name, type, isNullable }: Column, checks: Map<string, string[]>): string {
  const allowed = checks.get(`${table}.${name}`)?.map((text) => `'${text}'`);
  const base = allowed?.join(' | ') ?? typeNames[type];
  if (base === undefined) throw new Error(`${table}.${name}: no type for ${type}`);
  return `    readonly ${name}: ${isNullable && base !== 'unknown' ? `${base} | null` : base};\n`;
}

async function writeTables(pool: pg.Pool): Promise<string> {
  const [columns, checks] = [await listColumns(pool), await listChecks(pool)];
  const tables = [...new Set(columns.map(({ table }) => table))].filter(
    (table) => table !== 'schema_migrations',
  );
  const parts = tables.map((table) => {
    const fields = columns.filter((column) => column.table === table);
    return `  ${table}: {\n${fields.map((field) => fieldOf(field, checks)).join('')}  };\n`;
  });
  return `/** The rows of all tables, made from the schema by tests/service/repositories/tables.test.ts. Not written by hand. */\n\nexport interface Tables {\n${parts.join('')}}\n
/** Some columns of a table's row, by their names in the schema. */
export type Columns<T extends keyof Tables, C extends keyof Tables[T]> = Pick<Tables[T], C>;\n`;
}

it('the row types match the schema', async () => {
  const { pool } = await createTestDatabase();
  const text = await writeTables(pool);
  if (process.env.UPDATE_EXPECTED === '1') writeFileSync(path, text);
  expect(readFileSync(path, 'utf8')).toBe(text);
});
