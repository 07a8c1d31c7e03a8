import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { faultText, findJsonFault } from '../../../src/dashboard/features/relations/json-place.ts';

describe('the place where a text stops being JSON', () => {
  it.each([
    ['{\n  "a": 1,\n  b: 2\n}', 3, 3, 'a name in double quotes was expected'],
    ['[1 2]', 1, 4, 'a comma or ] was expected'],
    ['{"a" 1}', 1, 6, 'a colon was expected'],
    ['{"a": }', 1, 7, 'a value was expected'],
    ['{"a": 1', 1, 8, 'the text ends too early'],
    ['"a\nb"', 1, 3, 'the quote is not closed'],
    ['"a\\x"', 1, 3, 'this \\ does not begin an escape'],
    ['1 2', 1, 3, 'the value ended before this'],
    ['[01]', 1, 3, 'a comma or ] was expected'],
  ])('is found in %j', (text, line, column, message) => {
    expect(findJsonFault(text)).toEqual({ line, column, message });
  });
  it('is described in the message', () => {
    expect(faultText({ line: 3, column: 5, message: 'a colon was expected' })).toBe(
      'Line 3, column 5: a colon was expected.',
    );
  });
  it('is there exactly when the text is not JSON', () => {
    const json = fc.json().map((text) => text.split(''));
    const broken = fc.tuple(json, fc.nat(), fc.constantFrom('', ',', '"', '}', 'x', '0'));
    fc.assert(
      fc.property(broken, ([letters, place, letter]) => {
        const text = letters.with(place % letters.length, letter).join('');
        expect(findJsonFault(text) === null).toBe(isJson(text));
      }),
      { seed: 5, numRuns: 2000 },
    );
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
