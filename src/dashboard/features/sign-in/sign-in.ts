/** Signing in: the address of the server, a token for a password or a check of a token, and the messages of failures. */
import { ApiError } from '../../../client/api-error.ts';
import { createClient } from '../../../client/create-client.ts';

export type Way = 'password' | 'token';

/**
 * Address of the server without a trailing slash; empty = that of this page. A bare host is taken as https, so that
 * a password is never sent in the clear by mistake. Throws `ApiError` for anything else.
 */
export function serverAddress(typed: string): string {
  const text = typed.trim();
  if (text === '') return '';
  const address = text.includes('://') ? text : `https://${text}`;
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw new ApiError('schema', 'That is not the address of a server.');
  return (url.origin + url.pathname).replace(/\/+$/, '');
}

export interface SignInInput {
  readonly server: string;
  readonly way: Way;
  readonly username: string;
  readonly secret: string;
  readonly fetch?: typeof globalThis.fetch;
}

/** Returns a token that the server has just accepted. Throws `ApiError`. */
export async function signIn({
  server,
  way,
  username,
  secret,
  fetch,
}: SignInInput): Promise<string> {
  const connection = { baseUrl: server, ...(fetch === undefined ? {} : { fetch }) };
  if (way === 'password') {
    const answer = await createClient(connection).login({ body: { username, password: secret } });
    const [token] = answer.tokens;
    if (token === undefined)
      throw new ApiError('schema', 'The server accepted the password but gave no token.');
    return token;
  }
  if (!/^[\x21-\x7e]+$/.test(secret))
    throw new ApiError(
      'schema',
      'That is not a token: tokens contain only letters, digits and symbols.',
    );
  const client = createClient({ ...connection, token: secret });
  try {
    await client.viewUser();
  } catch (error) {
    const apiError = ApiError.from(error);
    // A documented server has no view of the user: an answered list proves the token as well.
    const isMissing = apiError.kind === 'schema' || apiError.kind === 'http';
    if (!isMissing || apiError.status >= 500 || apiError.code === 'UNAUTHORIZED') throw apiError;
    await client.listObjects({ query: { object_type: 'model', page_size: 1 } });
  }
  return secret;
}

/** The message for a failed sign-in. */
export function problemText(error: ApiError, way: Way, server: string): string {
  if (error.code === 'UNAUTHORIZED')
    return 'The server does not know this token, or it has expired.';
  if (error.code === 'PERMISSION_DENIED')
    return way === 'password' ? 'Wrong user name or password.' : error.message;
  if (way === 'password' && (error.code === 'NOT_FOUND' || error.status === 404)) {
    return 'This server does not accept passwords. Sign in with a token.';
  }
  if (error.code === 'RATE_LIMITED') {
    return `Too many tries. Wait ${error.retryAfterSeconds ?? 'a few'} seconds, then try again.`;
  }
  if (error.kind === 'network') {
    return server === ''
      ? 'The server cannot be reached. Is it running?'
      : 'That server cannot be reached, or it does not allow pages from this address.';
  }
  return error.message;
}
