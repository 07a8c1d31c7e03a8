/** A program of about the requested number of lines, with typical contents of long programs. */
export function longProgram(lines: number): string {
  const parts = Math.max(1, Math.floor((lines - 20) / 10));
  const each = (text: (k: number) => string) =>
    Array.from({ length: parts }, (_, k) => text(k)).join('');
  return `functions {
${each((k) => `  real shift_${k}(real x, vector v) {\n    return x + ${k} * sum(v) / 2.0;\n  }\n`)}}
data {
  int<lower=1> N;
  vector[N] x;
${each((k) => `  array[N] real y_${k};\n`)}}
parameters {
  real<lower=0> sigma;
${each((k) => `  real beta_${k};\n`)}}
model {
  sigma ~ exponential(1);
${each(
  (k) => `  // part ${k}
  beta_${k} ~ normal(0, ${k + 1});
  for (n in 1:N) {
    y_${k}[n] ~ normal(shift_${k}(beta_${k}, x) + square(x[n]), sigma * exp(-0.5));
  }
`,
)}}
`;
}
