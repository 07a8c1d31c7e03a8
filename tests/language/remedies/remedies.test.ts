/** Changes to programs that sample badly: what is offered, how the text changes, and that the posterior does not. */
import { describe, expect, it } from 'vitest';
import { compileModel, linkProgram } from '../../../src/engine/compile-model.ts';
import { checkProgram } from '../../../src/language/check.ts';
import type { DataJson, ProgramInstance } from '../../../src/language/program.ts';
import { findRemedies, withRemedy } from '../../../src/language/remedies/find-remedies.ts';
import { Tape } from '../../../src/math/autodiff/tape.ts';
import type { Rng } from '../../../src/math/random/rng.ts';
import centred from '../../engine/posteriordb/eight_schools_centered.stan?raw';
import { expectMean, sampleModel } from '../../support/run-model.ts';
import { modelOf, testRng } from '../../support/stan-program.ts';

const schools = { J: 8, y: [28, 8, -3, 7, -1, 1, 18, 12], sigma: [15, 10, 16, 11, 9, 11, 10, 18] };

const remediesOf = (source: string) => findRemedies(checkProgram(source));
const titlesOf = (source: string) => remediesOf(source).map(({ title }) => title);

/** The program with its only remedy applied. */
function changed(source: string): string {
  const result = checkProgram(source);
  const [remedy, ...others] = findRemedies(result);
  if (remedy === undefined || others.length > 0) throw new Error(`${others.length + 1} remedies`);
  return withRemedy(result, remedy)[0].text;
}

interface Linked {
  readonly instance: ProgramInstance<Tape, Rng>;
  /** Natural-log density without the Jacobian: of the constrained values. */
  readonly density: (theta: Float64Array) => number;
}

function link(source: string, data: DataJson): Linked {
  const result = compileModel({ source, data, rng: testRng() });
  if (!result.ok) throw new Error(`${result.message}\n${source}`);
  const instance = linkProgram(result.program, { data, rng: testRng() });
  const tape = new Tape();
  return {
    instance,
    density: (theta) => {
      tape.reset(theta);
      return tape.value[instance.logDensity(tape, false, false)];
    },
  };
}

/** The parameters at an unconstrained point, as JSON. */
function parametersAt({ instance }: Linked, theta: Float64Array): DataJson {
  const size = (sizes: readonly number[]) => sizes.reduce((a, b) => a * b, 1);
  const total = instance.variables.reduce((sum, { dims }) => sum + size(dims), 0);
  const out = new Float64Array(total);
  instance.constrain(theta, testRng(), out);
  let at = 0;
  const values: Record<string, unknown> = {};
  for (const { name, dims } of instance.variables) {
    const flat = [...out.subarray(at, at + size(dims))];
    at += size(dims);
    values[name] = nested(flat, dims);
  }
  return values;
}

/** Column-major values as nested lists. */
function nested(flat: readonly number[], dims: readonly number[]): unknown {
  if (dims.length === 0) return flat[0];
  const [first, ...rest] = dims;
  return Array.from({ length: first }, (_, i) =>
    nested(
      flat.filter((__, place) => place % first === i),
      rest,
    ),
  );
}

/** The density of the same parameters is the same in both programs, at several points. */
function expectSamePosterior(before: string, after: string, data: DataJson): void {
  const [one, other] = [link(before, data), link(after, data)];
  expect(other.instance.numUnconstrained).toBe(one.instance.numUnconstrained);
  const rng = testRng(3);
  let numCompared = 0;
  for (let n = 0; n < 8; n++) {
    const theta = Float64Array.from({ length: other.instance.numUnconstrained }, () =>
      rng.normal(),
    );
    const parameters = parametersAt(other, theta);
    const same = new Float64Array(theta.length);
    one.instance.unconstrain(parameters, same);
    const expected = one.density(same);
    if (!Number.isFinite(expected)) continue;
    numCompared++;
    expect(other.density(theta)).toBeCloseTo(expected, 8);
  }
  expect(numCompared).toBeGreaterThan(3);
}

