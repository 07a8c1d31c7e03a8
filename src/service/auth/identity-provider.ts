/** An OpenID Connect provider: found by its discovery document, used with the authorisation code flow and PKCE. */
import { readFileSync } from 'node:fs';
import type { Configuration, CustomFetch, ServerMetadata } from 'openid-client';
import { ServiceError, unavailable } from '../http/service-error.ts';
import type { OidcConfig } from '../oidc-config.ts';
import { inChildSpan } from '../spans.ts';
import { StartError } from '../start-error.ts';
import { type Claims, joinClaims } from './provider-person.ts';

/** The values that the provider and the browser carry through a sign-in, and those stored here to check them. */
export interface SignInChecks {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly redirectUri: string;
}

export interface ProviderAnswer {
  readonly claims: Claims;
  readonly idToken: string;
}

export interface IdentityProvider {
  readonly config: OidcConfig;
  /** Why sign-in by the provider fails at present; null: no known problem. Checks again when due. */
  problem(): string | null;
  /** Checks now. */
  check(): Promise<string | null>;
  begin(redirectUri: string): Promise<{ url: string; checks: SignInChecks }>;
  /** `query`: the query with which the provider redirected the browser. */
  finish(checks: SignInChecks, query: string): Promise<ProviderAnswer>;
  /** The provider's address for ending its session; null: it has none. */
  endAddress(idToken: string, returnTo: string): Promise<string | null>;
}

/** Milliseconds until a provider is checked again after a failure, and after success. */
const RETRY_MS = 5000;
const KEEP_MS = 3_600_000;
const TIMEOUT_SECONDS = 10;
/** Seconds by which the clocks may differ. */
const CLOCK_SECONDS = 60;

interface Failure {
  readonly message: string;
  readonly at: number;
}

/** The library is loaded at the first sign-in. */
const library = () => import('openid-client');
type Library = Awaited<ReturnType<typeof library>>;

/** Throws `StartError` if the secret's file cannot be read. `now`: milliseconds since the epoch. */
export function createIdentityProvider(config: OidcConfig, now: () => number): IdentityProvider {
  const secret = readSecret(config);
  let known: { metadata: ServerMetadata; at: number } | null = null;
  let failure: Failure | null = null;
  let asking: Promise<void> | null = null;
  const ask = () => {
    asking ??= discover(config)
      .then(
        (metadata) => {
          known = { metadata, at: now() };
          failure = null;
        },
        (error: unknown) => {
          failure = { message: discoveryProblem(config, error), at: now() };
        },
      )
      .finally(() => {
        asking = null;
      });
    return asking;
  };
  const ready = async (): Promise<{ lib: Library; at: Configuration }> => {
    const isOld = known === null || now() - known.at > KEEP_MS;
    const isTooSoon = failure !== null && now() - failure.at < RETRY_MS;
    if (isOld && !isTooSoon) await ask();
    // without any metadata, the request has failed
    if (known === null) throw unavailable((failure as Failure).message);
    const lib = await library();
    return { lib, at: configure(lib, known.metadata, { config, secret }) };
  };
  return {
    config,
    problem() {
      if (failure === null || known !== null) return null;
      if (now() - failure.at >= RETRY_MS) void ask();
      return failure.message;
    },
    async check() {
      await ask();
      return failure?.message ?? null;
    },
    begin: async (redirectUri) => begin(await ready(), config, redirectUri),
    finish: async (checks, query) => finish(await ready(), config, { checks, query }),
    async endAddress(idToken, returnTo) {
      const { lib, at } = await ready();
      if (at.serverMetadata().end_session_endpoint === undefined) return null;
      const parameters = { id_token_hint: idToken, post_logout_redirect_uri: returnTo };
      return lib.buildEndSessionUrl(at, parameters).href;
    },
  };
}

function readSecret({ clientSecret, clientSecretFile }: OidcConfig): string {
  if (clientSecretFile === '') return clientSecret;
  try {
    return readFileSync(clientSecretFile, 'utf8').trim();
  } catch (error) {
    throw new StartError(
      `The file of --oidc-client-secret-file cannot be read: ${(error as Error).message}.`,
    );
  }
}

async function discover(config: OidcConfig): Promise<ServerMetadata> {
  const lib = await library();
  const found = await lib.discovery(new URL(config.issuer), config.clientId, undefined, undefined, {
    timeout: TIMEOUT_SECONDS,
    execute: isPlain(config) ? [lib.allowInsecureRequests] : [],
    [lib.customFetch]: tracedFetch,
  });
  const metadata = found.serverMetadata();
  for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const)
    if (metadata[name] === undefined) throw new Error(`its description has no ${name}`);
  return metadata;
}

