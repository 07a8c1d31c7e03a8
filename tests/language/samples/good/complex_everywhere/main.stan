// Complex numbers in every block, in functions, arrays and tuples.
functions {
  complex quadratic(complex a, complex b, complex c) {
    return (-b + sqrt(b ^ 2 - 4 * a * c)) / (2 * a);
  }
  complex_vector turned(complex_vector z, data real angle) {
    return polar(1, angle) * z;
  }
  tuple(complex, real) both(real x) {
    return (x, x);
  }
  real cnormal_lpdf(complex z, complex mu, real sigma) {
    return -2 * log(sigma) - norm((z - mu) / sigma);
  }
}
data {
  int<lower=1> N;
  complex shift;
  complex_vector[N] signal;
  complex_row_vector[N] weights;
  complex_matrix[N, N] coupling;
  array[2] complex roots;
  array[2, 2] complex_vector[N] nested;
  tuple(complex, int) pair;
}
transformed data {
  complex_vector[N] spectrum = fft(signal);
  complex unit = 1i;
  array[2] complex numbers = {1, 2.5i};
  complex_matrix[2, 2] rows = [[1, 2i], [3 + 1e-3i, 4]];
}
parameters {
  complex z;
  complex_vector[N] amplitudes;
  array[2] complex_row_vector[N] lines;
  real<lower=0> sigma;
}
transformed parameters {
  complex_vector[N] fitted = coupling * amplitudes + shift;
  fitted[1] *= unit;
  fitted[2 : N] += conj(amplitudes[2 : N]) .* spectrum[2 : N];
}
model {
  z ~ cnormal(both(1).1, sigma);
  for (n in 1 : N) {
    signal[n] ~ cnormal(fitted[n], sigma);
    get_real(amplitudes[n]) ~ std_normal();
  }
  for (value in lines[1]) {
    target += -norm(value);
  }
  for (line in lines) {
    target += -abs(line * signal);
  }
  get_imag(turned(amplitudes, 0.5)) ~ std_normal();
  sigma ~ exponential(pair.2);
}
generated quantities {
  complex root = quadratic(1, z, roots[1]);
  tuple(complex_matrix[N, N], complex_vector[N]) eigen = eigendecompose(coupling);
  complex_matrix[N, N] eigen_matrix = eigen.1 * diag_matrix(eigen.2) / eigen.1;
  int is_same = z == root || z != 0;
  complex promoted = is_same ? 1 : nested[1, 2][1];
  real phase = arg(numbers[2] * rows[2, 1]);
}