describe('a centred hierarchy', () => {
  it('is rewritten with offset and multiplier, after the variables they name, with its comments', () => {
    const source = `data { int<lower=0> J; array[J] real y; array[J] real<lower=0> sigma; }
parameters {
  // Schools.
  array[J] real theta; // effect of each
  real mu;
  real<lower=0> tau; // spread
}
model {
  tau ~ cauchy(0, 5);
  theta ~ normal(mu, tau);
  y ~ normal(theta, sigma);
}
`;
    expect(
      changed(source),
    ).toBe(`data { int<lower=0> J; array[J] real y; array[J] real<lower=0> sigma; }
parameters {
  // Schools.
  real mu;
  real<lower=0> tau; // spread
  array[J] real<offset=mu, multiplier=tau> theta; // effect of each
}
model {
  tau ~ cauchy(0, 5);
  theta ~ normal(mu, tau);
  y ~ normal(theta, sigma);
}
`);
    expectSamePosterior(source, changed(source), schools);
  });

  it('is reported with its location and dependencies', () => {
    const [remedy] = remediesOf(centred);
    expect(remedy).toMatchObject({
      kind: 'non-centred',
      parameter: 'theta',
      involved: ['theta', 'mu', 'tau'],
      title: 'Write `theta` non-centred',
      declaration: 'array[J] real<offset=mu, multiplier=tau> theta',
    });
    expect(remedy.reason).toContain('`theta ~ normal(mu, tau)`, line 15, depends on `tau`');
  });

  it('has the means of the non-centred reference', () => {
    const draws = sampleModel(modelOf(changed(centred), schools), {
      adaptDelta: 0.95,
      numSamples: 2000,
    });
    // posteriordb, eight_schools_noncentered: 10 000 draws.
    expectMean(draws.get('mu'), 4.41);
    expectMean(draws.get('tau'), 3.6);
    const flags = (draws.get('divergent__') ?? []).flatMap((chain) => [...chain]);
    expect(flags.filter((flag) => flag === 1).length).toBeLessThan(10);
  });

  const cases: Readonly<Record<string, [program: string, data: DataJson, declaration: string]>> = {
    'in a loop': [
      `data { int J; vector[J] x; } parameters { real a; real b; real<lower=0> tau; vector[J] theta; }
       model { for (j in 1:J) { theta[j] ~ normal(a + b * x[j], tau); } }`,
      { J: 3, x: [0.5, -1, 2] },
      'vector<offset=a + b * x, multiplier=tau>[J] theta',
    ],
    'by target and a density': [
      `parameters { real mu; real<lower=0> s; vector[3] z; }
       model { target += normal_lpdf(z | mu, s) + normal_lpdf(mu | 0, 1); }`,
      {},
      'vector<offset=mu, multiplier=s>[3] z',
    ],
    'whose scale is an expression': [
      'parameters { real y; vector[4] x; } model { y ~ normal(0, 3); x ~ normal(0, exp(y / 2)); }',
      {},
      'vector<multiplier=exp(y / 2)>[4] x',
    ],
    'with a scale for each group': [
      `data { int J; array[J] int<lower=1> g; } parameters { vector<lower=0>[2] tau; vector[J] u; }
       model { for (j in 1:J) u[j] ~ normal(0, tau[g[j]]); }`,
      { J: 3, g: [1, 2, 2] },
      'vector<multiplier=tau[g]>[J] u',
    ],
    'through a transformed parameter': [
      `parameters { real log_tau; array[3] real u; } transformed parameters { real tau = exp(log_tau); }
       model { log_tau ~ std_normal(); u ~ student_t(4, 0, tau); }`,
      {},
      'array[3] real<multiplier=(exp(log_tau))> u',
    ],
    'of a matrix by rows': [
      `data { int J; } parameters { real m; real<lower=0> s; matrix[J, 2] b; }
       model { s ~ exponential(1); for (j in 1:J) b[j] ~ normal(m, s); }`,
      { J: 2 },
      'matrix<offset=m, multiplier=s>[J, 2] b',
    ],
    'of a matrix made a vector': [
      `parameters { real<lower=0> s; matrix[2, 3] b; } model { s ~ exponential(1); to_vector(b) ~ normal(0, s); }`,
      {},
      'matrix<multiplier=s>[2, 3] b',
    ],
    'of scalars declared together': [
      `parameters { real<lower=0> s; real a, b; } model { s ~ exponential(1); a ~ normal(0, s); b ~ normal(0, 1); }`,
      {},
      'real<multiplier=s> a',
    ],
  };

  it.each(Object.entries(cases))('%s', (_, [source, data, declaration]) => {
    expect(remediesOf(source).map((remedy) => remedy.declaration)).toEqual([declaration]);
    expectSamePosterior(source, changed(source), data);
  });
});

