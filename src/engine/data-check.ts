/** Reads declared variables from parsed JSON into containers, and reports mismatches. */
import { Matrix } from '../math/autodiff/containers.ts';
import { DomainError, ShapeError } from '../math/errors.ts';
import type { LibraryPart } from '../math/library/machinery/implementation.ts';
import {
  type Container,
  checkedSize,
  newInts,
  newMatrix,
  newReals,
} from '../math/library/machinery/memory.ts';
import { placeName } from '../math/library/program/place-name.ts';

/** The declaration of a variable that a program reads. */
interface Declared {
  readonly name: string;
  /** Kind letters of data, see math/autodiff/containers.ts. */
  readonly kind: string;
  /** Array sizes, outermost first, then those of the vector or matrix. */
  readonly sizes: readonly number[];
  /** For a leaf of a tuple: its name for messages, `x[*].2`. */
  readonly label?: string;
  /** The path to it: array dimensions in front of a tuple, the member (from 1), and the number of members. */
  readonly steps?: readonly (readonly [number, number, number])[];
  /** For complex numbers: which of the two numbers in `[re, im]`. */
  readonly part?: 'real' | 'imag';
}

const numberNames: ReadonlyMap<string, number> = new Map([
  ['nan', Number.NaN],
  ['+nan', Number.NaN],
  ['-nan', Number.NaN],
  ['inf', Number.POSITIVE_INFINITY],
  ['+inf', Number.POSITIVE_INFINITY],
  ['infinity', Number.POSITIVE_INFINITY],
  ['+infinity', Number.POSITIVE_INFINITY],
  ['-inf', Number.NEGATIVE_INFINITY],
  ['-infinity', Number.NEGATIVE_INFINITY],
]);

