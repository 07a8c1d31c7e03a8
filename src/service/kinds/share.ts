/** Shares: what a kind froze of an object, for anyone, for holders of a password, or for one user. */
import { kindOfId, type ObjectKind } from '../../contract/common.ts';
import { permissions } from '../../contract/permissions.ts';
import type { Share, ShareInfo } from '../../contract/share.ts';
import { invariant } from '../../shared/invariant.ts';
import { hashPassword, laneOfUser } from '../auth/passwords.ts';
import { displayName, findUserByDisplayName, ownerName } from '../auth/user-names.ts';
import type { CoreContext, WebContext } from '../context.ts';
import { publish } from '../facts/publish.ts';
import { readFutureDateTime } from '../http/date-times.ts';
import { invalidParameter, notFound, notSupported, orNotFound } from '../http/service-error.ts';
import { authorizeLive } from '../policy/authorize.ts';
import type { Snapshot } from '../policy/share-snapshot.ts';
import { inTransaction } from '../repositories/database.ts';
import type { ObjectRow } from '../repositories/objects.ts';
import {
  findLiveShare,
  findShare,
  insertShare,
  listShares,
  type ShareChange,
  type ShareRow,
  updateShare,
} from '../repositories/shares.ts';
import type { Caller, ChangePayload, CreatePayload, Kind, Target, ViewCall } from './kind.ts';

type Freezing = Pick<Kind, 'freeze'>;

/** `shareable`: the kinds that can be shared. */
export function createShareKind(
  shareable: Partial<Record<ObjectKind, Freezing>>,
): Kind<'share', ShareRow> {
  return {
    create: (context, caller, payload) => create(context, caller, { payload, shareable }),
    change,
    list: listShares,
    toWire,
    view,
  };
}

/** Shown instead of a password once its share is made. */
const maskedPassword = '***';

/** `password`: only in the response that makes the share. */
function toWire(row: ShareRow, password?: string): Share {
  return {
    object_type: 'share',
    id: row.row_number,
    user_id: row.owner_id,
    short_id: row.short_id,
    experiment_id: row.object_short_id,
    experiment_name: row.object_name,
    password: password ?? (row.password_hash === null ? '' : maskedPassword),
    created_at: row.created_at,
    from_user: ownerName(row),
    to_user: targetName(row),
    expires_at: row.expires_at,
    include: [...row.include],
    failed_attempts: row.failed_attempts,
    ...(row.object_deleted ? { object_deleted: true } : {}),
  };
}

/** As listed in the shared object. Only its owner sees how many wrong passwords there were. */
export function shareInfo(row: ShareRow, isOwner: boolean): ShareInfo {
  return {
    id: row.row_number,
    password: row.password_hash === null ? '' : maskedPassword,
    user_id: String(row.owner_id),
    short_id: row.short_id,
    to_user_id: row.target_user_id === null ? null : String(row.target_user_id),
    from_user: ownerName(row),
    to_user: targetName(row),
    created_at: row.created_at,
    expires_at: row.expires_at,
    include: [...row.include],
    ...(isOwner ? { failed_attempts: row.failed_attempts } : {}),
  };
}

function targetName(row: ShareRow): string | null {
  if (row.target_user_id === null || row.target_user === null) return null;
  return displayName({ name: row.target_user, id: row.target_user_id });
}

interface ShareRequest {
  readonly payload: CreatePayload<'share'>;
  readonly shareable: Partial<Record<ObjectKind, Freezing>>;
}

/** Only this response contains the password in plain text. */
async function create(
  context: CoreContext,
  { viewer }: Caller,
  { payload, shareable }: ShareRequest,
): Promise<Share> {
  const { objid, password } = payload;
  const kind = kindOfId(objid);
  if (kind !== null && permissions[kind].share === undefined)
    throw notSupported('Only models, experiments, workflows and projects can be shared.');
  const object = await authorizeLive(context, { objid, operation: 'share', viewer });
  const targetUserId = await findTarget(context, object, payload.target_user);
  const expiresAt = readEnd(context, payload.expires_at);
  const include = [...new Set(payload.include ?? [])];
  const passwordHash =
    password === '' ? null : await hashPassword(password, laneOfUser(viewer.user));
  const share = await inTransaction(context.pool, async (tx) => {
    const frozen = await shareable[object.kind]?.freeze?.(tx, object, include);
    invariant(frozen !== undefined, 'what the matrix lets be shared can be frozen');
    const { members, ...snapshot } = frozen;
    const made = await insertShare(tx, {
      ownerId: object.owner_id,
      objectId: object.id,
      passwordHash,
      targetUserId,
      include,
      expiresAt,
      snapshot: { ...withShown(snapshot, payload.shown_variables ?? []) },
      members,
    });
    if (targetUserId !== null)
      await publish(tx, { kind: 'shared_with_user', share: made, userId: targetUserId });
    return made;
  });
  return toWire(share, password);
}

/** With the variables that are shown when it opens. */
function withShown(snapshot: Snapshot, variables: readonly string[]): Snapshot {
  const { view } = snapshot;
  if (view.object_type !== 'experiment' || variables.length === 0) return snapshot;
  return {
    ...snapshot,
    view: { ...view, meta: { ...view.meta, shown_variables: [...variables] } },
  };
}

async function findTarget(
  context: CoreContext,
  object: ObjectRow,
  name: string,
): Promise<number | null> {
  if (name === '') return null;
  const target = await findUserByDisplayName(context.pool, name.replaceAll('\0', ''));
  const field = 'payload.target_user';
  if (target === null)
    throw invalidParameter(
      "target_user must be a user name as that person's account shows it, such as ada(@7).",
      { field },
    );
  if (target.id === object.owner_id)
    throw invalidParameter('target_user is the owner of the object.', { field });
  return target.id;
}

function readEnd({ now }: CoreContext, text: string | null | undefined): string | null {
  return text ? readFutureDateTime('payload.expires_at', text, now()) : null;
}

async function change(
  context: CoreContext,
  { object, viewer }: Target,
  payload: ChangePayload<'share'>,
): Promise<Share> {
  const { password, expires_at: end } = payload;
  const changed: ShareChange = {
    ...(password === undefined
      ? {}
      : {
          passwordHash:
            password === '' ? null : await hashPassword(password, laneOfUser(viewer.user)),
        }),
    ...(end === undefined ? {} : { expiresAt: readEnd(context, end) }),
  };
  await updateShare(context.pool, object.id, changed);
  const share = orNotFound(await findShare(context.pool, object.short_id));
  return toWire(share, password);
}

/** For anyone who has the id: whether a password is needed. */
async function view(
  { pool }: WebContext,
  { objid }: ViewCall,
): Promise<{ object_type: 'share'; require_password: boolean }> {
  const share = await findLiveShare(pool, objid);
  if (share === null) throw notFound('This share has ended or does not exist.');
  return { object_type: 'share', require_password: share.password_hash !== null };
}
