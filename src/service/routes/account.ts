/** `/base`: signing in, the user, tokens. */

import * as account from '../account/account.ts';
import type { WebContext } from '../context.ts';
import type { Handlers } from '../http/call.ts';

type AccountHandlers = Pick<
  Handlers,
  | 'login'
  | 'openLink'
  | 'logout'
  | 'viewUser'
  | 'updateUser'
  | 'listTokens'
  | 'createToken'
  | 'updateToken'
  | 'deleteTokens'
>;

export function accountHandlers(context: WebContext): AccountHandlers {
  return {
    login: async ({ body, viewer }) => ({
      tokens: [await account.signIn(context, { ...body, address: viewer.address })],
    }),
    openLink: ({ user }) => account.openLink(context, user),
    logout: async ({ user }) => {
      await account.signOut(context, user);
      return null;
    },
    viewUser: ({ user }) => account.viewUser(context, user),
    updateUser: ({ user, body, viewer }) =>
      account.changePassword(context, user, {
        password: body.password ?? '',
        newPassword: body.new_password ?? '',
        address: viewer.address,
      }),
    listTokens: ({ user }) => account.listApiTokens(context, user),
    createToken: ({ user, body }) => account.createApiToken(context, user, body),
    updateToken: ({ user, params, body }) =>
      account.changeApiToken(context, user, params.token_id, body),
    deleteTokens: async ({ user, query }) => {
      const { tokens: ids = [], deleted_key: deletedKey } = query;
      return { deleted_key: await account.removeApiTokens(context, user, { ids, deletedKey }) };
    },
  };
}
