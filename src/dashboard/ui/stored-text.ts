/** A text that this browser, or with `sessionStorage` this tab, remembers; without storage it is just forgotten. */

const local = () => localStorage;

/** Empty if there is none. */
export function readStored(key: string, storage: () => Storage = local): string {
  try {
    return storage().getItem(key) ?? '';
  } catch {
    return '';
  }
}

/** Empty forgets it. */
export function writeStored(key: string, text: string, storage: () => Storage = local): void {
  try {
    if (text === '') storage().removeItem(key);
    else storage().setItem(key, text);
  } catch {
    // without storage the text lasts as long as the page
  }
}
