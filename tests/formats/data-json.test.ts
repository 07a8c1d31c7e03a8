/** Data files: read with the liberties others take, described, distinguished. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDataJson, sniffDataFormat } from '../../src/formats/data-json.ts';
import { describeData, describeEntry } from '../../src/formats/describe-data.ts';

const value = (text: string) => {
  const parsed = parseDataJson(text);
  if (!parsed.ok) throw new Error(parsed.error.message);
  return parsed.value;
};

describe('parseDataJson', () => {
  it('reads what JSON.parse reads, alike, also on the tolerant way', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(undefined, 2), (json, space) => {
        const expected: unknown = JSON.parse(json);
        expect(value(JSON.stringify(expected, null, space)).value).toEqual(expected);
        // A bare NaN beside it forces the tolerant parser.
        expect(value(`[NaN, ${JSON.stringify(expected, null, space)}]`).value).toEqual([
          NaN,
          expected,
        ]);
      }),
      { seed: 1, numRuns: 300 },
    );
  });

  it('takes bare NaN and infinities as numbers, and leaves them alone in strings', () => {
    expect(value('{"a": [NaN, -Infinity, Infinity, Inf, -Inf], "NaN": "NaN"}').value).toEqual({
      a: [NaN, -Infinity, Infinity, Infinity, -Infinity],
      NaN: 'NaN',
    });
  });

  it('reports whole numbers that were rounded, and only these', () => {
    const parsed = value(
      '{"a": 9007199254740993,\n"b": [9007199254740992, 17313231872091234567, 1234567890123456789.5],\n"c": "9007199254740993"}',
    );
    expect(parsed.rounded).toEqual([
      { text: '9007199254740993', line: 1 },
      { text: '17313231872091234567', line: 2 },
    ]);
  });

  it('keeps a member called __proto__ as a member', () => {
    const parsed = value('{"__proto__": {"x": NaN}}').value as object;
    expect(Object.keys(parsed)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype);
  });

  it('drops a byte order mark', () => expect(value('\ufeff{"a":1}').value).toEqual({ a: 1 }));

  it.each([
    ['{"a": 1,\n "b": }', 2, 7, 'expected a value, found "}"'],
    ['{"a": [1, 2}', 1, 12, 'expected "," or "]", found "}"'],
    ['{a: 1}', 1, 2, 'expected a name in double quotes, found "a: 1}"'],
    ['', 1, 1, 'expected a value, found the end'],
    ['{"a": 1} x', 1, 10, 'expected the end, found "x"'],
    ['[01]', 1, 3, 'expected "," or "]", found "1]"'],
    ['["\t"]', 1, 2, 'expected a value, found'],
    ['[1,]', 1, 4, 'expected a value, found "]"'],
  ])('refuses %j with the place', (text, line, column, message) => {
    const parsed = parseDataJson(text);
    expect(parsed).toMatchObject({ ok: false, error: { line } });
    if (!parsed.ok && message !== 'expected a value, found')
      expect(parsed.error).toEqual({ line, column, message });
  });

  it('refuses nesting that would exhaust the stack', () => {
    expect(parseDataJson(`NaN${'['.repeat(5)}`).ok).toBe(false);
    expect(parseDataJson(`${'['.repeat(100_000)}NaN`)).toMatchObject({
      ok: false,
      error: { message: 'nested deeper than 200 levels' },
    });
  });
});

describe('sniffDataFormat', () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  it.each<[string, Uint8Array, string]>([
    ['an object', bytes(' {"N": 1}'), 'json'],
    ['a list with NaN', bytes('[1, NaN]'), 'json'],
    ['broken JSON', bytes('{"N": '), 'raw'],
    ['a bare number', bytes('3'), 'raw'],
    ['rows and columns', bytes('a,b\n1,2\n3,4\n'), 'csv'],
    ['semicolons', bytes('a;b\r\n1;2\r\n'), 'csv'],
    ['commas in quotes', bytes('a,b\n"1,5",2\n'), 'csv'],
    ['prose with a comma', bytes('Well, yes.\nNo.\n'), 'raw'],
    ['one line', bytes('a,b'), 'raw'],
    ['binary', Uint8Array.of(0x7b, 0, 0x7d), 'raw'],
    ['nothing', bytes(''), 'raw'],
  ])('%s', (_, content, format) => expect(sniffDataFormat(content)).toBe(format));
});

describe('describeData', () => {
  it.each<[unknown, string]>([
    [8, 'int'],
    [1.5, 'real'],
    ['NaN', 'real'],
    [[1, 2, 3], 'array[3] int'],
    [[1, 2.5], 'array[2] real'],
    [
      [
        [1, 2, 3],
        [4, 5, 6],
      ],
      'array[2,3] int',
    ],
    [[[1, 2], [3]], 'array[2,?] int (ragged)'],
    [[1, [2]], 'array[2,?] int (ragged)'],
    [[], 'array[0] empty'],
    [[[], []], 'array[2,0] empty'],
    [['a', 'b'], 'array[2] string'],
    [[1, 'a'], 'array[2] mixed'],
    [[true], 'array[1] boolean'],
    [null, 'null'],
    [{ a: 1 }, 'object'],
  ])('%j is %s', (entry, text) => expect(describeEntry('x', entry).text).toBe(text));

  it('counts and ranges', () => {
    expect(describeData({ y: [3, NaN, null, -2, '-Inf'] })).toEqual([
      {
        name: 'y',
        type: 'mixed',
        dims: [5],
        isRagged: false,
        count: 5,
        min: -2,
        max: 3,
        missing: 3,
        text: 'array[5] mixed',
      },
    ]);
  });
  it('describes objects only', () =>
    expect([describeData([1]), describeData(null), describeData('x')]).toEqual([[], [], []]));
});
