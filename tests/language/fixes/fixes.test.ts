/** Quick fixes: how each changes the text, that it then compiles, and that the density stays the same. */
import { describe, expect, it } from 'vitest';
import { checkProgram } from '../../../src/language/check.ts';
import { hasErrors } from '../../../src/language/diagnostics.ts';
import { fixesAt, fixRemoved } from '../../../src/language/fixes/find-fixes.ts';
import type { DataJson } from '../../../src/language/program.ts';
import { applyEdits } from '../../../src/language/remedies/apply-edits.ts';
import { logDensityAt, modelOf, pointOf } from '../../support/stan-program.ts';
import { goodPrograms } from '../sample-programs.ts';

/** Titles of the fixes at `‸` with the text after each. */
function fixesOf(text: string): readonly (readonly [string, string])[] {
  const offset = text.indexOf('‸');
  const result = checkProgram(text.replace('‸', ''));
  return fixesAt(result, { file: 0, start: offset, end: offset }).map(({ title, edits }) => [
    title,
    applyEdits(result.files, edits)[0].text,
  ]);
}

const inModel = (statement: string): string =>
  `data { int n; int k; vector[2] v; } parameters { real x; real y; } model { ${statement} }`;

describe('a fix of removed syntax', () => {
  it.each([
    ['Change to =', 'real a; a <‸- 3 * x;', 'real a; a = 3 * x;'],
    [
      'Change to target +=',
      'increment_log_prob(‸ -square(x) /* why */);',
      'target += -square(x) /* why */;',
    ],
    ['Change to target', 'print(get_lp‸());', 'print(target());'],
    [
      'Change to normal_lpdf',
      'target += normal_log‸(x, (0), 1);',
      'target += normal_lpdf(x | (0), 1);',
    ],
    ['Change to std_normal_lpdf', 'target += std_normal_log‸(x);', 'target += std_normal_lpdf(x);'],
    [
      'Change to normal_lcdf',
      'target += normal_cdf_log‸(x, fmax(0, 1), 1);',
      'target += normal_lcdf(x | fmax(0, 1), 1);',
    ],
    [
      'Change to normal_lccdf',
      'target += normal_ccdf_log‸(x, 0, 1);',
      'target += normal_lccdf(x | 0, 1);',
    ],
    [
      'Change the first comma to |',
      'target += normal_lpdf‸(x, 0, 1);',
      'target += normal_lpdf(x | 0, 1);',
    ],
    [
      'Change to ? :',
      'target += if_else‸(x > 0, fmin(x, 1), -x);',
      'target += (x > 0 ? fmin(x, 1) : -x);',
    ],
    [
      'Change to ? :',
      'target += if_else‸(x > 0 ? 1 : 0, x, -x);',
      'target += ((x > 0 ? 1 : 0) ? x : -x);',
    ],
    ['Change to lchoose', 'target += binomial_coefficient_log‸(n, k);', 'target += lchoose(n, k);'],
    ['Change to abs', 'target += fabs‸(x);', 'target += abs(x);'],
    ['Change to lmultiply', 'target += multiply_log‸(1, 2);', 'target += lmultiply(1, 2);'],
    ['Change to array[2] real a', 'real a‸[2]; a[1] = x;', 'array[2] real a; a[1] = x;'],
    ['Change to array[2, n] vector[3] a', 'vector[3] a‸[2, n]; ', 'array[2, n] vector[3] a; '],
    ['Change to array[2] real a, b', 'real a‸[2], b[2];', 'array[2] real a, b;'],
    [
      'Change to real a = 1; array[2] real b = {x, y}; real c',
      'real a = 1, b‸[2] = {x, y}, c;',
      'real a = 1; array[2] real b = {x, y}; real c;',
    ],
  ])('%s', (title, before, after) => {
    const fixes = fixesOf(inModel(before));
    expect(fixes).toContainEqual([title, inModel(after)]);
    expect(checkProgram(inModel(after)).diagnostics).toEqual([]);
  });

  it('does not mistake a current distribution for an old density', () => {
    const titles = fixesOf(inModel('target += poisson_log‸(n, exp(x));')).map(([title]) => title);
    expect(titles).not.toContain('Change to poisson_lpmf');
  });

  it('renames a density of the program with all its calls', () => {
    const text = `functions {
  real shifted_log(real y, real by) { return -square(y - by); }
  real counted_log(int n, real by) { return -n * by; }
}
data { int n; } parameters { real x; }
model { x ~ shifted‸(1); n ~ counted(x); target += shifted_log(x, 2); }`;
    const [[title, after]] = fixesOf(text);
    expect(title).toBe('Rename the density');
    expect(after).toContain('real shifted_lpdf(real y, real by)');
    expect(after).toContain('target += shifted_lpdf(x | 2);');
    expect(after).toContain('counted_log(int n');
    const all = fixRemoved(checkProgram(text.replace('‸', ''))).files[0].text;
    expect(all).toContain('counted_lpmf(int n');
    expect(checkProgram(all).diagnostics).toEqual([]);
  });

  it('moves the tolerances of an algebraic solver', () => {
    const text =
      `functions { vector f(vector y, vector t, array[] real x, array[] int n) { return y - t; } }
transformed data { array[1] real x = {1}; array[1] int n = {1};
  vector[1] a = algebra_solver([1]', [2]', x, n);
}`.replace('algebra_solver(', 'algebra_solver(f, ');
    const short = fixRemoved(checkProgram(text)).files[0].text;
    expect(short).toContain("solve_powell(f, [1]', [2]', x, n)");
    const long = text.replace('x, n)', 'x, n, 1e-10, 1e-6, 200)');
    const fixed = fixRemoved(checkProgram(long)).files[0].text;
    expect(fixed).toContain("solve_powell_tol(f, [1]', 1e-10, 1e-6, 200, [2]', x, n)");
    for (const one of [short, fixed]) expect(checkProgram(one).diagnostics).toEqual([]);
  });

  it('does not change old solvers, whose right-hand side has another form', () => {
    const { text } = goodPrograms.find(({ name }) => name === 'sir_old_ode') ?? { text: '' };
    expect(text).toContain('integrate_ode');
    const { files } = fixRemoved(checkProgram(text));
    expect(files[0].text).toContain('integrate_ode');
    expect(hasErrors(checkProgram(files[0].text).diagnostics)).toBe(false);
  });
});

