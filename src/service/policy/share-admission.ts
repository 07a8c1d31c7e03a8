/** Whether a share admits a caller: anyone with the link, a holder of its password, or the user it names. */
import { isPasswordRight } from '../auth/passwords.ts';
import type { CoreContext } from '../context.ts';
import type { Viewer } from '../http/call.ts';
import { countFailedAttempt, type ShareRow } from '../repositories/shares.ts';

export type Admission = 'share_viewer' | 'sharee';

/** Null = not admitted. Throws RATE_LIMITED if a password is needed and there were too many wrong ones. */
export async function admit(
  context: CoreContext,
  share: ShareRow,
  viewer: Viewer,
): Promise<Admission | null> {
  const isNamed = share.target_user_id !== null;
  if (isNamed && viewer.user?.id !== share.target_user_id) return null;
  if (share.password_hash !== null && !(await hasPassword(context, share, viewer))) return null;
  return isNamed ? 'sharee' : 'share_viewer';
}

async function hasPassword(
  { limits, remembered, pool }: CoreContext,
  share: ShareRow,
  { sharePassword: password, address }: Viewer,
): Promise<boolean> {
  if (password === null) return false;
  const { password_version: version } = share;
  // the row's id, which all members of a shared project have in common: one password, one count of attempts
  const id = String(share.id);
  if (remembered.has(id, version, password)) return true;
  const isRight = await limits.attempt(`share:${id}`, address, (lane) =>
    isPasswordRight(share.password_hash, password, lane),
  );
  if (isRight) remembered.add(id, version, password);
  else await countFailedAttempt(pool, share.id);
  return isRight;
}
