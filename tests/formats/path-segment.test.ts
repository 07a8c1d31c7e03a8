/** Names from outside: anything that leads out of a folder is rejected, however it is written. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  noteName,
  quoteName,
  type SeenNames,
  segmentProblem,
  splitPath,
} from '../../src/formats/path-segment.ts';

const percentEncode = (text: string) =>
  Array.from(
    new TextEncoder().encode(text),
    (byte) => `%${byte.toString(16).padStart(2, '0')}`,
  ).join('');

describe('refuses', () => {
  const bad = [
    '',
    '.',
    '..',
    'a/b',
    'a\\b',
    '../x',
    'C:',
    'file:stream',
    'a\0b',
    'a\nb',
    'a\u0085b',
    '\u007f',
    'CON',
    'nul.stan',
    'com1',
    'LPT9.txt',
    'name.',
    'name ',
    'x'.repeat(256),
    '\u202egnp.exe',
    '\ud800',
    '．．',
    '..\u200d',
    '\u200b',
    'a／b',
    'é'.repeat(128),
    '.git',
    '.GIT',
    '.g\u200dit',
    '．git',
    'GIT~1',
  ];
  it.each(bad)('%j', (name) => expect(segmentProblem(name)).not.toBeNull());

  it.each([
    ['', 'is empty'],
    ['.', 'refers to a folder'],
    ['..', 'refers to a folder'],
    ['．．', 'refers to a folder'],
    ['.\u200d', 'refers to a folder'],
    ['\u200d', 'refers to a folder'],
    ['a/b', 'contains a path separator'],
    ['a\\b', 'contains a path separator'],
    ['a＼b', 'contains a path separator'],
    ['a:b', 'contains a colon'],
    ['C:\\x', 'contains a path separator'],
    ['a\u2028b', 'contains a control character'],
    ['a\u2029b', 'contains a control character'],
    ['a\u2066b', 'contains a character that changes the writing direction'],
    ['a%e2%80%aeb', 'contains a character that changes the writing direction'],
    ['a\udc00b', 'is not valid Unicode'],
    ['a.', 'ends with a dot or a space'],
    ['a ', 'ends with a dot or a space'],
    ['prn', 'is a reserved device name'],
    ['Aux.txt', 'is a reserved device name'],
    ['conin$', 'is a reserved device name'],
    ['CONOUT$.x', 'is a reserved device name'],
    ['com²', 'is a reserved device name'],
    ['lpt0', 'is a reserved device name'],
    ['.Git', "is the name of a Git repository's own folder"],
    ['git~1', "is the name of a Git repository's own folder"],
    [`${'é'.repeat(127)}xx`, 'is longer than 255 bytes'],
  ])('%j, which %s', (name, problem) => expect(segmentProblem(name)).toBe(problem));

  it('the same names under one, two and three rounds of percent encoding', () => {
    const dangerous = fc.constantFrom(
      '.',
      '..',
      '/',
      '\\',
      '../..',
      'a/b',
      '\0',
      ':',
      'nul',
      '..\\x',
      '．．',
    );
    fc.assert(
      fc.property(
        dangerous,
        fc.integer({ min: 1, max: 3 }),
        fc.boolean(),
        (text, rounds, upper) => {
          let name: string = text;
          for (let round = 0; round < rounds; round++) {
            // From the second round on, only the percent signs, as a client that encodes twice does.
            name = round === 0 ? percentEncode(name) : name.replaceAll('%', '%25');
          }
          expect(segmentProblem(upper ? name.toUpperCase() : name)).not.toBeNull();
          expect(segmentProblem(`${name}x`) === null && /[/\\:\0]/.test(text)).toBe(false);
        },
      ),
      { seed: 1 },
    );
  });

  it('encoded separators in a name that is not UTF-8 as a whole', () =>
    expect(segmentProblem('%2e%2e%2f%ff')).not.toBeNull());
});

describe('accepts', () => {
  it.each([
    'main.stan',
    '.metadata',
    'a b.csv',
    '100%.txt',
    '50%25',
    'Überblick.stan',
    'データ.json',
    '...x',
    'con_1',
    'x'.repeat(255),
    'a+b(1)~$&.r',
    'naïve…',
    'icon.png',
    'falcon',
    'com10',
    'lpt.txt',
    '.gitignore',
    'x.git',
    'git~12',
    'my git~1',
    '%ff',
    '%80',
    '%c3%28',
    `${'é'.repeat(127)}x`,
  ])('%j', (name) => {
    expect(segmentProblem(name)).toBeNull();
  });

  it('no name that changes where a joined path ends', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        if (segmentProblem(name) !== null) return;
        const url = new URL(`http://x/tree/${encodeURIComponent(name)}`);
        expect(url.pathname.split('/').length).toBe(3);
        expect(url.pathname.startsWith('/tree/')).toBe(true);
      }),
      { seed: 2, numRuns: 500 },
    );
  });
});

it('splitPath checks every segment', () => {
  expect(splitPath('a/b/c.stan')).toEqual({ ok: true, value: ['a', 'b', 'c.stan'] });
  for (const path of ['/etc/passwd', 'a//b', 'a/../b', 'a/', ''])
    expect(splitPath(path).ok).toBe(false);
  expect(splitPath('a/b:c/..')).toEqual({ ok: false, error: '"b:c" contains a colon' });
});

it('noteName distinguishes a duplicate name from one that differs only in case', () => {
  const seen: SeenNames = new Map();
  expect(['A.stan', 'b.stan', 'é'].map((name) => noteName(seen, name))).toEqual([null, null, null]);
  expect(noteName(seen, 'A.stan')).toBe('"A.stan" occurs twice.');
  expect(noteName(seen, 'a.stan')).toBe(
    '"a.stan" occurs twice: "A.stan" differs from it only in case.',
  );
  expect(noteName(seen, 'e\u0301')).toBe('"e\u0301" occurs twice.');
});

it('quoteName replaces control characters and shortens long names', () => {
  expect(quoteName('a\u001b[31m\u202e')).toBe('"a?[31m?"');
  expect(quoteName('x'.repeat(60))).toBe(`"${'x'.repeat(60)}"`);
  expect(quoteName('x'.repeat(61))).toBe(`"${'x'.repeat(57)}…"`);
});
