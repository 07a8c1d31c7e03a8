/** The versions of a model or data object. */
import { kindOfId } from '../../contract/common.ts';
import type { CoreContext } from '../context.ts';
import type { Viewer } from '../http/call.ts';
import { notSupported } from '../http/service-error.ts';
import { authorizeLive } from '../policy/authorize.ts';
import { listDataVersions } from '../repositories/data.ts';
import { listModelVersions } from '../repositories/models.ts';

/** Newest first. */
export async function listVersions(
  context: CoreContext,
  objid: string,
  viewer: Viewer,
): Promise<{ versions: { version: number; created_at: string }[] }> {
  const kind = kindOfId(objid);
  if (kind !== null && kind !== 'model' && kind !== 'data')
    throw notSupported('Models and data have versions, other kinds not.');
  const object = await authorizeLive(context, { objid, operation: 'versions', viewer });
  const list = object.kind === 'model' ? listModelVersions : listDataVersions;
  return { versions: await list(context.pool, object.id) };
}
