/** Deleting softly and bringing back. */

import type { CoreContext } from '../context.ts';
import type { User, Viewer } from '../http/call.ts';
import { invalidParameter, notFound } from '../http/service-error.ts';
import { authorizeLive } from '../policy/authorize.ts';
import { type ObjectRow, removeObjects, undoRemoval } from '../repositories/objects.ts';
import { stopBeforeDelete } from './run-control.ts';

const maxIds = 1000;

export interface Deletion {
  /** Ids; each may be a comma list. */
  readonly ids: readonly string[];
  /** Not empty: bring back what was deleted under it. */
  readonly deletedKey: string;
}

/** All of them or none. Gives the key that brings them back; null after bringing back. */
export async function deleteOrUndo(
  context: CoreContext,
  caller: { user: User; viewer: Viewer },
  { ids, deletedKey }: Deletion,
): Promise<string | null> {
  if (deletedKey !== '') {
    if (await undoRemoval(context.pool, caller.user.id, deletedKey)) return null;
    throw notFound('Nothing of yours was deleted under this key, or that was too long ago.');
  }
  const wanted = [...new Set(ids.flatMap((id) => id.split(',')).map((id) => id.trim()))].filter(
    Boolean,
  );
  if (wanted.length === 0) throw invalidParameter('objids is missing.', { field: 'objids' });
  if (wanted.length > maxIds)
    throw invalidParameter(`objids has more than ${maxIds} ids.`, { field: 'objids' });
  const objects: ObjectRow[] = [];
  for (const objid of wanted)
    objects.push(
      await authorizeLive(context, { objid, operation: 'delete', viewer: caller.viewer }),
    );
  for (const object of objects) await stopBeforeDelete(context, object);
  return removeObjects(
    context.pool,
    caller.user.id,
    objects.map((object) => object.id),
  );
}
