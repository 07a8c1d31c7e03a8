/** Numbers as files of the field spell them. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { numberText, parseNumber } from '../../src/formats/number-text.ts';

it.each([
  [0.1, '0.1'],
  [0, '0'],
  [-0, '-0'],
  [1e21, '1e+21'],
  [NaN, 'nan'],
  [Infinity, 'inf'],
  [-Infinity, '-inf'],
])('%d is written as %s', (value, text) => expect(numberText(value)).toBe(text));

it('every number is read as it was written, whatever blanks surround it', () => {
  const blanks = fc.constantFrom('', ' ', '\t', '  ', '\u00a0');
  fc.assert(
    fc.property(fc.double(), blanks, blanks, (value, before, after) => {
      expect(parseNumber(before + numberText(value) + after)).toBe(value);
    }),
    { seed: 1 },
  );
});

it.each([
  ['5', 5],
  [' 5', 5],
  [' 12 ', 12],
  [' 12.', 12],
  [' 12.75', 12.75],
  [' .25', 0.25],
  [' -5', -5],
  [' +3', 3],
  ['+3', 3],
  ['1e10', 1e10],
  ['1E-05', 1e-5],
  ['1e+5', 1e5],
  ['2.5e2', 250],
  ['-1.5', -1.5],
])('reads %j as a number', (text, value) => expect(parseNumber(text)).toBe(value));

it.each([
  ['nan', NaN],
  ['+nan', NaN],
  ['-nan', NaN],
  ['na', NaN],
  ['inf', Infinity],
  ['+inf', Infinity],
  ['-inf', -Infinity],
  ['infinity', Infinity],
  ['+infinity', Infinity],
  ['-infinity', -Infinity],
  ['true', 1],
  ['false', 0],
])('reads %s in any case', (name, value) => {
  for (const text of [name, name.toUpperCase(), ` ${name} `]) expect(parseNumber(text)).toBe(value);
});

it.each([
  '',
  ' ',
  '\u00a0',
  '\u00a0 \u00a0',
  '0x10',
  ' 0x10',
  '\u00a00x10',
  '0b1',
  'x1',
  ' x1',
  '#1',
  '1x',
  ' 1x',
  '1;2',
  '1 2',
  '1,5',
  'e5',
  '1e',
  '.',
  '-',
  '--1',
  'word',
  'nano',
])('%j is not a number', (text) => expect(parseNumber(text)).toBeNull());
