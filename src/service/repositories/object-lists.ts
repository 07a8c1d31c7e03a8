/** Pages of objects of one kind or of all, with every filter of the documented list and ours. */
import { kindLetters, type ObjectKind } from '../../contract/common.ts';
import {
  array,
  type Executor,
  isGiven,
  join,
  prepared,
  raw,
  type SQL,
  select,
  selectCount,
  sql,
} from './database.ts';
import { listOrder, orderBy } from './list-order.ts';
import { countObjects, countStatuses } from './object-tallies.ts';
import { type ObjectRow, objectColumns } from './objects.ts';

/** Whose objects: the viewer's, those the viewer shared, others' shared with the viewer, or both of the latter. */
export type ListScope = 'own' | 'shared_by_me' | 'shared_with_me' | 'with_share_info';

export interface ListFilter {
  /** Null: every kind but shares and projects. */
  readonly kind: ObjectKind | null;
  readonly viewerId: number;
  readonly scope?: ListScope;
  /** Another user's objects, by id; only a super user may request them, which the caller checks. */
  readonly ownerId?: number | null;
  readonly modelIds?: readonly string[];
  readonly workflowIds?: readonly string[];
  /** Workflows that read one of these, and experiments that did. */
  readonly dataIds?: readonly string[];
  /** Projects that contain one of these. */
  readonly memberIds?: readonly string[];
  readonly status?: string;
  readonly runOn?: string;
  readonly hasModel?: boolean | null;
  /** Objects that have one of these. */
  readonly tags?: readonly string[];
  /** Words that must all be in the name, or the beginning of an id. */
  readonly search?: string;
  /** ISO 8601: from this moment on, and before this one. */
  readonly createdFrom?: string;
  readonly createdTo?: string;
  /** Experiments that ended in this period. */
  readonly finishedFrom?: string;
  readonly finishedTo?: string;
  /** Experiments that have ended with a verdict of `warn` or `bad`. */
  readonly needsLook?: boolean;
  /** A key of `list-order.ts`; descending with a leading `-`. */
  readonly sort?: string;
}

export interface Page {
  /** From 1. */
  readonly number: number;
  readonly size: number;
}

export interface ObjectPage {
  /** Exact, before paging. */
  readonly total: number;
  readonly rows: readonly ObjectRow[];
}

export async function listObjects(
  db: Executor,
  filter: ListFilter,
  page: Page,
): Promise<ObjectPage> {
  const few = filter.search?.trim() ? await searchFew(db, filter, page) : null;
  if (few !== null) return few;
  const skipped = (page.number - 1) * page.size;
  const total = isTallied(filter) ? await countTallied(db, filter) : null;
  // A page past the middle is closer to the other end.
  if (total !== null && skipped > total / 2) {
    const size = Math.min(page.size, total - skipped);
    if (size <= 0) return { total, rows: [] };
    const slice = { size, skipped: total - skipped - size, isReversed: true };
    return { total, rows: await selectPage(db, filter, slice) };
  }
  const rows = await selectPage(db, filter, { size: page.size, skipped, isReversed: false });
  if (total !== null) return { total, rows };
  // An incomplete page determines the total.
  if (rows.length > 0 && rows.length < page.size) return { total: skipped + rows.length, rows };
  return { total: await selectCount(db, sql`select count(*) ${fromWhere(filter, false)}`), rows };
}

interface Slice {
  readonly size: number;
  readonly skipped: number;
  /** Counted from the end of the list. */
  readonly isReversed: boolean;
}

function fromWhere(filter: ListFilter, isOrdered = true): SQL {
  return sql`from objects o ${joins(filter, isOrdered)} where ${join(conditions(filter, isOrdered), ' and ')}`;
}

/** The sort value, in addition to the number of the object; others' values are not shared with the viewer. */
function orderValue(filter: ListFilter): SQL {
  const { value, table } = listOrder(filter.kind, filter.sort);
  if (value === null) return sql`null::int`;
  if (table === null || !isShared(filter)) return value;
  return sql`case when o.owner_id = ${filter.viewerId} then ${value} end`;
}

