/** Checks of calls that several kinds need: the right to view, the objects named, the version changed. */
import { kindOfId, type ObjectKind } from '../../contract/common.ts';
import type { CoreContext } from '../context.ts';
import type { Viewer } from '../http/call.ts';
import { conflict, invalidField } from '../http/service-error.ts';
import { type AccessRequest, authorizeLive } from '../policy/authorize.ts';
import type { ChangeOutcome, ObjectRow } from '../repositories/objects.ts';
import type { ViewCall } from './kind.ts';

/** The policy request of a view: an older version needs a different right from the newest. */
export function viewRequest({ objid, query, viewer }: ViewCall): AccessRequest {
  const operation = query.version > 0 ? 'view_version' : 'view';
  return { objid, operation, viewer, shareId: query.share_id };
}

export interface Attachment {
  /** Of the payload. */
  readonly field: string;
  readonly kind: ObjectKind;
  readonly objid: string;
}

/** An object that the payload names, if the viewer may see it; null for an empty id. */
export async function findAttachment(
  context: CoreContext,
  viewer: Viewer,
  { field, kind, objid }: Attachment,
): Promise<ObjectRow | null> {
  if (objid === '') return null;
  if (kindOfId(objid) !== kind)
    throw invalidField(
      `payload.${field}`,
      `must be the id of a ${kind === 'data' ? 'data object' : kind}.`,
    );
  return authorizeLive(context, { objid, operation: 'view', viewer });
}

/** Throws CONFLICT with the newest version when the change was made from an older one. */
export function refuseStale(outcome: ChangeOutcome): void {
  if (outcome.kind === 'done') return;
  const { version } = outcome;
  throw conflict(`It has changed since: version ${version} is the newest.`, { version });
}
