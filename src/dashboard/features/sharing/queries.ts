/** Shares of one object: listing, creating, changing. */
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Client } from '../../../client/create-client.ts';
import { expectKind } from '../../../client/expect-kind.ts';
import type { CreateShare, Share } from '../../../contract/share.ts';
import { objectKeys } from '../../objects/query-keys.ts';
import { useClient } from '../../objects/use-client.ts';

/** The maximum page size. */
const sharesAtOnce = 1000;

/** Live shares of one object, newest first. */
export function objectSharesQueryOptions(client: Client, objid: string) {
  return queryOptions({
    queryKey: objectKeys('share').list('of', objid),
    queryFn: async ({ signal }) => {
      const shares = await listEvery(client, signal);
      return shares.filter((share) => share.experiment_id === objid);
    },
  });
}

/** All shares of the caller, newest first: the API has no filter by shared object. */
async function listEvery(client: Client, signal: AbortSignal): Promise<Share[]> {
  const shares: Share[] = [];
  for (let page_no = 1; ; page_no++) {
    const { objects, total } = await client.listObjects({
      query: { object_type: 'share', page_no, page_size: sharesAtOnce },
      signal,
    });
    shares.push(...objects.filter((object): object is Share => object.object_type === 'share'));
    if (objects.length === 0 || page_no * sharesAtOnce >= total) return shares;
  }
}

export function useCreateShare() {
  const client = useClient();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (payload: Omit<CreateShare, 'object_type'>) =>
      expectKind(
        await client.createObject({ body: { payload: { object_type: 'share', ...payload } } }),
        'share',
      ),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: objectKeys('share').all }),
  });
}

export interface ShareChange {
  /** Absent: unchanged; empty: none. */
  readonly password?: string;
  /** Absent: unchanged; null: never. */
  readonly expires_at?: string | null;
}

export interface ShareChangeOrder {
  readonly share: Share;
  readonly wanted: ShareChange;
  /** False: a new share is created, then the old one revoked. */
  readonly inPlace: boolean;
}

/** Returns the valid share. The old link is revoked last: a failure in between leaves both, never none. */
export function useChangeShare() {
  const client = useClient();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ share, wanted, inPlace }: ShareChangeOrder): Promise<Share> => {
      const objid = share.short_id;
      if (inPlace) {
        const payload = { object_type: 'share' as const, ...wanted };
        await client.updateObject({ params: { objid }, body: { payload } });
        return share;
      }
      const payload = {
        object_type: 'share' as const,
        objid: share.experiment_id,
        password: wanted.password ?? '',
        target_user: share.to_user ?? '',
      };
      const made = expectKind(await client.createObject({ body: { payload } }), 'share');
      await client.deleteObject({ params: { objid } });
      return made;
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: objectKeys('share').all }),
  });
}

/** Address of a shared snapshot in this dashboard. */
export function shareLink(origin: string, objid: string, shareId: string): string {
  return `${origin}/s/${objid}/${shareId}`;
}
