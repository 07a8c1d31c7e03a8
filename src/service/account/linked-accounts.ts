/** Accounts of identity providers and code hosts: this service links none, and says what to do instead. */

import type { CoreContext } from '../context.ts';
import type { User } from '../http/call.ts';
import { invalidParameter, notFound, notSupported } from '../http/service-error.ts';
import { undoRemoval } from '../repositories/objects.ts';

export function signInElsewhere(): never {
  throw notSupported(
    'This server has no identity provider: sign in with user name and password (POST /base/login), or with a token.',
  );
}

export function linkByCode(code: string): never {
  if (code.trim() === '') throw invalidParameter('code is missing.', { field: 'code' });
  throw notSupported(
    'This server links no accounts of code hosts; a public repository is read by its address (source_url) without one.',
  );
}

/** Nobody has a linked account, so only an undo can succeed: null then. */
export async function removeLinkedAccounts(
  { pool }: CoreContext,
  user: User,
  { accounts, deletedKey }: { accounts: readonly string[]; deletedKey: string },
): Promise<null> {
  if (deletedKey !== '') {
    if (await undoRemoval(pool, user.id, deletedKey)) return null;
    throw notFound('Nothing of yours was deleted under this key, or that was too long ago.');
  }
  const field = 'accounts';
  const [account] = accounts;
  if (account === undefined) throw invalidParameter('accounts is missing.', { field });
  const malformed = accounts.find((one) => !/^[^:]+:.+$/s.test(one));
  if (malformed !== undefined)
    throw invalidParameter('accounts must each read type:account.', { field });
  throw notFound(`You have no linked account ${account.slice(0, 80)}.`);
}