/** Pages are found by numbers alone, which are in indexes; only then are the rows read. */
async function selectPage(
  db: Executor,
  filter: ListFilter,
  { size, skipped, isReversed }: Slice,
): Promise<ObjectRow[]> {
  const order = listOrder(filter.kind, filter.sort);
  const value = orderValue(filter);
  const found = sql`select o.id, ${value} as sorted ${fromWhere(filter)}
    order by ${orderBy(order, value, sql`o.id`, isReversed)} limit ${size} offset ${skipped}`;
  const page = sql`select ${objectColumns} from (${found}) found join objects o on o.id = found.id
    join users u on u.id = o.owner_id order by ${orderBy(order, sql`found.sorted`, sql`o.id`)}`;
  return select<ObjectRow>(db, isPlain(filter) ? prepared(page) : page);
}

/** Up to this many matches of a search are sorted separately; for more, pages are read in the order of the list. */
const fewFound = 2000;

/**
 * Null if more than a few names match. Few are found by the index of the names, unsorted: a scan in the order of
 * the list would read most of the table for them.
 */
async function searchFew(db: Executor, filter: ListFilter, page: Page): Promise<ObjectPage | null> {
  const order = listOrder(filter.kind, filter.sort);
  const [id, value] = [sql`found.id`, sql`found.sorted`];
  const rows = await select<ObjectRow & { readonly found_count: number }>(
    db,
    sql`with found as materialized (
          select o.id, ${orderValue(filter)} as sorted ${fromWhere(filter)} limit ${fewFound + 1}),
        page as (select * from found order by ${orderBy(order, value, id)}
          limit ${page.size} offset ${(page.number - 1) * page.size})
        select counted.n as found_count, ${objectColumns}
        from (select count(*) as n from found) counted left join page found on counted.n <= ${fewFound}
          left join objects o on o.id = found.id left join users u on u.id = o.owner_id
        order by ${orderBy(order, value, id)}`,
  );
  const total = rows[0]?.found_count ?? 0;
  if (total > fewFound) return null;
  const found = rows.filter(({ id }) => id !== null);
  return { total, rows: found.map(({ found_count: _count, ...row }) => row) };
}

/** Experiments of the list by stored status, and those whose verdict needs a look. */
export async function countByStatus(
  db: Executor,
  filter: ListFilter,
): Promise<ReadonlyMap<string, number>> {
  const any: ListFilter = { ...filter, status: '', needsLook: false };
  const look = await selectCount(
    db,
    sql`select count(*) ${fromWhere({ ...any, needsLook: true }, false)}`,
  );
  const counts = isTallied(any)
    ? await countStatuses(db, any.ownerId ?? any.viewerId)
    : await select<{ status: string; n: number }>(
        db,
        sql`select ${visible(any, 'status')} as status, count(*) as n ${fromWhere(any, false)} group by 1`,
      );
  return new Map([...counts.map(({ status, n }) => [status, n] as const), ['look', look]]);
}

function countTallied(db: Executor, filter: ListFilter): Promise<number> {
  const { kind, viewerId, ownerId, status } = filter;
  return countObjects(db, {
    kind,
    ownerId: ownerId ?? viewerId,
    statuses: storedStatuses(status),
  });
}

/** Whether triggers maintain the total of this list. */
function isTallied(filter: ListFilter): boolean {
  const { scope = 'own', tags, search, kind, modelIds } = filter;
  if (scope !== 'own' || tags?.length || search?.trim()) return false;
  if (filter.createdFrom || filter.createdTo) return false;
  if (needsExperiment(filter) || needsWorkflow(filter)) return false;
  if (kind === 'project' && filter.memberIds?.length) return false;
  return !(kind === 'model' && modelIds?.length);
}

/** Whether one index contains such a list in its order, so that its plan is the same for every user. */
function isPlain(filter: ListFilter): boolean {
  return isTallied(filter) && !filter.status && !filter.sort;
}

/** Stored statuses that a documented one represents; null: any. */
function storedStatuses(status: string | undefined): readonly string[] | null {
  if (!status) return null;
  const word = status.toUpperCase();
  return word === 'RUN' ? ['RUN', 'SAMPLE_FIN'] : [word];
}

function needsExperiment(filter: ListFilter): boolean {
  return (
    filter.kind === 'experiment' &&
    Boolean(
      filter.modelIds?.length ||
        filter.workflowIds?.length ||
        filter.dataIds?.length ||
        filter.runOn ||
        filter.tags?.length ||
        filter.needsLook ||
        filter.finishedFrom ||
        filter.finishedTo ||
        isGiven(filter.hasModel),
    )
  );
}

