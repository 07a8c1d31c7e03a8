/** Pages of objects of one kind or of all, with every filter of the documented list and ours. */
import type { ObjectKind } from '../../contract/common.ts';
import {
  array,
  type Executor,
  isGiven,
  join,
  raw,
  type SQL,
  select,
  selectOne,
  sql,
} from './database.ts';
import { countObjects } from './object-tallies.ts';
import { type ObjectRow, objectColumns } from './objects.ts';

/** Whose objects: the viewer's own, the viewer's that are shared, others' shared with the viewer, or both of these. */
export type ListScope = 'own' | 'shared_by_me' | 'shared_with_me' | 'with_share_info';

export interface ListFilter {
  /** Null: every kind but shares. */
  readonly kind: ObjectKind | null;
  readonly viewerId: number;
  readonly scope?: ListScope;
  /** Someone else's objects, by id; only a super user may ask, which the caller checks. */
  readonly ownerId?: number | null;
  readonly modelIds?: readonly string[];
  readonly workflowIds?: readonly string[];
  /** Workflows that read one of these, experiments that did. */
  readonly dataIds?: readonly string[];
  readonly status?: string;
  readonly runOn?: string;
  readonly hasModel?: boolean | null;
  /** Objects that have one of these. */
  readonly tags?: readonly string[];
  /** Words that all occur in the name, or the beginning of an id. */
  readonly search?: string;
  /** `created`, `updated`, `name` or `status`; `-` in front: descending. */
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
  const from = sql`from objects o ${joins(filter)} where ${join(conditions(filter), ' and ')}`;
  const rows = await select<ObjectRow>(
    db,
    sql`select ${objectColumns} from (
          select o.* ${from} order by ${order(filter.sort)}
          limit ${page.size} offset ${(page.number - 1) * page.size}
        ) o join users u on u.id = o.owner_id order by ${order(filter.sort)}`,
  );
  // A page that is not full gives the total by itself.
  if (rows.length > 0 && rows.length < page.size) {
    return { total: (page.number - 1) * page.size + rows.length, rows };
  }
  const statuses = storedStatuses(filter.status);
  if (isTallied(filter)) {
    const { kind, viewerId, ownerId } = filter;
    return {
      total: await countObjects(db, { kind, ownerId: ownerId ?? viewerId, statuses }),
      rows,
    };
  }
  const count = await selectOne<{ total: number }>(db, sql`select count(*) as total ${from}`);
  return { total: count?.total ?? 0, rows };
}

/** Whether the total of this list is kept by triggers. */
function isTallied(filter: ListFilter): boolean {
  const { scope = 'own', tags, search, kind, modelIds } = filter;
  if (scope !== 'own' || tags?.length || search?.trim()) return false;
  if (needsExperiment(filter) || needsWorkflow(filter)) return false;
  return !(kind === 'model' && modelIds?.length);
}

/** Stored statuses that a documented one stands for; null: any. */
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
        isGiven(filter.hasModel),
    )
  );
}

function needsWorkflow({ kind, dataIds }: ListFilter): boolean {
  return kind === 'workflow' && Boolean(dataIds?.length);
}

function joins(filter: ListFilter): SQL {
  if (needsWorkflow(filter)) return sql`join workflows w on w.id = o.id`;
  return needsExperiment(filter) ? sql`join experiments e on e.id = o.id` : sql``;
}

function conditions(filter: ListFilter): SQL[] {
  const { kind, tags, search, status } = filter;
  const ofKind = kind === null ? sql`o.kind <> 'share'` : sql`o.kind = ${kind}`;
  const all = [ofKind, sql`o.deleted_at is null`, whose(filter)];
  if (kind === 'experiment') all.push(...experimentConditions(filter));
  if (needsWorkflow(filter)) all.push(...workflowConditions(filter));
  if (kind === 'model' && filter.modelIds?.length) {
    all.push(sql`o.short_id = any(${array(filter.modelIds, 'text')})`);
  }
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
    const name = visible(filter, 'name');
    const inName = sought.map((word) => sql`${name} ilike ${`%${escapeLike(word)}%`}`);
    const byId = sought.length === 1 ? sql` or o.short_id like ${`${escapeLike(first)}%`}` : sql``;
    all.push(sql`((${join(inName, ' and ')})${byId})`);
  }
  return all;
}

