/** First passage times against sums and integrals of 50 digits, see fixtures/math/make-wiener.py. */
import { describe, expect, it } from 'vitest';
import { Tape } from '../../../src/math/autodiff/tape.ts';
import { wienerLpdf } from '../../../src/math/distributions/wiener.ts';
import { wienerLccdf, wienerLcdf } from '../../../src/math/distributions/wiener-tails.ts';
import { DomainError } from '../../../src/math/errors.ts';
import fixture from '../../fixtures/math/wiener.json';
import { logDensityAt, modelOf } from '../../support/stan-program.ts';

const idle = new Tape();
const logDensity = (y: number, ...parameters: readonly number[]) =>
  wienerLpdf(idle, false, 'r'.repeat(1 + parameters.length), y, ...parameters);

it.each([
  ['four', 1e-11],
  ['five', 1e-11],
  ['seven', 1e-8],
] as const)('matches the reference log density with %s parameters', (form, tolerance) => {
  for (const row of fixture[form]) {
    const [y, expected] = row.slice(-2);
    const got = logDensity(y, ...row.slice(0, -2));
    expect(Math.abs(got - expected), String(row)).toBeLessThan(
      tolerance * (1 + Math.abs(expected)),
    );
  }
});

it('joins its two series without a step', () => {
  // on both sides of the time at which the series switch
  const [before, after] = [0.4 - 1e-13, 0.4 + 1e-13].map((t) => logDensity(t, 1, 0, 0.3, 0.5));
  expect(Math.abs(before - after)).toBeLessThan(1e-11);
});

describe('variability between trials', () => {
  it('changes nothing where it is 0', () => {
    const plain = logDensity(0.9, 1.2, 0.2, 0.4, 0.6);
    expect(logDensity(0.9, 1.2, 0.2, 0.4, 0.6, 0)).toBe(plain);
    expect(logDensity(0.9, 1.2, 0.2, 0.4, 0.6, 0, 0, 0)).toBeCloseTo(plain, 13);
  });

  it('has the gradient of its value', () => {
    const values = [0.9, 1.2, 0.2, 0.4, 0.6, 0.8, 0.3, 0.25];
    for (const count of [6, 8]) {
      const tape = new Tape();
      const theta = Float64Array.from(values.slice(0, count));
      tape.reset(theta);
      const slots = Array.from(theta, (_, i) => i + 1);
      const gradient = new Float64Array(count);
      tape.sweep(wienerLpdf(tape, true, 'v'.repeat(count), ...slots), gradient);
      theta.forEach((x, i) => {
        const h = 1e-4;
        const moved = (step: number) =>
          logDensity(...(theta.map((v, k) => (k === i ? x + step : v)) as unknown as [number]));
        const slope = (8 * (moved(h) - moved(-h)) - (moved(2 * h) - moved(-2 * h))) / (12 * h);
        expect(Math.abs(slope - gradient[i]), `argument ${i + 1}`).toBeLessThan(1e-6);
      });
    }
  });
});

it.each([
  ['0.2 | 1, 0.3, 0.5, 0', 'Nondecision time'],
  ['1 | 0, 0.3, 0.5, 0', 'Boundary separation'],
  ['1 | 1, -0.1, 0.5, 0', 'Nondecision time'],
  ['1 | 1, 0.3, 1.5, 0', 'A-priori bias'],
  ['1 | 1, 0.3, 0.5, 0, -1', 'drift rate'],
  ['1 | 1, 0.3, 0.5, 0, 0, 1.2, 0', 'A-priori bias'],
])('rejects wiener_lpdf(%s)', (call, said) => {
  const model = modelOf(
    `parameters { real x; } model { x ~ normal(0, 1); target += wiener_lpdf(${call}); }`,
  );
  expect(() => logDensityAt(model, Float64Array.of(0))).toThrow(said);
});

it('is a distribution that programs can use, also with vectors', () => {
  const source = `data { vector[3] y; } parameters { real<lower=0> a; real d; }
model { y ~ wiener(a, 0.1, 0.5, d); }`;
  const model = modelOf(source, { y: [0.5, 0.7, 1.1] });
  const sum = [0.5, 0.7, 1.1].reduce((total, y) => total + logDensity(y, 1, 0.1, 0.5, 0.4), 0);
  expect(logDensityAt(model, Float64Array.of(0, 0.4))).toBeCloseTo(sum, 12);
});

