/** What declared variables accept from JSON, and the messages when they reject it. */
import { describe, expect, it } from 'vitest';
import { dataPart } from '../../src/engine/data-check.ts';
import { Matrix } from '../../src/math/autodiff/containers.ts';
import { DomainError, ShapeError } from '../../src/math/errors.ts';

interface Declaration {
  readonly kind: string;
  readonly sizes?: readonly number[];
  readonly name?: string;
  readonly label?: string;
  readonly steps?: readonly (readonly [number, number, number])[];
  readonly part?: 'real' | 'imag';
}

type Read = (data: Readonly<Record<string, unknown>>, declared: object) => unknown;

/** The value of `x` as a program reads it. */
function read(value: unknown, declaration: Declaration): unknown {
  const declared = { name: 'x', sizes: [], ...declaration };
  return (dataPart.$read as Read)({ x: value }, declared);
}

const int: Declaration = { kind: 'i' };
const real: Declaration = { kind: 'r' };
const vector = (size: number): Declaration => ({ kind: 'V', sizes: [size] });
const ints = (...sizes: number[]): Declaration => ({
  kind: `${'A'.repeat(sizes.length - 1)}I`,
  sizes,
});
const matrix = (rows: number, cols: number): Declaration => ({ kind: 'M', sizes: [rows, cols] });
const complex = (part: 'real' | 'imag'): Declaration => ({ kind: 'r', part, label: `x.${part}` });

describe('numbers', () => {
  it('are read as they are, or from the names of values that JSON cannot express', () => {
    expect(read(-2.5, real)).toBe(-2.5);
    const names = {
      nan: Number.NaN,
      '+NaN': Number.NaN,
      '-nan': Number.NaN,
      Inf: Number.POSITIVE_INFINITY,
      '+inf': Number.POSITIVE_INFINITY,
      Infinity: Number.POSITIVE_INFINITY,
      '+infinity': Number.POSITIVE_INFINITY,
      '-INF': Number.NEGATIVE_INFINITY,
      '-Infinity': Number.NEGATIVE_INFINITY,
    };
    for (const [name, value] of Object.entries(names)) expect(read(name, real), name).toBe(value);
  });

  it('that are integers range from -2147483647 to 2147483647', () => {
    for (const end of [-2147483647, 2147483647]) {
      expect(read(end, int)).toBe(end);
      const beyond = end + Math.sign(end);
      expect(() => read(beyond, int)).toThrow(
        new DomainError(`\`x\` is ${beyond}: must be from -2147483647 to 2147483647`),
      );
    }
  });

  it('that are complex are pairs', () => {
    expect([read([1.5, -2], complex('real')), read([1.5, -2], complex('imag'))]).toEqual([1.5, -2]);
  });
});

describe('containers', () => {
  it('keep the element order of the program', () => {
    expect(read([1, 'inf', 3], vector(3))).toEqual(Float64Array.of(1, Number.POSITIVE_INFINITY, 3));
    expect(read([1, 2], ints(2))).toEqual(Int32Array.of(1, 2));
    const rows = [
      [1, 2, 3],
      [4, 5, 6],
    ];
    expect(read(rows, ints(2, 3))).toEqual([Int32Array.of(1, 2, 3), Int32Array.of(4, 5, 6)]);
    const read23 = new Matrix(2, 3, Float64Array.of(1, 4, 2, 5, 3, 6));
    expect(read(rows, matrix(2, 3))).toEqual(read23);
    expect(read([rows, rows], { kind: 'AM', sizes: [2, 2, 3] })).toEqual([read23, read23]);
  });

  it('without elements may be written as an empty array', () => {
    expect(read([], vector(0))).toEqual(new Float64Array(0));
    expect(read([], ints(2, 0))).toEqual([new Int32Array(0), new Int32Array(0)]);
    expect(read([[], []], ints(2, 0))).toEqual([new Int32Array(0), new Int32Array(0)]);
    expect(read([], ints(0, 3))).toEqual([]);
    for (const value of [[], [[], []]])
      expect(read(value, matrix(2, 0))).toEqual(new Matrix(2, 0, new Float64Array(0)));
    expect(read([], matrix(0, 2))).toEqual(new Matrix(0, 2, new Float64Array(0)));
  });
});

