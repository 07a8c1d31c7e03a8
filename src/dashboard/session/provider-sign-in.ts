/** Signing in through the identity provider: leaving for it, and using what it sent back. */
import type { Client } from '../../client/create-client.ts';
import { type ReturnedSignIn, readSignIn, writeSignIn } from './provider-return.ts';

/** Leaves this page for the provider's. Throws `ApiError`. */
export async function goToProvider(
  asked: ReturnType<Client['beginSignIn']>,
  redirect: string,
): Promise<void> {
  const { url, browser_key: browserKey } = await asked;
  writeSignIn({ browserKey, redirect });
  leaveFor(url);
}

/** Returns it only once. */
export function takeReturned(): ReturnedSignIn | null {
  const found = readSignIn();
  const { browserKey = '', redirect = '/', query } = found ?? {};
  if (query === undefined) return null;
  writeSignIn(null);
  return { browserKey, redirect, query };
}

/** Leaves for a page of the provider; another server might name an address that is not a web page. */
export function leaveFor(url: string): void {
  if (/^https?:\/\//i.test(url)) window.location.assign(url);
}
