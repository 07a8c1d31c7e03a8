/** Projects: models, data and runs that belong together, and a notebook of the decisions. */
import { kindOfId } from '../../contract/common.ts';
import type { ListEntry } from '../../contract/objects.ts';
import {
  type MemberKind,
  memberKinds,
  type Project,
  type ProjectMember,
  projectLimits,
} from '../../contract/project.ts';
import { assertNever } from '../../shared/assert-never.ts';
import { invariant } from '../../shared/invariant.ts';
import { ownerName } from '../auth/user-names.ts';
import type { CoreContext, WebContext } from '../context.ts';
import type { Viewer } from '../http/call.ts';
import { checkTags } from '../http/names.ts';
import {
  invalidField,
  invalidParameter,
  limitExceeded,
  notFound,
  orNotFound,
  ServiceError,
} from '../http/service-error.ts';
import { authorize, authorizeLive } from '../policy/authorize.ts';
import { snapshotEntry, snapshotOf } from '../policy/share-snapshot.ts';
import { type Executor, inTransaction } from '../repositories/database.ts';
import type { ObjectRow } from '../repositories/objects.ts';
import {
  changeMembers,
  findProject,
  insertEntry,
  insertProject,
  listEntries,
  listMembers,
  listProjects,
  type MemberRow,
  type ProjectRow,
  updateEntry,
  updateProject,
} from '../repositories/projects.ts';
import { listSharedMembers, type ShareRow } from '../repositories/shares.ts';
import { withoutLabels } from '../results/experiment-view.ts';
import { refuseStale, viewRequest } from './call-checks.ts';
import type { Caller, ChangePayload, CreatePayload, Kind, Target } from './kind.ts';
import { createFreeze, type MemberFreezing } from './project-freeze.ts';

type MemberKinds = { readonly [K in MemberKind]: Pick<Kind, 'list' | 'toWire'> & MemberFreezing };

/** `members`: the kinds that a project can contain. */
export function createProjectKind(members: MemberKinds): Kind<'project', ProjectRow> {
  const entriesOf = (db: Executor, rows: readonly MemberRow[]) => wireMembers(db, rows, members);
  const read = async (db: Executor, shortId: string): Promise<Project> => {
    const row = orNotFound(await findProject(db, shortId));
    const rows = await listMembers(db, row.id);
    return {
      ...toWire(row),
      note: row.note,
      members: await entriesOf(db, rows),
      entries: await listEntries(db, row.id),
    };
  };
  return {
    create: (context, caller, payload) => create(context, { caller, payload, read }),
    change: async (context, target, payload) => {
      await change(context, target, payload);
      return read(context.pool, target.object.short_id);
    },
    list: listProjects,
    toWire,
    view: async (context, call) => {
      const access = await authorize(context, viewRequest(call));
      if (access.mode !== 'live') return viewShared(context, access.share);
      return read(context.pool, access.object.short_id);
    },
    freeze: createFreeze(members, read),
  };
}

/** As shown in lists. */
function toWire(row: ProjectRow): Project {
  return {
    object_type: 'project',
    id: row.row_number,
    short_id: row.short_id,
    name: row.name,
    note: '',
    tags: [...row.tags],
    version: row.version,
    created_at: row.created_at,
    updated_at: row.updated_at,
    owner: ownerName(row),
    counts: Object.fromEntries(memberKinds.map((kind) => [kind, row.counts[kind] ?? 0])),
  };
}

async function wireMembers(
  db: Executor,
  rows: readonly MemberRow[],
  kinds: MemberKinds,
): Promise<ProjectMember[]> {
  const entries = new Map<number, ListEntry>();
  for (const name of memberKinds) {
    const kind = kinds[name];
    const ofKind = rows.filter((row) => row.kind === name);
    for (const row of await kind.list(db, ofKind))
      entries.set(row.id, withoutLabels(kind.toWire(row)));
  }
  return rows.flatMap((row): ProjectMember[] => {
    const object = entries.get(row.id);
    if (object === undefined) return [];
    return [{ added_at: row.added_at, object: object as ProjectMember['object'] }];
  });
}

interface Creation {
  readonly caller: Caller;
  readonly payload: CreatePayload<'project'>;
  readonly read: (db: Executor, shortId: string) => Promise<Project>;
}

