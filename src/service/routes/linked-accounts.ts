/** Accounts of identity providers and code hosts, and the room a user takes. */
import type { Handlers } from '../http/call.ts';
import { notSupported } from '../http/service-error.ts';
import type { ServiceContext } from '../service-deps.ts';

type LinkedHandlers = Pick<
  Handlers,
  | 'viewAuth0Config'
  | 'auth0Login'
  | 'exchangeCode'
  | 'viewAccessToken'
  | 'listLinkedAccounts'
  | 'deleteLinkedAccounts'
  | 'viewSpace'
  | 'freeSpace'
>;

export function linkedAccountHandlers(_context: ServiceContext): LinkedHandlers {
  const refuse = async () => {
    throw notSupported('This is not here yet.');
  };
  return {
    viewAuth0Config: async () => ({ Domain: '', ClientID: '' }),
    auth0Login: refuse,
    exchangeCode: refuse,
    viewAccessToken: async () => ({ access_token: null }),
    listLinkedAccounts: async () => ({ linked_accounts: [] }),
    deleteLinkedAccounts: refuse,
    viewSpace: refuse,
    freeSpace: refuse,
  };
}