function experimentConditions(filter: ListFilter): SQL[] {
  const all: SQL[] = [];
  if (filter.modelIds?.length) all.push(sql`e.model_id in ${idsOf(filter.modelIds)}`);
  if (filter.workflowIds?.length) all.push(sql`e.workflow_id in ${idsOf(filter.workflowIds)}`);
  if (filter.dataIds?.length) {
    // As in views: what a client named as the input, otherwise the data of the run.
    const named = sql`e.input_id <> '' and e.input_id = any(${array(filter.dataIds, 'text')})`;
    all.push(sql`(${named} or e.input_id = '' and e.data_id in ${idsOf(filter.dataIds)})`);
  }
  if (filter.runOn) all.push(sql`lower(e.run_on) = ${filter.runOn.toLowerCase()}`);
  if (filter.hasModel === true) all.push(sql`e.model_id is not null`);
  if (filter.hasModel === false) all.push(sql`e.model_id is null`);
  // the tags of an experiment are part of its meta
  if (filter.tags?.length) all.push(sql`e.meta->'tags' ?| ${array(filter.tags, 'text')}`);
  // what a shared experiment was made of is not shared with it
  if (all.length > 0 && isShared(filter)) all.push(sql`o.owner_id = ${filter.viewerId}`);
  return all;
}

function workflowConditions(filter: ListFilter): SQL[] {
  const all = [sql`w.data_id in ${idsOf(filter.dataIds ?? [])}`];
  // what a shared workflow reads is not shared with it
  if (isShared(filter)) all.push(sql`o.owner_id = ${filter.viewerId}`);
  return all;
}

function idsOf(shortIds: readonly string[]): SQL {
  return sql`(select id from objects where short_id = any(${array(shortIds, 'text')}))`;
}

function isShared({ scope }: ListFilter): boolean {
  return scope === 'shared_with_me' || scope === 'with_share_info';
}

/** A column as the viewer sees it: of others' objects what the newest share with the viewer froze. */
function visible(filter: ListFilter, column: 'name' | 'status'): SQL {
  const live = raw(`o.${column}`);
  if (!isShared(filter)) return live;
  const { viewerId } = filter;
  return sql`(case when o.owner_id = ${viewerId} then ${live} else (
    select s.snapshot->'view'->>${column} from shares s join objects so on so.id = s.id
    where s.object_id = o.id and s.target_user_id = ${viewerId} and ${liveShare(sql`s`, sql`so`)}
    order by s.id desc limit 1) end)`;
}

/** A share that is neither revoked nor over. */
export const liveShare = (share: SQL, shareObject: SQL): SQL =>
  sql`${shareObject}.deleted_at is null and (${share}.expires_at is null or ${share}.expires_at > now())`;

function whose({ viewerId, ownerId, scope = 'own', tags }: ListFilter): SQL {
  const live = liveShare(sql`s`, sql`so`);
  const byMe = sql`(o.owner_id = ${viewerId} and exists (
    select 1 from shares s join objects so on so.id = s.id where s.object_id = o.id and ${live}))`;
  const withMe = sql`(o.owner_id <> ${viewerId} and o.id in (
    select s.object_id from shares s join objects so on so.id = s.id where s.target_user_id = ${viewerId} and ${live}))`;
  switch (scope) {
    case 'shared_by_me':
      return byMe;
    case 'shared_with_me':
      return withMe;
    case 'with_share_info':
      return sql`(${byMe} or ${withMe})`;
    case 'own':
      break;
  }
  const owner = sql`o.owner_id = ${ownerId ?? viewerId}`;
  // Functions that came with the service are everybody's.
  return tags?.includes('builtin') ? sql`(${owner} or o.tags @> array['builtin'])` : owner;
}

function order(sort = '-created'): SQL {
  const isDescending = sort.startsWith('-');
  const direction = isDescending ? sql`desc` : sql`asc`;
  switch (sort.replace(/^-/, '')) {
    case 'updated':
      return sql`o.updated_at ${direction}, o.id ${direction}`;
    case 'name':
      return sql`lower(o.name) ${direction}, o.id desc`;
    case 'status':
      return sql`o.status ${direction}, o.id desc`;
    default:
      return sql`o.id ${direction}`;
  }
}

function escapeLike(word: string): string {
  return word.replace(/[\\%_]/g, '\\$&');
}
