/** Right-hand sides of differential equations with their derivatives written out, against the tape. */
import { describe, expect, it } from 'vitest';
import { libraryKeys } from '../../../src/engine/compile-model.ts';
import { compileProgram } from '../../../src/language/compile.ts';
import { backEndsOf, evaluate, worstDifference } from '../../support/back-ends.ts';

const data = { times: [0.4, 1.1, 2.3], dose: 1.5, n: 2 };

const program = (functions: string, call = 'ode_rk45(f, y0, 0, times, p, q, dose, n)') => `
functions { ${functions} }
data { array[3] real times; real dose; int n; }
parameters { vector<lower=0, upper=1>[2] y0; array[2] real<lower=0, upper=1> p; real<lower=0, upper=1> q; }
model {
  array[3] vector[2] y = ${call};
  for (k in 1:3) target += -square(y[k][1] - 0.3) * q - exp(y[k][2]) * p[1];
}`;

const signature = 'vector f(real t, vector y, array[] real p, real q, real dose, int n)';

function isWrittenOut(source: string): boolean {
  const { program: compiled, diagnostics } = compileProgram(source, { libraryKeys });
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return /linear: linear\$/.test(compiled?.javascript ?? '');
}

/** Steps depend on the last digit of what the solver is given. */
const tolerance = 1e-9;

describe('a straight line of scalars', () => {
  it.each([
    ['a row', "return [-p[1] * y[1] * y[2], p[2] * y[1] - q * y[2]]';"],
    [
      'locals that are assigned again',
      "real a = y[1] * p[1]; real b = a; a = a * exp(-b); b += a * q; return [-b, a - y[2]]';",
    ],
    [
      'elements of a vector',
      'vector[2] d; d[1] = -p[1] * y[1]; d[2] = d[1] * y[2] / (q + y[2]); d[1] += dose * 0.1; return d;',
    ],
    [
      'a branch on the time',
      "real r = 0; if (t > 0.5) { r = dose * exp(-p[1] * t); } return [r - q * y[1], y[1] - y[2]]';",
    ],
    [
      'a branch on the state',
      "real r; if (y[1] > 0.4 && n == 2) r = y[1] * q; else if (y[2] > 2) r = p[2]; else r = square(y[2]); return [r - y[1], q - y[2]]';",
    ],
    ['a conditional', "return [y[1] > 0.5 ? -y[1] * q : -p[1] * y[1], log1p(y[1]) - y[2]]';"],
    ['a constant derivative', "return [0.1, -q * y[2]]';"],
    [
      'a choice of what costs',
      "real r = t > 0.5 ? dose * exp(-p[1] * t) : 0; return [r - q * y[1], y[1] - y[2]]';",
    ],
    ['derivatives that no parameter enters', "return [-0.3, cos(t)]';"],
  ])('%s', (_, body) => {
    const source = program(`${signature} { ${body} }`);
    expect(isWrittenOut(source)).toBe(true);
    expect(worstDifference(backEndsOf(source, data), 5)).toBeLessThan(tolerance);
  });

  it('with user-defined functions and the stiff solver', () => {
    const source = program(
      `real rate(real x, real q) { if (x > 0.2) return q * x; return x * x; }
       ${signature} { real r = rate(y[1], q); return [-r, r - p[2] * y[2]]'; }`,
      'ode_bdf_tol(f, y0, 0, times, 1e-8, 1e-8, 10000, p, q, dose, n)',
    );
    expect(isWrittenOut(source)).toBe(true);
    expect(worstDifference(backEndsOf(source, data), 3)).toBeLessThan(tolerance);
  });

  it.each([
    ['products and quotients', 'return p[1] - q / dose * y ./ (p[2] + y);'],
    ['functions', 'vector[2] r = exp(-y) + q; return r .* y - square(y) * p[1];'],
  ])('of vectors, when the call fixes the length of the state: %s', (_, body) => {
    const source = program(
      `${signature} { ${body} }`,
      "ode_bdf(f, [q, p[1]]', 0, times, p, q, dose, n)",
    );
    expect(isWrittenOut(source)).toBe(true);
    expect(worstDifference(backEndsOf(source, data), 3)).toBeLessThan(tolerance);
    // the state may have a different length elsewhere
    const unknown = program(`${signature} { ${body} }`);
    expect(isWrittenOut(unknown)).toBe(false);
    expect(worstDifference(backEndsOf(unknown, data), 3)).toBeLessThan(tolerance);
  });

  it('in the old form with arrays', () => {
    const source = `functions {
  array[] real f(real t, array[] real y, array[] real p, array[] real x_r, array[] int x_i) {
    array[2] real d;
    d[1] = -p[1] * y[1] + x_r[1] * x_i[1];
    d[2] = p[1] * y[1] - p[2] * y[2];
    return d;
  }
}
data { array[3] real times; real dose; int n; }
transformed data { array[1] real x_r = {dose}; array[1] int x_i = {n}; }
parameters { array[2] real<lower=0> p; }
model {
  array[3, 2] real y = integrate_ode_rk45(f, {1.0, 0.5}, 0, times, p, x_r, x_i);
  for (k in 1:3) target += -y[k, 1] * y[k, 2];
}`;
    expect(isWrittenOut(source)).toBe(true);
    expect(worstDifference(backEndsOf(source, data), 3)).toBeLessThan(tolerance);
  });
});

describe('code that stays on the tape', () => {
  it.each([
    ['a loop', 'vector[2] d = y; for (i in 1:n) d[i] = -p[i] * y[i]; return d;'],
    ['a vector as a whole', 'return -q * y;'],
    ['an early return', "if (t > 1) return [0, 0]'; return [-q * y[1], y[1]]';"],
  ])('%s', (_, body) => {
    const source = program(`${signature} { ${body} }`);
    expect(isWrittenOut(source)).toBe(false);
    expect(worstDifference(backEndsOf(source, data), 3)).toBeLessThan(tolerance);
  });

  it('an index beyond the state raises the same error as on the tape', () => {
    const both = backEndsOf(program(`${signature} { return [-y[3] * q, y[1]]'; }`), data);
    const at = Float64Array.of(0.1, 0.2, 0.3, 0.4, 0.5);
    const [adjoint, tape] = [evaluate(both.adjoint, at), evaluate(both.tape, at)];
    expect(adjoint.error).toContain('index 3 is out of range 1 to 2');
    expect(adjoint.error).toBe(tape.error);
  });
});
