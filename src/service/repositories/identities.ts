/** People as a provider knows them, each bound to one account, and the sessions that began through it. */
import { publishAccess } from './access.ts';
import { type Executor, execute, select, selectOne, selectValue, sql } from './database.ts';
import type { Columns, Tables } from './tables.ts';

export type IdentityRow = Columns<
  'identities',
  'id' | 'issuer' | 'subject' | 'user_id' | 'label' | 'is_account_made'
>;

const columns = sql`id, issuer, subject, user_id, label, is_account_made`;

export interface ProviderSubject {
  readonly issuer: string;
  readonly subject: string;
}

/** Of two simultaneous sign-ins of one person, the second waits until the first is over. */
export async function lockIdentity(
  tx: Executor,
  { issuer, subject }: ProviderSubject,
): Promise<IdentityRow | null> {
  const key = JSON.stringify([issuer, subject]);
  await execute(tx, sql`select pg_advisory_xact_lock(hashtextextended(${key}, 4715017))`);
  return selectOne<IdentityRow>(
    tx,
    sql`select ${columns} from identities where issuer = ${issuer} and subject = ${subject}`,
  );
}

export async function insertIdentity(
  tx: Executor,
  identity: Omit<IdentityRow, 'id'>,
): Promise<IdentityRow> {
  const { issuer, subject, user_id: userId, label, is_account_made: isAccountMade } = identity;
  return (await selectOne<IdentityRow>(
    tx,
    sql`insert into identities (issuer, subject, user_id, label, is_account_made)
        values (${issuer}, ${subject}, ${userId}, ${label}, ${isAccountMade}) returning ${columns}`,
  )) as IdentityRow;
}

export async function noteSignIn(tx: Executor, id: number, label: string): Promise<void> {
  await execute(
    tx,
    sql`update identities set label = ${label}, signed_in_at = now() where id = ${id}`,
  );
}

export async function listIdentities(db: Executor, userId: number): Promise<IdentityRow[]> {
  return select<IdentityRow>(
    db,
    sql`select ${columns} from identities where user_id = ${userId} order by id`,
  );
}

export async function insertProviderSession(
  tx: Executor,
  session: { readonly tokenId: number; readonly identityId: number; readonly idToken: string },
): Promise<void> {
  await execute(
    tx,
    sql`insert into provider_sessions (token_id, identity_id, id_token)
        values (${session.tokenId}, ${session.identityId}, ${session.idToken})`,
  );
}

/** The ID token that a session began with; null for a session that began in another way. */
export async function findIdToken(db: Executor, tokenId: number): Promise<string | null> {
  return selectValue<Tables['provider_sessions']['id_token']>(
    db,
    sql`select id_token from provider_sessions where token_id = ${tokenId}`,
  );
}

/** Ends the sessions that began through a provider's account; others remain. */
export async function endProviderSessions(db: Executor, identity: IdentityRow): Promise<void> {
  await execute(
    db,
    sql`delete from tokens where id in
        (select token_id from provider_sessions where identity_id = ${identity.id})`,
  );
  await publishAccess(db, identity.user_id);
}
