/** Derivatives of complex functions are those of central differences. */
import { describe, expect, it } from 'vitest';
import { gradientError, modelOf } from '../../support/stan-program.ts';

const block = `parameters {
    complex p; complex_vector[3] q; complex_matrix[3, 3] B; complex_matrix[3, 2] C; complex_matrix[2, 3] D; matrix[3, 3] R;
  }`;

/** A sum of all parts, each with a different weight. */
const weigh = `functions {
    real weigh(complex_matrix x) {
      real s = 0;
      for (j in 1:cols(x)) for (i in 1:rows(x)) {
        s += sin(get_real(x[i, j]) + 0.3 * i - j) + cos(2 * get_imag(x[i, j]) + i * j);
      }
      return s;
    }
    real weigh(complex_vector x) { return weigh(to_matrix(x)); }
    real weigh(complex x) { return weigh([[x]]); }
  }`;

const scalars =
  'exp log log10 sqrt sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh conj proj'.split(
    ' ',
  );

const expressions = [
  ...scalars.map((f) => `${f}(p)`),
  'p * q[1] / q[2] - 2i * p + 1 / p',
  'pow(p, q[1]) + p ^ 2 + 2 ^ p',
  'to_complex(abs(p), arg(p)) * norm(q[1]) + polar(get_real(p), get_imag(p))',
  'prod(B) + sum(C) + trace(B) + prod(q)',
  "q' * q + dot_product(q, B[ : , 1]) + dot_self(q)",
  'B * q + C * D * q + 2i * q',
  "(q' * B)'",
  'B / B[{2, 1, 3}]',
  "(q' / B)'",
  "q .* q[{2, 3, 1}] + q ./ B[1]' + 1i / q + q / p",
  'q .^ p + p .^ q + q .^ B[ : , 2]',
  "fft(q) + inv_fft(B[1]')",
  'fft2(C) + 2 * inv_fft2(C)',
  'diag_pre_multiply(q, B) + diag_post_multiply(B, q) + add_diag(B, q) + diag_matrix(q)',
  "rows_dot_product(B, B') + rows_dot_self(B) + cumulative_sum(q) + columns_dot_self(B)'",
  "symmetrize_from_lower_tri(B) + conj(B')",
  'eigenvalues(B)',
  'eigenvalues(R)',
  'eigenvectors(B)',
  'eigenvectors(R)',
  'complex_schur_decompose_t(B)',
  'complex_schur_decompose_u(B)',
  'complex_schur_decompose_u(R) + complex_schur_decompose_t(R)',
  "eigenvalues_sym(B * conj(B'))",
  "eigenvectors_sym(B * conj(B'))",
  'to_matrix(singular_values(C)) + 0i',
  'svd_U(C) + svd_U(D)[1, 2]',
  'svd_V(C) + svd_U(D) + svd_U(C)[1:2]',
  'svd_V(D)',
];

describe('derivatives of complex functions', () => {
  it.each(expressions)('%s', (e) => {
    const model = modelOf(`${weigh} ${block} model { target += weigh(${e}); }`);
    for (const seed of [1, 2]) expect(gradientError(model, seed)).toBeLessThan(1e-7);
  });

  it.each([
    'z = a * z + b',
    'z = a / (b + z)',
    'z = sqrt(a + z)',
    'z += exp(a) + log(q[n] * v[n])',
    'z += pow(a, q[n]) / tan(b)',
    'z *= asin(a) + atanh(b)',
    'z = n > 2 ? z - a : conj(z * b)',
  ])('in loops: %s', (statement) => {
    const model = modelOf(
      `data { int N; complex_vector[N] v; }
       parameters { complex a; complex b; complex_vector[N] q; }
       model { complex z = 1; for (n in 1:N) { ${statement}; target += -norm(v[n] - z); } }`,
      {
        N: 4,
        v: [
          [1, 2],
          [2, -1],
          [0.5, 1],
          [-1, 0.25],
        ],
      },
    );
    for (const seed of [1, 2, 3]) expect(gradientError(model, seed)).toBeLessThan(1e-7);
  });
});
