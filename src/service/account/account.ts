/** Signing in and out, passwords, tokens. */
import { createHash } from 'node:crypto';
import type { Token, User as WireUser } from '../../contract/account.ts';
import { minPasswordLength } from '../../contract/account.ts';
import { hashPassword, isPasswordRight, laneOfUser } from '../auth/passwords.ts';
import { displayName, findUserToSignIn } from '../auth/user-names.ts';
import type { CoreContext } from '../context.ts';
import type { User } from '../http/call.ts';
import { readDateTime } from '../http/date-times.ts';
import {
  invalidField,
  invalidParameter,
  notFound,
  permissionDenied,
  unauthorized,
} from '../http/service-error.ts';
import { undoDeletion } from '../policy/authorize.ts';
import { type Executor, inTransaction } from '../repositories/database.ts';
import { listIdentities } from '../repositories/identities.ts';
import { listTeams } from '../repositories/teams.ts';
import {
  endTokens,
  insertToken,
  listTokens,
  removeTokens,
  spendStartToken,
  type TokenRow,
  updateToken,
} from '../repositories/tokens.ts';
import { findUser, type UserRow, updatePassword } from '../repositories/users.ts';
import type { SignInContext } from './single-sign-on.ts';

const maxPasswordLength = 1024;

/** The same key for `owner` and `owner(@1)`; its length is bounded whatever the user types. */
function loginKey(user: UserRow | null, typed: string): string {
  const name = user?.name ?? typed;
  return `login:${createHash('sha256').update(name).digest('base64url')}`;
}

export async function signIn(
  context: SignInContext,
  { username, password, address }: { username: string; password: string; address: string },
): Promise<string> {
  const { provider } = context;
  if (provider?.config.only)
    throw permissionDenied(
      `This server does not accept passwords: sign in with ${provider.config.name}.`,
    );
  const user = await findUserToSignIn(context.pool, username);
  const check = (lane: string) =>
    isPasswordRight(user?.password_hash ?? null, password.slice(0, maxPasswordLength + 1), lane);
  const isRight = await context.limits.attempt(loginKey(user, username), address, check);
  if (!isRight || user === null) throw permissionDenied('User name or password is wrong.');
  return (await insertToken(context.pool, { userId: user.id, kind: 'login' })).text;
}

/**
 * Exchanges the token of a printed link for one of this browser's own, once. Any other token already belongs to the
 * caller and stays valid: returns no tokens.
 */
export async function openLink({ pool }: CoreContext, user: User): Promise<{ tokens: string[] }> {
  const spent = await spendStartToken(pool, { userId: user.id, id: user.tokenId });
  if (spent.result === 'gone')
    throw unauthorized('This sign-in link has been used; it works once.');
  return { tokens: spent.result === 'exchanged' ? [spent.text] : [] };
}

export async function signOut({ pool }: CoreContext, user: User): Promise<void> {
  await endTokens(pool, { userId: user.id, id: user.tokenId });
}

export async function viewUser({ pool }: CoreContext, user: User): Promise<WireUser> {
  const row = (await findUser(pool, user.id)) as UserRow;
  const teams = (await listTeams(pool, user.id)).map(displayName);
  return {
    ...toWire(row),
    ...((await isProvided(pool, row)) ? { is_provided: true } : {}),
    ...(teams.length > 0 ? { teams } : {}),
  };
}

/** Whether the account has no password and was made for a provider, which alone decides who may sign in. */
async function isProvided(db: Executor, { id, password_hash: hash }: UserRow): Promise<boolean> {
  return hash === null && (await listIdentities(db, id)).some((one) => one.is_account_made);
}

const toWire = (row: UserRow): WireUser => ({
  id: row.id,
  username: displayName(row),
  super: row.super,
  roles: [...row.roles],
  is_github_user: false,
  has_password: row.password_hash !== null,
});

/** Ends the other sign-ins. While the first user has no password, the current password is the empty string. */
export async function changePassword(
  context: CoreContext,
  user: User,
  change: { password: string; newPassword: string; address: string },
): Promise<WireUser> {
  const { newPassword, password, address } = change;
  if (newPassword.length < minPasswordLength || newPassword.length > maxPasswordLength) {
    const field = 'new_password';
    throw invalidParameter(
      `new_password must have ${minPasswordLength} to ${maxPasswordLength} characters.`,
      { field },
    );
  }
  const row = (await findUser(context.pool, user.id)) as UserRow;
  if (await isProvided(context.pool, row))
    throw permissionDenied('You sign in with the identity provider: this account has no password.');
  const check = async (lane: string) =>
    row.password_hash === null
      ? password === ''
      : isPasswordRight(row.password_hash, password, lane);
  if (!(await context.limits.attempt(loginKey(row, ''), address, check)))
    throw permissionDenied('The current password is wrong.');
  const passwordHash = await hashPassword(newPassword, laneOfUser(user));
  await inTransaction(context.pool, async (tx) => {
    await updatePassword(tx, user.id, passwordHash);
    await endTokens(tx, { userId: user.id, kinds: ['login', 'start'], exceptId: user.tokenId });
  });
  return viewUser(context, user);
}

const tokenToWire = (row: TokenRow, text = `${row.prefix}…`): Token => ({
  id: row.id,
  token: text,
  token_name: row.name,
  token_desc: row.description,
  token_expire: row.expires_at,
  created_at: row.created_at,
  last_used_at: row.last_used_at,
});

export async function listApiTokens({ pool }: CoreContext, user: User): Promise<Token[]> {
  return (await listTokens(pool, user.id)).map((row) => tokenToWire(row));
}

export async function createApiToken(
  { pool }: CoreContext,
  user: User,
  token: { name: string; desc: string; expire?: string | null },
): Promise<Token> {
  // a token that has already expired is created too: public clients try it, and it grants nothing
  const expiresAt = token.expire ? readDateTime('expire', token.expire) : null;
  const { name, desc: description } = token;
  const { row, text } = await insertToken(pool, {
    userId: user.id,
    kind: 'api',
    name,
    description,
    expiresAt,
  });
  return tokenToWire(row, text);
}

export async function changeApiToken(
  { pool }: CoreContext,
  user: User,
  id: string,
  change: { name?: string | null; desc?: string | null; expire?: string | null },
): Promise<Token> {
  const expiresAt = change.expire ? readDateTime('expire', change.expire) : null;
  const row = isRowId(id)
    ? await updateToken(pool, user.id, Number(id), {
        name: change.name,
        description: change.desc,
        expiresAt,
      })
    : null;
  if (row === null) throw notFound('You have no such token.');
  return tokenToWire(row);
}

/** Returns the key that restores the removed tokens, or null after restoring them. */
export async function removeApiTokens(
  context: CoreContext,
  user: User,
  { ids, deletedKey }: { ids: readonly string[]; deletedKey: string },
): Promise<string | null> {
  if (deletedKey !== '') return undoDeletion(context, user, deletedKey);
  if (ids.length === 0) throw invalidField('tokens', 'is missing.');
  const own = new Set((await listTokens(context.pool, user.id)).map((token) => String(token.id)));
  const foreign = ids.find((id) => !own.has(id));
  if (foreign !== undefined) throw notFound(`You have no token ${foreign.slice(0, 40)}.`);
  return removeTokens(context.pool, user.id, ids.map(Number));
}

const isRowId = (text: string) => /^\d{1,15}$/.test(text);
