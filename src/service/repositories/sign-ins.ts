/** Sign-ins in progress at a provider: begun by one request, finished by another, perhaps on another service. */
import { createHash } from 'node:crypto';
import { type Executor, execute, selectOne, sql } from './database.ts';
import type { Columns } from './tables.ts';

/** How long one may take at the provider. */
const SIGN_IN_MINUTES = 10;

export interface BegunSignIn {
  readonly state: string;
  /** A secret that only the tab that began it has. */
  readonly browserKey: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly redirectUri: string;
  /** The account to be linked; null: a sign-in. */
  readonly userId: number | null;
}

export async function insertSignIn(
  db: Executor,
  { state, browserKey, nonce, verifier, redirectUri, userId }: BegunSignIn,
): Promise<void> {
  await execute(db, sql`delete from sign_ins where expires_at < now()`);
  await execute(
    db,
    sql`insert into sign_ins (state_hash, browser_hash, nonce, verifier, redirect_uri, user_id, expires_at)
        values (${hash(state)}, ${hash(browserKey)}, ${nonce}, ${verifier}, ${redirectUri}, ${userId},
                now() + make_interval(mins => ${SIGN_IN_MINUTES}::int))`,
  );
}

/** Returns it once; null if it is unknown, expired, already finished, or was begun by another tab. */
export async function takeSignIn(
  db: Executor,
  { state, browserKey }: Pick<BegunSignIn, 'state' | 'browserKey'>,
): Promise<BegunSignIn | null> {
  const row = await selectOne<
    Columns<'sign_ins', 'nonce' | 'verifier' | 'redirect_uri' | 'user_id'>
  >(
    db,
    sql`delete from sign_ins where state_hash = ${hash(state)} and browser_hash = ${hash(browserKey)}
          and expires_at > now()
        returning nonce, verifier, redirect_uri, user_id`,
  );
  if (row === null) return null;
  const { nonce, verifier, redirect_uri: redirectUri, user_id: userId } = row;
  return { state, browserKey, nonce, verifier, redirectUri, userId };
}

const hash = (text: string): Buffer => createHash('sha256').update(text).digest();
