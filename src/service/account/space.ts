/** The space a user's objects take, and freeing the space of deleted ones. */
import type { Space } from '../../contract/space.ts';
import type { CoreContext } from '../context.ts';
import type { User } from '../http/call.ts';
import { purgeRemoved } from '../repositories/objects.ts';
import { measureSpace } from '../repositories/space.ts';

export async function viewSpace({ pool }: CoreContext, user: User): Promise<Space> {
  return measureSpace(pool, user.id);
}

/** Permanently removes what the user deleted, rows first: a file that a fault leaves behind is unreferenced. */
export async function freeSpace(context: CoreContext, user: User): Promise<Space> {
  const { experimentIds } = await purgeRemoved(context.pool, { now: true, userId: user.id });
  for (const id of experimentIds) await context.files.removeFolder(`exports/${id}`);
  return viewSpace(context, user);
}
