/** The identity provider's accounts that an account is linked to. Code hosts cannot be linked: says what to do instead. */

import type { CoreContext } from '../context.ts';
import type { User } from '../http/call.ts';
import { invalidField, invalidParameter, notFound, notSupported } from '../http/service-error.ts';
import { undoDeletion } from '../policy/authorize.ts';
import { listIdentities } from '../repositories/identities.ts';

export function signInElsewhere(): never {
  throw notSupported(
    'This server has no identity provider: sign in with user name and password (POST /base/login), or with a token.',
  );
}

export function linkByCode(code: string): never {
  if (code.trim() === '') throw invalidField('code', 'is missing.');
  throw notSupported(
    'This server does not link accounts of code hosts; import a public repository by its address (source_url) instead.',
  );
}

export async function listLinkedAccounts({ pool }: CoreContext, user: User) {
  const identities = await listIdentities(pool, user.id);
  return { linked_accounts: identities.map(({ label }) => ({ type: 'oidc', account: label })) };
}

/** No account has a linked account to remove, so only an undo can succeed; it returns null. */
export async function removeLinkedAccounts(
  context: CoreContext,
  user: User,
  { accounts, deletedKey }: { accounts: readonly string[]; deletedKey: string },
): Promise<null> {
  if (deletedKey !== '') return undoDeletion(context, user, deletedKey);
  const field = 'accounts';
  const [account] = accounts;
  if (account === undefined) throw invalidParameter('accounts is missing.', { field });
  const malformed = accounts.find((one) => !/^[^:]+:.+$/s.test(one));
  if (malformed !== undefined)
    throw invalidParameter('Each entry of accounts must have the form type:account.', { field });
  throw notFound(`You have no linked account ${account.slice(0, 80)}.`);
}