describe('tuples', () => {
  it('are read member by member, also inside arrays', () => {
    const first = { 1: 0.5, 2: [1, 2] };
    expect(read(first, { kind: 'r', steps: [[0, 1, 2]] })).toBe(0.5);
    expect(read(first, { ...vector(2), steps: [[0, 2, 2]] })).toEqual(Float64Array.of(1, 2));
    const ten = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [i + 1, i]));
    expect(read(ten, { kind: 'r', steps: [[0, 10, 10]] })).toBe(9);
    const list = [first, { 1: 3, 2: [4, 5] }];
    expect(read(list, { kind: 'V', sizes: [2], steps: [[1, 1, 2]] })).toEqual(
      Float64Array.of(0.5, 3),
    );
    const nested = { 1: { 2: [list] } };
    expect(
      read(nested, {
        kind: 'AAV',
        sizes: [1, 2, 2],
        steps: [
          [0, 1, 1],
          [0, 2, 2],
          [2, 2, 2],
        ],
      }),
    ).toEqual([[Float64Array.of(1, 2), Float64Array.of(4, 5)]]);
  });
});

const four = { kind: 'i', steps: [[0, 1, 4]] } as const;
const five = { kind: 'i', steps: [[0, 1, 5]] } as const;
const pair = { kind: 'i', steps: [[0, 1, 2]] } as const;
const pairs = { kind: 'I', sizes: [2], steps: [[1, 1, 2]] } as const;
const deep = {
  kind: 'AI',
  sizes: [2, 1],
  steps: [
    [1, 2, 2],
    [1, 1, 1],
  ],
} as const;