describe('all removed syntax at once', () => {
  const old = `# A program of 2014.
functions {
  real wave_log(real y, real[] at) { return normal_log(y, at[1], 1); }
}
data {
  int<lower=1> N; # how many
  real y[N], sd[N];
  int<lower=0> k[N];
  vector[N] x[2];
}
parameters { real a; real<lower=0> b[2]; }
transformed parameters { real eta[N]; for (n in 1:N) eta[n] <- a + b[1] * x[1][n]; }
model {
  real start;
  start <- get_lp();
  a ~ wave(b);
  increment_log_prob(if_else(a > 0, fabs(a), if_else(a > -1, 0.5, a)));
  for (n in 1:N) increment_log_prob(normal_log(y[n], eta[n], sd[n] + b[2]));
  increment_log_prob(binomial_coefficient_log(k[1] + 3, k[1]) + normal_ccdf_log(normal_log(a, 0, 1), 0, 1));
}
generated quantities { real r; r <- multiply_log(2, 3); }
`;
  // The same program as a person would write it today.
  const modern = `functions {
  real wave_lpdf(real y, array[] real at) { return normal_lpdf(y | at[1], 1); }
}
data { int<lower=1> N; array[N] real y; array[N] real sd; array[N] int<lower=0> k; array[2] vector[N] x; }
parameters { real a; array[2] real<lower=0> b; }
model {
  a ~ wave(b);
  target += a > 0 ? abs(a) : a > -1 ? 0.5 : a;
  for (n in 1:N) target += normal_lpdf(y[n] | a + b[1] * x[1][n], sd[n] + b[2]);
  target += lchoose(k[1] + 3, k[1]) + normal_lccdf(normal_lpdf(a | 0, 1) | 0, 1);
}
`;
  const data: DataJson = {
    N: 2,
    y: [0.5, 1],
    sd: [1, 2],
    k: [1, 2],
    x: [
      [1, 2],
      [3, 4],
    ],
  };

  it('compiles without a warning and has the density of the modern program', () => {
    expect(hasErrors(checkProgram(old).diagnostics)).toBe(true);
    const { files, count } = fixRemoved(checkProgram(old));
    expect(checkProgram(files[0].text).diagnostics).toEqual([]);
    expect(count).toBeGreaterThan(20);
    expect(files[0].text).toContain('int<lower=1> N; // how many');
    const [fixed, written] = [modelOf(files[0].text, data), modelOf(modern, data)];
    for (const seed of [1, 2, 3]) {
      const theta = pointOf(written, seed);
      expect(logDensityAt(fixed, theta)).toBeCloseTo(logDensityAt(written, theta), 10);
    }
  });

  it('keeps the density if the old form still compiles', () => {
    const accepted = `data { int N; real y[N]; } # old
parameters { real m[2]; real<lower=0> s; }
model { y ~ normal(fabs(m[1]), s); target += multiply_log(s, s) + m[2]; }`;
    const { files } = fixRemoved(checkProgram(accepted));
    expect(checkProgram(files[0].text).diagnostics).toEqual([]);
    const values = { N: 3, y: [1, 2, 4] };
    const [before, after] = [modelOf(accepted, values), modelOf(files[0].text, values)];
    const theta = pointOf(before, 5);
    expect(logDensityAt(after, theta)).toBe(logDensityAt(before, theta));
  });

  it.each(goodPrograms.map(({ name, text }) => [name, text] as const))(
    'leaves %s without errors, and changes nothing the second time',
    (_, text) => {
      const first = fixRemoved(checkProgram(text)).files[0].text;
      expect(hasErrors(checkProgram(first).diagnostics)).toBe(false);
      expect(fixRemoved(checkProgram(first)).files[0].text).toBe(first);
    },
  );

  it('ends when an error has no fix', () => {
    const broken = 'model { x <- ; real y[; increment_log_prob(; }';
    expect(() => fixRemoved(checkProgram(broken))).not.toThrow();
  });
});

