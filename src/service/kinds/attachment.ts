/** Objects that a payload names by their ids. */
import { kindOfId, type ObjectKind } from '../../contract/common.ts';
import type { CoreContext } from '../context.ts';
import type { Viewer } from '../http/call.ts';
import { invalidParameter } from '../http/service-error.ts';
import { authorizeLive } from '../policy/authorize.ts';
import type { ObjectRow } from '../repositories/objects.ts';

export interface Attachment {
  /** Of the payload. */
  readonly field: string;
  readonly kind: ObjectKind;
  readonly objid: string;
}

/** An object that the viewer may see; null for an empty id. */
export async function findAttachment(
  context: CoreContext,
  viewer: Viewer,
  { field, kind, objid }: Attachment,
): Promise<ObjectRow | null> {
  if (objid === '') return null;
  if (kindOfId(objid) !== kind)
    throw invalidParameter(
      `payload.${field} must be the id of a ${kind === 'data' ? 'data object' : kind}.`,
      { field: `payload.${field}` },
    );
  return authorizeLive(context, { objid, operation: 'view', viewer });
}