describe('a value is refused', () => {
  it.each<[unknown, Declaration, string]>([
    [undefined, real, '`x` is missing: must be a number'],
    [null, real, '`x` is null: must be a number'],
    [[1], real, '`x` is an array of 1: must be a number'],
    [{ a: 1 }, real, '`x` is an object: must be a number'],
    ['infinite', real, '`x` is "infinite": must be a number'],
    ['constructor', real, '`x` is "constructor": must be a number'],
    ['y'.repeat(38), real, `\`x\` is "${'y'.repeat(38)}": must be a number`],
    ['y'.repeat(39), real, `\`x\` is "${'y'.repeat(39)}…: must be a number`],
    [() => 1, real, '`x` is function: must be a number'],
    ['1', int, '`x` is "1": must be a whole number'],
    [1, complex('real'), '`x.real` is 1: must be a complex number, [real part, imaginary part]'],
    [
      [1],
      complex('imag'),
      '`x.imag` is an array of 1: must be a complex number, [real part, imaginary part]',
    ],
    [[1, 'a'], complex('imag'), '`x.imag` is "a": must be a number'],
    [3, vector(3), '`x` is 3: must be an array of 3'],
    [[1, 2], vector(3), '`x` has size 2: must be 3'],
    [[], vector(3), '`x` has size 0: must be 3'],
    [[1, 'a', 3], vector(3), '`x[2]` is "a": must be a number'],
    [[[1, 2], 3], ints(2, 2), '`x[2]` is 3: must be an array of 2'],
    [[[1, 2]], ints(2, 2), '`x` has size 1: must be 2'],
    [[[1, 2], [3]], ints(2, 2), '`x[2]` has size 1: must be 2'],
    [
      [
        [1, 2],
        [3, null],
      ],
      ints(2, 2),
      '`x[2,2]` is null: must be a whole number',
    ],
    [[[1]], ints(2, 0), '`x` has size 1: must be 2'],
    [[[], [1]], ints(2, 0), '`x[2]` has size 1: must be 0'],
    [[[1, 2], [3]], matrix(2, 2), '`x[2]` has size 1: must be 2'],
    [[[], [1]], matrix(2, 0), '`x[2]` has size 1: must be 0'],
    [[[1, 2], []], matrix(2, 2), '`x[2]` has size 0: must be 2'],
    [
      [
        [1, 2],
        [3, 'a'],
      ],
      matrix(2, 2),
      '`x[2,2]` is "a": must be a number',
    ],
    [3, pair, '`x` is 3: must be a tuple, an object with the keys "1", "2"'],
    [null, pair, '`x` is null: must be a tuple, an object with the keys "1", "2"'],
    [[1], pair, '`x` is an array of 1: must be a tuple, an object with the keys "1", "2"'],
    [{}, pair, '`x` has no member "1": must be an object with the keys "1", "2"'],
    [{}, four, '`x` has no member "1": must be an object with the keys "1", "2", "3", "4"'],
    [{}, five, '`x` has no member "1": must be an object with the keys "1" to "5"'],
    ...['0', '3', '01', 'a1', '1a', '1e0'].map((key): [unknown, Declaration, string] => [
      { 1: 1, [key]: 1 },
      pair,
      `\`x\` has a member "${key}": must be an object with the keys "1", "2"`,
    ]),
    [{ 1: 1 }, pairs, '`x` is an object: must be an array of 2 tuples'],
    [[{ 1: 1 }], pairs, '`x` has size 1: must be 2'],
    [[{ 1: 1 }, 3], pairs, '`x[2]` is 3: must be a tuple, an object with the keys "1", "2"'],
    [[{ 2: [{ 1: 1 }] }, { 2: [] }], deep, '`x[2].2` has size 0: must be 1'],
    [
      { 1: { 2: { 1: 7 } } },
      {
        kind: 'i',
        steps: [
          [0, 1, 1],
          [0, 2, 2],
          [0, 1, 1],
          [0, 1, 1],
        ],
      },
      '`x.1.2.1` is 7: must be a tuple, an object with the keys "1"',
    ],
    [
      [[{ 1: { 1: 1 } }, { 1: 7 }]],
      {
        kind: 'AI',
        sizes: [1, 2],
        steps: [
          [2, 1, 1],
          [0, 1, 1],
        ],
      },
      '`x[1,2].1` is 7: must be a tuple, an object with the keys "1"',
    ],
    [
      [{ 2: [{ 1: 1 }] }, { 2: [{}] }],
      deep,
      '`x[2].2[1]` has no member "1": must be an object with the keys "1"',
    ],
  ])('when %j is read as %j', (value, declaration, message) => {
    expect(() => read(value, declaration)).toThrow(new ShapeError(message));
  });

  it('when it is a fraction but a whole number is expected', () => {
    expect(() => read([1, 2.5], ints(2))).toThrow(
      new DomainError('`x[2]` is 2.5: must be a whole number'),
    );
  });

  it.each<[Declaration, string]>([
    [int, 'a whole number'],
    [real, 'a number'],
    [complex('real'), 'a complex number, [real part, imaginary part]'],
    [ints(2, 3), 'an array of 2 × 3 whole numbers'],
    [matrix(2, 3), 'an array of 2 × 3 numbers'],
    [
      { ...vector(2), part: 'real' },
      'an array of 2 complex numbers, each [real part, imaginary part]',
    ],
    [pair, 'a tuple'],
    [{ ...int, steps: [] }, 'a whole number'],
  ])('when it is missing and %j is expected', (declaration, wanted) => {
    expect(() => read(1, { ...declaration, name: 'y' })).toThrow(
      new ShapeError(`\`y\` is missing from the data: must be ${wanted}`),
    );
    expect(() => read(1, { ...declaration, name: 'toString' })).toThrow('is missing from the data');
  });
});

describe('checks in a compiled program', () => {
  it('find only own properties of the data', () => {
    const has = dataPart.$has as (data: object, name: string) => boolean;
    expect([has({ x: undefined }, 'x'), has({}, 'x'), has({}, 'toString')]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('accept sizes from 0', () => {
    const size = dataPart.$size as (n: number, name: string) => number;
    expect([size(0, 'x'), size(7, 'x')]).toEqual([0, 7]);
    for (const n of [-1, Number.NaN])
      expect(() => size(n, 'x')).toThrow(
        new ShapeError(`a size of \`x\` is ${n}: must be at least 0`),
      );
  });
});
