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
  it('gives line, column and length of each match, with the case ignored', () => {
    expect(places(order('mu'))).toEqual([
      ['main.stan', 1, 6, 2],
      ['main.stan', 2, 15, 2],
      ['main.stan', 3, 1, 2],
    ]);
  });

  it('keeps to the case and to whole words when asked', () => {
    expect(places(order('mu', { isCase: true }))).toHaveLength(2);
    expect(places(order('MU', { isWord: true }))).toEqual([
      ['main.stan', 1, 6, 2],
      ['main.stan', 3, 1, 2],
    ]);
  });

  it('takes signs literally unless it is a regular expression', () => {
    expect(places(order('real<lower=0>'))).toHaveLength(1);
    expect(places(order('normal(0, 1)'))).toHaveLength(1);
    expect(places(order('re.l'))).toHaveLength(0);
    expect(places(order('re.l', { isRegex: true }))).toHaveLength(2);
    expect(places(order('x*', { isRegex: true }))).toHaveLength(0);
  });

  it('refuses what is not a regular expression, and finds nothing for nothing', () => {
    expect(() => places(order('(', { isRegex: true }))).toThrow(SyntaxError);
    expect(expressionOf(order(''))).toBeNull();
    expect(places(order(''))).toEqual([]);
  });

  it('stops at the most and says so', () => {
    const many = [{ id: 1, path: 'a', text: 'x'.repeat(mostMatches + 5) }];
    expect(findInFiles(many, order('x'))).toMatchObject({ total: mostMatches, isCut: true });
  });
});

describe('replacing in all files', () => {
  it('changes the files with a match alone and leaves their line ends', () => {
    expect([...replaceInFiles(files, order('mu', { isWord: true }), 'nu')]).toEqual([
      [1, 'real nu;\r\nreal<lower=0> Mu_2;\r\nnu ~ normal(0, 1);'],
    ]);
  });

  it('fills in groups of a regular expression, and takes $ literally otherwise', () => {
    const one = [{ id: 1, path: 'a', text: 'f(a, b) f(c, d)' }];
    const regex = order('f\\((\\w), (\\w)\\)', { isRegex: true });
    expect(replaceInFiles(one, regex, '$2-$1').get(1)).toBe('b-a d-c');
    expect(replaceInFiles(one, order('f('), '$1$&').get(1)).toBe('$1$&a, b) $1$&c, d)');
  });
});
