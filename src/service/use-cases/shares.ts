/** Making, changing and looking at shares. */
import type * as z from 'zod/mini';
import { kindOfId } from '../../contract/common.ts';
import { permissions } from '../../contract/permissions.ts';
import type { createShareSchema, Share, updateShareSchema } from '../../contract/share.ts';
import { hashPassword } from '../auth/passwords.ts';
import { findUserByDisplayName } from '../auth/user-names.ts';
import type { CoreContext } from '../context.ts';
import type { User, Viewer } from '../http/call.ts';
import { readFutureDateTime } from '../http/date-times.ts';
import { invalidParameter, notFound, notSupported } from '../http/service-error.ts';
import { authorizeLive } from '../policy/authorize.ts';
import { type Executor, inTransaction } from '../repositories/database.ts';
import { insertNotification } from '../repositories/notifications.ts';
import type { ObjectRow } from '../repositories/objects.ts';
import {
  findLiveShare,
  findShare,
  insertShare,
  type ShareChange,
  type ShareRow,
  updateShare,
} from '../repositories/shares.ts';
import { takeSnapshot } from './snapshots.ts';
import { shareToWire } from './views.ts';

type CreateShare = z.output<typeof createShareSchema>;
type UpdateShare = z.output<typeof updateShareSchema>;

/** The answer is the only place where the password is in words. */
export async function createShare(
  context: CoreContext,
  caller: { user: User; viewer: Viewer },
  payload: CreateShare,
): Promise<Share> {
  const { objid, password } = payload;
  const kind = kindOfId(objid);
  if (kind !== null && permissions[kind].share === undefined)
    throw notSupported('Models, experiments and workflows can be shared, other kinds not.');
  const object = await authorizeLive(context, { objid, operation: 'share', viewer: caller.viewer });
  const targetUserId = await findTarget(context, object, payload.target_user);
  const expiresAt = readEnd(context, payload.expires_at);
  const include = [...new Set(payload.include ?? [])];
  const passwordHash = password === '' ? null : await hashPassword(password);
  const share = await inTransaction(context.pool, async (tx) => {
    const snapshot = await takeSnapshot(tx, object, include);
    const ownerId = object.owner_id;
    const made = await insertShare(tx, {
      ownerId,
      objectId: object.id,
      passwordHash,
      targetUserId,
      include,
      expiresAt,
      snapshot,
    });
    if (targetUserId !== null) await tellTarget(tx, made, targetUserId);
    return made;
  });
  return shareToWire(share, password);
}

async function tellTarget(tx: Executor, share: ShareRow, userId: number): Promise<void> {
  const { object_kind: kind, object_name: name, object_short_id: object } = share;
  const title = `${share.owner} shared ${kind === 'experiment' ? 'an' : 'a'} ${kind} with you`;
  await insertNotification(tx, {
    userId,
    event: 'shared_with_you',
    title,
    message: name || object,
    object,
    verb: 'shared',
    share: share.short_id,
  });
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

export async function changeShare(
  context: CoreContext,
  object: ObjectRow,
  payload: UpdateShare,
): Promise<Share> {
  const { password, expires_at: end } = payload;
  const change: ShareChange = {
    ...(password === undefined
      ? {}
      : { passwordHash: password === '' ? null : await hashPassword(password) }),
    ...(end === undefined ? {} : { expiresAt: readEnd(context, end) }),
  };
  await updateShare(context.pool, object.id, change);
  const share = await findShare(context.pool, object.short_id);
  if (share === null) throw notFound();
  return shareToWire(share, password);
}

/** For anyone who has the id: is a password needed? */
export async function viewShare(
  { pool }: CoreContext,
  objid: string,
): Promise<{ object_type: 'share'; require_password: boolean }> {
  const share = await findLiveShare(pool, objid);
  if (share === null) throw notFound('This share has ended, or there never was one.');
  return { object_type: 'share', require_password: share.password_hash !== null };
}
