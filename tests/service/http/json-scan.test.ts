import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJsonBody } from '../../../src/service/http/json-body.ts';
import { type JsonBounds, scanJson } from '../../../src/service/http/json-scan.ts';

const bounds = (values: number, numbers?: number): JsonBounds => ({
  values: { limit: 'some_values', allowed: values },
  ...(numbers === undefined ? {} : { numbers: { limit: 'some_numbers', allowed: numbers } }),
});
const scan = (text: string, most: JsonBounds) => scanJson(Buffer.from(text), most);

/** Counts values and member names; each member has one name. */
function countOf(value: unknown): { numbers: number; others: number } {
  const count = { numbers: 0, others: 0 };
  const walk = (one: unknown) => {
    if (typeof one === 'number') count.numbers += 1;
    else count.others += 1;
    if (Array.isArray(one)) one.forEach(walk);
    else if (typeof one === 'object' && one !== null)
      for (const member of Object.values(one)) {
        count.others += 1;
        walk(member);
      }
  };
  walk(value);
  return count;
}

describe('the scan of a JSON text', () => {
  it('counts exactly the values in the text', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 1, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const { numbers, others } = countOf(JSON.parse(text));
        expect(scan(text, bounds(numbers + others))).toBe(false);
        expect(() => scan(text, bounds(numbers + others - 1))).toThrow(/some_values/);
        expect(scan(text, bounds(others, numbers))).toBe(false);
        expect(() => scan(text, bounds(others - 1, numbers))).toThrow(/some_values/);
        expect(() => scan(text, bounds(others, numbers - 1))).toThrow(/some_numbers/);
      }),
      {
        seed: 3,
        numRuns: 300,
        examples: [['\\"],[{'], [[1, '\\', [], {}]]].map(([v, i]) => [v, i ?? 0]) as never,
      },
    );
  });

  it('finds bare numbers that JSON does not have, and not strings that look like them', () => {
    for (const text of ['[NaN]', '[-Infinity]', '{"a":Infinity}'])
      expect(scan(text, bounds(9))).toBe(true);
    for (const text of ['["NaN"]', '{"Infinity":-1}', '["\\"NaN"]', '[null,true]'])
      expect(scan(text, bounds(9))).toBe(false);
  });

  it('stops at the limit, not at the end of the text', () => {
    const bytes = Buffer.from('[],'.repeat(1_000_000));
    let reads = 0;
    const counting = new Proxy(bytes, {
      get(target, key) {
        if (typeof key === 'string' && /^\d+$/.test(key)) reads += 1;
        return Reflect.get(target, key) as unknown;
      },
    });
    expect(() => scanJson(counting, bounds(10))).toThrow(/some_values/);
    expect(reads).toBeLessThan(100);
  });
});

describe('the bounded reader', () => {
  /** Pieces of JSON in any order: mostly invalid, sometimes almost valid. */
  const piece = fc.constantFrom(
    '[',
    ']',
    '{',
    '}',
    ',',
    ':',
    '"',
    '\\',
    'a',
    '"k"',
    '1',
    '-',
    '.5',
    'e3',
    'null',
    'true',
    ' ',
    '\n',
    'é',
    '0',
  );
  const text = fc.oneof(
    fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
    fc.json({ stringUnit: 'grapheme' }),
    fc.tuple(fc.json(), fc.nat(), piece).map(([json, at, one]) => {
      const place = at % (json.length + 1);
      return json.slice(0, place) + one + json.slice(place);
    }),
  );

  it('accepts what JSON.parse accepts, with the same result', () => {
    fc.assert(
      fc.property(text, (json) => {
        if (json.trim() === '' || json.includes('__proto__')) return;
        let expected: unknown;
        try {
          expected = JSON.parse(json);
        } catch {
          expect(() => parseJsonBody(Buffer.from(json))).toThrow(/not JSON/);
          return;
        }
        expect(parseJsonBody(Buffer.from(json))).toEqual(expected);
      }),
      { seed: 17, numRuns: 3000 },
    );
  });
});
