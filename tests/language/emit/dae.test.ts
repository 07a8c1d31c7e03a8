/** Differential-algebraic systems: against closed forms, against the solvers of differential equations, and by differences. */
import { describe, expect, it } from 'vitest';
import robertsonValues from '../../fixtures/math/robertson.json';
import { expectSameDensity } from '../../support/same-density.ts';
import { gradientError, logDensityAt, modelOf, outputsAt } from '../../support/stan-program.ts';

const none = new Float64Array(0);

describe('dae', () => {
  it('matches closed forms, also for a time-dependent system', () => {
    // y1' = t - 2 y1, y2 = y1², y3' = cos(t), which the residual does not state explicitly
    const source = `functions {
      vector f(real t, vector y, vector dy, real a) {
        return [dy[1] + a * y[1] - t, y[2] - square(y[1]), exp(t) * (dy[3] - cos(t)) * (1 + square(dy[3]))]';
      } }
      generated quantities {
        array[3] vector[3] y = dae(f, [1, 1, 0]', [-2, -4, 1]', 0.0, {0.1, 1.0, 4.0}, 2.0);
      }`;
    const out = outputsAt(modelOf(source), none);
    [0.1, 1, 4].forEach((t, i) => {
      const y1 = 1.25 * Math.exp(-2 * t) + t / 2 - 0.25;
      expect(out[`y[${i + 1},1]`]).toBeCloseTo(y1, 9);
      expect(out[`y[${i + 1},2]`]).toBeCloseTo(y1 * y1, 9);
      expect(out[`y[${i + 1},3]`]).toBeCloseTo(Math.sin(t), 9);
    });
  });

  const robertson = `functions {
    vector residual(real t, vector y, vector dy, array[] real k) {
      return [dy[1] + k[1] * y[1] - k[2] * y[2] * y[3],
              dy[2] - k[1] * y[1] + k[2] * y[2] * y[3] + k[3] * square(y[2]),
              sum(y) - 1]';
    }
    vector slope(real t, vector y, array[] real k) {
      real a = k[1] * y[1];
      real b = k[2] * y[2] * y[3];
      real c = k[3] * square(y[2]);
      return [b - a, a - b - c, c]';
    }
  }`;

  it("solves Robertson's problem over seven decades", () => {
    const source = `${robertson} generated quantities {
      array[3] vector[3] y = dae_tol(residual, [1, 0, 0]', [-0.04, 0.04, 0]', 0, {0.4, 40.0, 4e5}, 1e-9, 1e-13, 100000, {0.04, 1e4, 3e7});
    }`;
    const out = outputsAt(modelOf(source), none);
    robertsonValues.forEach((row, i) => {
      row.forEach((x, j) => {
        expect(Math.abs(out[`y[${i + 1},${j + 1}]`] / x - 1)).toBeLessThan(1e-6);
      });
    });
    expect(out['y[3,1]'] + out['y[3,2]'] + out['y[3,3]']).toBeCloseTo(1, 13);
  });

  it('matches ode_bdf for the same system, with derivatives', () => {
    const program = (call: string) => `${robertson}
      parameters { array[3] real<lower=0> k; }
      transformed parameters { array[3] real scaled = {0.04 * k[1], 1e4 * k[2], 3e7 * k[3]}; }
      model { array[2] vector[3] y = ${call};
        target += log(y[1, 1]) + log(y[2, 1]) + log(y[1, 2]) + y[2, 3]; }`;
    const dae = program(
      "dae_tol(residual, [1, 0, 0]', [0, 0, 0]', 0, {0.4, 4}, 1e-10, 1e-14, 100000, scaled)",
    );
    const ode = program(
      "ode_bdf_tol(slope, [1, 0, 0]', 0, {0.4, 4}, 1e-10, 1e-14, 100000, scaled)",
    );
    expectSameDensity(modelOf(dae), modelOf(ode), 1e-6);
    expect(gradientError(modelOf(dae), 1)).toBeLessThan(1e-5);
    expectSameDensity(modelOf(dae), modelOf(dae, {}, { adjoint: false }), 1e-12);
  });

  it('has derivatives in the initial state and in parameters of an implicit equation', () => {
    const source = `functions {
      vector f(real t, vector y, vector dy, real a, vector b) {
        return [a * dy[1] + y[1] * y[2], y[2] + b[1] * square(y[1]) - b[2]]';
      } }
      parameters { real<lower=0.5, upper=2> a; vector<lower=0.3, upper=1>[2] b; real<lower=0.2, upper=1> start; }
      model {
        real second = b[2] - b[1] * square(start);
        array[2] vector[2] y = dae(f, [start, second]', [-start * second / a, 2 * b[1] * square(start) * second / a]', 0, {0.5, 2}, a, b);
        target += sum(y[1]) + dot_self(y[2]);
      }`;
    for (const seed of [1, 2]) expect(gradientError(modelOf(source), seed)).toBeLessThan(1e-6);
  });

  it('refuses invalid arguments', () => {
    const at = (call: string) => {
      const source = `functions {
        vector f(real t, vector y, vector dy, real a) { return [dy[1] - a, y[1] - y[2]]'; }
        vector short(real t, vector y, vector dy, real a) { return [dy[1] - a]'; } }
        parameters { real a; }
        model { array[1] vector[2] y = ${call}; target += sum(y[1]); }`;
      return () => logDensityAt(modelOf(source), new Float64Array(1));
    };
    expect(at("dae(f, [0, 0]', [0, 0]', 0, {1}, a)")).not.toThrow();
    expect(at("dae(short, [0, 0]', [0, 0]', 0, {1}, a)")).toThrow(/gives 1 values for 2 states/);
    expect(at("dae(f, [0, 0]', [0]', 0, {1}, a)")).toThrow(/derivative has 1 elements/);
    expect(at("dae(f, [0, 0]', [0, 0]', 2, {1}, a)")).toThrow(/times\[1\] is 1/);
    expect(at("dae_tol(f, [0, 0]', [0, 0]', 0, {1}, -1.0, 1e-6, 100, a)")).toThrow(
      /relative_tolerance is -1/,
    );
    expect(at("dae(f, [0, 0]', [0, 0]', 0, {a}, a)")).toThrow(/must not depend on parameters/);
  });
});
