/**
 * Constraints on vectors: ordered, simplex, unit vector, sum to zero (Stan reference manual, "Constraint transforms").
 * The simplex is the stick-breaking one; posteriors do not depend on that choice.
 */
import { messageNumber } from '../autodiff/operand.ts';
import { DomainError } from '../errors.ts';
import { invLogit, log1pExp, logit } from '../special/log-exp.ts';
import type { StructuredConstraint } from './structured.ts';

const sameSize = (numFree: number) => ({ rows: numFree, cols: 1 });

/** x_1 = u_1, x_k = x_{k−1} + exp(u_k). */
export const ordered: StructuredConstraint = {
  name: 'ordered_constrain',
  isMatrix: false,
  shape: sameSize,
  numFree: (rows) => rows,
  forward(u, x) {
    let logJacobian = 0;
    for (let k = 0; k < u.length; k++) {
      x[k] = k === 0 ? u[0] : x[k - 1] + Math.exp(u[k]);
      if (k > 0) logJacobian += u[k];
    }
    return logJacobian;
  },
  reverse({ u, dx, dJacobian, du }) {
    let tail = 0;
    for (let k = u.length - 1; k > 0; k--) {
      tail += dx[k];
      du[k] = tail * Math.exp(u[k]) + dJacobian;
    }
    if (u.length > 0) du[0] = tail + dx[0];
  },
};

/** x_1 = exp(u_1), x_k = x_{k−1} + exp(u_k). */
export const positiveOrdered: StructuredConstraint = {
  name: 'positive_ordered_constrain',
  isMatrix: false,
  shape: sameSize,
  numFree: (rows) => rows,
  forward(u, x) {
    let logJacobian = 0;
    let sum = 0;
    for (let k = 0; k < u.length; k++) {
      sum += Math.exp(u[k]);
      x[k] = sum;
      logJacobian += u[k];
    }
    return logJacobian;
  },
  reverse({ u, dx, dJacobian, du }) {
    let tail = 0;
    for (let k = u.length - 1; k >= 0; k--) {
      tail += dx[k];
      du[k] = tail * Math.exp(u[k]) + dJacobian;
    }
  },
};

/** Stick breaking: z_k = inv_logit(u_k − log(K − k)) of the remainder goes to x_k, the rest to x_K. */
export const simplex: StructuredConstraint = {
  name: 'simplex_constrain',
  isMatrix: false,
  shape: (numFree) => ({ rows: numFree + 1, cols: 1 }),
  numFree: (rows) => rows - 1,
  forward(u, x) {
    const n = u.length;
    let stick = 1;
    let logJacobian = 0;
    for (let k = 0; k < n; k++) {
      const shifted = u[k] - Math.log(n - k);
      x[k] = stick * invLogit(shifted);
      logJacobian += Math.log(stick) - log1pExp(-shifted) - log1pExp(shifted);
      stick *= invLogit(-shifted);
    }
    x[n] = stick;
    return logJacobian;
  },
  reverse({ u, x, dx, dJacobian, du }) {
    const n = u.length;
    let stick = x[n];
    let dStick = dx[n];
    for (let k = n - 1; k >= 0; k--) {
      const shifted = u[k] - Math.log(n - k);
      const z = invLogit(shifted);
      const rest = invLogit(-shifted);
      stick += x[k];
      du[k] = (dx[k] - dStick) * stick * z * rest + dJacobian * (rest - z);
      dStick = dx[k] * z + dStick * rest + dJacobian / stick;
    }
  },
};

/** x = u / |u|; the length of u gets a standard normal factor, so that the density over u is proper. */
export const unitVector: StructuredConstraint = {
  name: 'unit_vector_constrain',
  isMatrix: false,
  shape: sameSize,
  numFree: (rows) => rows,
  forward(u, x) {
    const length = Math.sqrt(sumSquares(u));
    if (!(length > 0 && length < Infinity)) {
      throw new DomainError(
        `unit_vector_constrain: length of the free vector is ${messageNumber(length)}, but must be positive`,
      );
    }
    for (let k = 0; k < u.length; k++) x[k] = u[k] / length;
    return -0.5 * length * length;
  },
  reverse({ u, x, dx, dJacobian, du }) {
    const length = Math.sqrt(sumSquares(u));
    let dot = 0;
    for (let k = 0; k < u.length; k++) dot += x[k] * dx[k];
    for (let k = 0; k < u.length; k++) {
      du[k] = (dx[k] - x[k] * dot) / length - dJacobian * u[k];
    }
  },
};

