/** The reference of the library: all of the table, in Stan's notation. */
import { describe, expect, it } from 'vitest';
import { languageReference } from '../../../src/language/editor/reference.ts';
import { libraryNames } from '../../../src/language/types/signatures/signature-table.ts';

describe('the reference of the library', () => {
  const groups = languageReference();
  const entries = groups.flatMap((group) => group.entries);

  it('holds every function that a program may call', () => {
    const listed = new Set(
      entries.flatMap(({ signatures }) =>
        signatures.map((text) => text.slice(0, text.indexOf('('))),
      ),
    );
    const missing = libraryNames().filter((name) => !listed.has(name));
    expect(missing).toEqual([]);
  });

  it('names no function twice in a topic, and sorts each', () => {
    for (const { title, entries: own } of groups) {
      const names = own.map(({ name }) => name.toLowerCase());
      expect([title, new Set(own.map(({ name }) => name)).size]).toEqual([title, own.length]);
      expect([title, names]).toEqual([title, names.toSorted()]);
    }
  });

  it('joins the forms of a distribution and writes types as Stan does', () => {
    const normal = entries.find(({ name }) => name === 'normal');
    expect(normal?.signatures[0]).toBe('normal_lpdf(reals, reals, reals) => real');
    expect(normal?.signatures.map((text) => text.split('(')[0])).toContain('normal_rng');
    expect(normal?.meaning).toBeTruthy();
    const texts = entries.flatMap(({ signatures }) => signatures).join('\n');
    expect(texts).not.toMatch(/\w\[,*\](?! \w)|f:|\|/);
    expect(texts).toContain('array[] real');
  });

  it('says what every entry means', () => {
    const bare = entries.filter(({ meaning }) => meaning === null).map(({ name }) => name);
    expect(bare).toEqual([]);
  });
});
