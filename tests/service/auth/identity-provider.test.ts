/** What an identity provider is asked, which of its answers are believed, and what people see when there is none. */
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  createIdentityProvider,
  type IdentityProvider,
} from '../../../src/service/auth/identity-provider.ts';
import type { OidcConfig } from '../../../src/service/oidc-config.ts';
import { setTracing } from '../../../src/service/spans.ts';
import { oidcConfigOf } from '../../support/oidc-server.ts';

const redirectUri = 'https://models.example/sign-in/callback';
const discovery = '/.well-known/openid-configuration';
const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const otherKeys = generateKeyPairSync('ec', { namedCurve: 'P-256' });

interface Asked {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: URLSearchParams;
}

/** A provider in place of `fetch`, whose answers a test may change. */
class FakeProvider {
  readonly asked: Asked[] = [];
  readonly answers = new Map<string, () => unknown>();
  readonly description: Record<string, unknown>;
  claims: Record<string, unknown> = {};
  about: Record<string, unknown> = { sub: 'sub-1', groups: ['modellers'] };
  signingKey = keys.privateKey;
  nonce = '';

  constructor(readonly issuer: string) {
    this.description = {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/about`,
      end_session_endpoint: `${issuer}/end`,
      jwks_uri: `${issuer}/keys`,
      id_token_signing_alg_values_supported: ['ES256'],
    };
    const jwk = {
      ...keys.publicKey.export({ format: 'jwk' }),
      kid: 'one',
      alg: 'ES256',
      use: 'sig',
    };
    this.answers.set(discovery, () => this.description);
    this.answers.set('/keys', () => ({ keys: [jwk] }));
    this.answers.set('/about', () => this.about);
    this.answers.set('/token', () => ({
      access_token: 'access',
      token_type: 'Bearer',
      id_token: this.idToken(),
    }));
  }

  idToken(): string {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const times = { iat: seconds(), exp: seconds() + 60 };
    const base = { iss: this.issuer, sub: 'sub-1', aud: 'ergodic', nonce: this.nonce, ...times };
    const signed = `${part({ alg: 'ES256', kid: 'one' })}.${part({ ...base, ...this.claims })}`;
    const key = { key: this.signingKey, dsaEncoding: 'ieee-p1363' } as const;
    return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`;
  }

  async fetch(text: string, options: RequestInit): Promise<Response> {
    const url = new URL(text);
    this.asked.push({
      method: options.method ?? '',
      url,
      headers: new Headers(options.headers),
      body: new URLSearchParams((options.body ?? '') as string),
    });
    options.signal?.throwIfAborted();
    const answer = this.answers.get(url.pathname)?.();
    return answer instanceof Response ? answer : Response.json(answer ?? {});
  }

  askedFor(pathname: string): Asked[] {
    return this.asked.filter(({ url }) => url.pathname === pathname);
  }

  countDiscoveries(): number {
    return this.askedFor(discovery).length;
  }

  fail(pathname: string, error: Error): void {
    this.answers.set(pathname, () => {
      throw error;
    });
  }

  setDown(): void {
    this.fail(discovery, new TypeError('fetch failed'));
  }

  setUp(): void {
    this.answers.set(discovery, () => this.description);
  }
}

let now: number;
let fake: FakeProvider;
const use = (issuer: string) => {
  fake = new FakeProvider(issuer);
};
beforeEach(() => {
  now = Date.UTC(2030, 0, 1);
  use('https://sso.example');
  vi.stubGlobal('fetch', (url: string, options: RequestInit) => fake.fetch(url, options));
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  setTracing(null);
});

const provider = (more: Partial<OidcConfig> = {}): IdentityProvider =>
  createIdentityProvider({ ...oidcConfigOf(fake), ...more }, () => now);

/** `query`: what the provider's redirect of the browser includes, besides the state. */
async function signIn(at = provider(), query = 'code=the-code') {
  const { checks } = await at.begin(redirectUri);
  fake.nonce = checks.nonce;
  return at.finish(checks, `?${query}&state=${checks.state}`);
}
const seconds = () => Math.floor(Date.now() / 1000);

const unverified = {
  code: 'PERMISSION_DENIED',
  message: 'The answer from Lab could not be verified; sign in again.',
};

describe('a sign-in begins', () => {
  it('at the provider, for the registered client, with fresh check values', async () => {
    const at = provider();
    const { url, checks } = await at.begin(redirectUri);
    const address = new URL(url);
    expect(address.origin + address.pathname).toBe('https://sso.example/authorize');
    expect(Object.fromEntries(address.searchParams)).toEqual({
      response_type: 'code',
      client_id: 'ergodic',
      redirect_uri: redirectUri,
      scope: 'openid profile email',
      state: checks.state,
      nonce: checks.nonce,
      code_challenge: createHash('sha256').update(checks.verifier).digest('base64url'),
      code_challenge_method: 'S256',
    });
    const { checks: other } = await at.begin(redirectUri);
    const all = [checks, other].flatMap(({ state, nonce, verifier }) => [state, nonce, verifier]);
    expect(new Set(all).size).toBe(6);
  });
});

describe('a sign-in is finished', () => {
  it('with the code, the redirect address and the code verifier', async () => {
    const at = provider();
    const { checks } = await at.begin(redirectUri);
    fake.nonce = checks.nonce;
    await at.finish(checks, `code=the-code&state=${checks.state}`);
    expect(fake.askedFor('/token').map(({ body }) => Object.fromEntries(body))).toEqual([
      {
        grant_type: 'authorization_code',
        code: 'the-code',
        redirect_uri: redirectUri,
        code_verifier: checks.verifier,
      },
    ]);
  });

  const inHeader = `Basic ${Buffer.from('ergodic:s3cret').toString('base64')}`;
  const [post, basic] = ['client_secret_post', 'client_secret_basic'];
  it.each<[string, string, string[] | undefined, object]>([
    ['in a header', 's3cret', undefined, { authorization: inHeader }],
    ['in a header', 's3cret', [post, basic], { authorization: inHeader }],
    ['in the body', 's3cret', [post], { id: 'ergodic', secret: 's3cret' }],
    ['left out where there is none', '', undefined, { id: 'ergodic' }],
  ])('with the secret %s', async (_, clientSecret, methods, sent) => {
    fake.description.token_endpoint_auth_methods_supported = methods;
    await signIn(provider({ clientSecret }));
    const [{ headers, body }] = fake.askedFor('/token') as [Asked];
    expect({
      authorization: headers.get('authorization') ?? undefined,
      id: body.get('client_id') ?? undefined,
      secret: body.get('client_secret') ?? undefined,
    }).toEqual(sent);
  });

  it('with the secret from a file, without its trailing newline', async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ergodic-secret-'));
    const clientSecretFile = path.join(folder, 'secret');
    fs.writeFileSync(clientSecretFile, 's3cret\n');
    const at = provider({ clientSecret: 'another', clientSecretFile });
    fs.rmSync(folder, { recursive: true });
    await signIn(at);
    expect(fake.askedFor('/token')[0]?.headers.get('authorization')).toBe(inHeader);
    expect(() => provider({ clientSecretFile })).toThrow(
      expect.objectContaining({
        name: 'StartError',
        message: expect.stringMatching(
          /^The file of --oidc-client-secret-file cannot be read: ENOENT.*\.$/,
        ),
      }),
    );
  });

  it('with the claims of the token and, if there is an endpoint, of userinfo', async () => {
    const { claims, idToken } = await signIn();
    expect(claims).toMatchObject({
      iss: 'https://sso.example',
      sub: 'sub-1',
      groups: ['modellers'],
    });
    expect(idToken.split('.')).toHaveLength(3);
    expect(fake.askedFor('/about')[0]?.headers.get('authorization')).toBe('Bearer access');
    use('https://sso.example');
    delete fake.description.userinfo_endpoint;
    expect((await signIn()).claims).not.toHaveProperty('groups');
    expect(fake.askedFor('/about')).toEqual([]);
  });

  it('over plain http if the provider is on this machine', async () => {
    use('http://127.0.0.1:1234');
    expect((await signIn()).claims).toMatchObject({ iss: 'http://127.0.0.1:1234' });
  });

  it('when the clocks differ by less than a minute', async () => {
    fake.claims = { exp: seconds() - 45 };
    expect((await signIn()).claims).toMatchObject({ sub: 'sub-1' });
  });
});

