/** Lists: a page of one kind or of all; own objects live, others' as their shares froze them. */
import { type ObjectKind, objectKinds } from '../../contract/common.ts';
import {
  kindSortKeys,
  type ListEntry,
  type StatusCounts,
  sortKeys,
  verdictFilters,
} from '../../contract/objects.ts';
import { findUserToSignIn } from '../auth/user-names.ts';
import type { CoreContext } from '../context.ts';
import type { User } from '../http/call.ts';
import { readDateTime } from '../http/date-times.ts';
import { invalidField, permissionDenied } from '../http/service-error.ts';
import { snapshotEntry } from '../policy/share-snapshot.ts';
import {
  countByStatus,
  type ListScope,
  listObjects as listRows,
} from '../repositories/object-lists.ts';
import type { ObjectRow } from '../repositories/objects.ts';
import { listLiveSharesOf, type ShareRow } from '../repositories/shares.ts';
import { withoutLabels } from '../results/experiment-view.ts';
import type { ListQuery } from './kind.ts';
import { kindNamed } from './kinds.ts';
import { ownerNamed } from './move-object.ts';
import { shareInfo } from './share.ts';

export interface ObjectPage {
  readonly total: number;
  readonly page: number;
  readonly count_per_page: number;
  readonly objects: ListEntry[];
  readonly status_counts?: StatusCounts;
}

export async function listObjects(
  context: CoreContext,
  user: User,
  query: ListQuery,
): Promise<ObjectPage> {
  checkChoices(query);
  const scope = scopeOf(query);
  const page = { number: query.page_no, size: query.page_size };
  const kind = kindOf(query);
  const builtins = kind === null ? null : kindNamed(kind).builtinEntries?.(query);
  for (const listed of kind === null ? objectKinds : [kind])
    await kindNamed(listed).beforeList?.(context.pool, user.id);
  const filter = {
    ...filterOf(query),
    kind,
    viewerId: user.id,
    scope,
    ownerId: await findOwner(context, user, query.owner),
  };
  const { total, rows } = await listRows(context.pool, filter, page);
  const counts =
    query.with_counts && kind === 'experiment'
      ? { status_counts: statusCounts(await countByStatus(context.pool, filter)) }
      : {};
  const answer = { total, page: page.number, count_per_page: page.size, ...counts };
  if (scope !== 'own') {
    const shared = await sharedEntries(context, { user, rows });
    return { ...answer, objects: shared.map(withoutLabels) };
  }
  const objects = (await entriesOf(context, rows)).map(withoutLabels);
  return withBuiltins({ ...answer, objects }, builtins ?? []);
}

function filterOf(query: ListQuery) {
  const time = (field: 'created_from' | 'created_to' | 'finished_from' | 'finished_to') =>
    query[field] === '' ? undefined : readDateTime(field, query[field]);
  return {
    modelIds: query.model_ids,
    workflowIds: workflowsOf(query),
    dataIds: query.data_id,
    memberIds: query.member_id,
    status: query.status,
    runOn: query.run_on,
    hasModel: query.has_model === '' ? null : query.has_model.toLowerCase() === 'true',
    tags: query.tags,
    search: query.q,
    createdFrom: time('created_from'),
    createdTo: time('created_to'),
    finishedFrom: time('finished_from'),
    finishedTo: time('finished_to'),
    needsLook: query.verdict === 'look',
    sort: query.sort,
  };
}

function statusCounts(stored: ReadonlyMap<string, number>): StatusCounts {
  const of = (word: string) => stored.get(word) ?? 0;
  return {
    NEW: of('NEW'),
    RUN: of('RUN') + of('SAMPLE_FIN'),
    FIN: of('FIN'),
    ERR: of('ERR'),
    look: of('look'),
  };
}

/** Null: every kind but shares and projects. */
function kindOf(query: ListQuery): ObjectKind | null {
  if (query.object_type !== '') return query.object_type;
  const { run_on: runOn, has_model: hasModel, model_ids: models, data_id: data } = query;
  const { verdict, finished_from: from, finished_to: to } = query;
  if (verdict || from || to) return 'experiment';
  const isOfRuns = runOn || hasModel || workflowsOf(query).length || models?.length || data?.length;
  return isOfRuns ? 'experiment' : null;
}

