/** The list as a table for other programs: plain numbers, one row a run. */
import type { Experiment } from '../../../contract/experiment.ts';

const columns: readonly [string, (row: Experiment) => string | number | null | undefined][] = [
  ['id', (row) => row.short_id],
  ['name', (row) => row.name],
  ['model', (row) => row.model_name],
  ['status', (row) => row.status],
  ['verdict', (row) => row.meta?.verdict?.state],
  ['chains', (row) => row.n_chains],
  ['draws_per_chain', (row) => row.n_samples],
  ['rhat_max', (row) => row.meta?.verdict?.rhat_max],
  ['ess_bulk_min', (row) => row.meta?.verdict?.ess_bulk_min],
  ['ess_tail_min', (row) => row.meta?.verdict?.ess_tail_min],
  ['divergences', (row) => row.meta?.verdict?.divergences],
  ['elapsed_seconds', (row) => row.meta?.elapsed_seconds],
  ['owner', (row) => row.owner],
  ['created_at', (row) => row.created_at],
  ['updated_at', (row) => row.updated_at],
];

/** RFC 4180: cells with a comma, quote or line end are quoted; a leading sign of a formula is disarmed by an apostrophe. */
function cellText(value: string | number | null | undefined): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export function experimentsCsv(experiments: readonly Experiment[]): string {
  const lines = [columns.map(([name]) => name)];
  for (const row of experiments) lines.push(columns.map(([, value]) => cellText(value(row))));
  return `${lines.map((line) => line.join(',')).join('\r\n')}\r\n`;
}