describe('a fix of another error', () => {
  it.each([
    [
      'Change to sigma',
      'parameters { real sigma; } model { target += sigm‸; }',
      'parameters { real sigma; } model { target += sigma; }',
    ],
    ['Insert ;', 'model { real a = 1‸ }', 'model { real a = 1; }'],
    ['Declare a as real', 'model { int a = 2.5‸; }', 'model { real a = 2.5; }'],
    [
      'Declare a as real',
      'model { array[2] int a; a[1] = 2‸.5; }',
      'model { array[2] real a; a[1] = 2.5; }',
    ],
    [
      'Convert with to_vector',
      'model { array[2] real a = {1, 2}; vector[2] b = a‸; }',
      'model { array[2] real a = {1, 2}; vector[2] b = to_vector(a); }',
    ],
    [
      'Change to .*',
      'model { vector[2] a; vector[2] b = a *‸ a; }',
      'model { vector[2] a; vector[2] b = a .* a; }',
    ],
    ['Change to array[3] real', 'data { real[3]‸ x; }', 'data { array[3] real x; }'],
    ['Remove the constraint', 'model { real<lower=0> a‸; }', 'model { real a; }'],
    ['Insert } at the end', 'model {‸ real a;\n', 'model { real a;\n}\n'],
  ])('%s', (title, before, after) => {
    expect(fixesOf(before)).toContainEqual([title, after]);
    expect(hasErrors(checkProgram(after).diagnostics)).toBe(false);
  });

  it('is not offered if it would cause another error', () => {
    const index = 'model { int a = 2.5‸; vector[3] v; print(v[a]); }';
    expect(fixesOf(index)).toEqual([]);
  });
});
