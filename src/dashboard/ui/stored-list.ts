/** A list that this browser remembers. */
import { readStored, writeStored } from './stored-text.ts';

/** Anything else that is stored there is ignored. */
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
