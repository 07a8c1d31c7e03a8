/** Lists: a page of one kind, own objects live, others' as their share froze them. */
import type * as z from 'zod/mini';
import type { ListEntry, listQuerySchema } from '../../contract/objects.ts';
import { sortKeys } from '../../contract/objects.ts';
import { assertNever } from '../../shared/assert-never.ts';
import { findUserToSignIn } from '../auth/user-names.ts';
import type { CoreContext } from '../context.ts';
import { callbackToWire, eventToWire, relationToWire } from '../events/views.ts';
import type { User } from '../http/call.ts';
import { invalidParameter, permissionDenied } from '../http/service-error.ts';
import { builtinToWire, listBuiltins } from '../policy/builtin-functions.ts';
import { snapshotEntry } from '../policy/share-snapshot.ts';
import { listData } from '../repositories/data.ts';
import { ensureBuiltinEvents } from '../repositories/event-calls.ts';
import { listExperiments } from '../repositories/experiments.ts';
import { listModels } from '../repositories/models.ts';
import { type ListScope, listObjects as listRows } from '../repositories/object-lists.ts';
import type { ObjectRow } from '../repositories/objects.ts';
import { listCallbacks, listRelations } from '../repositories/relations.ts';
import { listLiveSharesOf, listShares, type ShareRow } from '../repositories/shares.ts';
import { listWorkflows } from '../repositories/workflows.ts';
import { experimentToWire } from '../results/experiment-view.ts';
import { dataToWire, modelToWire, shareInfo, shareToWire, workflowToWire } from './views.ts';

export type ListQuery = z.output<typeof listQuerySchema>;

export interface ObjectPage {
  readonly total: number;
  readonly page: number;
  readonly count_per_page: number;
  readonly objects: ListEntry[];
}

export async function listObjects(
  context: CoreContext,
  user: User,
  query: ListQuery,
): Promise<ObjectPage> {
  checkWords(query);
  const scope = scopeOf(query);
  const page = { number: query.page_no, size: query.page_size };
  if (query.object_type === 'event') await ensureBuiltinEvents(context.pool, user.id);
  const { total, rows } = await listRows(
    context.pool,
    {
      kind: query.object_type,
      viewerId: user.id,
      scope,
      ownerId: await findOwner(context, user, query.owner),
      modelIds: query.model_ids,
      workflowIds: query.workflow_id,
      dataIds: query.data_id,
      status: query.status,
      runOn: query.run_on,
      hasModel: query.has_model === '' ? null : query.has_model.toLowerCase() === 'true',
      tags: query.tags,
      search: query.q,
      sort: query.sort,
    },
    page,
  );
  const objects =
    scope === 'own' ? await entriesOf(context, rows) : await sharedEntries(context, user, rows);
  if (scope === 'own' && listsBuiltins(query)) return withBuiltins(query, total, objects);
  return { total, page: page.number, count_per_page: page.size, objects };
}

/** Built-in functions are nobody's, so they are listed only where they are asked for. */
const listsBuiltins = ({ object_type: kind, tags, owner }: ListQuery) =>
  kind === 'model' && owner === '' && tags?.includes('builtin') === true;

/** They come after the objects of the database, whose pages stay as they are. */
function withBuiltins(query: ListQuery, count: number, objects: ListEntry[]): ObjectPage {
  const { page_no: page, page_size: size, q, model_ids: ids } = query;
  const all = listBuiltins(q).filter(({ id }) => !ids?.length || ids.includes(id));
  const first = Math.max(0, (page - 1) * size - count);
  const entries = all.slice(first, first + size - objects.length).map((builtin) => {
    const { content: _, ...entry } = builtinToWire(builtin);
    return entry;
  });
  return {
    total: count + all.length,
    page,
    count_per_page: size,
    objects: [...objects, ...entries],
  };
}

const statuses = ['', 'NEW', 'RUN', 'FIN', 'ERR'];

function checkWords(query: ListQuery): void {
  const refuse = (field: string, allowed: readonly string[]) => {
    throw invalidParameter(`${field} must be one of ${allowed.filter(Boolean).join(', ')}.`, {
      field,
    });
  };
  if (!statuses.includes(query.status.toUpperCase())) refuse('status', statuses);
  if (!['', 'true', 'false'].includes(query.has_model.toLowerCase()))
    refuse('has_model', ['true', 'false']);
  if (!(sortKeys as readonly string[]).includes(query.sort)) refuse('sort', sortKeys);
}

function scopeOf(query: ListQuery): ListScope {
  const { shared_by_me: byMe, shared_with_me: withMe } = query;
  if (query.with_share_info || (byMe && withMe)) return 'with_share_info';
  return byMe ? 'shared_by_me' : withMe ? 'shared_with_me' : 'own';
}

/** Only a super user lists what others own. There is no directory: an unknown name is answered like a foreign one. */
async function findOwner(context: CoreContext, user: User, name: string): Promise<number | null> {
  if (name === '') return null;
  const owner = await findUserToSignIn(context.pool, name);
  if (owner?.id === user.id) return null;
  if (!user.isSuper) throw permissionDenied('You may list your own objects only.');
  if (owner === null)
    throw invalidParameter('owner is no user of this service.', { field: 'owner' });
  return owner.id;
}

/** Own ones with all their live shares; others' as frozen in the newest share with this user. */
async function sharedEntries(
  context: CoreContext,
  user: User,
  rows: readonly ObjectRow[],
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
    return forUser.length === 0 ? [] : [withInfo(snapshotEntry(forUser[0]), forUser, false)];
  });
}

function withInfo(entry: ListEntry, shares: readonly ShareRow[], isOwner: boolean): ListEntry {
  return { ...entry, share_info: shares.map((share) => shareInfo(share, isOwner)) } as ListEntry;
}

/** Rows of one kind as list entries, in their order. */
export async function entriesOf(
  { pool }: CoreContext,
  rows: readonly ObjectRow[],
): Promise<ListEntry[]> {
  if (rows.length === 0) return [];
  const { kind } = rows[0];
  switch (kind) {
    case 'model':
      return (await listModels(pool, rows)).map((row) => modelToWire(row));
    case 'experiment':
      return (await listExperiments(pool, rows)).map(experimentToWire);
    case 'data':
      return (await listData(pool, rows)).map((row) => dataToWire(row));
    case 'workflow':
      return (await listWorkflows(pool, rows)).map(workflowToWire);
    case 'share':
      return (await listShares(pool, rows)).map((row) => shareToWire(row));
    case 'event':
      return rows.map((row) => eventToWire(row));
    case 'callback':
      return (await listCallbacks(pool, rows)).map((row) => callbackToWire(row));
    case 'relation':
      return (await listRelations(pool, rows)).map(relationToWire);
    default:
      return assertNever(kind);
  }
}
