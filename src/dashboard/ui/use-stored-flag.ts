/** A yes/no choice that this browser remembers. */
import { useState } from 'react';

export function useStoredFlag(key: string): readonly [boolean, (next: boolean) => void] {
  const [flag, setFlag] = useState(() => readFlag(key));
  const change = (next: boolean) => {
    setFlag(next);
    try {
      if (next) localStorage.setItem(key, 'yes');
      else localStorage.removeItem(key);
    } catch {
      // A browser without storage just forgets the choice.
    }
  };
  return [flag, change];
}

function readFlag(key: string): boolean {
  try {
    return localStorage.getItem(key) === 'yes';
  } catch {
    return false;
  }
}
