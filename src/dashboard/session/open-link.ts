/**
 * A `?token=` link: signs in with it, but never replaces a live session. Anybody's page can contain
 * such a link, and later uploads would land in the account it names.
 */
import { ApiError } from '../../client/api-error.ts';
import { type Client, createClient } from '../../client/create-client.ts';
import type { User } from '../../contract/account.ts';
import type { Session } from './session.ts';

/** The outcome of a link. `ask`: somebody else is signed in, and `accept` changes to the account of the link. */
export type LinkOutcome =
  | { readonly kind: 'done' }
  /** Signed in with a token that may have come from anybody. */
  | { readonly kind: 'signed-in'; readonly account: string }
  | { readonly kind: 'refused'; readonly message: string }
  | {
      readonly kind: 'ask';
      readonly current: string;
      readonly offered: string;
      readonly accept: () => Promise<LinkOutcome>;
    };

export interface LinkOptions {
  readonly session: Session;
  /** The client of the session. */
  readonly client: Client;
  readonly token: string;
  /** Whether the sign-in outlasts the tab, as on this computer. */
  readonly stay: boolean;
  readonly fetch?: typeof globalThis.fetch;
}

export async function openLink(options: LinkOptions): Promise<LinkOutcome> {
  const { session, client, token, fetch } = options;
  const current = session.credentials();
  if (current?.token === token && current.server === '') return { kind: 'done' };
  const link = createClient({ token, ...(fetch === undefined ? {} : { fetch }) });
  const accept = () => signIn(options, link);
  if (current === null) return accept();
  const holder = await findAccount(client);
  if (holder === 'ended') return accept();
  const offered = await findAccount(link);
  if (offered === 'ended') return { kind: 'refused', message: `${endedLink} ${staying(holder)}` };
  const isSame = holder !== null && offered !== null && holder.id === offered.id;
  if (isSame && current.server === '') return accept();
  return { kind: 'ask', current: nameOf(holder), offered: nameOf(offered), accept };
}

const endedLink = 'This sign-in link has been used or has expired.';
const staying = (user: User | null) =>
  user === null ? 'You are still signed in.' : `You are still signed in as ${user.username}.`;
const nameOf = (user: User | null) => user?.username ?? 'another account';

/** The account of a client's token; null if the server does not say or does not answer. */
async function findAccount(client: Client): Promise<User | 'ended' | null> {
  try {
    return await client.viewUser();
  } catch (error) {
    return ApiError.from(error).code === 'UNAUTHORIZED' ? 'ended' : null;
  }
}

/** The token of a printed link is exchanged for one of this browser's own; any other is used as it is. */
async function signIn({ session, token, stay }: LinkOptions, link: Client): Promise<LinkOutcome> {
  try {
    const [own] = (await link.openLink()).tokens;
    session.signIn({ server: '', token: own ?? token }, stay);
    if (own !== undefined) return { kind: 'done' };
    const user = await findAccount(link);
    return user === null || user === 'ended'
      ? { kind: 'done' }
      : { kind: 'signed-in', account: user.username };
  } catch (error) {
    const { code, kind } = ApiError.from(error);
    if (code === 'UNAUTHORIZED')
      return { kind: 'refused', message: `${endedLink} On the server, run ergodic token.` };
    if (kind === 'network' || kind === 'timeout')
      return { kind: 'refused', message: 'The server cannot be reached. Open the link again.' };
    // a documented server has no such exchange
    session.signIn({ server: '', token }, stay);
    return { kind: 'done' };
  }
}