describe('a response is rejected', () => {
  const refusal = async (query?: string) => {
    const error = await signIn(provider(), query).catch((reason: unknown) => reason);
    // for the log
    expect((error as Error).cause).toBeInstanceOf(Error);
    return error;
  };

  it.each<[string, () => unknown]>([
    [
      'whose token expired more than a minute ago',
      () => Object.assign(fake.claims, { exp: seconds() - 75 }),
    ],
    ['for another sign-in', () => Object.assign(fake.claims, { nonce: 'other' })],
    ['for another client', () => Object.assign(fake.claims, { aud: 'other' })],
    ['for another subject', () => Object.assign(fake.about, { sub: 'sub-2' })],
    [
      'that is signed by another key',
      () => Object.assign(fake, { signingKey: otherKeys.privateKey }),
    ],
    [
      'without a token',
      () => fake.answers.set('/token', () => ({ access_token: 'a', token_type: 'Bearer' })),
    ],
    ['that cannot be read', () => fake.fail('/token', new TypeError('Invalid URL'))],
    ['that was aborted', () => fake.fail('/token', new DOMException('', 'AbortError'))],
  ])('%s', async (_, bend) => {
    bend();
    expect(await refusal()).toMatchObject(unverified);
  });

  it('with another state', async () => {
    const at = provider();
    const { checks } = await at.begin(redirectUri);
    fake.nonce = checks.nonce;
    await expect(at.finish(checks, 'code=the-code&state=other')).rejects.toMatchObject(unverified);
    expect(fake.askedFor('/token')).toEqual([]);
  });

  it('that would come over plain http from another machine', async () => {
    fake.description.token_endpoint = 'http://sso.example/token';
    expect(await refusal()).toMatchObject(unverified);
    expect(fake.askedFor('/token')).toEqual([]);
  });

  it.each([
    ['access_denied', 'Lab did not sign you in.'],
    ['server_error', 'Lab did not sign you in (server_error).'],
    ['x'.repeat(61), `Lab did not sign you in (${'x'.repeat(60)}).`],
  ])('with the error %s, which is passed on', async (code, message) => {
    expect(await refusal(`error=${code}`)).toMatchObject({ code: 'PERMISSION_DENIED', message });
  });

  it.each(['/token', '/keys', '/about'])(
    'as UNAVAILABLE when %s is unreachable or slow',
    async (at) => {
      for (const error of [new TypeError('fetch failed'), new DOMException('', 'TimeoutError')]) {
        fake.fail(at, error);
        expect(await refusal()).toMatchObject({
          code: 'UNAVAILABLE',
          message: 'Lab could not be reached; try again.',
        });
      }
    },
  );
});

