import { describe, expect, it } from 'vitest';
import {
  ActiveMatrix,
  ActiveVector,
  Matrix,
  slotAt,
} from '../../../src/math/autodiff/containers.ts';
import { Tape } from '../../../src/math/autodiff/tape.ts';
import { DomainError } from '../../../src/math/errors.ts';
import { constraintsPart } from '../../../src/math/library/families/constraints.ts';
import { factorLu } from '../../../src/math/linalg/solve.ts';
import { createRng } from '../../../src/math/random/xoshiro.ts';
import { numbersOf } from '../support/gradient.ts';

/** A transform to try: how many free values, its parameters, and which outputs are free to move (for the Jacobian). */
interface Case {
  readonly numFree: number;
  readonly params: readonly (number | Float64Array)[];
  /** Kinds of the parameters as data. */
  readonly kinds: string;
  /** Indices of the output whose determinant is the Jacobian's; all when absent. */
  readonly coordinates?: (size: number) => number[];
  readonly broken: readonly unknown[];
  /** False where the log factor is not a plain Jacobian determinant. */
  readonly isPlainJacobian?: boolean;
}

const lowerIndices = (k: number, withDiagonal: boolean): number[] => {
  const out: number[] = [];
  for (let i = 0; i < k; i++)
    for (let j = 0; j < (withDiagonal ? i + 1 : i); j++) out.push(i + j * k);
  return out;
};

const cases: Readonly<Record<string, Case>> = {
  lower: { numFree: 3, params: [-1.5], kinds: 'r', broken: [Float64Array.of(0, -2, 0)] },
  upper: { numFree: 3, params: [1.5], kinds: 'r', broken: [Float64Array.of(0, 2, 0)] },
  bounds: { numFree: 3, params: [-1, 2.5], kinds: 'rr', broken: [Float64Array.of(0, 3, 0), -1.1] },
  offset_multiplier: { numFree: 3, params: [1, 2.5], kinds: 'rr', broken: [Number.NaN] },
  ordered: { numFree: 4, params: [], kinds: '', broken: [Float64Array.of(1, 0.5)] },
  positive_ordered: {
    numFree: 4,
    params: [],
    kinds: '',
    broken: [Float64Array.of(-1, 0.5), Float64Array.of(2, 1)],
  },
  simplex: {
    numFree: 3,
    params: [],
    kinds: '',
    coordinates: (n) => Array.from({ length: n - 1 }, (_, i) => i),
    broken: [Float64Array.of(0.5, 0.6), Float64Array.of(-0.5, 1.5)],
  },
  unit_vector: {
    numFree: 3,
    params: [],
    kinds: '',
    isPlainJacobian: false,
    broken: [Float64Array.of(1, 1)],
  },
  sum_to_zero: {
    numFree: 3,
    params: [],
    kinds: '',
    isPlainJacobian: false,
    broken: [Float64Array.of(1, 1)],
  },
  cholesky_factor_cov: {
    numFree: 9,
    params: [4, 3],
    kinds: 'ii',
    coordinates: () => [0, 1, 5, 2, 6, 10, 3, 7, 11],
    broken: [
      new Matrix(2, 2, Float64Array.of(1, 0.5, 0.5, 1)),
      new Matrix(2, 2, Float64Array.of(1, 0.5, 0, -1)),
    ],
  },
  cholesky_factor_corr: {
    numFree: 6,
    params: [4],
    kinds: 'i',
    coordinates: () => lowerIndices(4, false),
    broken: [new Matrix(2, 2, Float64Array.of(1, 0.5, 0, 1))],
  },
  cov_matrix: {
    numFree: 6,
    params: [3],
    kinds: 'i',
    coordinates: () => lowerIndices(3, true),
    broken: [
      new Matrix(2, 2, Float64Array.of(1, 2, 2, 1)),
      new Matrix(2, 2, Float64Array.of(1, 0.1, 0.2, 1)),
    ],
  },
  corr_matrix: {
    numFree: 6,
    params: [4],
    kinds: 'i',
    coordinates: () => lowerIndices(4, false),
    broken: [new Matrix(2, 2, Float64Array.of(1, 0.1, 0.1, 2))],
  },
};

const kindsPresent = [
  ...new Set(
    Object.keys(constraintsPart).map((key) => key.replace(/^(check_|\$constrain_|\$free_)/, '')),
  ),
];

