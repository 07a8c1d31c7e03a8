/** Signing in with a provider, linking an account to it, and signing out of both. */
import { randomBytes } from 'node:crypto';
import type { FinishedSignIn, BegunSignIn as WireBegun } from '../../contract/single-sign-on.ts';
import type { IdentityProvider } from '../auth/identity-provider.ts';
import { type ProviderPerson, readPerson } from '../auth/provider-person.ts';
import type { CoreContext } from '../context.ts';
import type { User } from '../http/call.ts';
import { conflict, notSupported, permissionDenied, rateLimited } from '../http/service-error.ts';
import { takeSlots } from '../repositories/attempt-slots.ts';
import { type Executor, inTransaction } from '../repositories/database.ts';
import {
  endProviderSessions,
  findIdToken,
  type IdentityRow,
  insertIdentity,
  insertProviderSession,
  lockIdentity,
  noteSignIn,
} from '../repositories/identities.ts';
import { insertSignIn, takeSignIn } from '../repositories/sign-ins.ts';
import { endTokens, insertToken } from '../repositories/tokens.ts';
import {
  findUser,
  insertUser,
  renameUser,
  type UserRow,
  updateSuper,
} from '../repositories/users.ts';
import { namesLike } from './account-names.ts';
import { followGroups } from './teams.ts';

/** Sign-ins that one network may begin in a burst, and per hour after that: a lecture hall is one network. */
const beginning = { capacity: 300, perHour: 3000 };

/** The page of the dashboard that the provider sends people back to. */
const callbackPath = '/sign-in/callback';

export interface SignInContext extends CoreContext {
  readonly provider?: IdentityProvider;
}

function providerOf({ provider }: SignInContext): IdentityProvider {
  if (provider === undefined)
    throw notSupported('This server has no identity provider (ergodic serve --oidc-issuer URL).');
  return provider;
}

export interface BeginRequest {
  readonly baseUrl: string;
  readonly network: string;
  /** Whose account is to be linked; null: a sign-in. */
  readonly userId: number | null;
}

export async function beginSignIn(
  context: SignInContext,
  { baseUrl, network, userId }: BeginRequest,
): Promise<WireBegun> {
  const provider = providerOf(context);
  const waitSeconds = await takeSlots(
    context.pool,
    [{ key: `sign-in@${network}`, ...beginning }],
    context.now(),
  );
  if (waitSeconds > 0)
    throw rateLimited('Too many sign-ins were started; try again later.', waitSeconds);
  const { url, checks } = await provider.begin(baseUrl + callbackPath);
  const browserKey = randomBytes(32).toString('base64url');
  await insertSignIn(context.pool, { ...checks, browserKey, userId });
  return { url, browser_key: browserKey };
}

/** `query`: the query with which the provider sent the browser back. */
export async function finishSignIn(
  context: SignInContext,
  { browserKey, query }: { readonly browserKey: string; readonly query: string },
): Promise<FinishedSignIn> {
  const provider = providerOf(context);
  const state = new URLSearchParams(query).get('state') ?? '';
  const begun = await takeSignIn(context.pool, { state, browserKey });
  if (begun === null)
    throw permissionDenied(
      'This sign-in took too long, was already finished, or was started in another tab. Sign in again.',
    );
  const { claims, idToken } = await provider.finish(begun, query);
  const person = readPerson(provider.config, claims);
  if (!person.isAllowed) {
    await shutOut(context, person);
    throw permissionDenied(
      `${provider.config.name} knows you as ${person.label}, who may not use this server. Ask its administrator.`,
    );
  }
  if (begun.userId !== null) return link(context, person, begun.userId);
  const hours = provider.config.sessionHours;
  const expiresAt = new Date(context.now() + hours * 3_600_000).toISOString();
  return inTransaction(context.pool, async (tx) => {
    const identity = await admit(tx, person);
    const { row, text } = await insertToken(tx, {
      userId: identity.user_id,
      kind: 'login',
      expiresAt,
    });
    await insertProviderSession(tx, { tokenId: row.id, identityId: identity.id, idToken });
    return { tokens: [text], linked: false };
  });
}

/**
 * Revokes the access of a person who may no longer sign in: every token of an account that was made for them; of an
 * account of this server, only the sessions of the provider.
 */
async function shutOut({ pool }: CoreContext, person: ProviderPerson): Promise<void> {
  await inTransaction(pool, async (tx) => {
    const identity = await lockIdentity(tx, person);
    if (identity === null) return;
    await followGroups(tx, identity.user_id, { ...person, teams: [] });
    if (identity.is_account_made) await endTokens(tx, { userId: identity.user_id });
    else await endProviderSessions(tx, identity);
  });
}

/** The person's account as the provider describes it now; created at their first sign-in. */
async function admit(tx: Executor, person: ProviderPerson): Promise<IdentityRow> {
  const known = await lockIdentity(tx, person);
  if (known === null) {
    const user = await makeAccount(tx, person);
    await followGroups(tx, user.id, person);
    return insertIdentity(tx, { ...rowOf(person), user_id: user.id, is_account_made: true });
  }
  await noteSignIn(tx, known.id, person.label);
  await followGroups(tx, known.user_id, person);
  if (known.is_account_made) await follow(tx, known.user_id, person);
  return known;
}

const rowOf = ({ issuer, subject, label }: ProviderPerson) => ({ issuer, subject, label });

/** An existing account of this server keeps its name: the new one gets a number. */
async function makeAccount(tx: Executor, { name, isAdmin }: ProviderPerson): Promise<UserRow> {
  for (const candidate of namesLike(name)) {
    const user = await insertUser(tx, {
      name: candidate,
      passwordHash: null,
      isSuper: isAdmin === true,
    });
    if (user !== null) return user;
  }
  throw conflict(`Every account name like ${name} is taken.`);
}

/** Name and rights follow the provider. If the new name is taken here, the old one stays or it gets a number. */
async function follow(
  tx: Executor,
  userId: number,
  { name, isAdmin }: ProviderPerson,
): Promise<void> {
  const user = (await findUser(tx, userId)) as UserRow;
  if (isAdmin !== null && isAdmin !== user.super) await updateSuper(tx, userId, isAdmin);
  const isCalledSo = user.name === name || user.name.replace(/-\d{1,3}$/, '') === name;
  if (isCalledSo) return;
  for (const candidate of namesLike(name)) if (await renameUser(tx, userId, candidate)) return;
}

async function link(
  { pool }: CoreContext,
  person: ProviderPerson,
  userId: number,
): Promise<FinishedSignIn> {
  await inTransaction(pool, async (tx) => {
    const known = await lockIdentity(tx, person);
    if (known !== null && known.user_id !== userId)
      throw conflict(`${person.label} already signs in to another account on this server.`);
    if (known === null)
      await insertIdentity(tx, { ...rowOf(person), user_id: userId, is_account_made: false });
    await followGroups(tx, userId, person);
  });
  return { tokens: [], linked: true };
}

/** Ends the session here, and returns the address that ends it at the provider; null if there is none. */
export async function signOutEverywhere(
  context: SignInContext,
  user: User,
  baseUrl: string,
): Promise<string | null> {
  const { provider, pool, logger } = context;
  const idToken = await findIdToken(pool, user.tokenId);
  await endTokens(pool, { userId: user.id, id: user.tokenId });
  if (provider === undefined || idToken === null) return null;
  try {
    return await provider.endAddress(idToken, `${baseUrl}/sign-in`);
  } catch (error) {
    // the session here has ended anyway
    logger.warn({ err: error }, 'the provider could not be asked where its session ends');
    return null;
  }
}
