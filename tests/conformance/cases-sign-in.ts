/** Cases for signing in with an identity provider: a real one, on loopback, with a separate service that uses it. */
import { expect } from 'vitest';
import { oidcConfigOf, passProvider, startOidcServer } from '../support/oidc-server.ts';
import { createTestService, type TestService } from '../support/service.ts';
import type { Case } from './cases.ts';
import type { World } from './world.ts';

type Rows = 'beginSignIn' | 'finishSignIn' | 'beginLink' | 'signOutEverywhere';

/** `work` gets a service on the world's database whose provider knows the subject `one`. */
async function withProvider(
  { service }: World,
  work: (service: TestService) => Promise<void>,
): Promise<void> {
  const provider = await startOidcServer();
  provider.allow('http://localhost');
  provider.accounts.set('one', { preferred_username: 'one', groups: ['modellers'] });
  const own = await createTestService({
    database: service.database,
    config: { oidc: oidcConfigOf(provider) },
  });
  try {
    await work(own);
  } finally {
    await own.app.close();
    await provider.close();
  }
}

async function finish({ anonymous }: TestService) {
  const { url, browser_key: browserKey } = await anonymous.beginSignIn();
  const query = await passProvider(url, 'one');
  return anonymous.finishSignIn({ body: { browser_key: browserKey, query } });
}

const stale = { browser_key: 'of no tab', query: '?code=a&state=b' };

export const signInCases: Readonly<Record<Rows, Case>> = {
  beginSignIn: {
    success: (world) =>
      withProvider(world, async ({ anonymous }) => {
        const { url } = await anonymous.beginSignIn();
        const asked = Object.fromEntries(new URL(url).searchParams);
        expect(asked).toMatchObject({
          response_type: 'code',
          code_challenge_method: 'S256',
          redirect_uri: 'http://localhost/sign-in/callback',
          scope: 'openid profile email',
        });
      }),
    errors: { NOT_SUPPORTED: ({ service }) => service.anonymous.beginSignIn() },
  },
  finishSignIn: {
    success: (world) =>
      withProvider(world, async (service) => {
        const { tokens, linked } = await finish(service);
        expect(linked).toBe(false);
        const user = await service.clientOf(tokens[0] ?? null).viewUser();
        expect(user.username).toBe(`one(@${user.id})`);
      }),
    errors: {
      NOT_SUPPORTED: ({ service }) => service.anonymous.finishSignIn({ body: stale }),
      INVALID_PARAMETER: ({ service }) =>
        service.anonymous.finishSignIn({ body: { query: '' } as typeof stale }),
    },
  },
  beginLink: {
    success: (world) =>
      withProvider(world, async (service) => {
        const { url } = await service.clientOf(world.ada.token).beginLink();
        expect(new URL(url).searchParams.get('state')).toMatch(/^[\w-]{43}$/);
      }),
    errors: {
      NOT_SUPPORTED: ({ ada }) => ada.client.beginLink(),
      UNAUTHORIZED: ({ service }) => service.anonymous.beginLink(),
    },
  },
  signOutEverywhere: {
    success: (world) =>
      withProvider(world, async (service) => {
        const client = service.clientOf((await finish(service)).tokens[0] ?? null);
        expect((await client.signOutEverywhere()).url).toContain('id_token_hint=');
        await expect(client.viewUser()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
      }),
    errors: { UNAUTHORIZED: ({ service }) => service.anonymous.signOutEverywhere() },
  },
};
