/** Finds an object for a caller and decides how they may see it, by the contract's permission table. */
import { kindOfId, type ObjectKind } from '../../contract/common.ts';
import {
  accessOf,
  builtinFunction,
  isOpenToShares,
  type Operation,
} from '../../contract/permissions.ts';
import type { CoreContext } from '../context.ts';
import type { User, Viewer } from '../http/call.ts';
import { notFound, orNotFound, permissionDenied, ServiceError } from '../http/service-error.ts';
import { findObject, type ObjectRow, undoRemoval } from '../repositories/objects.ts';
import { findLiveShare, listSharesThatOpen, type ShareRow } from '../repositories/shares.ts';
import { type BuiltinFunction, findBuiltin } from './builtin-functions.ts';
import { admit } from './share-admission.ts';

export interface LiveAccess {
  readonly mode: 'live';
  readonly object: ObjectRow;
}

/** The object as the share froze it. */
export interface SnapshotAccess {
  readonly mode: 'snapshot';
  readonly share: ShareRow;
}

/** The frozen program of a shared experiment, requested by the id of its model. */
export interface ProgramAccess {
  readonly mode: 'program';
  readonly share: ShareRow;
}

export interface AccessRequest {
  readonly objid: string;
  readonly operation: Operation;
  readonly viewer: Viewer;
  /** Empty: the live object, or for callers with access through shares the newest share that admits them. */
  readonly shareId?: string;
}

const refusal = () =>
  permissionDenied(
    'You may not see this: sign in as its owner, or use a share, with its password if it has one.',
  );

export async function authorize(
  context: CoreContext,
  request: AccessRequest,
): Promise<LiveAccess | SnapshotAccess | ProgramAccess> {
  const kind = orNotFound(kindOfId(request.objid));
  if (findBuiltin(request.objid) !== null)
    throw permissionDenied('This is a built-in function: it can only be viewed and called.');
  if (request.shareId) return openShare(context, request, { kind, shareId: request.shareId });
  const object = orNotFound(await findObject(context.pool, request.objid));
  if (isLiveFor(request, object)) return { mode: 'live', object };
  if (!isOpenToShares(kind, request.operation)) throw refusal();
  const share = await findAdmittingShare(context, request, object);
  if (share === null) throw refusal();
  return { mode: 'snapshot', share };
}

/** The built-in function with this id, if the caller may do this; null if there is none. */
export function authorizeBuiltin({
  objid,
  operation,
  viewer: { user },
}: AccessRequest): BuiltinFunction | null {
  const builtin = findBuiltin(objid);
  if (builtin === null) return null;
  const actor = user?.isSuper ? 'super' : 'other';
  if (user === null || builtinFunction[operation]?.[actor] !== 'live') throw refusal();
  return builtin;
}

/** Like `authorize`, for operations that only the live object has. */
export async function authorizeLive(
  context: CoreContext,
  request: AccessRequest,
): Promise<ObjectRow> {
  const access = await authorize(context, request);
  if (access.mode !== 'live') throw refusal();
  return access.object;
}

/** An owner is a person or a team; each member counts as its owner. */
export function isOwner(user: User, { owner_id: ownerId }: { readonly owner_id: number }): boolean {
  return user.id === ownerId || user.teams.includes(ownerId);
}

/** For operations that concern no object. */
export function requireAdministrator(user: User): void {
  if (!user.isSuper) throw permissionDenied('Only an administrator of this server may do this.');
}

/** Restores what this user removed under the key. Returns the key for the next undo, of which there is none. */
export async function undoDeletion({ pool }: CoreContext, user: User, key: string): Promise<null> {
  if (await undoRemoval(pool, user.id, key)) return null;
  throw notFound('This deleted_key is not one of yours, or it has expired.');
}

function isLiveFor({ viewer: { user }, operation }: AccessRequest, object: ObjectRow): boolean {
  if (user === null) return false;
  const actor = isOwner(user, object) ? 'owner' : user.isSuper ? 'super' : 'other';
  return accessOf(object.kind, operation, actor) === 'live';
}

async function openShare(
  context: CoreContext,
  { objid, operation, viewer }: AccessRequest,
  { kind, shareId }: { readonly kind: ObjectKind; readonly shareId: string },
): Promise<SnapshotAccess | ProgramAccess> {
  const share = await findLiveShare(context.pool, shareId);
  if (share === null) throw permissionDenied('This share has ended or does not exist.');
  const mode = modeOf(share, { objid, operation });
  if (mode === null) throw permissionDenied('This share belongs to another object.');
  const isOwn = viewer.user !== null && (isOwner(viewer.user, share) || viewer.user.isSuper);
  const admission = isOwn ? 'owner' : await admit(context, share, viewer);
  if (!(admission && accessOf(kind, operation, admission))) throw refusal();
  return { mode, share };
}

function modeOf(
  share: ShareRow,
  { objid, operation }: { objid: string; operation: Operation },
): 'snapshot' | 'program' | null {
  if (share.object_short_id === objid) return 'snapshot';
  const isProgram = share.include.includes('program') && share.snapshot.model_id === objid;
  return isProgram && operation === 'view' ? 'program' : null;
}

/** A password is tried on at most this many shares of one object. */
const maxTried = 5;

/** The newest live share that admits the caller. */
async function findAdmittingShare(
  context: CoreContext,
  { operation, viewer }: AccessRequest,
  object: ObjectRow,
): Promise<ShareRow | null> {
  let limited: ServiceError | null = null;
  let tried = 0;
  for (const share of await listSharesThatOpen(context.pool, object.id)) {
    if (share.password_hash !== null && ++tried > maxTried) continue;
    try {
      const admission = await admit(context, share, viewer);
      if (admission && accessOf(object.kind, operation, admission)) return share;
    } catch (error) {
      // another share may still admit
      if (!(error instanceof ServiceError) || error.code !== 'RATE_LIMITED') throw error;
      limited = error;
    }
  }
  if (limited !== null) throw limited;
  return null;
}
