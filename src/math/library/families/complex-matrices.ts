/**
 * Functions of complex matrices and vectors (Stan functions reference, "Complex matrix operations"), which programs call with
 * separate real and imaginary parts; a complex result has its real parts on top of its imaginary ones.
 */
import { Matrix } from '../../autodiff/containers.ts';
import { DomainError } from '../../errors.ts';
import { ComplexMatrix, fromParts, stacked, unstacked } from '../../linalg/complex.ts';
import {
  complexEigen,
  eigenReverse,
  foldToHermitian,
  hermitianEigen,
} from '../../linalg/complex-eigen.ts';
import { complexSchur, schurReverse } from '../../linalg/complex-schur.ts';
import { complexSvd, complexSvdReverse } from '../../linalg/complex-svd.ts';
import { fourierOfColumns, fourierOfMatrix } from '../../linalg/fourier.ts';
import { addScaled } from '../../linalg/products.ts';
import { requireSquare } from '../../linalg/solve.ts';
import type { LibraryPart } from '../machinery/implementation.ts';
import { type MatrixFunction, matrixForms } from '../machinery/matrix-forms.ts';

/** A function of a complex matrix, and the adjoint of its argument, given that of its result. */
interface ComplexFunction {
  readonly f: (a: ComplexMatrix) => ComplexMatrix;
  readonly reverse: (a: ComplexMatrix, dy: ComplexMatrix) => ComplexMatrix;
}

function addParts({ re, im }: ComplexMatrix, [dRe, dIm]: readonly (Float64Array | null)[]): void {
  if (dRe !== null) addScaled(dRe, re);
  if (dIm !== null) addScaled(dIm, im);
}

function onParts({ f, reverse }: ComplexFunction): MatrixFunction {
  return {
    f: (re, im) => stacked(f(fromParts(re, im))),
    reverse({ args: [re, im], dy, d: [dRe, dIm] }) {
      addParts(reverse(fromParts(re, im), unstacked(dy)), [dRe, dIm]);
    },
  };
}

/** Functions of a complex matrix with real results. */
function toReal(
  f: (a: ComplexMatrix) => Float64Array,
  reverse: (a: ComplexMatrix, dy: Float64Array) => ComplexMatrix,
): MatrixFunction {
  return {
    f(re, im) {
      const y = f(fromParts(re, im));
      return new Matrix(y.length, 1, y);
    },
    reverse({ args: [re, im], dy, d: [dRe, dIm] }) {
      addParts(reverse(fromParts(re, im), dy.data), [dRe, dIm]);
    },
  };
}

function square(name: string, a: ComplexMatrix): ComplexMatrix {
  requireSquare(name, a);
  return a;
}

function hermitian(name: string, a: ComplexMatrix): ComplexMatrix {
  requireSquare(name, a);
  const n = a.rows;
  for (let j = 0; j < n; j++) {
    for (let i = j; i < n; i++) {
      const real = Math.abs(a.re[i + j * n] - a.re[j + i * n]);
      const imaginary = Math.abs(a.im[i + j * n] + a.im[j + i * n]);
      if (real <= 1e-8 && imaginary <= 1e-8) continue;
      throw new DomainError(
        `${name}: the matrix is not Hermitian: element [${i + 1},${j + 1}] is not the conjugate of [${j + 1},${i + 1}]`,
      );
    }
  }
  return a;
}

const eigenvalues: ComplexFunction = {
  f: (a) => complexEigen('eigenvalues', square('eigenvalues', a)).values,
  reverse: (a, dValues) =>
    eigenReverse('eigenvalues', complexEigen('eigenvalues', a), { dValues, dVectors: null }),
};

const eigenvectors: ComplexFunction = {
  f: (a) => complexEigen('eigenvectors', square('eigenvectors', a)).vectors,
  reverse: (a, dVectors) =>
    eigenReverse('eigenvectors', complexEigen('eigenvectors', a), { dValues: null, dVectors }),
};

