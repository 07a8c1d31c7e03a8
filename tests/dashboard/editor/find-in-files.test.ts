import { describe, expect, it } from 'vitest';
import {
  expressionOf,
  type FindOptions,
  findInFiles,
  mostMatches,
  replaceInFiles,
} from '../../../src/dashboard/editor/find-in-files.ts';

const order = (pattern: string, change: Partial<FindOptions> = {}): FindOptions => ({
  pattern,
  isRegex: false,
  isCase: false,
  isWord: false,
  ...change,
});
const files = [
  { id: 1, path: 'main.stan', text: 'real mu;\r\nreal<lower=0> Mu_2;\r\nmu ~ normal(0, 1);' },
  { id: 2, path: 'lib/a.stan', text: 'no match here' },
];
const places = (asked: FindOptions) =>
  findInFiles(files, asked).files.flatMap(({ file, matches }) =>
    matches.map(({ line, column, length }) => [file.path, line, column, length]),
  );

describe('finding in all files', () => {
  it('returns line, column and length of each match, ignoring case', () => {
    expect(places(order('mu'))).toEqual([
      ['main.stan', 1, 6, 2],
      ['main.stan', 2, 15, 2],
      ['main.stan', 3, 1, 2],
    ]);
  });

  it('matches case and whole words on request', () => {
    expect(places(order('mu', { isCase: true }))).toHaveLength(2);
    expect(places(order('MU', { isWord: true }))).toEqual([
      ['main.stan', 1, 6, 2],
      ['main.stan', 3, 1, 2],
    ]);
  });

  it('takes characters literally unless the pattern is a regular expression', () => {
    expect(places(order('real<lower=0>'))).toHaveLength(1);
    expect(places(order('normal(0, 1)'))).toHaveLength(1);
    expect(places(order('re.l'))).toHaveLength(0);
    expect(places(order('re.l', { isRegex: true }))).toHaveLength(2);
    expect(places(order('x*', { isRegex: true }))).toHaveLength(0);
  });

  it('rejects an invalid regular expression, and finds nothing for an empty pattern', () => {
    expect(() => places(order('(', { isRegex: true }))).toThrow(SyntaxError);
    expect(expressionOf(order(''))).toBeNull();
    expect(places(order(''))).toEqual([]);
    expect(findInFiles([{ id: 1, path: 'a', text: 'null' }], order('')).files).toEqual([]);
  });

  it('counts letters of every language as parts of words', () => {
    const found = (text: string) =>
      findInFiles([{ id: 1, path: 'a', text }], order('mu', { isWord: true })).total;
    for (const text of ['émué', 'mué', 'ému', 'mu2', '2mu', 'mu_', '_mu'])
      expect(found(text)).toBe(0);
    for (const text of ['mu', '(mu)', '-mu+']) expect(found(text)).toBe(1);
    const one = [{ id: 1, path: 'a', text: 'mux xnu' }];
    const either = order('mu|nu', { isRegex: true, isWord: true });
    expect(findInFiles(one, either).total).toBe(0);
  });

  it('takes each special character literally', () => {
    for (const sign of '\\^$.*+?()[]{}|/-') {
      const text = `a${sign}b`;
      expect(findInFiles([{ id: 1, path: 'a', text }], order(sign)).files).toEqual([
        { file: expect.anything(), matches: [{ line: 1, column: 2, length: 1, text }] },
      ]);
    }
  });

  it('counts lines whichever way they end', () => {
    const text = 'x\rx\r\nx\n\nx';
    const [{ matches }] = findInFiles([{ id: 1, path: 'a', text }], order('x')).files;
    expect(matches.map(({ line }) => line)).toEqual([1, 2, 3, 5]);
  });

  it('stops at the maximum number of matches and reports it', () => {
    const fileOf = (id: number, text: string) => ({ id, path: `${id}`, text });
    const many = fileOf(1, `${'x'.repeat(mostMatches - 1)}\nxx\nx`);
    const found = findInFiles([many, fileOf(2, 'x')], order('x'));
    expect(found).toMatchObject({ total: mostMatches, isCut: true });
    expect(found.files.map(({ matches }) => matches.length)).toEqual([mostMatches]);
    expect(findInFiles([fileOf(1, 'xx')], order('x'))).toMatchObject({ total: 2, isCut: false });
  });
});

describe('replacing in all files', () => {
  it('changes only files with a match, and keeps their line endings', () => {
    expect([...replaceInFiles(files, order('mu', { isWord: true }), 'nu')]).toEqual([
      [1, 'real nu;\r\nreal<lower=0> Mu_2;\r\nnu ~ normal(0, 1);'],
    ]);
  });

  it('inserts groups of a regular expression, and takes $ literally otherwise', () => {
    const one = [{ id: 1, path: 'a', text: 'f(a, b) f(c, d)' }];
    const regex = order('f\\((\\w), (\\w)\\)', { isRegex: true });
    expect(replaceInFiles(one, regex, '$2-$1').get(1)).toBe('b-a d-c');
    expect(replaceInFiles(one, order('f('), '$1$&').get(1)).toBe('$1$&a, b) $1$&c, d)');
  });

  it('replaces only the matches, and omits files that do not change', () => {
    const text = 'a\rxay xb\r\nx\n';
    const replaced = (pattern: string, by: string) =>
      replaceInFiles([{ id: 1, path: 'a', text }], order(pattern, { isRegex: true }), by).get(1);
    expect(replaced('(?<=x)a', 'c')).toBe('a\rxcy xb\r\nx\n');
    expect(replaced('b*', '!')).toBe('a\rxay x!\r\nx\n');
    expect(replaced('^x', '')).toBe('a\ray xb\r\n\n');
    expect(replaced('a', 'aa')).toBe('aa\rxaay xb\r\nx\n');
    expect(replaced('\\s', '')).toBe('a\rxayxb\r\nx\n');
    expect(replaced('x', 'x')).toBeUndefined();
    expect(replaced('z', 'x')).toBeUndefined();
    expect(replaced('', 'x')).toBeUndefined();
  });
});
