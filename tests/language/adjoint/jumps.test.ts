/** `break`, `continue`, early `return` and functions of vectors, against the tape: one region each. */
import { describe, expect, it } from 'vitest';
import { libraryKeys } from '../../../src/engine/compile-model.ts';
import { compileProgram } from '../../../src/language/compile.ts';
import type { DataJson } from '../../../src/language/program.ts';
import { backEndsOf, countRegions, worstDifference } from '../../support/back-ends.ts';

const tolerance = 1e-12;

function expectOneRegion(source: string, data: DataJson = {}): void {
  const { program, diagnostics } = compileProgram(source, { libraryKeys });
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(program?.onTape).toEqual([]);
  expect(countRegions(program?.javascript ?? '')).toBe(1);
  expect(worstDifference(backEndsOf(source, data), 12)).toBeLessThan(tolerance);
}

const model = (body: string) =>
  `data { int n; array[n] real x; } parameters { real p; real q; }
model { real a = p; int k = 0; ${body} target += a * q; }`;

const data = { n: 6, x: [0.4, -0.9, 1.3, 0.2, -1.8, 0.7] };

describe('jumps out of loops', () => {
  it.each([
    ['a break that depends on data', 'for (i in 1:n) { if (x[i] > 1) break; a += sin(a * x[i]); }'],
    [
      'a break that depends on parameters',
      'for (i in 1:n) { a += sin(a * x[i]); if (a > q) break; a *= q; }',
    ],
    ['a continue', 'for (i in 1:n) { if (a < x[i]) continue; a += sin(q * x[i]); }'],
    [
      'a continue in a branch that may go on',
      'for (i in 1:n) { if (a > 0) { a *= q; if (x[i] > 0) continue; a += 1; } a += sin(q + a); }',
    ],
    [
      'a break in a branch that may go on',
      'for (i in 1:n) { if (a > 0) { a *= q; if (a > x[i]) { a += 1; break; } } a += sin(q + a); }',
    ],
    [
      'while',
      'while (k < n) { k += 1; if (x[k] < 0) continue; a = exp(-a * q); if (a > 2) break; }',
    ],
    [
      'loops within each other',
      'for (i in 1:n) { for (j in 1:n) { if (j > i) break; if (x[j] < 0) continue; a += sin(a * x[j]); } if (a > 3) break; }',
    ],
    [
      'a search among data in front of active work',
      'for (i in 1:n) { int m = 0; for (j in 1:n) { if (x[j] > x[i]) { m = j; break; } } if (m > 0) a += sin(a * x[m]); }',
    ],
  ])('%s', (_, body) => {
    expectOneRegion(model(body), data);
  });
});

const withFunction = (definition: string, body: string) => `functions { ${definition} }
data { int n; array[n] real x; } parameters { real p; real q; vector[3] v; }
model { ${body} }`;

describe('functions', () => {
  it.each([
    [
      'return in each branch',
      'real f(real a, real b) { if (a > b) return sin(a); else return exp(b); }',
      'for (i in 1:n) target += f(p * x[i], q);',
    ],
    [
      'a return in front of the rest',
      'real f(real a, real b) { if (a > b) return sin(a); real c = a * b; return c * c; }',
      'for (i in 1:n) target += f(p * x[i], q);',
    ],
    [
      'a return out of a loop',
      'real f(real a, array[] real x) { real s = a; for (i in 1:size(x)) { s += sin(s * x[i]); if (s > 1) return s * s; } return -s; }',
      'for (i in 1:n) target += f(p * x[i], x) * q;',
    ],
    [
      'a return out of two loops',
      'real f(real a, array[] real x) { real s = a; for (i in 1:size(x)) { for (j in 1:i) { s += sin(s * x[j]); if (s > 1) return s * s; } s *= 0.5; } return -s; }',
      'for (i in 1:n) target += f(p * x[i], x) * q;',
    ],
    [
      'a vector that is declared and filled',
      'vector f(vector v, real a) { vector[num_elements(v)] out; for (i in 1:num_elements(v)) out[i] = sin(v[i] * a); return out; }',
      'vector[3] u = f(v, p); for (i in 1:n) target += x[i] * u[2] * q; target += sum(u);',
    ],
    [
      'a vector that is computed',
      'vector f(vector v, real a) { return exp(v * a); }',
      'vector[3] u = f(v, p) + 1; for (i in 1:n) target += x[i] * u[2] * q; target += sum(f(u, q));',
    ],
    [
      'the target',
      'void f_lp(vector v, real a) { if (a > 1) { target += a; return; } for (i in 1:num_elements(v)) v[i] ~ normal(a, 1); }',
      'for (i in 1:n) f_lp(v, p * x[i] + q);',
    ],
    [
      'a function that calls itself',
      'real f(real a, int n); real f(real a, int n) { if (n <= 0) return a; return f(sin(a) * a, n - 1); }',
      'vector[3] w = v * p; target += sum(w) + f(q, 2);',
    ],
  ])('%s', (name, definition, body) => {
    const source = withFunction(definition, body);
    if (name.endsWith('itself')) {
      expect(worstDifference(backEndsOf(source, data), 12)).toBeLessThan(tolerance);
    } else {
      expectOneRegion(source, data);
    }
  });
});
