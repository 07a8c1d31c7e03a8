/** Where the arguments of library functions come from in tests: seeded generators of numbers, vectors and matrices. */
import type { Rng } from '../../../src/math/random/rng.ts';

/** Draws `n` numbers that belong together; `matrix` draws matrices (column-major, n × n). */
export interface Domain {
  readonly isInt?: boolean;
  /** A change of one element must keep the matrix symmetric. */
  readonly symmetric?: boolean;
  /** A change of one element leaves the domain (a simplex): derivatives are taken along pairs. */
  readonly sumsToOne?: boolean;
  readonly numbers: (rng: Rng, n: number) => number[];
  readonly matrix?: (rng: Rng, n: number) => number[];
}

function each(draw: (rng: Rng) => number, isInt = false): Domain {
  return { isInt, numbers: (rng, n) => Array.from({ length: n }, () => draw(rng)) };
}

export const between = (low: number, high: number): Domain =>
  each((rng) => low + (high - low) * rng.uniform());

/** Integers from low to high inclusive. */
export const integer = (low: number, high: number): Domain =>
  each((rng) => low + Math.floor(rng.uniform() * (high - low + 1)), true);

export const real = between(-2.5, 2.5);
export const positive = between(0.2, 3.5);
export const unit = between(0.05, 0.95);
export const count = integer(0, 6);

export const simplex: Domain = {
  sumsToOne: true,
  numbers(rng, n) {
    const e = Array.from({ length: n }, () => 0.2 + rng.uniform());
    const total = e.reduce((a, b) => a + b, 0);
    return e.map((x) => x / total);
  },
};

export const increasing: Domain = {
  numbers(rng, n) {
    let x = -2;
    return Array.from({ length: n }, () => {
      x += 0.3 + rng.uniform();
      return x;
    });
  },
};

function selfProduct(rng: Rng, n: number): number[] {
  const a = Array.from({ length: n * n }, () => rng.uniform() - 0.5);
  const out = Array.from({ length: n * n }, () => 0);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      for (let k = 0; k < n; k++) out[i + j * n] += a[i + k * n] * a[j + k * n];
      if (i === j) out[i + j * n] += 1;
    }
  }
  return out;
}

/** Symmetric positive definite matrices. */
export const positiveDefinite: Domain = {
  symmetric: true,
  numbers: positive.numbers,
  matrix: selfProduct,
};

export const correlation: Domain = {
  symmetric: true,
  numbers: unit.numbers,
  matrix(rng, n) {
    const s = selfProduct(rng, n);
    return s.map((x, k) => {
      const i = k % n;
      const j = Math.floor(k / n);
      return x / Math.sqrt(s[i + i * n] * s[j + j * n]);
    });
  },
};

/** Square, well-conditioned matrices. */
export const square: Domain = {
  numbers: real.numbers,
  matrix: (rng, n) =>
    Array.from({ length: n * n }, (_, k) => rng.uniform() - 0.5 + (k % (n + 1) === 0 ? 1.5 : 0)),
};

/** Lower triangular matrices with a positive diagonal. */
export const lowerTriangular: Domain = {
  numbers: positive.numbers,
  matrix: (rng, n) =>
    Array.from({ length: n * n }, (_, k) => {
      const i = k % n;
      const j = Math.floor(k / n);
      return i < j ? 0 : i === j ? 0.8 + rng.uniform() : rng.uniform() - 0.5;
    }),
};

/** The same with rows of length one. */
export const correlationFactor: Domain = {
  numbers: unit.numbers,
  matrix(rng, n) {
    const l = (lowerTriangular.matrix as (rng: Rng, n: number) => number[])(rng, n);
    for (let i = 0; i < n; i++) {
      let s = 0;
      for (let j = 0; j <= i; j++) s += l[i + j * n] ** 2;
      for (let j = 0; j <= i; j++) l[i + j * n] /= Math.sqrt(s);
    }
    return l;
  },
};
