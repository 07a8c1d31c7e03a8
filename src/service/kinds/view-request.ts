/** What a view asks of the policy. */
import type { AccessRequest } from '../policy/authorize.ts';
import type { ViewCall } from './kind.ts';

/** An older version is another right than the newest one. */
export function viewRequest({ objid, query, viewer }: ViewCall): AccessRequest {
  const operation = query.version > 0 ? 'view_version' : 'view';
  return { objid, operation, viewer, shareId: query.share_id };
}
