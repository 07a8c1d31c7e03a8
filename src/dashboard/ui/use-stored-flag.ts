/** A yes/no choice that this browser remembers. */
import { useState } from 'react';
import { readStored, writeStored } from './stored-text.ts';

export function useStoredFlag(key: string): readonly [boolean, (next: boolean) => void] {
  const [flag, setFlag] = useState(() => readStored(key) === 'yes');
  const change = (next: boolean) => {
    setFlag(next);
    writeStored(key, next ? 'yes' : '');
  };
  return [flag, change];
}
