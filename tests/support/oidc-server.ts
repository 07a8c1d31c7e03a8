/** An OpenID Connect provider on loopback: a real one, with users made for the test, whose answers can be altered. */
import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type Configuration, type JWK } from 'oidc-provider';
import type { OidcConfig } from '../../src/service/oidc-config.ts';

const clientId = 'ergodic';
const clientSecret = 'a secret of this test alone';

export interface ProviderAccount {
  readonly preferred_username?: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly groups?: readonly string[];
}

/** The options of a service that uses it: members of the group `modellers` may sign in. */
export function oidcConfigOf({ issuer }: Pick<OidcServer, 'issuer'>): OidcConfig {
  return {
    issuer,
    clientId,
    clientSecret,
    clientSecretFile: '',
    name: 'Lab',
    scope: 'openid profile email',
    groupsClaim: 'groups',
    nameClaim: 'preferred_username',
    allowedGroups: ['modellers'],
    allowedDomains: ['lab.example'],
    adminGroup: 'operators',
    teamGroups: ['*'],
    only: false,
    sessionHours: 12,
  };
}

interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly jwk: JWK;
}

export interface OidcServer {
  readonly issuer: string;
  readonly clientSecret: string;
  /** By subject; tests change them while it runs. */
  readonly accounts: Map<string, ProviderAccount>;
  /** Addresses of the service to which it redirects users. */
  allow(...origins: string[]): void;
  /** From now on it signs with a new key, and publishes only that one. */
  rotateKeys(): void;
  /** Changes the claims of the next ID tokens, which are signed again; null: as they are. */
  bend(change: ((claims: Record<string, unknown>) => void) | null, isForged?: boolean): void;
  /** Whether it responds at all. */
  setDown(isDown: boolean): void;
  close(): Promise<void>;
}

function makeKey(kid: string): SigningKey {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const jwk = { ...privateKey.export({ format: 'jwk' }), kid, alg: 'RS256', use: 'sig' } as JWK;
  return { kid, privateKey, jwk };
}

export async function startOidcServer(): Promise<OidcServer> {
  const accounts = new Map<string, ProviderAccount>();
  const origins: string[] = [];
  const state: State = { key: makeKey('first'), bend: null, isForged: false, isDown: false };
  let handle: http.RequestListener = () => {};
  const server = http.createServer((request, response) => {
    if (state.isDown) request.socket.destroy();
    else handle(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const renew = () => {
    handle = createProvider({ issuer, accounts, origins, state });
  };
  renew();
  let keys = 1;
  return {
    issuer,
    clientSecret,
    accounts,
    allow(...more) {
      origins.push(...more);
      renew();
    },
    rotateKeys() {
      state.key = makeKey(`key ${++keys}`);
      renew();
    },
    bend(change, isForged = false) {
      state.bend = change;
      state.isForged = isForged;
    },
    setDown(isDown) {
      state.isDown = isDown;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface State {
  key: SigningKey;
  bend: ((claims: Record<string, unknown>) => void) | null;
  isForged: boolean;
  isDown: boolean;
}

interface Parts {
  readonly issuer: string;
  readonly accounts: ReadonlyMap<string, ProviderAccount>;
  readonly origins: readonly string[];
  readonly state: State;
}

function createProvider({ issuer, accounts, origins, state }: Parts): http.RequestListener {
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: origins.map((origin) => `${origin}/sign-in/callback`),
        post_logout_redirect_uris: origins.map((origin) => `${origin}/sign-in`),
      },
    ],
    jwks: { keys: [state.key.jwk] },
    cookies: { keys: ['of the test'] },
    claims: {
      openid: ['sub'],
      profile: ['preferred_username', 'groups'],
      email: ['email', 'email_verified'],
    },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    ttl: { Session: 3600, Interaction: 3600, Grant: 3600, IdToken: 3600, AccessToken: 3600 },
    findAccount: (_, sub) =>
      accounts.has(sub)
        ? { accountId: sub, claims: () => ({ sub, ...accounts.get(sub) }) }
        : undefined,
    // the user is not asked again for what the service requests
    async loadExistingGrant({ oidc }) {
      const grant = new provider.Grant({
        clientId,
        accountId: oidc.session?.accountId ?? '',
      });
      grant.addOIDCScope('openid profile email');
      await grant.save();
      return grant;
    },
  } satisfies Configuration);
  provider.use(async (context, next) => {
    await next();
    const body = context.body as { id_token?: string } | undefined;
    if (state.bend !== null && context.path === '/token' && body?.id_token !== undefined)
      context.body = { ...body, id_token: signAnew(body.id_token, state) };
  });
  const answer = provider.callback();
  return (request, response) => {
    if (request.url?.startsWith('/interaction/')) void interact(provider, request, response);
    else void answer(request, response);
  };
}

/** The provider's sign-in page: one box. */
async function interact(
  provider: Provider,
  request: http.IncomingMessage,
  response: http.ServerResponse,
): Promise<void> {
  if (request.method === 'GET') {
    response.setHeader('content-type', 'text/html');
    response.end(
      '<!doctype html><title>Provider</title><form method="post"><label>Subject <input name="sub"></label>' +
        '<button>Continue</button><button name="cancel" value="1">Cancel</button></form>',
    );
    return;
  }
  let text = '';
  for await (const chunk of request) text += String(chunk);
  const form = new URLSearchParams(text);
  const result = form.has('cancel')
    ? { error: 'access_denied' }
    : { login: { accountId: form.get('sub') ?? '' } };
  await provider.interactionFinished(request, response, result, {
    mergeWithLastSubmission: false,
  });
}

function signAnew(token: string, { key, bend, isForged }: State): string {
  const [, payload = ''] = token.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<
    string,
    unknown
  >;
  bend?.(claims);
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${part({ alg: 'RS256', kid: key.kid })}.${part(claims)}`;
  const by = isForged ? makeKey(key.kid).privateKey : key.privateKey;
  const signature = createSign('RSA-SHA256').update(signed).sign(by).toString('base64url');
  return `${signed}.${signature}`;
}

/** Goes through the provider's pages as a browser does; returns the query of the address it redirects to. */
export async function passProvider(url: string, subject: string | null): Promise<string> {
  const jar = new Map<string, string>();
  let at = url;
  for (let step = 0; step < 10; step++) {
    const isForm = new URL(at).pathname.startsWith('/interaction/');
    const response = await fetch(at, {
      method: isForm ? 'POST' : 'GET',
      redirect: 'manual',
      headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(isForm
        ? { body: new URLSearchParams(subject === null ? { cancel: '1' } : { sub: subject }) }
        : {}),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [name = '', ...value] = (cookie.split(';')[0] ?? '').split('=');
      jar.set(name, value.join('='));
    }
    const location = response.headers.get('location');
    if (location === null)
      throw new Error(`the provider stopped at ${at}: ${response.status} ${await response.text()}`);
    at = new URL(location, at).href;
    if (new URL(at).pathname.endsWith('/sign-in/callback')) return new URL(at).search;
  }
  throw new Error('the provider goes round in circles');
}
