/** Bearer tokens: shown in full once, stored as their SHA-256. */
import { createHash, randomBytes } from 'node:crypto';
import { publishAccess } from './access.ts';
import {
  array,
  type Executor,
  execute,
  inTransaction,
  prepared,
  select,
  selectOne,
  selectValue,
  sql,
} from './database.ts';
import { insertDeletion } from './objects.ts';
import type { Columns } from './tables.ts';
import type { UserRow } from './users.ts';

/**
 * `login` by password or link, `api` made on purpose (the only listed ones), `start` in the link printed at
 * start, `run` for one run.
 */
export type TokenKind = 'login' | 'api' | 'start' | 'run';

export type TokenRow = Columns<
  'tokens',
  | 'id'
  | 'user_id'
  | 'kind'
  | 'prefix'
  | 'name'
  | 'description'
  | 'scope'
  | 'expires_at'
  | 'last_used_at'
  | 'created_at'
>;

const columns = sql`t.id, t.user_id, t.kind, t.prefix, t.name, t.description, t.scope, t.expires_at, t.last_used_at,
  t.created_at`;

const TOKEN_DAYS = 7;

/** 256 bits: `erg_` and 43 base64url characters. */
function newTokenText(): string {
  return `erg_${randomBytes(32).toString('base64url')}`;
}

function hashToken(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

export interface NewToken {
  readonly userId: number;
  readonly kind: TokenKind;
  readonly name?: string;
  readonly description?: string;
  readonly scope?: string | null;
  /** ISO 8601; a week from now when absent. */
  readonly expiresAt?: string | null;
}

/** `text` is the full token, available only here. */
export async function insertToken(
  db: Executor,
  token: NewToken,
): Promise<{ row: TokenRow; text: string }> {
  const text = newTokenText();
  const { userId, kind, name = '', description = '', scope = null, expiresAt = null } = token;
  const row = await selectOne<TokenRow>(
    db,
    sql`insert into tokens as t (user_id, kind, hash, prefix, name, description, scope, expires_at)
        values (${userId}, ${kind}, ${hashToken(text)}, ${text.slice(0, 10)}, ${name}, ${description}, ${scope},
                coalesce(${expiresAt}::timestamptz, now() + make_interval(days => ${TOKEN_DAYS}::int)))
        returning ${columns}`,
  );
  return { row: row as TokenRow, text };
}

/**
 * The valid token with this text and its user. A lookup by hash takes the same time for right and wrong tokens.
 * `isUnnoted`: its use was not noted for a minute, see {@link touchToken}.
 */
export async function findToken(
  db: Executor,
  text: string,
): Promise<{
  token: TokenRow;
  user: UserRow;
  teams: readonly number[];
  isUnnoted: boolean;
} | null> {
  const row = await selectOne<
    TokenRow & { user: UserRow; teams: readonly number[]; is_unnoted: boolean }
  >(
    db,
    prepared(sql`select ${columns}, jsonb_build_object('id', u.id, 'name', u.name, 'password_hash', u.password_hash,
          'super', u.super, 'roles', to_jsonb(u.roles), 'created_at', u.created_at) as "user",
          (select coalesce(jsonb_agg(m.team_id), '[]') from team_members m where m.user_id = u.id) as teams,
          coalesce(t.last_used_at < now() - interval '1 minute', true) as is_unnoted
        from tokens t join users u on u.id = t.user_id
        where t.hash = ${hashToken(text)} and t.deleted_at is null and t.expires_at > now()`),
  );
  if (row === null) return null;
  const { user, teams, is_unnoted: isUnnoted, ...token } = row;
  return { token, user, teams, isUnnoted };
}

/** The expiry (ISO 8601) of a valid token, or null. */
export async function findTokenEnd(db: Executor, id: number): Promise<string | null> {
  return selectValue<string>(
    db,
    sql`select expires_at from tokens where id = ${id} and deleted_at is null and expires_at > now()`,
  );
}

/** Notes the use, at most once a minute. */
export async function touchToken(db: Executor, id: number): Promise<void> {
  await execute(
    db,
    sql`update tokens set last_used_at = now()
        where id = ${id} and (last_used_at is null or last_used_at < now() - interval '1 minute')`,
  );
}

/** Those made on purpose, newest first, including expired ones until they are removed. */
export async function listTokens(db: Executor, userId: number): Promise<TokenRow[]> {
  return select<TokenRow>(
    db,
    sql`select ${columns} from tokens t where t.user_id = ${userId} and t.kind = 'api' and t.deleted_at is null
        order by t.id desc`,
  );
}

export interface TokenChange {
  readonly name?: string | null;
  readonly description?: string | null;
  readonly expiresAt?: string | null;
}

/** Null when the user has no such token. */
export async function updateToken(
  db: Executor,
  userId: number,
  id: number,
  change: TokenChange,
): Promise<TokenRow | null> {
  const row = await selectOne<TokenRow>(
    db,
    sql`update tokens t set name = coalesce(${change.name ?? null}, t.name),
          description = coalesce(${change.description ?? null}, t.description),
          expires_at = coalesce(${change.expiresAt ?? null}::timestamptz, t.expires_at)
        where t.id = ${id} and t.user_id = ${userId} and t.kind = 'api' and t.deleted_at is null returning ${columns}`,
  );
  if (row !== null) await publishAccess(db, userId);
  return row;
}

/** Revokes it; returns the key that undoes this. */
export async function removeTokens(
  db: Executor,
  userId: number,
  ids: readonly number[],
): Promise<string> {
  return inTransaction(db, async (tx) => {
    const key = await insertDeletion(tx, userId);
    await execute(
      tx,
      sql`update tokens set deleted_key = ${key}::uuid, deleted_at = now()
          where id = any(${array(ids, 'bigint')}) and user_id = ${userId} and deleted_at is null`,
    );
    await publishAccess(tx, userId);
    return key;
  });
}

export type SpentToken =
  | { readonly result: 'exchanged'; readonly text: string }
  | { readonly result: 'other kind' }
  | { readonly result: 'gone' };

/** Replaces a start token by a sign-in of its user. Of several simultaneous calls, one gets it. */
export async function spendStartToken(
  db: Executor,
  { userId, id }: { readonly userId: number; readonly id: number },
): Promise<SpentToken> {
  return inTransaction(db, async (tx) => {
    const token = await selectOne<Columns<'tokens', 'kind'>>(
      tx,
      sql`select kind from tokens where id = ${id} and user_id = ${userId} and deleted_at is null for update`,
    );
    if (token === null) return { result: 'gone' };
    if (token.kind !== 'start') return { result: 'other kind' };
    await endTokens(tx, { userId, id });
    return {
      result: 'exchanged',
      text: (await insertToken(tx, { userId, kind: 'login' })).text,
    };
  });
}

/** Permanently ends tokens: one in use (sign-out), or all of a kind but one (a new password, a new start). */
export async function endTokens(
  db: Executor,
  which: { userId: number; id?: number; kinds?: readonly TokenKind[]; exceptId?: number },
): Promise<void> {
  const { userId, id = null, kinds = ['login', 'api', 'start', 'run'], exceptId = null } = which;
  await execute(
    db,
    sql`delete from tokens where user_id = ${userId} and kind = any(${array(kinds, 'text')})
        and (${id}::bigint is null or id = ${id}::bigint) and (${exceptId}::bigint is null or id <> ${exceptId}::bigint)`,
  );
  await publishAccess(db, userId);
}
