/**
 * What a tab stores while somebody signs in with the identity provider, and what the provider sent back. Both stay
 * in the tab, so a callback link made by somebody else signs nobody in. Every page checks this first; the
 * sign-in page's part is in `provider-sign-in.ts`.
 */

const key = 'ergodic.sign-in';

/** Where the provider sends people back to; the service names it there. */
const callbackPath = '/sign-in/callback';

export interface ReturnedSignIn {
  readonly browserKey: string;
  /** The page the user wanted. */
  readonly redirect: string;
  /** `?code=…&state=…`, as the provider wrote it. */
  readonly query: string;
}

/** Removes from the address what the provider added, before the first render, so that nothing ever shows it. */
export function takeProviderQuery(location: Location, history: History): void {
  if (location.pathname !== callbackPath) return;
  const { browserKey = '', redirect = '/' } = readSignIn() ?? {};
  writeSignIn({ browserKey, redirect, query: location.search });
  history.replaceState(null, '', '/sign-in');
}

export const hasReturned = (): boolean => readSignIn()?.query !== undefined;

/** Null: nothing is stored. */
export function readSignIn(): Partial<ReturnedSignIn> | null {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null') as Partial<ReturnedSignIn> | null;
  } catch {
    return null;
  }
}

/** Null forgets it. A page may be denied storage: then the service refuses what comes back. */
export function writeSignIn(record: Partial<ReturnedSignIn> | null): void {
  try {
    if (record === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(record));
  } catch {
    // Not stored.
  }
}
