/** Accounts of identity providers and code hosts, the space that a user takes, and the user's saved views. */

import {
  linkByCode,
  listLinkedAccounts,
  removeLinkedAccounts,
  signInElsewhere,
} from '../account/linked-accounts.ts';
import { saveViews, viewSavedViews } from '../account/saved-views.ts';
import { freeSpace, viewSpace } from '../account/space.ts';
import type { WebContext } from '../context.ts';
import type { Handlers } from '../http/call.ts';

export function linkedAccountHandlers(context: WebContext) {
  return {
    viewAuth0Config: async () => ({ Domain: '', ClientID: '' }),
    auth0Login: async () => signInElsewhere(),
    exchangeCode: async ({ body }) => linkByCode(body.code),
    viewAccessToken: async () => ({ access_token: null }),
    listLinkedAccounts: ({ user }) => listLinkedAccounts(context, user),
    deleteLinkedAccounts: async ({ user, query }) => {
      const { accounts = [], deleted_key: deletedKey } = query;
      return { deleted_key: await removeLinkedAccounts(context, user, { accounts, deletedKey }) };
    },
    viewSpace: ({ user }) => viewSpace(context, user),
    freeSpace: ({ user }) => freeSpace(context, user),
    viewSavedViews: ({ user, params }) => viewSavedViews(context, user, params.list),
    updateSavedViews: ({ user, params, body }) =>
      saveViews(context, user, { list: params.list, views: body.views }),
  } satisfies Partial<Handlers>;
}