function needsWorkflow({ kind, dataIds }: ListFilter): boolean {
  return kind === 'workflow' && Boolean(dataIds?.length);
}

function joins(filter: ListFilter, isOrdered: boolean): SQL {
  const tables = new Set<string>();
  if (needsWorkflow(filter)) tables.add('workflows w');
  if (needsExperiment(filter)) tables.add('experiments e');
  const { table } = listOrder(filter.kind, filter.sort);
  if (isOrdered && table !== null) tables.add(table);
  const parts = [...tables].map((one) => raw(`join ${one} on ${one.split(' ')[1]}.id = o.id`));
  return parts.length === 0 ? sql`` : join(parts, ' ');
}

function conditions(filter: ListFilter, isOrdered: boolean): SQL[] {
  const { kind, tags, search, status } = filter;
  const ofKind = kind === null ? sql`o.kind not in ('share', 'project')` : sql`o.kind = ${kind}`;
  const all = [ofKind, sql`o.deleted_at is null`, whose(filter), ...ownRuns(filter, isOrdered)];
  if (kind === 'experiment') all.push(...experimentConditions(filter));
  if (needsWorkflow(filter)) all.push(...workflowConditions(filter));
  if (kind === 'model' && filter.modelIds?.length) {
    all.push(sql`o.short_id = any(${array(filter.modelIds, 'text')})`);
  }
  if (kind === 'project' && filter.memberIds?.length) {
    all.push(
      sql`o.id in (select project_id from project_members where object_id in ${idsOf(filter.memberIds)})`,
    );
    // the contents of a shared project beyond its snapshot are not shared with it
    if (isShared(filter)) all.push(sql`o.owner_id = ${filter.viewerId}`);
  }
  if (filter.createdFrom) all.push(sql`o.created_at >= ${filter.createdFrom}`);
  if (filter.createdTo) all.push(sql`o.created_at < ${filter.createdTo}`);
  const statuses = storedStatuses(status);
  if (statuses !== null) {
    const stored = statuses.map((one) => sql`${one}`);
    all.push(sql`${visible(filter, 'status')} in (${join(stored, ', ')})`);
  }
  if (tags?.length && kind !== 'experiment') all.push(sql`o.tags && ${array(tags, 'text')}`);
  else if (kind === 'data') all.push(sql`not o.tags @> array['anonymous']`);
  else if (kind === null) all.push(sql`not (o.kind = 'data' and o.tags @> array['anonymous'])`);
  const sought = (search ?? '').split(/\s+/).filter((word) => word !== '');
  const [first] = sought;
  if (first !== undefined) {
    const inName = sought.map((word) => nameHas(filter, word));
    const byId =
      sought.length === 1 && mayBeginId(kind, first)
        ? sql` or o.short_id like ${`${escapeLike(first)}%`}`
        : sql``;
    all.push(sql`((${join(inName, ' and ')})${byId})`);
  }
  return all;
}

/** If no id can begin like this, only names are searched, for which there is one index. */
function mayBeginId(kind: ObjectKind | null, word: string): boolean {
  const letters = kind === null ? Object.values(kindLetters) : [kindLetters[kind]];
  return letters.some((letter) => word.startsWith(letter));
}

/** The owner again, in the table of runs if it is joined: its indexes have each owner's runs in order. */
function ownRuns(filter: ListFilter, isOrdered: boolean): SQL[] {
  const isJoined =
    needsExperiment(filter) ||
    (isOrdered && listOrder(filter.kind, filter.sort).table === 'experiments e');
  if (!isJoined || isShared(filter)) return [];
  const { scope = 'own', ownerId, viewerId } = filter;
  return [sql`e.owner_id = ${scope === 'own' ? (ownerId ?? viewerId) : viewerId}`];
}

/** Ignores case. What a share froze is not stored in lower case. */
function nameHas(filter: ListFilter, word: string): SQL {
  const pattern = `%${escapeLike(word)}%`;
  if (isShared(filter)) return sql`${visible(filter, 'name')} ilike ${pattern}`;
  return sql`o.name_folded like lower(${pattern})`;
}

