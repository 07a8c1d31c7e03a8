/** `/base`: signing in, by password or provider, the user, tokens. */

import * as account from '../account/account.ts';
import * as singleSignOn from '../account/single-sign-on.ts';
import * as teams from '../account/teams.ts';
import type { WebContext } from '../context.ts';
import type { Handlers } from '../http/call.ts';
import { networkOf } from '../http/caller-network.ts';

export function accountHandlers(context: WebContext) {
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
    beginSignIn: ({ baseUrl, viewer }) =>
      singleSignOn.beginSignIn(context, {
        baseUrl,
        network: networkOf(viewer.address),
        userId: null,
      }),
    finishSignIn: ({ body }) =>
      singleSignOn.finishSignIn(context, { browserKey: body.browser_key, query: body.query }),
    beginLink: ({ baseUrl, viewer, user }) =>
      singleSignOn.beginSignIn(context, {
        baseUrl,
        network: networkOf(viewer.address),
        userId: user.id,
      }),
    listTeams: ({ user }) => teams.viewTeams(context, user),
    createTeam: ({ user, body }) => teams.createTeam(context, user, body),
    updateTeam: ({ user, params, body }) =>
      teams.changeTeam(context, user, { id: params.team_id, members: body.members }),
    signOutEverywhere: async ({ user, baseUrl }) => ({
      url: await singleSignOn.signOutEverywhere(context, user, baseUrl),
    }),
  } satisfies Partial<Handlers>;
}
