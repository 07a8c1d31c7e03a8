/** Opens a shared snapshot: one query for a share, fetched again with another password. */
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { objectKeys } from '../../objects/query-keys.ts';
import { useClient } from '../../objects/use-client.ts';
import {
  forgetPassword,
  openShare,
  rememberedPassword,
  rememberPassword,
} from './shared-access.ts';

export interface ShareIds {
  readonly objectId: string;
  readonly shareId: string;
}

/**
 * `isSignedIn`: a token that has ended must not keep a viewer from what is open to everybody. The failure ends the
 * session, and the share is opened again without a token.
 */
export function useShare({ objectId, shareId }: ShareIds, isSignedIn: boolean) {
  const client = useClient();
  // By share and in memory only; the key of the query never has one.
  const passwords = useRef(new Map<string, string>());
  const query = useQuery({
    queryKey: objectKeys('share').part(shareId, ['opening', objectId, isSignedIn]),
    queryFn: async () => {
      const password = passwords.current.get(shareId) ?? rememberedPassword(shareId);
      const opening = await openShare(client, { objectId, shareId }, password);
      if (opening.state === 'locked') forgetPassword(shareId);
      return opening;
    },
    // A snapshot never changes; each try of a password counts.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const tryPassword = async (password: string, remember: boolean) => {
    passwords.current.set(shareId, password);
    const { data } = await query.refetch();
    if (data?.state === 'open' && remember) rememberPassword(shareId, password);
    if (data?.state === 'locked') passwords.current.delete(shareId);
  };
  return { query, tryPassword };
}
