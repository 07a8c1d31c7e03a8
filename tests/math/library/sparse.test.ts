import { describe, expect, it } from 'vitest';
import {
  ActiveMatrix,
  ActiveVector,
  Matrix,
  slotAt,
} from '../../../src/math/autodiff/containers.ts';
import { Tape } from '../../../src/math/autodiff/tape.ts';
import { DomainError } from '../../../src/math/errors.ts';
import { sparsePart } from '../../../src/math/library/families/sparse.ts';

// [[19, 27, 0], [0, 0, 52], [81, 0, 95]]: the example of the Stan functions reference
const dense = new Matrix(3, 3, Float64Array.of(19, 0, 81, 27, 0, 0, 0, 52, 95));
const w = Float64Array.of(19, 27, 52, 81, 95);
const v = Int32Array.of(1, 2, 3, 1, 3);
const u = Int32Array.of(1, 3, 4, 6);
const b = Float64Array.of(2, -1, 0.5);

describe('csr functions', () => {
  it('match the example of the reference manual', () => {
    expect(sparsePart.csr_extract_w__M(dense)).toEqual(w);
    expect(sparsePart.csr_extract_v__M(dense)).toEqual(v);
    expect(sparsePart.csr_extract_u__M(dense)).toEqual(u);
  });

  it('convert back to the dense matrix', () => {
    expect(sparsePart.csr_to_dense_matrix__iiRII(3, 3, w, v, u)).toEqual(dense);
  });

  it('keep the slots of an active matrix', () => {
    const tape = new Tape();
    tape.reset(dense.data);
    const packed = sparsePart.csr_extract_w__W(tape, new ActiveMatrix(3, 3, 1)) as ActiveVector;
    expect(Array.from({ length: packed.n }, (_, i) => tape.value[slotAt(packed, i)])).toEqual([
      ...w,
    ]);
    const back = sparsePart.csr_to_dense_matrix__iiVII(tape, 3, 3, packed, v, u) as ActiveMatrix;
    expect(Array.from({ length: 9 }, (_, i) => tape.value[slotAt(back, i)])).toEqual([
      ...dense.data,
    ]);
  });

  it('multiply like the dense matrix, with derivatives in both', () => {
    expect(sparsePart.csr_matrix_times_vector__iiRIIR(3, 3, w, v, u, b)).toEqual(
      Float64Array.of(11, 26, 209.5),
    );
    const tape = new Tape();
    tape.reset(Float64Array.of(...w, ...b));
    const y = sparsePart.csr_matrix_times_vector__iiVIIV(
      tape,
      3,
      3,
      new ActiveVector(5, 1),
      v,
      u,
      new ActiveVector(3, 6),
    ) as ActiveVector;
    const gradient = new Float64Array(8);
    tape.sweep(slotAt(y, 2), gradient);
    // row 3 is 81 b1 + 95 b3
    expect([...gradient]).toEqual([0, 0, 0, 2, 0.5, 81, 0, 95]);
  });

  it.each([
    ['iiRIIV', w, new ActiveVector(3, 1), b],
    ['iiVIIR', new ActiveVector(5, 1), b, w],
  ] as const)('multiply with one active operand, %s', (kinds, first, second, theta) => {
    const tape = new Tape();
    tape.reset(theta);
    const y = sparsePart[`csr_matrix_times_vector__${kinds}`](
      tape,
      3,
      3,
      first,
      v,
      u,
      second,
    ) as ActiveVector;
    expect([0, 1, 2].map((i) => tape.value[slotAt(y, i)])).toEqual([11, 26, 209.5]);
  });

  it('refuse an invalid sparse matrix', () => {
    expect(() => sparsePart.csr_to_dense_matrix__iiRII(3, 2, w, v, u)).toThrow(DomainError);
    expect(() => sparsePart.csr_matrix_times_vector__iiRIIR(3, 3, w, v, u.slice(1), b)).toThrow(
      DomainError,
    );
  });
});