const hermitianValues = toReal(
  (a) => hermitianEigen('eigenvalues_sym', hermitian('eigenvalues_sym', a)).values.re,
  (a, dy) => {
    const eigen = hermitianEigen('eigenvalues_sym', a);
    const dValues = new ComplexMatrix(dy.length, 1, dy);
    return foldToHermitian(eigenReverse('eigenvalues_sym', eigen, { dValues, dVectors: null }));
  },
);

const hermitianVectors: ComplexFunction = {
  f: (a) => hermitianEigen('eigenvectors_sym', hermitian('eigenvectors_sym', a)).vectors,
  reverse: (a, dVectors) => {
    const eigen = hermitianEigen('eigenvectors_sym', a);
    return foldToHermitian(eigenReverse('eigenvectors_sym', eigen, { dValues: null, dVectors }));
  },
};

function schur(part: 't' | 'u'): ComplexFunction {
  const name = `complex_schur_decompose_${part}`;
  return {
    f: (a) => complexSchur(name, square(name, a))[part],
    reverse(a, dy) {
      const none = new ComplexMatrix(a.rows, a.cols);
      return schurReverse(
        complexSchur(name, a),
        part === 't' ? dy : none,
        part === 'u' ? dy : none,
      );
    },
  };
}

const singular = toReal(
  (a) => complexSvd(a).values,
  (a, values) => complexSvdReverse(a, { values, u: null, v: null }),
);

const svdU: ComplexFunction = {
  f: (a) => complexSvd(a).u,
  reverse: (a, u) => complexSvdReverse(a, { values: null, u, v: null }),
};

const svdV: ComplexFunction = {
  f: (a) => complexSvd(a).v,
  reverse: (a, v) => complexSvdReverse(a, { values: null, u: null, v }),
};

/** Both are symmetric matrices, the adjoint of one the conjugate. */
function fourier(
  transform: (x: ComplexMatrix, sign: 1 | -1) => ComplexMatrix,
  sign: 1 | -1,
): ComplexFunction {
  const scaled = (x: ComplexMatrix, by: ComplexMatrix): ComplexMatrix => {
    if (sign === -1) return x;
    const n = by.re.length;
    return new ComplexMatrix(
      x.rows,
      x.cols,
      x.re.map((v) => v / n),
      x.im.map((v) => v / n),
    );
  };
  return {
    f: (x) => scaled(transform(x, sign), x),
    reverse: (x, dy) => scaled(transform(dy, sign === 1 ? -1 : 1), x),
  };
}

export const complexMatricesPart: LibraryPart = {
  ...matrixForms('$eigenvalues', ['mm>c'], onParts(eigenvalues)),
  ...matrixForms('$eigenvectors', ['mm>m'], onParts(eigenvectors)),
  ...matrixForms('$hermitian_values', ['mm>c'], hermitianValues),
  ...matrixForms('$hermitian_vectors', ['mm>m'], onParts(hermitianVectors)),
  ...matrixForms('$schur_t', ['mm>m'], onParts(schur('t'))),
  ...matrixForms('$schur_u', ['mm>m'], onParts(schur('u'))),
  ...matrixForms('$complex_singular_values', ['mm>c'], singular),
  ...matrixForms('$complex_svd_U', ['mm>m'], onParts(svdU)),
  ...matrixForms('$complex_svd_V', ['mm>m'], onParts(svdV)),
  ...matrixForms('$fft', ['cc>c'], onParts(fourier(fourierOfColumns, -1))),
  ...matrixForms('$inv_fft', ['cc>c'], onParts(fourier(fourierOfColumns, 1))),
  ...matrixForms('$fft2', ['mm>m'], onParts(fourier(fourierOfMatrix, -1))),
  ...matrixForms('$inv_fft2', ['mm>m'], onParts(fourier(fourierOfMatrix, 1))),
};
