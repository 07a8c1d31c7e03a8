/** Data containers that a program changes after their use in an active matrix operation: the sweep must see the old values. */
import { describe, expect, it } from 'vitest';
import { gradientError, modelOf, outputsAt } from '../../support/stan-program.ts';

describe('data changed between active operations', () => {
  it('leaves gradients of earlier products as they were', () => {
    const model = modelOf(`
      parameters { vector[2] b; }
      model {
        matrix[2, 2] A;
        vector[2] v;
        for (i in 1:3) {
          A[1, 1] = i;
          A[1, 2] = 2 * i;
          A[2, 1] = 1;
          A[2, 2] = i * i;
          v[1] = i;
          v[2] = 1;
          target += sum(A * b) + 0.5 * dot_product(v, b) - 0.1 * dot_self(A * b);
        }
      }`);
    for (let seed = 1; seed <= 5; seed++) expect(gradientError(model, seed)).toBeLessThan(1e-7);
  });

  it('holds for rows and columns assigned whole, and inside user functions', () => {
    const model = modelOf(`
      functions {
        real quadratic(data matrix S, vector x) {
          matrix[2, 2] T = S;
          T[1] = [2, 0.5];
          real first = quad_form(T, x);
          T[ : , 1] = [3, 0.25]';
          return first - 2 * quad_form(T, x);
        }
      }
      transformed data { matrix[2, 2] S = [[1, 0], [0, 1]]; }
      parameters { vector[2] b; }
      model { target += quadratic(S, b); }`);
    for (let seed = 1; seed <= 5; seed++) expect(gradientError(model, seed)).toBeLessThan(1e-7);
  });
});

describe('products of rows', () => {
  it('treat a row vector as one row', () => {
    const model = modelOf(`
      transformed data { row_vector[3] a = [1, 2, 3]; row_vector[3] b = [4, 5, 6]; }
      parameters { real x; }
      model { x ~ normal(0, 1); }
      generated quantities {
        vector[1] rows_product = rows_dot_product(a, b);
        row_vector[3] columns_product = columns_dot_product(a, b);
      }`);
    expect(outputsAt(model)).toMatchObject({
      'rows_product[1]': 32,
      'columns_product[1]': 4,
      'columns_product[2]': 10,
      'columns_product[3]': 18,
    });
  });
});