describe('a missing bound', () => {
  const cases: Readonly<Record<string, [program: string, declaration: string]>> = {
    'of a scale': [
      'data { int N; vector[N] y; } parameters { real mu; real sigma; } model { sigma ~ cauchy(0, 5); y ~ normal(mu, sigma); }',
      'real<lower=0> sigma',
    ],
    'of a uniform prior': [
      'data { int N; vector[N] y; } parameters { real mu, u; } model { u ~ uniform(-2, N); mu ~ normal(u, 1); y ~ normal(mu, 1); }',
      'real<lower=-2, upper=N> u',
    ],
    'of a probability': [
      'data { int N; vector[N] y; } parameters { vector[2] p; } model { p ~ beta(2, 3); y ~ normal(p[1], 1); }',
      'vector<lower=0, upper=1>[2] p',
    ],
    'of a positive prior in a loop': [
      'data { int N; vector[N] y; } parameters { array[2] real r; } model { for (k in 1:2) r[k] ~ gamma(2, 1); y ~ normal(r[1], 1); }',
      'array[2] real<lower=0> r',
    ],
  };

  it.each(Object.entries(cases))('%s', (_, [source, declaration]) => {
    expect(remediesOf(source).map((remedy) => remedy.declaration)).toEqual([declaration]);
    expectSamePosterior(source, changed(source), { N: 2, y: [0.3, 1.2] });
  });

  it('is offered before other parameters are made non-centred', () => {
    const source =
      'parameters { real mu; real tau; vector[3] z; } model { mu ~ std_normal(); tau ~ cauchy(0, 1); z ~ normal(mu, tau); }';
    expect(titlesOf(source)).toEqual(['Declare `tau` with lower=0', 'Write `z` non-centred']);
  });
});

describe('a hierarchy of vectors with a covariance', () => {
  const data = { J: 3, K: 2, y: [1, 2, 3] };
  const groups = `data { int J; int K; vector[J] y; }
parameters {
  array[J] vector[K] beta; // by group
  vector[K] mu;
  vector<lower=0>[K] tau;
  corr_matrix[K] Omega;
}
model {
  tau ~ cauchy(0, 2.5);
  Omega ~ lkj_corr(2);
  mu ~ normal(0, 5);
  beta ~ multi_normal(mu, quad_form_diag(Omega, tau));
  for (j in 1:J) y[j] ~ normal(beta[j, 1], 1);
}
`;

  it('is computed from standard vectors and the factor of its covariance', () => {
    const after = changed(groups);
    expect(after).toContain('array[J] vector[K] beta_raw; // by group');
    expect(after).toContain(`transformed parameters {
  array[J] vector[K] beta;
  {
    matrix[K, K] L_beta = diag_pre_multiply(tau, cholesky_decompose(Omega));
    for (i in 1:J) beta[i] = mu + L_beta * beta_raw[i];
  }
}
model {`);
    expect(after).toContain('for (i in 1:J) beta_raw[i] ~ std_normal();');
    expect(after).not.toContain('multi_normal');
  });

  it('has the same posterior: densities differ by the volume that the factor stretches', () => {
    const exact = groups
      .replace('beta ~ multi_normal(', 'target += multi_normal_lpdf(beta[1] | ')
      .replace('array[J] vector[K] beta', 'array[1] vector[K] beta')
      .replace('for (j in 1:J) y[j] ~ normal(beta[j, 1], 1);', 'y ~ normal(beta[1, 1], 1);')
      .replaceAll('beta[1]', 'b')
      .replaceAll('beta[1, 1]', 'b[1]')
      .replace('array[1] vector[K] beta', 'vector[K] b');
    const [one, other] = [link(exact, data), link(changed(exact), data)];
    const rng = testRng(5);
    for (let n = 0; n < 6; n++) {
      const theta = Float64Array.from({ length: 7 }, () => rng.normal());
      const values = parametersAt(other, theta) as Record<string, number[]>;
      const [raw, mu, tau] = [values.b_raw, values.mu, values.tau];
      const [[, r]] = values.Omega as unknown as number[][];
      const side = Math.sqrt(1 - r * r);
      const b = [mu[0] + tau[0] * raw[0], mu[1] + tau[1] * (r * raw[0] + side * raw[1])];
      const same = new Float64Array(7);
      one.instance.unconstrain({ ...values, b }, same);
      const stretch = Math.log(tau[0] * tau[1] * side);
      expect(other.density(theta)).toBeCloseTo(one.density(same) + stretch, 8);
    }
  });

  it('is rewritten in the loop over it, with a mean for each vector', () => {
    const after = changed(`data { int K; int J; array[J] vector[K] u; }
parameters { array[J] vector[K] b; vector[K] g; cov_matrix[K] S; }
model { for (j in 1:J) { b[j] ~ multi_normal(g .* u[j], S); } }
`);
    expect(after).toContain('matrix[K, K] L_b = cholesky_decompose(S);');
    expect(after).toContain('for (j in 1:J) b[j] = (g .* u[j]) + L_b * b_raw[j];');
    expect(after).toContain('for (j in 1:J) { b_raw[j] ~ std_normal(); }');
  });

  it('uses the factor of a Cholesky prior as it is, after its definition', () => {
    const after = changed(`data { int K; }
parameters { vector[K] z; vector<lower=0>[K] s; cholesky_factor_corr[K] L; }
transformed parameters { matrix[K, K] LS = diag_pre_multiply(s, L); real q = sum(z); }
model { target += multi_normal_cholesky_lpdf(z | rep_vector(0, K), LS); }
`);
    expect(after).toContain('diag_pre_multiply(s, L);\n  vector[K] z = LS * z_raw; real q');
    expect(after).toContain('target += std_normal_lpdf(z_raw);');
  });

  it.each([
    [
      'of data alone',
      'data { cov_matrix[2] S; } parameters { vector[2] m; vector[2] z; } model { z ~ multi_normal(m, S); }',
    ],
    [
      'that is computed in the model block',
      'parameters { cov_matrix[2] S; vector[2] z; } model { matrix[2, 2] C = 2 * S; z ~ multi_normal(rep_vector(0, 2), C); }',
    ],
    [
      'of a random walk, where each vector is the mean of the next',
      'parameters { cov_matrix[2] S; array[3] vector[2] z; } model { for (t in 2:3) z[t] ~ multi_normal(z[t - 1], S); }',
    ],
    [
      'computed from the vector itself before',
      'parameters { vector[2] z; vector<lower=0>[2] s; } transformed parameters { real q = sum(z); matrix[2, 2] S = diag_matrix(s + exp(q)); } model { z ~ multi_normal(rep_vector(0, 2), S); }',
    ],
    [
      'with another prior beside it',
      'parameters { cov_matrix[2] S; vector[2] z; } model { z ~ multi_normal(rep_vector(0, 2), S); z ~ normal(0, 1); }',
    ],
  ])('is left unchanged with a covariance %s', (_, source) => {
    expect(titlesOf(source)).toEqual([]);
  });
});

