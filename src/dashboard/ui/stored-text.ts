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

/** Entries of a remembered list; anything else that is stored there is ignored. */
export function readStoredList<T>(
  key: string,
  isEntry: (value: unknown) => value is T,
): readonly T[] {
  try {
    const stored: unknown = JSON.parse(readStored(key) || '[]');
    return Array.isArray(stored) ? stored.filter(isEntry) : [];
  } catch {
    return [];
  }
}

export function writeStoredList(key: string, entries: readonly unknown[]): void {
  writeStored(key, entries.length === 0 ? '' : JSON.stringify(entries));
}

export const isText = (value: unknown): value is string => typeof value === 'string';