describe('the tails', () => {
  const tailAt = (tail: typeof wienerLcdf, values: readonly number[]) =>
    tail(idle, false, 'r'.repeat(values.length), ...values);
  const gradientOf = (tail: typeof wienerLcdf, values: readonly number[]) => {
    const tape = new Tape();
    tape.reset(Float64Array.from(values));
    const gradient = new Float64Array(values.length);
    const slots = values.map((_, i) => i + 1);
    tape.sweep(tail(tape, true, 'v'.repeat(values.length), ...slots), gradient);
    return gradient;
  };
  const sevens = [
    [0.9, 1.2, 0.2, 0.4, 0.6, 0.8, 0.3, 0.25],
    [0.5, 1.2, 0.2, 0.4, 0.6, 0.4, 0, 0.9],
    [2.5, 1.7, 0.1, 0.6, -0.6, 0, 0.5, 0],
  ];

  it.each([
    ['by', 0, wienerLcdf],
    ['after', 1, wienerLccdf],
  ] as const)('%s a time match those of the series', (_, which, tail) => {
    for (const row of fixture.tails) {
      const [y, ...tails] = row.slice(-3);
      const expected = tails[which];
      const got = tailAt(tail, [y, ...row.slice(0, -3)]);
      expect(Math.abs(got - expected), String(row)).toBeLessThan(1e-9 * (1 + Math.abs(expected)));
    }
  });

  it('have the density as their derivative in time', () => {
    for (const values of sevens) {
      const [y, ...parameters] = values;
      const density = Math.exp(logDensity(y, ...parameters));
      const [before] = gradientOf(wienerLcdf, values);
      const [after] = gradientOf(wienerLccdf, values);
      expect(before * Math.exp(tailAt(wienerLcdf, values))).toBeCloseTo(density, 7);
      expect(after * Math.exp(tailAt(wienerLccdf, values))).toBeCloseTo(-density, 7);
    }
  });

  it('add up to the probability of the upper boundary, whatever the nondecision time', () => {
    const sumAt = (values: readonly number[]) =>
      Math.exp(tailAt(wienerLcdf, values)) + Math.exp(tailAt(wienerLccdf, values));
    for (const [y, ...parameters] of sevens) {
      const later = sumAt([y + 1, ...parameters]);
      expect(sumAt([y, ...parameters])).toBeCloseTo(later, 9);
      const steady = [...parameters.slice(0, 6), 0];
      expect(sumAt([y, ...steady])).toBeCloseTo(later, 9);
    }
  });

  it('have the gradients of their values', () => {
    for (const values of sevens) {
      for (const tail of [wienerLcdf, wienerLccdf]) {
        const gradient = gradientOf(tail, values);
        values.forEach((x, i) => {
          // the variabilities cannot be below 0
          if (x === 0) return;
          const h = 1e-4;
          const moved = (step: number) =>
            tailAt(
              tail,
              values.map((v, k) => (k === i ? x + step : v)),
            );
          const slope = (8 * (moved(h) - moved(-h)) - (moved(2 * h) - moved(-2 * h))) / (12 * h);
          expect(Math.abs(slope - gradient[i]), `argument ${i + 1}`).toBeLessThan(1e-7);
        });
      }
    }
  });

  it('are functions of the language, with an optional precision', () => {
    const model = modelOf(
      `data { vector[2] y; } parameters { real<lower=0> a; real v; }
      model { target += wiener_lcdf_unnorm(y, a, 0.1, 0.5, v, 1e-4) + wiener_lccdf_unnorm(1.5, a, 0.1, 0.5, v); }`,
      {
        y: [0.5, 0.8],
      },
    );
    const at = (tail: typeof wienerLcdf, y: number) => tailAt(tail, [y, 1, 0.1, 0.5, 0.3]);
    expect(logDensityAt(model, Float64Array.of(0, 0.3))).toBeCloseTo(
      at(wienerLcdf, 0.5) + at(wienerLcdf, 0.8) + at(wienerLccdf, 1.5),
      11,
    );
  });
});

it('ends where a path starts on a boundary, or almost', () => {
  const tail = (beta: number, alpha = 1) =>
    wienerLcdf(idle, false, 'rrrrr', 1.2, alpha, 0.2, beta, 0.4);
  expect(tail(1 - 1e-6)).toBeCloseTo(-6.658e-7, 9);
  for (const run of [() => tail(1), () => tail(0), () => tail(0.5, 1e-170)]) {
    try {
      expect(run()).toBeLessThanOrEqual(1e-9);
    } catch (error) {
      expect(error).toBeInstanceOf(DomainError);
    }
  }
});