describe('nothing is offered', () => {
  it.each([
    [
      'where the scale is data',
      'data { real s; } parameters { real m; vector[3] z; } model { z ~ normal(m, s); }',
    ],
    [
      'where the location is the variable itself',
      'parameters { real<lower=0> s; vector[3] z; } model { z[2:3] ~ normal(z[1:2], s); }',
    ],
    [
      'for a random walk written as a loop',
      'parameters { real<lower=0> s; vector[3] z; } model { for (t in 2:3) z[t] ~ normal(z[t - 1], s); }',
    ],
    [
      'where the loop skips elements',
      'parameters { real<lower=0> s; vector[3] z; } model { for (t in 2:3) z[t] ~ normal(0, s); }',
    ],
    [
      'where it is already non-centred',
      'parameters { real m; real<lower=0> s; vector<offset=m, multiplier=s>[3] z; } model { z ~ normal(m, s); }',
    ],
    [
      'for a bounded parameter',
      'parameters { real<lower=0> s; vector<lower=0>[3] z; } model { z ~ normal(0, s); }',
    ],
    [
      'under a condition',
      'data { int k; } parameters { real<lower=0> s; real z; } model { if (k) z ~ normal(0, s); }',
    ],
    [
      'with a truncation',
      'parameters { real<lower=0> s; real z; } model { z ~ normal(0, s) T[0, ]; }',
    ],
    [
      'where the location is a local variable',
      'parameters { real<lower=0> s; real z; } model { real m = 1; z ~ normal(m, s); }',
    ],
    [
      'where elements would be read differently',
      'data { row_vector[2] x; vector[2] w; } parameters { real<lower=0> s; array[2] vector[2] b; } model { for (j in 1:2) b[j] ~ normal(x[j] * w, s); }',
    ],
    [
      'where one number per element would apply to all',
      'data { vector[2] m; } parameters { real<lower=0> s; array[2] vector[2] b; } model { for (j in 1:2) b[j] ~ normal(m[j], s); }',
    ],
    [
      'where some elements have no such density',
      'data { int N; array[N] int g; vector[N] y; } parameters { vector[4] s; } model { s ~ normal(0, 1); for (n in 1:N) y[n] ~ normal(0, s[g[n]]); }',
    ],
    [
      'for a program with errors',
      'parameters { real<lower=0> s; real z; } model { z ~ normal(0, s; }',
    ],
  ])('%s', (_, source) => {
    expect(titlesOf(source)).toEqual([]);
  });
});