it('signing out ends the session at the provider, if it has an address for that', async () => {
  const end = () => provider().endAddress('a token', 'https://models.example/sign-in');
  const address = new URL((await end()) ?? '');
  expect(address.origin + address.pathname).toBe('https://sso.example/end');
  expect(Object.fromEntries(address.searchParams)).toEqual({
    client_id: 'ergodic',
    id_token_hint: 'a token',
    post_logout_redirect_uri: 'https://models.example/sign-in',
  });
  delete fake.description.end_session_endpoint;
  expect(await end()).toBeNull();
});

describe('the description of the provider', () => {
  const away = 'Lab cannot be reached at https://sso.example.';
  const begin = (at: IdentityProvider) => at.begin(redirectUri);

  it('is fetched once for all sign-ins within an hour', async () => {
    const at = provider();
    await Promise.all([begin(at), begin(at), begin(at)]);
    now += 3_600_000;
    await begin(at);
    expect(fake.countDiscoveries()).toBe(1);
    now += 1;
    await begin(at);
    expect(fake.countDiscoveries()).toBe(2);
  });

  it('is fetched again five seconds after a failure', async () => {
    fake.setDown();
    const at = provider();
    for (let i = 0; i < 2; i++)
      await expect(begin(at)).rejects.toMatchObject({ code: 'UNAVAILABLE', message: away });
    now += 4999;
    await expect(begin(at)).rejects.toMatchObject({ message: away });
    expect(fake.countDiscoveries()).toBe(1);
    fake.setUp();
    now += 1;
    await begin(at);
    expect(fake.countDiscoveries()).toBe(2);
  });

  it('stays in use when it is old and cannot be fetched again', async () => {
    const at = provider();
    await begin(at);
    fake.setDown();
    now += 3_600_001;
    for (let i = 0; i < 2; i++) await begin(at);
    expect(fake.countDiscoveries()).toBe(2);
    expect(at.problem()).toBeNull();
    expect(await at.check()).toBe(away);
  });

  it('is reported as a problem from the first failure until it is fetched', async () => {
    const at = provider();
    expect(at.problem()).toBeNull();
    expect(fake.countDiscoveries()).toBe(0);
    fake.setDown();
    expect(await at.check()).toBe(away);
    now += 4999;
    expect(at.problem()).toBe(away);
    // a request sent just before would have been answered by then
    await provider().check();
    expect(fake.countDiscoveries()).toBe(2);
    fake.setUp();
    now += 1;
    expect(at.problem()).toBe(away);
    await vi.waitFor(() => expect(at.problem()).toBeNull());
    expect(fake.countDiscoveries()).toBe(3);
  });

  it('is fetched immediately by a check', async () => {
    const at = provider();
    for (let i = 0; i < 2; i++) expect(await at.check()).toBeNull();
    expect(fake.countDiscoveries()).toBe(2);
  });

  const useless = (why: string) =>
    `https://sso.example does not answer as an OpenID Connect provider: ${why}.`;
  it.each<[string, () => unknown, string]>([
    [
      'does not arrive in time',
      () => fake.fail(discovery, new DOMException('', 'TimeoutError')),
      away,
    ],
    [
      'is missing',
      () => fake.answers.set(discovery, () => new Response('', { status: 404 })),
      useless('unexpected HTTP response status code'),
    ],
    ...['authorization_endpoint', 'token_endpoint', 'jwks_uri'].map(
      (name): [string, () => unknown, string] => [
        `has no ${name}`,
        () => delete fake.description[name],
        useless(`its description has no ${name}`),
      ],
    ),
  ])('explains why nobody can sign in when it %s', async (_, bend, message) => {
    bend();
    expect(await provider().check()).toBe(message);
  });
});

