/** Cases for server information, signing in, accounts and tokens: rows of the table in `cases.ts`. */
import { expect } from 'vitest';
import { capabilities } from '../../src/contract/system.ts';
import { insertToken } from '../../src/service/repositories/tokens.ts';
import type { Case } from './cases.ts';

const inTheYear2000 = '2000-01-01T00:00:00Z';

type Rows =
  | 'viewConfig'
  | 'viewGallery'
  | 'login'
  | 'openLink'
  | 'logout'
  | 'viewUser'
  | 'updateUser'
  | 'listTokens'
  | 'createToken'
  | 'updateToken'
  | 'deleteTokens';

export const accountCases: Readonly<Record<Rows, Case>> = {
  viewConfig: {
    async success({ service }) {
      const config = await service.anonymous.viewConfig();
      expect(config.capabilities).toEqual(capabilities);
      expect(config).toMatchObject({
        runtimes: { stan: true },
        limits: { body_bytes: 67_108_864 },
      });
    },
    errors: {},
  },
  viewGallery: {
    async success({ service }) {
      const { models, MCMC } = await service.anonymous.viewGallery();
      expect(models.Stan[0]).toMatchObject({ url: ['ergodic-gallery:eight-schools'] });
      expect(MCMC.Stan[0].url[3]).toBe('ergodic-gallery:eight-schools/chain_4.csv');
    },
    errors: {},
  },
  login: {
    async success({ service, password, ada }) {
      for (const username of ['ada', ada.username]) {
        const { tokens } = await service.anonymous.login({ body: { username, password } });
        expect(tokens).toEqual([expect.stringMatching(/^erg_[\w-]{43}$/)]);
        expect(await service.clientOf(tokens[0]).viewUser()).toMatchObject({
          username: ada.username,
        });
      }
    },
    errors: {
      INVALID_PARAMETER: ({ service }) =>
        service.anonymous.login({
          body: { username: 'ada' } as { username: string; password: string },
        }),
      PERMISSION_DENIED: ({ service }) =>
        service.anonymous.login({ body: { username: 'ada', password: 'wrong' } }),
      async RATE_LIMITED({ service }) {
        const wrong = () =>
          service.anonymous.login({ body: { username: 'nobody', password: 'wrong' } });
        for (let i = 0; i < 5; i++) await wrong().catch(() => {});
        return wrong();
      },
    },
  },
  openLink: {
    async success({ service, ada }) {
      const printed = await insertToken(service.database.pool, {
        userId: ada.row.id,
        kind: 'start',
      });
      const link = service.clientOf(printed.text);
      expect(await link.viewUser()).toMatchObject({ username: ada.username });
      const answers = await Promise.allSettled([link.openLink(), link.openLink()]);
      const [opened] = answers.filter((answer) => answer.status === 'fulfilled');
      const [refused] = answers.filter((answer) => answer.status === 'rejected');
      expect(refused.reason).toMatchObject({ status: 401, code: 'UNAUTHORIZED' });
      const [own] = opened.value.tokens;
      expect(own).not.toBe(printed.text);
      expect(await service.clientOf(own).viewUser()).toMatchObject({ username: ada.username });
      await expect(link.viewUser()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
      await expect(link.openLink()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
      // a token that is already the caller's own stays
      expect(await service.clientOf(own).openLink()).toEqual({ tokens: [] });
      expect(await ada.client.openLink()).toEqual({ tokens: [] });
      expect(await ada.client.viewUser()).toMatchObject({ username: ada.username });
    },
    errors: { UNAUTHORIZED: ({ service }) => service.anonymous.openLink() },
  },
  logout: {
    async success({ service, password }) {
      const { tokens } = await service.anonymous.login({ body: { username: 'ada', password } });
      const client = service.clientOf(tokens[0]);
      expect(await client.logout()).toBeNull();
      await expect(client.viewUser()).rejects.toMatchObject({ status: 401, code: 'UNAUTHORIZED' });
    },
    errors: { UNAUTHORIZED: ({ service }) => service.anonymous.logout() },
  },
  viewUser: {
    async success({ ada }) {
      expect(await ada.client.viewUser()).toEqual({
        id: ada.row.id,
        username: `ada(@${ada.row.id})`,
        super: false,
        roles: [],
        is_github_user: false,
        has_password: true,
      });
    },
    errors: { UNAUTHORIZED: ({ service }) => service.clientOf('erg_unknown').viewUser() },
  },
  updateUser: {
    async success({ service }) {
      const { client } = service.owner;
      expect(
        await client.updateUser({ body: { password: '', new_password: 'first one' } }),
      ).toMatchObject({ has_password: true });
      expect(
        await client.updateUser({ body: { password: 'first one', new_password: 'second one' } }),
      ).toMatchObject({ id: 1 });
      await service.anonymous.login({ body: { username: 'owner', password: 'second one' } });
    },
    errors: {
      UNAUTHORIZED: ({ service }) =>
        service.anonymous.updateUser({ body: { password: 'a', new_password: 'long enough' } }),
      INVALID_PARAMETER: ({ ada, password }) =>
        ada.client.updateUser({ body: { password, new_password: 'short' } }),
      PERMISSION_DENIED: ({ ada }) =>
        ada.client.updateUser({ body: { password: 'wrong', new_password: 'long enough' } }),
      async RATE_LIMITED({ bob }) {
        const wrong = () =>
          bob.client.updateUser({ body: { password: 'wrong', new_password: 'long enough' } });
        for (let i = 0; i < 5; i++) await wrong().catch(() => {});
        return wrong();
      },
    },
  },
  listTokens: {
    async success({ ada }) {
      const made = await ada.client.createToken({ body: { name: 'script' } });
      const [listed] = await ada.client.listTokens();
      expect(listed).toMatchObject({
        id: made.id,
        token_name: 'script',
        token: `${made.token.slice(0, 10)}…`,
      });
    },
    errors: { UNAUTHORIZED: ({ service }) => service.anonymous.listTokens() },
  },
  createToken: {
    async success({ ada, service }) {
      const made = await ada.client.createToken({
        body: { name: 'n', desc: 'd', expire: '2999-01-01' },
      });
      expect(made).toMatchObject({
        token_name: 'n',
        token_desc: 'd',
        token_expire: '2999-01-01T00:00:00.000Z',
      });
      expect(await service.clientOf(made.token).viewUser()).toMatchObject({
        username: ada.username,
      });
      // the body is optional
      expect(
        (await service.inject({ method: 'POST', url: '/base/user/tokens' }, ada.token)).statusCode,
      ).toBe(200);
    },
    errors: {
      UNAUTHORIZED: ({ service }) => service.anonymous.createToken({ body: {} }),
      INVALID_PARAMETER: ({ ada }) => ada.client.createToken({ body: { expire: 'tomorrow' } }),
    },
  },
  updateToken: {
    async success({ ada, service }) {
      const { id, token } = await ada.client.createToken({ body: {} });
      const params = { token_id: String(id) };
      expect(await ada.client.updateToken({ params, body: { name: 'renamed' } })).toMatchObject({
        id,
        token_name: 'renamed',
      });
      await ada.client.updateToken({ params, body: { expire: inTheYear2000 } });
      await expect(service.clientOf(token).viewUser()).rejects.toMatchObject({
        code: 'UNAUTHORIZED',
      });
    },
    errors: {
      UNAUTHORIZED: ({ service }) =>
        service.anonymous.updateToken({ params: { token_id: '1' }, body: {} }),
      NOT_FOUND: async ({ ada, bob }) => {
        const { id } = await ada.client.createToken({ body: {} });
        return bob.client.updateToken({ params: { token_id: String(id) }, body: { name: 'mine' } });
      },
      async INVALID_PARAMETER({ ada }) {
        const { id } = await ada.client.createToken({ body: {} });
        return ada.client.updateToken({
          params: { token_id: String(id) },
          body: { expire: 'tomorrow' },
        });
      },
    },
  },
  deleteTokens: {
    async success({ ada, service }) {
      const { id, token } = await ada.client.createToken({ body: {} });
      const { deleted_key: key } = await ada.client.deleteTokens({
        query: { tokens: [String(id)] },
      });
      await expect(service.clientOf(token).viewUser()).rejects.toMatchObject({
        code: 'UNAUTHORIZED',
      });
      expect(await ada.client.deleteTokens({ query: { deleted_key: key as string } })).toEqual({
        deleted_key: null,
      });
      expect(await service.clientOf(token).viewUser()).toMatchObject({ username: ada.username });
    },
    errors: {
      UNAUTHORIZED: ({ service }) => service.anonymous.deleteTokens({ query: { tokens: ['1'] } }),
      INVALID_PARAMETER: ({ ada }) => ada.client.deleteTokens(),
      NOT_FOUND: async ({ ada, bob }) => {
        const { id } = await ada.client.createToken({ body: {} });
        return bob.client.deleteTokens({ query: { tokens: [String(id)] } });
      },
    },
  },
};
