/** How a list is sorted, and which tables that needs. */
import type { ObjectKind } from '../../contract/common.ts';
import { ownValue } from '../../shared/items.ts';
import { raw, type SQL, sql } from './database.ts';

export interface ListOrder {
  /** The sort value, before the number of the object; null: the number alone. */
  readonly value: SQL | null;
  readonly isDescending: boolean;
  /** Whether ties follow the direction too; otherwise the newest comes first. */
  readonly isSameWay: boolean;
  /** Rows without a value come last in both directions. False if the index lacks this order and no value is null. */
  readonly nullsLast: boolean;
  /** The table whose columns `value` reads, in addition to `objects o`. */
  readonly table: OrderTable | null;
}

export type OrderTable = 'experiments e' | 'models m' | 'data_objects d' | 'workflows w';

interface Key {
  readonly value: SQL;
  readonly table: OrderTable | null;
}

const verdict = (name: string) => sql`json_number(e.meta->'verdict'->${raw(`'${name}'`)})`;

/** As `elapsed_seconds` of a view. */
const workSeconds = sql`extract(epoch from e.finished_at - e.started_at)::float8
  - coalesce(json_number(e.meta->'idle_seconds'), 0)::float8`;

/** Higher is worse. A run in progress has no verdict yet. */
const verdictRank = sql`case when o.status = 'ERR' then 4 when o.status = 'FIN' then
  case e.meta->'verdict'->>'state' when 'bad' then 3 when 'warn' then 2 when 'unknown' then 1 when 'good' then 0 end end`;

const ofExperiments = (value: SQL): Key => ({ value, table: 'experiments e' });

const nameOf = (id: SQL) =>
  sql`(select lower(other.name) from objects other where other.id = ${id})`;

/** The keys of `kindSortKeys` in the contract. */
const keys: Readonly<Partial<Record<ObjectKind, Readonly<Record<string, Key>>>>> = {
  experiment: {
    model: ofExperiments(sql`nullif(lower(e.model_name), '')`),
    verdict: ofExperiments(verdictRank),
    draws: ofExperiments(sql`nullif(e.n_chains * e.n_samples, 0)`),
    rhat: ofExperiments(verdict('rhat_max')),
    ess: ofExperiments(sql`least(${verdict('ess_bulk_min')}, ${verdict('ess_tail_min')})`),
    divergences: ofExperiments(verdict('divergences')),
    time: ofExperiments(workSeconds),
  },
  model: {
    runtime: { value: sql`nullif(m.env, '')`, table: 'models m' },
    version: { value: sql`o.version`, table: null },
    description: { value: sql`nullif(lower(o.description), '')`, table: null },
  },
  data: {
    format: { value: sql`d.fmt`, table: 'data_objects d' },
    size: { value: sql`d.size`, table: 'data_objects d' },
    version: { value: sql`o.version`, table: null },
  },
  workflow: {
    model: { value: nameOf(sql`w.model_id`), table: 'workflows w' },
    data: { value: nameOf(sql`w.data_id`), table: 'workflows w' },
  },
};

/** `sort`: a key of this kind, descending with a leading `-`; anything else sorts newest first. */
export function listOrder(kind: ObjectKind | null, sort = '-created'): ListOrder {
  const isDescending = sort.startsWith('-');
  const word = sort.replace(/^-/, '');
  const plain = { isDescending, isSameWay: false, nullsLast: false, table: null };
  switch (word) {
    case 'created':
      return { ...plain, value: null, isSameWay: true };
    case 'updated':
      return { ...plain, value: sql`o.updated_at`, isSameWay: true };
    case 'name':
      return { ...plain, value: sql`o.name_folded` };
    case 'status':
      return { ...plain, value: sql`o.status` };
    default: {
      const key = kind === null ? undefined : ownValue(keys[kind] ?? {}, word);
      if (key === undefined) return listOrder(kind);
      return { ...plain, ...key, nullsLast: true };
    }
  }
}

/** The `order by` terms; `value` and `id` as named in the query, `isReversed`: from the other end. */
export function orderBy(order: ListOrder, value: SQL, id: SQL, isReversed = false): SQL {
  const direction = (isDescending: boolean) => (isDescending === isReversed ? sql`asc` : sql`desc`);
  const ids = direction(order.isSameWay ? order.isDescending : true);
  if (order.value === null) return sql`${id} ${direction(order.isDescending)}`;
  const nulls = !order.nullsLast ? sql`` : isReversed ? sql`nulls first` : sql`nulls last`;
  return sql`${value} ${direction(order.isDescending)} ${nulls}, ${id} ${ids}`;
}