it('requests to the provider time out after ten seconds', async () => {
  const timeout = vi.spyOn(AbortSignal, 'timeout');
  await signIn();
  expect(timeout.mock.calls).toEqual(Array(4).fill([10_000]));
  const late = new DOMException('', 'TimeoutError');
  timeout.mockReturnValue(AbortSignal.abort(late));
  expect(await provider().check()).toBe('Lab cannot be reached at https://sso.example.');
});

it('requests to the provider have spans, without codes and tokens', async () => {
  const spans: object[] = [];
  setTracing({
    open(name, { kind, attributes }) {
      const span = { name, kind, attributes: { ...attributes } };
      spans.push(span);
      return {
        set: (more) => Object.assign(span.attributes, more),
        end() {},
        run: (work) => work(),
      };
    },
    fields: () => null,
    isRecording: () => true,
    set() {},
    traceParent: () => null,
    outside: (work) => work(),
  });
  await signIn();
  const span = (method: string, pathname: string) => ({
    name: `identity provider ${method}`,
    kind: 'client',
    attributes: {
      'http.request.method': method,
      'server.address': 'sso.example',
      'url.path': pathname,
      'http.response.status_code': 200,
    },
  });
  expect(spans).toEqual([
    span('GET', discovery),
    span('POST', '/token'),
    span('GET', '/keys'),
    span('GET', '/about'),
  ]);
});