async function create(
  context: CoreContext,
  { caller: { user, viewer }, payload, read }: Creation,
): Promise<Project> {
  checkTags('payload.tags', payload.tags);
  const { name, note } = payload;
  const add = await findMembers(context, viewer, {
    field: 'members',
    ids: payload.members ?? [],
    ownerId: user.id,
  });
  const shortId = await inTransaction(context.pool, async (tx) => {
    const made = await insertProject(tx, {
      ownerId: user.id,
      name,
      note,
      tags: payload.tags ?? [],
    });
    await storeMembers(tx, made.id, { add, remove: [] });
    return made.short_id;
  });
  return read(context.pool, shortId);
}

async function change(
  context: CoreContext,
  { object, viewer }: Target,
  payload: ChangePayload<'project'>,
): Promise<void> {
  switch (payload.object_type) {
    case 'project':
      return changeFields(context, { object, viewer }, payload);
    case 'project.entry':
      return changeEntry(context.pool, object, payload);
    default:
      return assertNever(payload);
  }
}

type FieldsPayload = Extract<ChangePayload<'project'>, { object_type: 'project' }>;
type EntryPayload = Extract<ChangePayload<'project'>, { object_type: 'project.entry' }>;

/** All changes or none. */
async function changeFields(
  context: CoreContext,
  { object, viewer }: Pick<Target, 'object' | 'viewer'>,
  payload: FieldsPayload,
): Promise<void> {
  checkTags('payload.tags', payload.tags);
  const { name, note, tags, base_version: baseVersion } = payload;
  const idsOf = (field: 'add' | 'remove') =>
    findMembers(context, viewer, { field, ids: payload[field] ?? [], ownerId: object.owner_id });
  const add = await idsOf('add');
  const remove = await idsOf('remove');
  await inTransaction(context.pool, async (tx) => {
    refuseStale(await updateProject(tx, object.id, { name, note, tags, baseVersion }));
    await storeMembers(tx, object.id, { add, remove });
  });
}

async function changeEntry(
  db: Executor,
  { id }: ObjectRow,
  { entry_id: entryId, text, deleted: isDeleted, base_version: baseVersion }: EntryPayload,
): Promise<void> {
  if (entryId !== undefined && entryId !== null) {
    const outcome = await updateEntry(db, id, { entryId, text, isDeleted, baseVersion });
    if (outcome === null) throw notFound('The notebook has no such entry.');
    return refuseStale(outcome);
  }
  if (!text) throw invalidField('payload.text', 'is missing.');
  const most = projectLimits.entries;
  if (!(await insertEntry(db, id, { text, most }))) throw tooMany('entries', most);
}

interface NamedMembers {
  /** Of the payload. */
  readonly field: string;
  readonly ids: readonly string[];
  readonly ownerId: number;
}

/** Numbers of objects that the caller may see; a share of a project opens them, so all must have its owner. */
async function findMembers(
  context: CoreContext,
  viewer: Viewer,
  { field: key, ids, ownerId }: NamedMembers,
): Promise<number[]> {
  const field = `payload.${key}`;
  const found: number[] = [];
  for (const objid of new Set(ids)) {
    if (!(memberKinds as readonly (string | null)[]).includes(kindOfId(objid)))
      throw invalidField(field, 'must be ids of models, data objects and experiments.');
    const object = await authorizeLive(context, { objid, operation: 'view', viewer });
    if (object.owner_id !== ownerId)
      throw invalidParameter(`${field}: ${objid} does not have the same owner as the project.`, {
        field,
      });
    found.push(object.id);
  }
  return found;
}

async function storeMembers(
  tx: Executor,
  id: number,
  change: { readonly add: readonly number[]; readonly remove: readonly number[] },
): Promise<void> {
  const most = projectLimits.members;
  if (!(await changeMembers(tx, id, { ...change, most }))) throw tooMany('members', most);
}

function tooMany(what: 'members' | 'entries', allowed: number): ServiceError {
  const limit = `project_${what}`;
  return limitExceeded(`A project has at most ${allowed} ${what}.`, { limit, allowed });
}

/** As it was shared, with the share ids that open its members. */
async function viewShared({ pool }: WebContext, share: ShareRow): Promise<Project> {
  const { view } = snapshotOf(share);
  invariant(view.object_type === 'project', 'a share of a project froze a project');
  const members = (await listSharedMembers(pool, share.id)).map(
    (member): ProjectMember => ({
      added_at: member.added_at,
      share_id: member.short_id,
      object: withoutLabels(snapshotEntry(member)) as ProjectMember['object'],
    }),
  );
  return { ...view, members };
}
