/** Numbers of HDF5 datasets as float64, however they are stored, and attributes. */
import type { Dataset, Group } from 'h5wasm';
import { ImportError } from './imported-draws.ts';

/** Classes of HDF5 types, as the library numbers them. */
const INTEGER = 0;
const FLOAT = 1;
const ENUM = 8;

export interface DatasetSize {
  readonly shape: readonly number[];
  /** `float` numbers have no entry; null: not numbers. */
  readonly type: 'int' | 'bool' | undefined | null;
}

export function sizeOf(dataset: Dataset): DatasetSize {
  const { shape, type } = dataset.metadata;
  const known = shape ?? [];
  if (type === FLOAT) return { shape: known, type: undefined };
  if (type === ENUM) return { shape: known, type: isBoolean(dataset) ? 'bool' : 'int' };
  if (type === INTEGER)
    return { shape: known, type: attributeOf(dataset, 'dtype') === 'bool' ? 'bool' : 'int' };
  return { shape: known, type: null };
}

function isBoolean(dataset: Dataset): boolean {
  const members = Object.keys(dataset.metadata.enum_type?.members ?? {});
  return members.length === 2 && members.includes('TRUE') && members.includes('FALSE');
}

/** All values, or a range on each axis; missing values become NaN, and scale and offset are applied. The caller has checked the size. */
export function numbersOf(
  dataset: Dataset,
  ranges?: readonly (readonly [from: number, to: number])[],
): Float64Array {
  const { size, type, shape } = dataset.metadata;
  if (type === FLOAT && size !== 4 && size !== 8)
    throw new ImportError(
      `"${dataset.path}" holds numbers of ${8 * size} bits; write them as float32 or float64.`,
    );
  const lengths = ranges?.map(([from, to]) => to - from) ?? shape ?? [];
  const expected = lengths.reduce((product, length) => product * length, 1);
  const values = expected === 0 ? new Float64Array(0) : toFloats(readValues(dataset, ranges));
  if (values.length !== expected)
    throw new ImportError(`"${dataset.path}" has ${values.length} values instead of ${expected}.`);
  return decode(dataset, values);
}

const readValues = (
  dataset: Dataset,
  ranges?: readonly (readonly [from: number, to: number])[],
): unknown =>
  ranges === undefined ? dataset.value : dataset.slice(ranges.map(([from, to]) => [from, to]));

function toFloats(value: unknown): Float64Array {
  if (value instanceof Float64Array) return value;
  if (value instanceof BigInt64Array || value instanceof BigUint64Array)
    return Float64Array.from({ length: value.length }, (_, i) => Number(value[i]));
  if (ArrayBuffer.isView(value)) return Float64Array.from(value as unknown as ArrayLike<number>);
  if (typeof value === 'number' || typeof value === 'bigint') return Float64Array.of(Number(value));
  return new Float64Array(0);
}

function decode(dataset: Dataset, values: Float64Array): Float64Array {
  const number = (name: string) => {
    const value = attributeOf(dataset, name);
    return typeof value === 'number' ? value : null;
  };
  const missing = [number('_FillValue'), number('missing_value')].filter(
    (value) => value !== null && !Number.isNaN(value),
  );
  const scale = number('scale_factor') ?? 1;
  const offset = number('add_offset') ?? 0;
  if (missing.length === 0 && scale === 1 && offset === 0) return values;
  return values.map((value) => (missing.includes(value) ? NaN : value * scale + offset));
}

/** A number or a text; null if there is none, or it is something else. Long ones are not read. */
export function attributeOf(owner: Dataset | Group, name: string): number | string | null {
  const attribute = owner.attrs[name];
  if (attribute === undefined || attribute.metadata.total_size > 1) return null;
  const value: unknown = attribute.value;
  const single: unknown =
    Array.isArray(value) || ArrayBuffer.isView(value)
      ? (value as unknown as ArrayLike<unknown>)[0]
      : value;
  if (typeof single === 'bigint') return Number(single);
  return typeof single === 'number' || typeof single === 'string' ? single : null;
}
