/** A text that this browser remembers; one without storage forgets it, no more. */

/** Empty when there is none. */
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
    // without storage the choice lasts as long as the page
  }
}