function freeValues(n: number, salt: number): Float64Array {
  const rng = createRng(11, salt, 'transforms');
  return Float64Array.from({ length: n }, () => 0.8 * rng.normal());
}

function constrainData(name: string, u: Float64Array, { params, kinds }: Case): number[] {
  return numbersOf(constraintsPart[`$constrain_${name}`](null, null, `R${kinds}`, u, ...params));
}

/** Log Jacobian and combined value with their gradients, recorded on a tape. */
function record(name: string, u: Float64Array, { params, kinds }: Case) {
  const tape = new Tape();
  tape.reset(u);
  const jacobians: number[] = [];
  const sink = { add: (slot: number) => jacobians.push(slot) };
  const y = constraintsPart[`$constrain_${name}`](
    tape,
    sink,
    `V${kinds}`,
    new ActiveVector(u.length, 1),
    ...params,
  ) as ActiveVector | ActiveMatrix;
  const n = y instanceof ActiveVector ? y.n : y.rows * y.cols;
  const slots = [...Array.from({ length: n }, (_, i) => slotAt(y, i)), ...jacobians];
  tape.reserveEdges(slots.length);
  let total = 0;
  for (const [i, slot] of slots.entries()) {
    tape.edgeSlot[tape.numEdges + i] = slot;
    tape.edgePartial[tape.numEdges + i] = Math.sin(i + 1);
    total += Math.sin(i + 1) * tape.value[slot];
  }
  const target = tape.endRow(total, slots.length);
  const gradient = new Float64Array(u.length);
  tape.sweep(target, gradient);
  const values = slots.slice(0, n).map((slot) => tape.value[slot]);
  return {
    total,
    gradient,
    values,
    logJacobian: jacobians.reduce((s, slot) => s + tape.value[slot], 0),
  };
}

function shifted(u: Float64Array, i: number, h: number): Float64Array {
  const out = u.slice();
  out[i] += h;
  return out;
}

describe.each(kindsPresent)('%s', (name) => {
  const test = cases[name];

  it('has a test case and all of constrain, free and check', () => {
    expect(test).toBeDefined();
    expect(constraintsPart[`$constrain_${name}`]).toBeDefined();
    expect(constraintsPart[`$free_${name}`]).toBeDefined();
    if (name !== 'offset_multiplier') expect(constraintsPart[`check_${name}`]).toBeDefined();
  });

  it('recovers the free values from the constrained ones', () => {
    if (name === 'unit_vector') return;
    for (let salt = 0; salt < 5; salt++) {
      const u = freeValues(test.numFree, salt);
      const x = constraintsPart[`$constrain_${name}`](
        null,
        null,
        `R${test.kinds}`,
        u,
        ...test.params,
      );
      const back = constraintsPart[`$free_${name}`](x, ...test.params) as Float64Array;
      for (const [i, value] of u.entries()) expect(back[i]).toBeCloseTo(value, 9);
    }
  });

  it('produces values that pass its own check', () => {
    const check = constraintsPart[`check_${name}`];
    if (check === undefined) return;
    for (let salt = 0; salt < 5; salt++) {
      const x = constraintsPart[`$constrain_${name}`](
        null,
        null,
        `R${test.kinds}`,
        freeValues(test.numFree, salt),
        ...test.params,
      );
      expect(() => check('x', x, ...test.params)).not.toThrow();
    }
  });

  it('refuses values that break the constraint', () => {
    for (const value of test.broken) {
      expect(() => constraintsPart[`$free_${name}`](value, ...test.params)).toThrow(DomainError);
      const check = constraintsPart[`check_${name}`];
      if (check !== undefined) expect(() => check('x', value, ...test.params)).toThrow(/^x/);
    }
  });

  it('constrains identically with and without a tape', () => {
    const u = freeValues(test.numFree, 3);
    expect(record(name, u, test).values).toEqual(constrainData(name, u, test));
  });

  it('adds the logarithm of the numeric Jacobian determinant', () => {
    if (test.isPlainJacobian === false) return;
    const u = freeValues(test.numFree, 4);
    const size = constrainData(name, u, test).length;
    const rows = test.coordinates?.(size) ?? Array.from({ length: size }, (_, i) => i);
    const n = u.length;
    const jacobian = new Matrix(n, n, new Float64Array(n * n));
    const h = 1e-5;
    for (let j = 0; j < n; j++) {
      const high = constrainData(name, shifted(u, j, h), test);
      const low = constrainData(name, shifted(u, j, -h), test);
      for (const [i, row] of rows.entries())
        jacobian.data[i + j * n] = (high[row] - low[row]) / (2 * h);
    }
    const { lu } = factorLu('test', jacobian);
    let logDeterminant = 0;
    for (let i = 0; i < n; i++) logDeterminant += Math.log(Math.abs(lu.data[i + i * n]));
    expect(record(name, u, test).logJacobian).toBeCloseTo(logDeterminant, 6);
  });

  it('has the gradient of its values and of the Jacobian', () => {
    for (let salt = 0; salt < 3; salt++) {
      const u = freeValues(test.numFree, salt);
      const { gradient } = record(name, u, test);
      const h = 1e-5;
      for (let i = 0; i < u.length; i++) {
        const difference =
          (record(name, shifted(u, i, h), test).total -
            record(name, shifted(u, i, -h), test).total) /
          (2 * h);
        expect(Math.abs(gradient[i] - difference)).toBeLessThan(1e-7 * (1 + Math.abs(difference)));
      }
    }
  });
});

