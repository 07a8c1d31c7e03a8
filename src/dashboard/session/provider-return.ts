/**
 * What a tab keeps while somebody signs in with the identity provider, and what the provider sent it back with. Both stay
 * in the tab, so a link to the callback that somebody else made signs nobody in. Every page looks here first; what the
 * sign-in page does with it is in `provider-sign-in.ts`.
 */

const key = 'ergodic.sign-in';

/** Where the provider sends people back to; the service names it there. */
const callbackPath = '/sign-in/callback';

export interface ReturnedSignIn {
  readonly browserKey: string;
  /** Where the person wanted to be. */
  readonly redirect: string;
  /** `?code=…&state=…`, as the provider wrote it. */
  readonly query: string;
}

/** Takes what the provider added out of the address, before the first render, so that nothing ever shows it. */
export function takeProviderQuery(location: Location, history: History): void {
  if (location.pathname !== callbackPath) return;
  const { browserKey = '', redirect = '/' } = readSignIn() ?? {};
  writeSignIn({ browserKey, redirect, query: location.search });
  history.replaceState(null, '', '/sign-in');
}

export const hasReturned = (): boolean => readSignIn()?.query !== undefined;

/** Null: nothing is kept. */
export function readSignIn(): Partial<ReturnedSignIn> | null {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null') as Partial<ReturnedSignIn> | null;
  } catch {
    return null;
  }
}

/** Null forgets it. Storage may be forbidden to a page: then the service refuses what comes back. */
export function writeSignIn(record: Partial<ReturnedSignIn> | null): void {
  try {
    if (record === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(record));
  } catch {
    // Not kept.
  }
}
