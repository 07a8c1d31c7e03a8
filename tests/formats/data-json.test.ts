/** Data files: read with the liberties other programs take, described, told apart. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDataJson } from '../../src/formats/data-json.ts';
import { describeData, describeEntry } from '../../src/formats/describe-data.ts';

const value = (text: string) => {
  const parsed = parseDataJson(text);
  if (!parsed.ok) throw new Error(parsed.error.message);
  return parsed.value;
};

describe('parseDataJson', () => {
  it('reads JSON as JSON.parse does, also in the tolerant parser', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(undefined, 2), (json, space) => {
        const expected: unknown = JSON.parse(json);
        expect(value(JSON.stringify(expected, null, space)).value).toEqual(expected);
        // A bare NaN next to it forces the tolerant parser.
        expect(value(`[NaN, ${JSON.stringify(expected, null, space)}]`).value).toEqual([
          NaN,
          expected,
        ]);
      }),
      { seed: 1, numRuns: 300 },
    );
  });

  it('accepts bare NaN and infinities as numbers, and leaves strings unchanged', () => {
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

  it('reports whole numbers too large for a double, at any length', () => {
    for (const digits of [309, 310, 320, 321, 400]) {
      const text = `-${'9'.repeat(digits)}`;
      const parsed = value(`[1,\n\n${text}, 2]`);
      expect(parsed.rounded).toEqual([{ text, line: 3 }]);
      expect(parsed.value).toEqual([1, -Infinity, 2]);
    }
    expect(value(`[1${'0'.repeat(22)}, -9007199254740992]`).rounded).toEqual([]);
    expect(value('[1, 2]').rounded).toEqual([]);
    expect(value('[\n9007199254740993\n]').rounded).toEqual([
      { text: '9007199254740993', line: 2 },
    ]);
  });

  it.each([
    ['NaN', NaN],
    ['+NaN', NaN],
    ['-NaN', NaN],
    ['Inf', Infinity],
    ['+Inf', Infinity],
    ['-Inf', -Infinity],
    ['Infinity', Infinity],
    ['+Infinity', Infinity],
    ['-Infinity', -Infinity],
    ['null', null],
    ['true', true],
    ['false', false],
    ['0', 0],
    ['-0.5e+3', -500],
    ['12.25E-10', 12.25e-10],
    ['1e5', 1e5],
    ['[]', []],
    ['{}', {}],
    ['"\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\uD83D\\uDE00"', '"\\/\b\f\n\r\té😀'],
    ['"\u007f\u0080\u009f é😀"', '\u007f\u0080\u009f é😀'],
  ])('accepts %s beside what JSON.parse refuses', (text, expected) => {
    expect(value(`[Inf,\r\n\t${text} ]`).value).toEqual([Infinity, expected]);
    expect(value(` {"a" :\t${text} , "b": Inf}`).value).toEqual({ a: expected, b: Infinity });
  });

  it('keeps a member called __proto__ as a member', () => {
    const parsed = value('{"__proto__": {"x": NaN}}').value as object;
    expect(Object.keys(parsed)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype);
  });

  it('returns members that can be changed, like those of any object', () => {
    const parsed = value('{"a": Inf}').value as object;
    expect(Object.getOwnPropertyDescriptor(parsed, 'a')).toEqual({
      value: Infinity,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  });

  it('drops a byte order mark', () => expect(value('\ufeff{"a":1}').value).toEqual({ a: 1 }));

  it.each([
    ['{"a": 1,\n "b": }', 2, 7, 'expected a value, found "}"'],
    ['{"a": [1, 2}', 1, 12, 'expected "," or "]", found "}"'],
    ['{a: 1}', 1, 2, 'expected a name in double quotes, found "a: 1}"'],
    ['', 1, 1, 'expected a value, found the end'],
    ['{"a": 1} x', 1, 10, 'expected the end, found "x"'],
    ['[01]', 1, 3, 'expected "," or "]", found "1]"'],
    ['["\t"]', 1, 2, 'expected a name in double quotes, found "\\"\\t\\"]"'],
    ['["\\x"]', 1, 2, 'expected a name in double quotes, found "\\"\\\\x\\"]"'],
    ['["\\u12g4"]', 1, 2, 'expected a name in double quotes, found "\\"\\\\u12g4\\"]"'],
    ['["a', 1, 2, 'expected a name in double quotes, found "\\"a"'],
    ['[1,]', 1, 4, 'expected a value, found "]"'],
    ['[1 2]', 1, 4, 'expected "," or "]", found "2]"'],
    ['[1.]', 1, 3, 'expected "," or "]", found ".]"'],
    ['[.5]', 1, 2, 'expected a value, found ".5]"'],
    ['[-]', 1, 2, 'expected a value, found "-]"'],
    ['[1e]', 1, 3, 'expected "," or "]", found "e]"'],
    ['[nullx]', 1, 2, 'expected a value, found "nullx]"'],
    ['[true1]', 1, 2, 'expected a value, found "true1]"'],
    ['[false_]', 1, 2, 'expected a value, found "false_]"'],
    ['[Info]', 1, 2, 'expected a value, found "Info]"'],
    ['[+1]', 1, 2, 'expected a value, found "+1]"'],
    ['{"a" 1}', 1, 6, 'expected ":", found "1}"'],
    ['{"a": 1 "b"}', 1, 9, 'expected "," or "}", found "\\"b\\"}"'],
    ['{"a": 1,\r\n}', 2, 1, 'expected a name in double quotes, found "}"'],
    ['[1] [2]', 1, 5, 'expected the end, found "[2]"'],
    ['[abcdefghijklmnop]', 1, 2, 'expected a value, found "abcdefghijkl"'],
  ])('refuses %j with its position', (text, line, column, message) => {
    expect(parseDataJson(text)).toEqual({ ok: false, error: { line, column, message } });
  });

  it('accepts at most 200 levels of lists or objects', () => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ]) {
      const nested = (levels: number) => `${open.repeat(levels)}NaN${close.repeat(levels)}`;
      expect(parseDataJson(nested(200)).ok).toBe(true);
      expect(parseDataJson(nested(201))).toEqual({
        ok: false,
        error: {
          message: 'nested deeper than 200 levels',
          line: 1,
          column: 201 * open.length + 1,
        },
      });
    }
  });

  it('refuses nesting that would exhaust the stack', () => {
    expect(parseDataJson(`NaN${'['.repeat(5)}`).ok).toBe(false);
    expect(parseDataJson(`${'['.repeat(100_000)}NaN`)).toMatchObject({
      ok: false,
      error: { message: 'nested deeper than 200 levels' },
    });
  });
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
    [undefined, 'object'],
    ['Inf', 'real'],
    ['-Inf', 'real'],
    ['Infinity', 'real'],
    ['-Infinity', 'real'],
    ['nan', 'string'],
    [[1, 'NaN'], 'array[2] real'],
    [[1, true], 'array[2] mixed'],
    [['a', ['b']], 'array[2,?] string (ragged)'],
    [[null, null], 'array[2] null'],
    [
      [
        [[1], [2, 3]],
        [[4], [5, 6]],
      ],
      'array[2,2,?] int (ragged)',
    ],
  ])('%j is %s', (entry, text) => expect(describeEntry('x', entry).text).toBe(text));

  it('has counts and ranges', () => {
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
  it('counts inside ragged lists, and has no range if no number is finite', () => {
    expect(describeEntry('x', [[1, 7], [-3]])).toEqual({
      name: 'x',
      type: 'int',
      dims: [2],
      isRagged: true,
      count: 3,
      min: -3,
      max: 7,
      missing: 0,
      text: 'array[2,?] int (ragged)',
    });
    expect(describeEntry('x', ['a', Infinity, null])).toMatchObject({
      count: 3,
      min: null,
      max: null,
      missing: 2,
      isRagged: false,
    });
    expect(describeEntry('x', 0)).toMatchObject({ count: 1, min: 0, max: 0, dims: [], missing: 0 });
  });
  it('describes objects only', () =>
    expect([describeData([1]), describeData(null), describeData('x')]).toEqual([[], [], []]));
});
