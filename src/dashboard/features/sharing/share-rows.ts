/** Shares several objects in one step: a share for each, with the same reader and end date. */
import type { QueryClient } from '@tanstack/react-query';
import { ApiError } from '../../../client/api-error.ts';
import type { Client } from '../../../client/create-client.ts';
import { expectKind } from '../../../client/expect-kind.ts';
import type { CreateShare, Share } from '../../../contract/share.ts';
import { objectKeys } from '../../objects/query-keys.ts';
import { runAction } from '../../objects/use-action.ts';
import type { SharedObject } from './shared-object.ts';

export interface SharedRows {
  readonly made: readonly { readonly object: SharedObject; readonly share: Share }[];
  readonly failed: readonly { readonly object: SharedObject; readonly reason: string }[];
}

export interface Sharing {
  readonly client: Client;
  readonly queryClient: QueryClient;
}

const changes = [objectKeys('share').all];

/** One after another, in order: each password is hashed on the server. Never rejects if a single one fails. */
export async function shareRows(
  { client, queryClient }: Sharing,
  objects: readonly SharedObject[],
  options: Omit<CreateShare, 'object_type' | 'objid'>,
): Promise<SharedRows> {
  const made: { object: SharedObject; share: Share }[] = [];
  const failed: { object: SharedObject; reason: string }[] = [];
  const work = async () => {
    for (const object of objects) {
      const payload = { object_type: 'share' as const, objid: object.id, ...options };
      try {
        const share = expectKind(await client.createObject({ body: { payload } }), 'share');
        made.push({ object, share });
      } catch (error) {
        failed.push({ object, reason: ApiError.from(error).message });
      }
    }
  };
  await runAction(queryClient, work, changes);
  return { made, failed };
}

/** Revokes them all. */
export async function revokeShares(
  { client, queryClient }: Sharing,
  shares: readonly Share[],
): Promise<void> {
  const ids = shares.map((share) => share.short_id).join(',');
  await runAction(queryClient, () => client.deleteObject({ params: { objid: ids } }), changes);
}
