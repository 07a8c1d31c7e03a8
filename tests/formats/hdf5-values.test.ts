/** Numbers and attributes as the HDF5 library gives them; datasets are stand-ins here, for kinds that it does not write. */
import type { Dataset } from 'h5wasm';
import { describe, expect, it } from 'vitest';
import { attributeOf, numbersOf, sizeOf } from '../../src/formats/hdf5-values.ts';

const dataset = (metadata: object, value: unknown = null, attrs: object = {}) =>
  ({ path: '/x', metadata, value, attrs }) as unknown as Dataset;
const attribute = (value: unknown, total_size = 1) => ({ metadata: { total_size }, value });

describe('the size and type of a dataset', () => {
  it.each<[string, object, object]>([
    ['floats', { type: 1, shape: [2, 3] }, { shape: [2, 3], type: undefined }],
    ['whole numbers', { type: 0, shape: [2] }, { shape: [2], type: 'int' }],
    ['strings', { type: 3, shape: [] }, { shape: [], type: null }],
    ['nothing', { type: 1, shape: null }, { shape: [], type: undefined }],
    [
      'an enum of FALSE and TRUE',
      { type: 8, shape: [2], enum_type: { members: { FALSE: 0, TRUE: 1 } } },
      { shape: [2], type: 'bool' },
    ],
    [
      'an enum without TRUE',
      { type: 8, shape: [2], enum_type: { members: { FALSE: 0, MAYBE: 1 } } },
      { shape: [2], type: 'int' },
    ],
    [
      'an enum without FALSE',
      { type: 8, shape: [2], enum_type: { members: { TRUE: 1, NO: 0 } } },
      { shape: [2], type: 'int' },
    ],
    [
      'an enum of three names',
      { type: 8, shape: [2], enum_type: { members: { FALSE: 0, TRUE: 1, MAYBE: 2 } } },
      { shape: [2], type: 'int' },
    ],
    ['an enum of unknown names', { type: 8, shape: [2] }, { shape: [2], type: 'int' }],
  ])('are found for %s', (_, metadata, size) => expect(sizeOf(dataset(metadata))).toEqual(size));
});

describe('the numbers of a dataset', () => {
  const metadata = { type: 0, size: 8, shape: [2] };
  it.each<[string, unknown, object, number[]]>([
    ['unsigned numbers of 64 bits', BigUint64Array.of(1n, 2n), metadata, [1, 2]],
    ['numbers of 64 bits', BigInt64Array.of(-1n, 2n), metadata, [-1, 2]],
    ['bytes', Uint8Array.of(1, 255), metadata, [1, 255]],
    ['floats', Float64Array.of(0.5, NaN), { ...metadata, type: 1 }, [0.5, NaN]],
    ['floats of 32 bits', Float32Array.of(0.5, 2), { ...metadata, type: 1, size: 4 }, [0.5, 2]],
    ['a single number', 3, { ...metadata, shape: [] }, [3]],
    ['a single whole number', 3n, { ...metadata, shape: [] }, [3]],
    ['none at all', null, { ...metadata, shape: [0] }, []],
  ])('are read from %s', (_, value, given, numbers) =>
    expect([...numbersOf(dataset(given, value))]).toEqual(numbers),
  );

  it('are not requested from the library if there are none', () => {
    const read = () => {
      throw new Error('asked');
    };
    const empty = Object.defineProperty({ path: '/x', slice: read, attrs: {} }, 'value', {
      get: read,
    });
    const of = (shape: number[]) =>
      Object.assign(empty, { metadata: { ...metadata, shape } }) as unknown as Dataset;
    expect(numbersOf(of([2, 0]))).toEqual(new Float64Array(0));
    expect(numbersOf(of([5]), [[2, 2]])).toEqual(new Float64Array(0));
  });

  it('are not copied if they are stored as doubles', () => {
    const value = Float64Array.of(1, 2);
    expect(numbersOf(dataset({ ...metadata, type: 1 }, value))).toBe(value);
  });

  it('are those of a range where one is given', () => {
    const asked: unknown[] = [];
    const large = Object.assign(dataset({ ...metadata, shape: [9, 9] }), {
      slice: (ranges: unknown) => {
        asked.push(ranges);
        return Int32Array.of(1, 2, 3, 4);
      },
    }) as unknown as Dataset;
    const ranges = [
      [1, 3],
      [5, 7],
    ] as const;
    expect([...numbersOf(large, ranges)]).toEqual([1, 2, 3, 4]);
    expect(asked).toEqual([ranges]);
  });

  it.each<[string, object, unknown, string]>([
    [
      'half floats',
      { type: 1, size: 2, shape: [1] },
      Uint8Array.of(0),
      '"/x" holds numbers of 16 bits; write them as float32 or float64.',
    ],
    [
      'a dataset without values',
      { type: 1, size: 8, shape: null },
      null,
      '"/x" has 0 values instead of 1.',
    ],
    ['too few numbers', metadata, Int32Array.of(1), '"/x" has 1 values instead of 2.'],
    ['strings', metadata, ['a', 'b'], '"/x" has 0 values instead of 2.'],
  ])('are refused for %s', (_, given, value, message) =>
    expect(() => numbersOf(dataset(given, value))).toThrow(
      expect.objectContaining({ name: 'ImportError', message }),
    ),
  );
});

it.each<[string, object | undefined, number | string | null]>([
  ['a number', attribute(2.5), 2.5],
  ['a string', attribute('x'), 'x'],
  ['a whole number of 64 bits', attribute(7n), 7],
  ['a list of one number', attribute(Float64Array.of(3)), 3],
  ['a list of one string', attribute(['x']), 'x'],
  ['a list of several', attribute(Float64Array.of(3, 4), 2), null],
  ['an object', attribute({}), null],
  ['missing', undefined, null],
])('an attribute that is %s is read as a number, a string or null', (_, given, value) =>
  expect(attributeOf(dataset({}, null, given === undefined ? {} : { a: given }), 'a')).toBe(value),
);
