/** Lists as tables for export: plain numbers, one row per object, separate columns for each kind. */
import type { ObjectKind } from '../../../contract/common.ts';
import type { ListEntry } from '../../../contract/objects.ts';
import type { EntryOf } from '../../objects/object-queries.ts';

type Cell = string | number | boolean | null | undefined;
type Columns<T> = readonly (readonly [name: string, cell: (row: T) => Cell])[];

type Dated = Readonly<Partial<Record<'owner' | 'created_at' | 'updated_at', Cell>>>;

/** The last columns of what an account owns. */
const ends: Columns<Dated> = [
  ['owner', (row) => row.owner],
  ['created_at', (row) => row.created_at],
  ['updated_at', (row) => row.updated_at],
];

const columns: { readonly [K in ObjectKind]: Columns<EntryOf<K>> } = {
  experiment: [
    ['id', (row) => row.short_id],
    ['name', (row) => row.name],
    ['model', (row) => row.model_name],
    ['model_id', (row) => row.model_id],
    ['workflow_id', (row) => row.workflow_id],
    ['status', (row) => row.status],
    ['verdict', (row) => row.meta?.verdict?.state],
    ['headline', (row) => row.meta?.verdict?.headline],
    ['error', (row) => row.meta?.error?.message],
    ['chains', (row) => row.n_chains],
    ['draws_per_chain', (row) => row.n_samples],
    ['rhat_max', (row) => row.meta?.verdict?.rhat_max],
    ['ess_bulk_min', (row) => row.meta?.verdict?.ess_bulk_min],
    ['ess_tail_min', (row) => row.meta?.verdict?.ess_tail_min],
    ['divergences', (row) => row.meta?.verdict?.divergences],
    ['elapsed_seconds', (row) => row.meta?.elapsed_seconds],
    ['run_on', (row) => row.run_on],
    ['tags', (row) => row.meta?.tags?.join(' ')],
    ...ends,
  ],
  model: [
    ['id', (row) => row.short_id],
    ['name', (row) => row.name],
    ['runtime', (row) => row.env],
    ['version', (row) => row.version],
    ['tags', (row) => row.tags.join(' ')],
    ['description', (row) => row.description],
    ...ends,
  ],
  data: [
    ['id', (row) => row.short_id],
    ['name', (row) => row.name],
    ['format', (row) => row.fmt],
    ['bytes', (row) => row.size],
    ['version', (row) => row.version],
    ['description', (row) => row.description],
    ...ends,
  ],
  workflow: [
    ['id', (row) => row.short_id],
    ['name', (row) => row.name],
    ['model_id', (row) => row.model_id],
    ['model', (row) => row.model_name],
    ['data_id', (row) => row.data_id],
    ['data', (row) => row.data_name],
    ['experiment_id', (row) => row.experiment_id],
    ...ends,
  ],
  share: [
    ['id', (row) => row.short_id],
    ['object_id', (row) => row.experiment_id],
    ['object', (row) => row.experiment_name],
    ['to_user', (row) => row.to_user],
    ['has_password', (row) => row.password !== ''],
    ['includes', (row) => row.include?.join(' ')],
    ['wrong_passwords', (row) => row.failed_attempts],
    ['created_at', (row) => row.created_at],
    ['expires_at', (row) => row.expires_at],
  ],
  event: [
    ['id', (row) => row.short_id],
    ['name', (row) => row.name],
    ['fired_by', (row) => (row.tags?.includes('builtin') ? 'server' : 'user')],
    ['created_at', (row) => row.created_at],
  ],
  callback: [
    ['id', (row) => row.short_id],
    ['language', (row) => row.lang],
    ['one_at_a_time', (row) => row.single_instance],
    ['code', (row) => row.code],
    ['created_at', (row) => row.created_at],
  ],
  relation: [
    ['id', (row) => row.short_id],
    ['event_id', (row) => row.object1_id],
    ['calls_id', (row) => row.object2_id],
    ['n', (row) => row.params?.n],
    ['created_at', (row) => row.created_at],
  ],
  project: [
    ['id', (row) => row.short_id],
    ['name', (row) => row.name],
    ['num_models', (row) => row.counts?.model],
    ['num_data', (row) => row.counts?.data],
    ['num_experiments', (row) => row.counts?.experiment],
    ['tags', (row) => row.tags.join(' ')],
    ...ends,
  ],
};

/** RFC 4180; a text that a spreadsheet would interpret as a formula is prefixed with an apostrophe. */
export function csvCell(value: Cell): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return String(value);
  const safe = /^\s*[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export function listCsv<K extends ObjectKind>(kind: K, rows: readonly EntryOf<K>[]): string {
  // The table's type guarantees that the columns fit the rows, but indexing loses this.
  const own = columns[kind] as unknown as Columns<ListEntry>;
  const lines = [own.map(([name]) => name)];
  for (const row of rows) lines.push(own.map(([, cell]) => csvCell(cell(row))));
  return `${lines.map((line) => line.join(',')).join('\r\n')}\r\n`;
}