describe('bounds that depend on parameters', () => {
  const combine = (theta: Float64Array, kinds: string, vectorBounds: boolean) => {
    const tape = new Tape();
    tape.reset(theta);
    const slots: number[] = [];
    const x = new ActiveVector(2, 1);
    const a = vectorBounds ? new ActiveVector(2, 3) : 3;
    const b = vectorBounds ? new ActiveVector(2, 5) : 5;
    const y = constraintsPart.$constrain_bounds(
      tape,
      { add: (s: number) => slots.push(s) },
      kinds,
      x,
      a,
      b,
    ) as ActiveVector;
    const all = [slotAt(y, 0), slotAt(y, 1), ...slots];
    tape.reserveEdges(3);
    for (const [i, s] of all.entries()) {
      tape.edgeSlot[tape.numEdges + i] = s;
      tape.edgePartial[tape.numEdges + i] = i + 1;
    }
    const target = tape.endRow(
      all.reduce((sum, s, i) => sum + (i + 1) * tape.value[s], 0),
      all.length,
    );
    const gradient = new Float64Array(theta.length);
    tape.sweep(target, gradient);
    return { value: tape.value[target], gradient };
  };

  it.each([
    ['VVV', true],
    ['Vvv', false],
  ])('differentiates kinds %s', (kinds, vectorBounds) => {
    const theta = Float64Array.of(0.3, -0.8, -1, -0.5, 1.5, 2);
    const { gradient } = combine(theta, kinds, vectorBounds);
    for (let i = 0; i < theta.length; i++) {
      const h = 1e-6;
      const d =
        (combine(shifted(theta, i, h), kinds, vectorBounds).value -
          combine(shifted(theta, i, -h), kinds, vectorBounds).value) /
        (2 * h);
      expect(gradient[i]).toBeCloseTo(d, 7);
    }
  });

  it('treats an infinite bound as none', () => {
    const { $constrain_bounds: bounds, $constrain_lower: lower } = constraintsPart;
    expect(bounds(null, null, 'rrr', 0.4, -Infinity, Infinity)).toBe(0.4);
    expect(bounds(null, null, 'rrr', 0.4, 1, Infinity)).toBe(1 + Math.exp(0.4));
    expect(bounds(null, null, 'rrr', 0.4, -Infinity, 1)).toBe(1 - Math.exp(0.4));
    expect(lower(null, null, 'rr', 0.4, -Infinity)).toBe(0.4);
  });

  it('refuses crossed bounds and multipliers that are not positive', () => {
    expect(() => constraintsPart.$constrain_bounds(null, null, 'rrr', 0, 2, 1)).toThrow(
      DomainError,
    );
    expect(() => constraintsPart.$constrain_offset_multiplier(null, null, 'rrr', 0, 0, -1)).toThrow(
      DomainError,
    );
  });

  it('keeps a bounded value within its bounds at extreme free values', () => {
    for (const u of [-800, -40, 40, 800]) {
      const x = constraintsPart.$constrain_bounds(null, null, 'rrr', u, 1, 2) as number;
      expect(x).toBeGreaterThanOrEqual(1);
      expect(x).toBeLessThanOrEqual(2);
    }
  });
});
