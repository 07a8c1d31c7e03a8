/** The library reference: the entire table, in Stan's notation. */
import { describe, expect, it } from 'vitest';
import { languageReference, libraryCoverage } from '../../../src/language/editor/reference.ts';
import { libraryNames } from '../../../src/language/types/signatures/signature-table.ts';
import { stanNames } from '../../../src/language/types/signatures/stan-names.ts';

/** `normal_lpdf` of `real normal_lpdf(…)`; results may be tuples. */
const nameOf = (signature: string): string =>
  /(\w+)\([^()]*(?:\([^()]*\)[^()]*)*\)$/.exec(signature)?.[1] ?? '';

describe('the reference of the library', () => {
  const groups = languageReference();
  const entries = groups.flatMap((group) => group.entries);

  it('holds every function that a program may call', () => {
    const listed = new Set(entries.flatMap(({ signatures }) => signatures.map(nameOf)));
    const missing = libraryNames().filter((name) => !listed.has(name));
    expect(missing).toEqual([]);
  });

  it('lists each function once per topic, in order', () => {
    for (const { title, entries: own } of groups) {
      const names = own.map(({ name }) => name.toLowerCase());
      expect([title, new Set(own.map(({ name }) => name)).size]).toEqual([title, own.length]);
      expect([title, names]).toEqual([title, names.toSorted()]);
    }
  });

  it('joins the forms of a distribution and writes types as Stan does', () => {
    const normal = entries.find(({ name }) => name === 'normal');
    expect(normal?.signatures[0]).toBe('real normal_lpdf(reals y | reals mu, reals sigma)');
    expect(normal?.signatures.map(nameOf)).toContain('normal_rng');
    expect(normal?.meaning).toBeTruthy();
    const texts = entries.flatMap(({ signatures }) => signatures).join('\n');
    expect(texts).not.toMatch(/\w\[,*\](?! \w)|f:|\w\|\w/);
    expect(texts).toContain('array[] real');
  });

  it('covers all functions that Stan lists', () => {
    const { total, missing } = libraryCoverage();
    expect(stanNames()).toEqual([...new Set(stanNames())].toSorted());
    expect(total).toBe(564);
    expect(missing).toEqual([]);
    expect(stanNames()).toEqual(
      expect.arrayContaining(['normal_lpdf', 'fft', 'cholesky_decompose']),
    );
  });

  it('has a meaning for every entry', () => {
    const bare = entries.filter(({ meaning }) => meaning === null).map(({ name }) => name);
    expect(bare).toEqual([]);
  });
});