/** A value as messages show it, shortened. */
function shown(value: unknown): string {
  if (value === undefined) return 'missing';
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (value !== null && typeof value === 'object') return 'an object';
  const text = JSON.stringify(value) ?? typeof value;
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

class Reader {
  constructor(private readonly declared: Declared) {}

  private label(index: readonly number[]): string {
    const { name, label = name } = this.declared;
    return `\`${placeName(label, index)}\``;
  }

  real(value: unknown, index: readonly number[]): number {
    if (this.declared.part) return this.complexPart(value, index);
    return this.number(value, index);
  }

  private complexPart(value: unknown, index: readonly number[]): number {
    if (!Array.isArray(value) || value.length !== 2) {
      throw new ShapeError(
        `${this.label(index)} is ${shown(value)}: must be a complex number, [real part, imaginary part]`,
      );
    }
    return this.number(value[this.declared.part === 'real' ? 0 : 1], index);
  }

  private number(value: unknown, index: readonly number[]): number {
    if (typeof value === 'number') return value;
    if (typeof value === 'string') {
      const number = numberNames.get(value.toLowerCase());
      if (number !== undefined) return number;
    }
    throw new ShapeError(`${this.label(index)} is ${shown(value)}: must be a number`);
  }

  int(value: unknown, index: readonly number[]): number {
    if (typeof value !== 'number') {
      throw new ShapeError(`${this.label(index)} is ${shown(value)}: must be a whole number`);
    }
    if (!Number.isInteger(value)) {
      throw new DomainError(`${this.label(index)} is ${value}: must be a whole number`);
    }
    if (value < -2147483647 || value > 2147483647) {
      throw new DomainError(
        `${this.label(index)} is ${value}: must be from -2147483647 to 2147483647`,
      );
    }
    return value;
  }

  /** The elements of an array of `n`; an empty array stands for any shape without elements. */
  private list(value: unknown, n: number, index: readonly number[], isEmpty = false): unknown[] {
    if (!Array.isArray(value)) {
      throw new ShapeError(`${this.label(index)} is ${shown(value)}: must be an array of ${n}`);
    }
    if (value.length === 0 && isEmpty) return Array.from({ length: n }, () => []);
    if (value.length !== n) {
      throw new ShapeError(`${this.label(index)} has size ${value.length}: must be ${n}`);
    }
    return value;
  }

  container(value: unknown, depth: number, index: readonly number[]): Container {
    const { kind, sizes } = this.declared;
    const isEmpty = sizes.includes(0);
    const n = checkedSize(sizes[depth]);
    const elements = this.list(value, n, index, isEmpty);
    if (kind.length > depth + 1) {
      return elements.map((element, i) => this.container(element, depth + 1, [...index, i + 1]));
    }
    if (kind.endsWith('M')) return this.matrix(elements, sizes[depth + 1], index);
    const isInt = kind.endsWith('I');
    const out = isInt ? newInts(n) : newReals(n);
    elements.forEach((element, i) => {
      const at = [...index, i + 1];
      out[i] = isInt ? this.int(element, at) : this.real(element, at);
    });
    return out;
  }

  /** JSON gives matrices by rows. */
  private matrix(rows: readonly unknown[], cols: number, index: readonly number[]): Matrix {
    const m = newMatrix(rows.length, cols);
    rows.forEach((row, i) => {
      const elements = this.list(row, cols, [...index, i + 1]);
      elements.forEach((element, j) => {
        m.data[j * rows.length + i] = this.real(element, [...index, i + 1, j + 1]);
      });
    });
    return m;
  }
}

/**
 * The values of one leaf of a tuple, or of arrays of tuples as nested arrays. A tuple is an object whose keys are the
 * positions of its members: `{"1": 0.5, "2": [1, 2]}`.
 */
class LeafReader {
  private readonly steps: NonNullable<Declared['steps']>;

  constructor(private readonly declared: Declared) {
    this.steps = declared.steps ?? [];
  }

  read(value: unknown, step: number, index: readonly number[]): unknown {
    return step === this.steps.length ? value : this.arrays(value, step, { depth: 0, index });
  }

  private arrays(
    value: unknown,
    step: number,
    { depth, index }: { readonly depth: number; readonly index: readonly number[] },
  ): unknown {
    const { sizes } = this.declared;
    const [dims] = this.steps[step];
    if (depth === dims) return this.member(value, step, index);
    const n = checkedSize(sizes[index.length]);
    const place = this.place(step, index);
    if (!Array.isArray(value)) {
      throw new ShapeError(`${place} is ${shown(value)}: must be an array of ${n} tuples`);
    }
    if (value.length !== n) {
      throw new ShapeError(`${place} has size ${value.length}: must be ${n}`);
    }
    return value.map((element, i) =>
      this.arrays(element, step, { depth: depth + 1, index: [...index, i + 1] }),
    );
  }

  private member(value: unknown, step: number, index: readonly number[]): unknown {
    const [, position, count] = this.steps[step];
    const place = this.place(step, index);
    const wanted = `an object with the keys ${memberKeys(count)}`;
    if (value === null || typeof value !== 'object' || Array.isArray(value)) {
      throw new ShapeError(`${place} is ${shown(value)}: must be a tuple, ${wanted}`);
    }
    for (const key of Object.keys(value)) {
      if (!isMemberKey(key, count)) {
        throw new ShapeError(`${place} has a member "${key}": must be ${wanted}`);
      }
    }
    const key = String(position);
    if (!Object.hasOwn(value, key)) {
      throw new ShapeError(`${place} has no member "${key}": must be ${wanted}`);
    }
    return this.read((value as Readonly<Record<string, unknown>>)[key], step + 1, index);
  }

  /** The tuple, or array of tuples, at which a step begins. */
  private place(step: number, index: readonly number[]): string {
    const { name } = this.declared;
    let used = 0;
    const members = this.steps.slice(0, step).map(([dims, position]) => {
      const own = index.slice(used, used + dims);
      used += dims;
      return `${own.length > 0 ? `[${own.join(',')}]` : ''}.${position}`;
    });
    return `\`${placeName(`${name}${members.join('')}`, index.slice(used))}\``;
  }
}

function isMemberKey(key: string, count: number): boolean {
  return /^[1-9]\d*$/.test(key) && Number(key) <= count;
}

function memberKeys(count: number): string {
  const keys = Array.from({ length: count }, (_, i) => `"${i + 1}"`);
  return count > 4 ? `"1" to "${count}"` : keys.join(', ');
}

function has(data: Readonly<Record<string, unknown>>, name: string): boolean {
  return Object.hasOwn(data, name);
}

/** The type a variable must have: "an array of 8 whole numbers". */
function expected({ kind, sizes, part }: Declared): string {
  if (kind === 'i') return 'a whole number';
  if (kind === 'r') return part ? 'a complex number, [real part, imaginary part]' : 'a number';
  const numbers = part ? 'complex numbers, each [real part, imaginary part]' : 'numbers';
  const elements = kind.endsWith('I') ? 'whole numbers' : numbers;
  return `an array of ${sizes.join(' × ')} ${elements}`;
}

/** Reads from the data, which must have the variable, or from initial values, which a program checks first. */
function read(data: Readonly<Record<string, unknown>>, declared: Declared): number | Container {
  const { name, kind } = declared;
  if (!has(data, name)) {
    const wanted = declared.steps && declared.steps.length > 0 ? 'a tuple' : expected(declared);
    throw new ShapeError(`\`${name}\` is missing from the data: must be ${wanted}`);
  }
  const reader = new Reader(declared);
  const value = new LeafReader(declared).read(data[name], 0, []);
  if (kind === 'i') return reader.int(value, []);
  if (kind === 'r') return reader.real(value, []);
  return reader.container(value, 0, []);
}

function size(n: number, name: string): number {
  if (!(n >= 0)) throw new ShapeError(`a size of \`${name}\` is ${n}: must be at least 0`);
  return checkedSize(n);
}

/** Functions that compiled programs call under `$…` to read data and initial values. */
export const dataPart: LibraryPart = { $has: has, $read: read, $size: size };
