/** The room a user's objects take, and giving back what was deleted. */
import type { Space } from '../../contract/space.ts';
import type { CoreContext } from '../context.ts';
import type { User } from '../http/call.ts';
import { purgeRemoved } from '../repositories/objects.ts';
import { measureSpace } from '../repositories/space.ts';

export async function viewSpace({ pool }: CoreContext, user: User): Promise<Space> {
  return measureSpace(pool, user.id);
}

/** Removes for good what the user deleted, rows first: a file that is left by a fault is nobody's and harms nobody. */
export async function freeSpace(context: CoreContext, user: User): Promise<Space> {
  const { experimentIds } = await purgeRemoved(context.pool, { now: true, userId: user.id });
  for (const id of experimentIds) await context.files.removeFolder(`exports/${id}`);
  return viewSpace(context, user);
}
