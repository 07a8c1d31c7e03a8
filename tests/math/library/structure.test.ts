/** Indexing, assignment and structure on data and on slots: both move the same elements. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ActiveMatrix,
  ActiveVector,
  Matrix,
  slotAt,
} from '../../../src/math/autodiff/containers.ts';
import { MemoryBudgetError, Tape } from '../../../src/math/autodiff/tape.ts';
import { ShapeError } from '../../../src/math/errors.ts';
import { library, libraryParts } from '../../../src/math/library/library.ts';
import {
  type IndexEntry,
  IndexRange,
  index,
  positions,
  slice,
} from '../../../src/math/library/machinery/indexing.ts';
import {
  activate,
  type Container,
  deactivate,
  dimensionsOf,
  fitting,
  newMatrix,
  newReals,
  own,
  sized,
} from '../../../src/math/library/machinery/memory.ts';
import { assign } from '../../../src/math/library/program/assignment.ts';

const vector = fc
  .array(fc.integer(), { minLength: 1, maxLength: 7 })
  .map((x) => Float64Array.from(x));
const matrix = fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 4 })).map(
  ([rows, cols]) =>
    new Matrix(
      rows,
      cols,
      Float64Array.from({ length: rows * cols }, (_, k) => k + 1),
    ),
);

/** An index entry in range for n elements. */
const entry = (n: number): fc.Arbitrary<IndexEntry> => {
  const at = fc.integer({ min: 1, max: n });
  return fc.oneof(
    at,
    fc.constant(null),
    fc.array(at, { maxLength: 5 }).map((list) => Int32Array.from(list)),
    fc.tuple(at, at).map(([from, to]) => new IndexRange(from, to)),
  );
};

/** 1-based indexes an entry stands for. */
const expand = (e: IndexEntry, n: number): number[] => {
  if (typeof e === 'number') return [e];
  if (e instanceof Int32Array) return Array.from(e);
  const [from, to] = e === null ? [1, n] : [e.from, e.to ?? n];
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, k) => from + k);
};

describe('indexing', () => {
  it('of a vector selects the named elements', () => {
    fc.assert(
      fc.property(
        vector.chain((x) => fc.tuple(fc.constant(x), entry(x.length))),
        ([x, e]) => {
          const expected = expand(e, x.length).map((i) => x[i - 1]);
          const found = index(x, [e], 'R', 'x');
          expect(typeof e === 'number' ? [found] : Array.from(found as Float64Array)).toEqual(
            expected,
          );
        },
      ),
    );
  });

  it('of a matrix selects the named rows and columns, for data and slots alike', () => {
    fc.assert(
      fc.property(
        matrix.chain((m) => fc.tuple(fc.constant(m), entry(m.rows), entry(m.cols))),
        ([m, row, col]) => {
          const expected = expand(col, m.cols).flatMap((j) =>
            expand(row, m.rows).map((i) => m.data[(j - 1) * m.rows + i - 1]),
          );
          const flat = (x: unknown): number[] => {
            if (typeof x === 'number') return [x];
            return Array.from(x instanceof Matrix ? x.data : (x as Float64Array));
          };
          expect(flat(index(m, [row, col], 'M', 'm'))).toEqual(expected);
          const tape = new Tape();
          const active = index(activate(tape, m), [row, col], 'W', 'm') as Container | number;
          const values = typeof active === 'number' ? tape.value[active] : deactivate(tape, active);
          expect(flat(values)).toEqual(expected);
        },
      ),
    );
  });

  it('records nothing on the tape', () => {
    const tape = new Tape();
    const x = activate(tape, Float64Array.of(1, 2, 3, 4)) as ActiveVector;
    const before = tape.numSlots;
    const part = index(x, [new IndexRange(2, 3)], 'V', 'x') as ActiveVector;
    expect(tape.numSlots).toBe(before);
    expect([part.n, slotAt(part, 0)]).toEqual([2, slotAt(x, 1)]);
  });

  it.each([0, -1, 4, -2147483648])('refuses index %s of 3', (i) => {
    expect(() => index(new Float64Array(3), [i], 'R', 'x')).toThrow(ShapeError);
    expect(() => positions(Int32Array.of(1, i), 3, 'x')).toThrow(`accessing \`x\`: index ${i}`);
  });

  it('accepts an empty range at any position', () => {
    expect(slice(new Float64Array(3), 9, 8, 'x')).toEqual(new Float64Array(0));
    expect(() => slice(new Float64Array(3), 3, 4, 'x')).toThrow('index 4');
  });
});

