/** A text that this browser remembers; a browser without storage just forgets it. */

/** Empty if there is none. */
export function readStored(key: string): string {
  try {
    return localStorage.getItem(key) ?? '';
  } catch {
    return '';
  }
}

/** Empty forgets it. */
export function writeStored(key: string, text: string): void {
  try {
    if (text === '') localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    // without storage the text lasts as long as the page
  }
}
