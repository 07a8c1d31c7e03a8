import { describe, expect, it } from 'vitest';
import { library, libraryParts } from '../../../src/math/library/library.ts';

describe('library', () => {
  it('has no key in two parts', () => {
    const seen = new Map<string, string>();
    const twice: string[] = [];
    for (const [part, functions] of Object.entries(libraryParts)) {
      for (const key of Object.keys(functions)) {
        if (seen.has(key)) twice.push(`${key} in ${seen.get(key)} and ${part}`);
        seen.set(key, part);
      }
    }
    expect(twice).toEqual([]);
  });

  it('holds functions only, and all of every part', () => {
    const count = Object.values(libraryParts).reduce((n, part) => n + Object.keys(part).length, 0);
    expect(Object.keys(library).length).toBe(count);
    expect(Object.values(library).every((f) => typeof f === 'function')).toBe(true);
  });
});
