/** Sorts the rows of one page, for servers that do not sort. */
import type { ListEntry } from '../../../contract/objects.ts';
import { nameOfEntry } from '../../objects/object-queries.ts';

type Value = string | number | null | undefined;

/** Sort values of each kind, for the keys that the columns name. */
function valueOf(row: ListEntry, key: string): Value {
  if (key === 'name') return nameOfEntry(row).toLowerCase();
  if (key === 'created') return row.created_at;
  if (key === 'updated' && 'updated_at' in row && row.updated_at) return row.updated_at;
  switch (row.object_type) {
    case 'experiment':
      return ofExperiment(row, key);
    case 'model':
      return { runtime: row.env, version: row.version, description: row.description }[key];
    case 'data':
      return { format: row.fmt, size: row.size, version: row.version }[key];
    case 'workflow':
      return { model: row.model_name, data: row.data_name }[key];
    default:
      return null;
  }
}

function ofExperiment(row: Extract<ListEntry, { object_type: 'experiment' }>, key: string): Value {
  const verdict = row.meta?.verdict;
  const sizes = [verdict?.ess_bulk_min, verdict?.ess_tail_min].filter(
    (size) => typeof size === 'number',
  );
  const values: Readonly<Record<string, Value>> = {
    updated: row.sample_update_time,
    status: row.status,
    model: row.model_name,
    verdict: verdictRank(row),
    draws: row.n_chains * row.n_samples,
    rhat: verdict?.rhat_max,
    ess: sizes.length === 0 ? null : Math.min(...sizes),
    divergences: verdict?.divergences,
    time: row.meta?.elapsed_seconds,
  };
  return values[key];
}

/** Worse sorts higher; a run in progress has no verdict yet. */
function verdictRank({
  status,
  meta,
}: Extract<ListEntry, { object_type: 'experiment' }>): number | null {
  if (status === 'ERR') return 4;
  const state = meta?.verdict?.state;
  return status === 'FIN' && state ? ['good', 'unknown', 'warn', 'bad'].indexOf(state) : null;
}

/** Missing values come last in both directions. */
export function sortPage<T extends ListEntry>(rows: readonly T[], sort: string): readonly T[] {
  const key = sort.replace(/^-/, '');
  const way = sort.startsWith('-') ? -1 : 1;
  return rows.toSorted((one, other) => {
    const [a, b] = [valueOf(one, key) ?? null, valueOf(other, key) ?? null];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return a === b ? 0 : a < b ? -way : way;
  });
}
