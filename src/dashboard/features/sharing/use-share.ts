/** Opens a shared snapshot: one query per share, fetched again with another password. */
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { objectKeys } from '../../objects/query-keys.ts';
import { useClient } from '../../objects/use-client.ts';
import {
  forgetPassword,
  type Opening,
  openShare,
  rememberedPassword,
  rememberPassword,
} from './shared-access.ts';

export interface ShareIds {
  readonly objectId: string;
  readonly shareId: string;
}

/**
 * `isSignedIn`: an expired token must not keep a viewer from publicly shared content. The failure ends the session,
 * and the share is opened again without a token.
 */
export function useShare({ objectId, shareId }: ShareIds, isSignedIn: boolean) {
  const client = useClient();
  // By share and in memory only; the query key never contains one.
  const passwords = useRef(new Map<string, string>());
  const query = useQuery({
    queryKey: objectKeys('share').part(shareId, ['opening', objectId, isSignedIn]),
    queryFn: async () => {
      const password = passwords.current.get(shareId) ?? rememberedPassword(shareId);
      const opening = await openShare(client, { objectId, shareId }, password);
      if (opening.state === 'locked') forgetPassword(shareId);
      if (opening.state === 'open') lendPassword(passwords.current, shareId, opening);
      return opening;
    },
    // A snapshot never changes; each password attempt counts.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const tryPassword = async (password: string, remember: boolean) => {
    passwords.current.set(shareId, password);
    const { data } = await query.refetch();
    if (data?.state === 'open' && remember)
      for (const id of [shareId, ...memberShares(data)]) rememberPassword(id, password);
    if (data?.state === 'locked') passwords.current.delete(shareId);
  };
  return { query, tryPassword };
}

type Open = Extract<Opening, { state: 'open' }>;

/** Shares that open the members of a shared project with its password. */
function memberShares({ object }: Open): readonly string[] {
  if (object.object_type !== 'project' || !('members' in object)) return [];
  return (object.members ?? []).flatMap(({ share_id: id }) => id || []);
}

/** Someone who opened a project is not asked again for each of its members. */
function lendPassword(passwords: Map<string, string>, shareId: string, opening: Open): void {
  const { password } = opening;
  if (password === undefined) return;
  passwords.set(shareId, password);
  for (const id of memberShares(opening)) passwords.set(id, password);
}