function workflowsOf({ workflow_id: one = [], workflow_ids: others = [] }: ListQuery): string[] {
  return [...one, ...others];
}

/** They come after the objects of the database, whose pages do not change. */
function withBuiltins(answer: ObjectPage, builtins: readonly ListEntry[]): ObjectPage {
  const { total, page, count_per_page: size, objects } = answer;
  const first = Math.max(0, (page - 1) * size - total);
  const entries = builtins.slice(first, first + size - objects.length);
  return { ...answer, total: total + builtins.length, objects: [...objects, ...entries] };
}

const statuses = ['', 'NEW', 'RUN', 'FIN', 'ERR'];

function checkChoices(query: ListQuery): void {
  const refuse = (field: string, allowed: readonly string[]) => {
    throw invalidField(field, `must be one of ${allowed.filter(Boolean).join(', ')}.`);
  };
  if (!statuses.includes(query.status.toUpperCase())) refuse('status', statuses);
  if (!['', 'true', 'false'].includes(query.has_model.toLowerCase()))
    refuse('has_model', ['true', 'false']);
  if (!(verdictFilters as readonly string[]).includes(query.verdict))
    refuse('verdict', verdictFilters);
  const allowed = sortsOf(kindOf(query));
  if (!allowed.includes(query.sort)) refuse('sort', allowed);
}

function sortsOf(kind: ObjectKind | null): readonly string[] {
  const own: Readonly<Partial<Record<ObjectKind, readonly string[]>>> = kindSortKeys;
  const others = Object.values(kindSortKeys).flat() as readonly string[];
  const ofKind = (kind === null ? undefined : own[kind]) ?? [];
  return sortKeys.filter((sort) => {
    const key = sort.replace(/^-/, '');
    return ofKind.includes(key) || !others.includes(key);
  });
}

function scopeOf(query: ListQuery): ListScope {
  const { shared_by_me: byMe, shared_with_me: withMe } = query;
  if (query.with_share_info || (byMe && withMe)) return 'with_share_info';
  return byMe ? 'shared_by_me' : withMe ? 'shared_with_me' : 'own';
}

/** Users may list their teams' objects, super users all. An unknown name and another user's get the same answer. */
async function findOwner(context: CoreContext, user: User, name: string): Promise<number | null> {
  if (name === '') return null;
  const owner = await findUserToSignIn(context.pool, name);
  if (owner?.id === user.id) return null;
  if (owner === null) return ownerNamed(context, user, name);
  if (!user.isSuper) throw permissionDenied('You may list your own objects only.');
  return owner.id;
}

/** The user's own with all their live shares; others' as frozen in the newest share with this user. */
async function sharedEntries(
  context: CoreContext,
  { user, rows }: { readonly user: User; readonly rows: readonly ObjectRow[] },
): Promise<ListEntry[]> {
  const shares = await listLiveSharesOf(
    context.pool,
    rows.map((row) => row.id),
  );
  const own = rows.filter((row) => row.owner_id === user.id);
  const ownEntries = await entriesOf(context, own);
  const entryOfOwn = new Map(own.map((row, index) => [row.id, ownEntries[index]]));
  return rows.flatMap((row) => {
    const ofRow = shares.filter((share) => share.object_id === row.id);
    const entry = entryOfOwn.get(row.id);
    if (entry !== undefined) return [withInfo(entry, ofRow, true)];
    const forUser = ofRow.filter((share) => share.target_user_id === user.id);
    const [first] = forUser;
    return first === undefined ? [] : [withInfo(snapshotEntry(first), forUser, false)];
  });
}

function withInfo(entry: ListEntry, shares: readonly ShareRow[], isOwner: boolean): ListEntry {
  return { ...entry, share_info: shares.map((share) => shareInfo(share, isOwner)) } as ListEntry;
}

/** In the order of the rows. */
async function entriesOf({ pool }: CoreContext, rows: readonly ObjectRow[]): Promise<ListEntry[]> {
  const entries = new Map<number, ListEntry>();
  for (const name of new Set(rows.map((row) => row.kind))) {
    const kind = kindNamed(name);
    const ofKind = rows.filter((row) => row.kind === name);
    for (const row of await kind.list(pool, ofKind)) entries.set(row.id, kind.toWire(row));
  }
  return rows.flatMap((row) => entries.get(row.id) ?? []);
}