/** Startup refuses plain http beyond loopback. */
const isPlain = ({ issuer }: OidcConfig) => issuer.startsWith('http:');

/** A new one for each use: it caches the provider's keys, and would miss a changed key for a minute. */
function configure(
  lib: Library,
  metadata: ServerMetadata,
  { config, secret }: { readonly config: OidcConfig; readonly secret: string },
): Configuration {
  const client = { [lib.clockTolerance]: CLOCK_SECONDS };
  const at = new lib.Configuration(
    metadata,
    config.clientId,
    client,
    clientAuth(lib, metadata, secret),
  );
  at.timeout = TIMEOUT_SECONDS;
  at[lib.customFetch] = tracedFetch;
  // signatures are checked although the tokens come over TLS: a proxy on the way may decrypt it
  lib.enableNonRepudiationChecks(at);
  if (isPlain(config)) lib.allowInsecureRequests(at);
  return at;
}

/** A request to the provider. Its path is the operator's; codes, tokens and secrets are in bodies and headers. */
const tracedFetch: CustomFetch = (url, options) => {
  const { host, pathname } = new URL(url);
  const attributes = {
    'http.request.method': options.method,
    'server.address': host,
    'url.path': pathname,
  };
  return inChildSpan(
    `identity provider ${options.method}`,
    { kind: 'client', attributes },
    async (span) => {
      const answer = await fetch(url, options as RequestInit);
      span.set({ 'http.response.status_code': answer.status });
      return answer;
    },
  );
};

function clientAuth(lib: Library, metadata: ServerMetadata, secret: string) {
  if (secret === '') return lib.None();
  const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  return methods.includes('client_secret_basic')
    ? lib.ClientSecretBasic(secret)
    : lib.ClientSecretPost(secret);
}

interface Ready {
  readonly lib: Library;
  readonly at: Configuration;
}

async function begin(
  { lib, at }: Ready,
  { scope }: OidcConfig,
  redirectUri: string,
): Promise<{ url: string; checks: SignInChecks }> {
  const checks = {
    state: lib.randomState(),
    nonce: lib.randomNonce(),
    verifier: lib.randomPKCECodeVerifier(),
    redirectUri,
  };
  const url = lib.buildAuthorizationUrl(at, {
    redirect_uri: redirectUri,
    scope,
    state: checks.state,
    nonce: checks.nonce,
    code_challenge: await lib.calculatePKCECodeChallenge(checks.verifier),
    code_challenge_method: 'S256',
  });
  return { url: url.href, checks };
}

async function finish(
  { lib, at }: Ready,
  config: OidcConfig,
  { checks, query }: { readonly checks: SignInChecks; readonly query: string },
): Promise<ProviderAnswer> {
  const address = new URL(checks.redirectUri);
  address.search = query;
  try {
    const tokens = await lib.authorizationCodeGrant(at, address, {
      expectedState: checks.state,
      expectedNonce: checks.nonce,
      pkceCodeVerifier: checks.verifier,
    });
    const claims = tokens.claims() as Claims & { readonly sub: string };
    const hasMore = at.serverMetadata().userinfo_endpoint !== undefined;
    const more = hasMore ? await lib.fetchUserInfo(at, tokens.access_token, claims.sub) : {};
    return { claims: joinClaims(claims, more), idToken: tokens.id_token as string };
  } catch (error) {
    throw refusalOf(lib, config, error);
  }
}

/** What went wrong at the provider, for users; the cause is for the log. */
function refusalOf(lib: Library, { name }: OidcConfig, cause: unknown): ServiceError {
  if (cause instanceof lib.AuthorizationResponseError) {
    const why = cause.error === 'access_denied' ? '' : ` (${cause.error.slice(0, 60)})`;
    return new ServiceError('PERMISSION_DENIED', `${name} did not sign you in${why}.`, { cause });
  }
  if (isUnreachable(cause))
    return new ServiceError('UNAVAILABLE', `${name} could not be reached; try again.`, { cause });
  return new ServiceError(
    'PERMISSION_DENIED',
    `The answer from ${name} could not be verified; sign in again.`,
    { cause },
  );
}

/** `fetch` throws a TypeError when there is no response, and a DOMException on a timeout. */
function isUnreachable(error: unknown): boolean {
  const { cause } = error as { cause?: unknown };
  return [error, cause].some(
    (one) =>
      (one instanceof TypeError && one.message === 'fetch failed') ||
      (one instanceof DOMException && one.name === 'TimeoutError'),
  );
}

function discoveryProblem({ name, issuer }: OidcConfig, error: unknown): string {
  if (isUnreachable(error)) return `${name} cannot be reached at ${issuer}.`;
  const { message } = error as Error;
  return `${issuer} does not answer as an OpenID Connect provider: ${message}.`;
}
