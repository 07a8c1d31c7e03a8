/** The user's API tokens: the list, and revoking and renaming one. */
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Client } from '../../../client/create-client.ts';
import type { Token } from '../../../contract/account.ts';
import { accountKeys } from '../../objects/query-keys.ts';
import { runAction, useAction } from '../../objects/use-action.ts';
import { useClient } from '../../objects/use-client.ts';
import { showToast } from '../../ui/toasts.tsx';

export function tokensQueryOptions(client: Client) {
  return queryOptions({
    queryKey: accountKeys.tokens,
    queryFn: ({ signal }) => client.listTokens({ signal }),
  });
}

export function useTokens() {
  const client = useClient();
  const queryClient = useQueryClient();
  const tokens = useQuery(tokensQueryOptions(client)).data ?? [];
  const changes = [accountKeys.tokens];
  const revoke = useAction(
    (sender, token: Token) => sender.deleteTokens({ query: { tokens: [String(token.id)] } }),
    {
      failed: 'Not revoked',
      changes,
      onDone: ({ deleted_key }, token) => {
        const undo = () => client.deleteTokens({ query: { deleted_key: deleted_key ?? '' } });
        showToast({
          message: `${token.token_name || 'Token'} revoked.`,
          undo: () => runAction(queryClient, undo, changes),
        });
      },
    },
  );
  const rename = useAction(
    (sender, { id, name: next }: { id: number; name: string }) =>
      sender.updateToken({ params: { token_id: String(id) }, body: { name: next } }),
    { failed: 'Not renamed', changes },
  );
  return { tokens, revoke: revoke.run, rename: rename.run };
}