function sumSquares(u: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < u.length; k++) sum += u[k] * u[k];
  return sum;
}

/** An orthonormal basis of the vectors that sum to zero (inverse isometric log-ratio basis); log |Jacobian| is 0. */
export const sumToZero: StructuredConstraint = {
  name: 'sum_to_zero_constrain',
  isMatrix: false,
  shape: (numFree) => ({ rows: numFree + 1, cols: 1 }),
  numFree: (rows) => rows - 1,
  forward(u, x) {
    let sum = 0;
    x.fill(0);
    for (let i = u.length; i > 0; i--) {
      const w = u[i - 1] / Math.sqrt(i * (i + 1));
      sum += w;
      x[i - 1] += sum;
      x[i] -= w * i;
    }
    return 0;
  },
  reverse({ u, dx, du }) {
    let head = 0;
    for (let i = 1; i <= u.length; i++) {
      head += dx[i - 1];
      du[i - 1] = (head - i * dx[i]) / Math.sqrt(i * (i + 1));
    }
  },
};

/** Tolerance of declared constraints on values, Stan's CONSTRAINT_TOLERANCE. */
const tolerance = 1e-8;

export function checkOrdered(name: string, x: Float64Array): void {
  for (let k = 1; k < x.length; k++) {
    if (!(x[k] > x[k - 1])) {
      throw new DomainError(
        `${name} is not a valid ordered vector. The element at ${k + 1} is ${messageNumber(x[k])}, but should be greater than the previous element, ${messageNumber(x[k - 1])}`,
      );
    }
  }
}

export function checkPositiveOrdered(name: string, x: Float64Array): void {
  if (x.length > 0 && !(x[0] >= 0)) {
    throw new DomainError(
      `${name} is not a valid positive_ordered vector. The element at 1 is ${messageNumber(x[0])}, but should be positive`,
    );
  }
  checkOrdered(name, x);
}

export function checkSimplex(name: string, x: Float64Array): void {
  let sum = 0;
  for (let k = 0; k < x.length; k++) sum += x[k];
  if (!(Math.abs(sum - 1) <= tolerance)) {
    throw new DomainError(
      `${name} is not a valid simplex. sum(${name}) = ${messageNumber(sum)}, but should be 1`,
    );
  }
  for (let k = 0; k < x.length; k++) {
    if (!(x[k] >= 0)) {
      throw new DomainError(
        `${name} is not a valid simplex. ${name}[${k + 1}] = ${messageNumber(x[k])}, but should be nonnegative`,
      );
    }
  }
}

export function checkUnitVector(name: string, x: Float64Array): void {
  const length = sumSquares(x);
  if (!(Math.abs(length - 1) <= tolerance)) {
    throw new DomainError(
      `${name} is not a valid unit vector. The sum of the squares of the elements should be 1, but is ${messageNumber(length)}`,
    );
  }
}

export function checkSumToZero(name: string, x: Float64Array): void {
  let sum = 0;
  for (let k = 0; k < x.length; k++) sum += x[k];
  if (!(Math.abs(sum) <= tolerance)) {
    throw new DomainError(
      `${name} does not sum to zero. sum(${name}) = ${messageNumber(sum)}, but should be 0`,
    );
  }
}

export function orderedFree(x: Float64Array): Float64Array {
  checkOrdered('value', x);
  return x.map((value, k) => (k === 0 ? value : Math.log(value - x[k - 1])));
}

export function positiveOrderedFree(x: Float64Array): Float64Array {
  checkPositiveOrdered('value', x);
  return x.map((value, k) => Math.log(k === 0 ? value : value - x[k - 1]));
}

export function simplexFree(x: Float64Array): Float64Array {
  checkSimplex('value', x);
  const n = x.length - 1;
  const u = new Float64Array(n);
  // the rest of the stick, summed from the end so that small remainders lose no digits
  let stick = x[n];
  for (let k = n - 1; k >= 0; k--) {
    stick += x[k];
    u[k] = logit(x[k] / stick) + Math.log(n - k);
  }
  return u;
}

export function unitVectorFree(x: Float64Array): Float64Array {
  checkUnitVector('value', x);
  return x.slice();
}

export function sumToZeroFree(x: Float64Array): Float64Array {
  checkSumToZero('value', x);
  // the basis is orthonormal: its transpose is the inverse
  const u = new Float64Array(x.length - 1);
  let head = 0;
  for (let i = 1; i < x.length; i++) {
    head += x[i - 1];
    u[i - 1] = (head - i * x[i]) / Math.sqrt(i * (i + 1));
  }
  return u;
}