function experimentConditions(filter: ListFilter): SQL[] {
  const all: SQL[] = [];
  if (filter.modelIds?.length) all.push(sql`e.model_id in ${idsOf(filter.modelIds)}`);
  if (filter.workflowIds?.length) all.push(sql`e.workflow_id in ${idsOf(filter.workflowIds)}`);
  if (filter.dataIds?.length) {
    // As in views: the input that a client named, otherwise the data of the run.
    const named = sql`e.input_id <> '' and e.input_id = any(${array(filter.dataIds, 'text')})`;
    all.push(sql`(${named} or e.input_id = '' and e.data_id in ${idsOf(filter.dataIds)})`);
  }
  if (filter.runOn) all.push(sql`lower(e.run_on) = ${filter.runOn.toLowerCase()}`);
  if (filter.hasModel === true) all.push(sql`e.model_id is not null`);
  if (filter.hasModel === false) all.push(sql`e.model_id is null`);
  // the tags of an experiment are part of its meta
  if (filter.tags?.length) all.push(sql`e.meta->'tags' ?| ${array(filter.tags, 'text')}`);
  if (filter.finishedFrom) all.push(sql`e.finished_at >= ${filter.finishedFrom}`);
  if (filter.finishedTo) all.push(sql`e.finished_at < ${filter.finishedTo}`);
  // as in the index on runs that need a look
  if (filter.needsLook)
    all.push(sql`o.status = 'FIN' and e.meta->'verdict'->>'state' in ('warn', 'bad')`);
  // the parts of a shared experiment are not shared with it
  if (all.length > 0 && isShared(filter))
    all.push(sql`o.owner_id = ${filter.viewerId} and e.owner_id = ${filter.viewerId}`);
  return all;
}

function workflowConditions(filter: ListFilter): SQL[] {
  const all = [sql`w.data_id in ${idsOf(filter.dataIds ?? [])}`];
  // the data of a shared workflow are not shared with it
  if (isShared(filter)) all.push(sql`o.owner_id = ${filter.viewerId}`);
  return all;
}

function idsOf(shortIds: readonly string[]): SQL {
  return sql`(select id from objects where short_id = any(${array(shortIds, 'text')}))`;
}

function isShared({ scope }: ListFilter): boolean {
  return scope === 'shared_with_me' || scope === 'with_share_info';
}

/** A column as the viewer sees it: for others' objects, as the newest share with the viewer froze it. */
function visible(filter: ListFilter, column: 'name' | 'status'): SQL {
  const live = raw(`o.${column}`);
  if (!isShared(filter)) return live;
  const { viewerId } = filter;
  return sql`(case when o.owner_id = ${viewerId} then ${live} else (
    select s.snapshot->'view'->>${column} from shares s join objects so on so.id = s.id
    where s.object_id = o.id and s.target_user_id = ${viewerId} and ${liveShare(sql`s`, sql`so`)}
    order by s.id desc limit 1) end)`;
}

/** A share that is neither revoked nor expired. */
export const liveShare = (share: SQL, shareObject: SQL): SQL =>
  sql`${shareObject}.deleted_at is null and (${share}.expires_at is null or ${share}.expires_at > now())`;

function whose({ kind, viewerId, ownerId, scope = 'own' }: ListFilter): SQL {
  // From shares to objects: the other direction would need a lookup for each of the viewer's objects.
  const withMe = sql`select s.object_id from shares s join objects so on so.id = s.id
    where s.target_user_id = ${viewerId} and so.owner_id <> ${viewerId} and ${liveShare(sql`s`, sql`so`)}`;
  const ofKind = kind === null ? sql`` : sql`and b.kind = ${kind}`;
  const byMe = sql`select b.id from objects b
    where b.owner_id = ${viewerId} and b.shared_until > now() and b.deleted_at is null ${ofKind}`;
  switch (scope) {
    case 'shared_by_me':
      return sql`o.shared_until > now() and o.owner_id = ${viewerId}`;
    case 'shared_with_me':
      return sql`o.id in (${withMe}) and o.owner_id <> ${viewerId}`;
    // as an array: a join might search all of the viewer's objects
    case 'with_share_info':
      return sql`o.id = any(array(${byMe} union ${withMe}))`;
    case 'own':
      return sql`o.owner_id = ${ownerId ?? viewerId}`;
  }
}

function escapeLike(word: string): string {
  return word.replace(/[\\%_]/g, '\\$&');
}
