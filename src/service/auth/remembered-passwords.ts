/** Correct share passwords, remembered for ten minutes by their HMAC, so that later requests need no hash. */
import { createHmac } from 'node:crypto';

const lifeMs = 10 * 60_000;

export interface RememberedPasswords {
  /** `version` grows with each change of the password, which invalidates what was remembered. */
  has(share: string, version: number, password: string): boolean;
  add(share: string, version: number, password: string): void;
}

/** `now`: milliseconds since the epoch. `maxEntries`: beyond this, the oldest is forgotten. */
export function createRememberedPasswords(
  serverKey: Uint8Array,
  now: () => number,
  maxEntries = 10_000,
): RememberedPasswords {
  const ends = new Map<string, number>();
  const keyOf = (share: string, version: number, password: string) =>
    createHmac('sha256', serverKey)
      .update(JSON.stringify(['share password', share, version, password]))
      .digest('base64');
  return {
    has(share, version, password) {
      const key = keyOf(share, version, password);
      if ((ends.get(key) ?? 0) > now()) return true;
      ends.delete(key);
      return false;
    },
    add(share, version, password) {
      if (ends.size >= maxEntries) ends.delete(ends.keys().next().value as string);
      ends.set(keyOf(share, version, password), now() + lifeMs);
    },
  };
}