describe('assignment', () => {
  it('to rows and columns changes those and nothing else', () => {
    fc.assert(
      fc.property(
        matrix.chain((m) => fc.tuple(fc.constant(m), entry(m.rows), entry(m.cols))),
        ([m, row, col]) => {
          const [rows, cols] = [expand(row, m.rows), expand(col, m.cols)];
          const expected = m.data.slice();
          const values = new Matrix(
            rows.length,
            cols.length,
            Float64Array.from({ length: rows.length * cols.length }, (_, k) => -k - 1),
          );
          cols.forEach((j, c) => {
            rows.forEach((i, r) => {
              expected[(j - 1) * m.rows + i - 1] = values.data[c * rows.length + r];
            });
          });
          const copy = own(m, 0) as Matrix;
          const single = typeof row === 'number' && typeof col === 'number';
          assign(copy, [row, col], single ? values.data[0] : values, 'm');
          expect(copy.data).toEqual(expected);
        },
      ),
    );
  });

  it('to an array of vectors goes level by level', () => {
    const x: Container[] = [new Float64Array(3), new Float64Array(3)];
    assign(x, [null, 2], Float64Array.of(5, 6), 'x');
    assign(x, [Int32Array.of(2), new IndexRange(2, 3)], [Float64Array.of(8, 9)], 'x');
    expect(x).toEqual([Float64Array.of(0, 5, 0), Float64Array.of(0, 8, 9)]);
    expect(() => assign(x, [null], [new Float64Array(3)], 'x')).toThrow('2 places, but 1 value');
  });
});

describe('memory', () => {
  it('is copied to the requested depth', () => {
    const inner = Float64Array.of(1);
    const shallow = own([inner], 0) as Container[];
    const deep = own([inner], 1) as Container[];
    expect(shallow[0]).toBe(inner);
    expect(deep[0]).not.toBe(inner);
    expect(deep).toEqual([inner]);
  });

  it('is limited in size', () => {
    expect(() => newReals(-1)).toThrow(ShapeError);
    expect(() => newReals(2 ** 28)).toThrow(MemoryBudgetError);
    expect(() => newMatrix(2 ** 20, 2 ** 20)).toThrow(MemoryBudgetError);
  });

  it('is compared by size', () => {
    const x: Container = [
      new Matrix(2, 3, new Float64Array(6)),
      new Matrix(2, 3, new Float64Array(6)),
    ];
    expect(dimensionsOf(x)).toEqual([2, 2, 3]);
    expect(sized(x, [2, 2, 3], 'x')).toBe(x);
    expect(() => sized(x, [2, 3, 2], 'x')).toThrow(
      'declared with size 2 × 3 × 2, but is assigned a value of size 2 × 2 × 3',
    );
    expect(() => fitting(new Float64Array(2), new Float64Array(3), 'x')).toThrow(ShapeError);
    expect(fitting([], [], 'x')).toEqual([]);
  });
});

describe('elementwise kernels', () => {
  /** Every operator on every mix of two operands of n elements. */
  const n = 3;
  const values = { a: Float64Array.of(1.5, 0.5, 2), b: Float64Array.of(3, 0.25, 1) };
  const operators: Readonly<Record<string, (a: number, b: number) => number>> = {
    add: (a, b) => a + b,
    subtract: (a, b) => a - b,
    elt_multiply: (a, b) => a * b,
    elt_divide: (a, b) => a / b,
    pow: (a, b) => a ** b,
  };
  const operand = (tape: Tape, kind: string, x: Float64Array): unknown => {
    const shaped = new Matrix(1, n, x);
    if (kind === 'r') return x[0];
    if (kind === 'v') return tape.constant(x[0]);
    if (kind === 'R') return x;
    if (kind === 'M') return shaped;
    return activate(tape, kind === 'V' ? x : shaped);
  };
  const pairs = [
    'rR',
    'rV',
    'vR',
    'vV',
    'Rr',
    'Rv',
    'Vr',
    'Vv',
    'RR',
    'RV',
    'VR',
    'VV',
    'rM',
    'rW',
    'vM',
    'vW',
    'Mr',
    'Mv',
    'Wr',
    'Wv',
    'MM',
    'MW',
    'WM',
    'WW',
  ];

  it.each(pairs.flatMap((kinds) => Object.keys(operators).map((name) => [name, kinds])))(
    '%s__%s',
    (name, kinds) => {
      const tape = new Tape();
      const args = [operand(tape, kinds[0], values.a), operand(tape, kinds[1], values.b)];
      const isActive = /[vVW]/.test(kinds);
      const result = library[`${name}__${kinds}`](
        ...(isActive ? [tape] : []),
        ...args,
      ) as Container;
      const data = deactivate(tape, result);
      const found = Array.from(data instanceof Matrix ? data.data : (data as Float64Array));
      const at = (x: Float64Array, kind: string, i: number) =>
        kind === 'r' || kind === 'v' ? x[0] : x[i];
      found.forEach((x, i) => {
        expect(x).toBeCloseTo(
          operators[name](at(values.a, kinds[0], i), at(values.b, kinds[1], i)),
          14,
        );
      });
      expect(result instanceof ActiveMatrix || result instanceof ActiveVector).toBe(isActive);
    },
  );

  it('refuses operands of different sizes', () => {
    expect(() => library.add__RR(new Float64Array(2), new Float64Array(3))).toThrow(ShapeError);
    expect(() => library.add__MM(newMatrix(2, 3), newMatrix(3, 2))).toThrow('2 × 3 and 3 × 2');
  });
});

describe('the library', () => {
  it('has no key twice', () => {
    const keys = Object.values(libraryParts).flatMap((part) => Object.keys(part));
    const twice = keys.filter((key, i) => keys.indexOf(key) !== i);
    expect(twice).toEqual([]);
  });
});
