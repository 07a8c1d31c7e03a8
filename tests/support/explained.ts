/** What statements read: PostgreSQL's own account of each, including those nested in foreign keys and triggers. */
import type pg from 'pg';

/** A table or index as one statement read it. */
export interface Read {
  readonly statement: string;
  /** From the plan: `Seq Scan`, `Index Scan`, … */
  readonly node: string;
  readonly table: string;
  /** Absent if the entire table was read. */
  readonly index: string;
  /** Examined, matching or not. */
  readonly rows: number;
  /** Pages of 8 kB. */
  readonly pages: number;
  /** The index is entered by a column other than its first: PostgreSQL calls it a scan even if most of it is read. */
  readonly isByLaterColumn: boolean;
}

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly 'Shared Hit Blocks'?: number;
  readonly 'Shared Read Blocks'?: number;
  readonly Plans?: readonly Plan[];
}

/** An index of waiting or running rows may be read from its first page to its last. */
const fewPages = 2;

/** By index name: its table and its first column, or the last name in that expression. */
type Indices = ReadonlyMap<
  string,
  { readonly table: string; readonly column: string; readonly pages: number }
>;

/**
 * From here on, every statement on this connection is explained after it ran. Entire tables are read or joined
 * only if nothing else is possible, as with large ones. Needs a user who may load `auto_explain`.
 */
export async function explainAll(
  client: pg.PoolClient,
  onRead: (read: Read) => void,
  /** False: plans are left unchanged. */
  { isAsLarge = true } = {},
): Promise<void> {
  const { rows } = await client.query<{
    index: string;
    table: string;
    column: string;
    pages: number;
  }>(
    `select i.indexrelid::regclass::text as index, i.indrelid::regclass::text as "table",
       pg_get_indexdef(i.indexrelid, 1, true) as column, c.relpages as pages
     from pg_index i join pg_class c on c.oid = i.indexrelid where c.relnamespace = current_schema()::regnamespace`,
  );
  const indices: Indices = new Map(
    rows.map(({ index, table, column, pages }) => [
      index,
      { table, pages, column: column.match(/\w+(?=\W*$)/)?.[0] ?? column },
    ]),
  );
  client.on('notice', ({ message = '' }) => {
    const at = message.indexOf('plan:\n');
    if (!message.startsWith('duration:') || at < 0) return;
    const told = JSON.parse(message.slice(at + 6)) as { 'Query Text': string; Plan: Plan };
    readsOf(told.Plan, { statement: told['Query Text'], indices, onRead });
  });
  await client.query(
    `load 'auto_explain';
     set auto_explain.log_min_duration = 0; set auto_explain.log_analyze = on; set auto_explain.log_buffers = on;
     set auto_explain.log_timing = off; set auto_explain.log_nested_statements = on;
     set auto_explain.log_format = json; set auto_explain.log_level = notice;
     set client_min_messages = notice`,
  );
  if (isAsLarge)
    await client.query(
      'set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off',
    );
}

function readsOf(
  plan: Plan,
  to: {
    readonly statement: string;
    readonly indices: Indices;
    readonly onRead: (read: Read) => void;
  },
): void {
  const { Plans: parts = [] } = plan;
  for (const part of parts) readsOf(part, to);
  const index = plan['Index Name'] ?? '';
  const known = to.indices.get(index);
  const table = plan['Relation Name'] ?? known?.table ?? '';
  const loops = plan['Actual Loops'] ?? 0;
  if (table === '' || loops === 0 || !plan['Node Type'].endsWith('Scan')) return;
  const each =
    (plan['Actual Rows'] ?? 0) +
    (plan['Rows Removed by Filter'] ?? 0) +
    (plan['Rows Removed by Index Recheck'] ?? 0);
  const pagesOf = (one: Plan) => (one['Shared Hit Blocks'] ?? 0) + (one['Shared Read Blocks'] ?? 0);
  const condition = plan['Index Cond'] ?? '';
  const pages = pagesOf(plan) - parts.reduce((sum, part) => sum + pagesOf(part), 0);
  to.onRead({
    statement: to.statement,
    node: plan['Node Type'],
    table,
    index,
    rows: each * loops,
    pages,
    isByLaterColumn:
      known !== undefined &&
      known.pages > fewPages &&
      condition !== '' &&
      !new RegExp(`\\b${known.column}\\b`).test(condition),
  });
}
