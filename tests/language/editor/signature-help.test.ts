/** Signatures while a call is typed: which are shown, which fits, which argument is active. */
import { describe, expect, it } from 'vitest';
import { checkProgram } from '../../../src/language/check.ts';
import { signatureHelp } from '../../../src/language/editor/signature-help.ts';

const head = `functions {
  // Log density of a wave,
  // with its phase.
  real wave_lpdf(vector y, real phase, data real speed) { return normal_lpdf(y | phase, speed); }

  // Not about what follows.

  vector fall(real t, vector state, real drag) { return -drag * state; }
  real part(array[] real slice, int start, int end, real mu) { return normal_lpdf(slice | mu, 1); }
  /** Twice.
   *  Of an int. */
  int twice(int n) { return 2 * n; }
  real twice(real x);
  real twice(real x) { return 2 * x; }
}
data { int N; vector[N] y; array[N] int k; array[N] real z; real<lower=0> speed; }
parameters { real mu; real<lower=0> sigma; }
`;

/** The signature that is shown, its argument in brackets; `‸` is the cursor. */
function helpAt(text: string, before = head) {
  const whole = before + text;
  const offset = whole.indexOf('‸');
  const help = signatureHelp(checkProgram(whole.replace('‸', '')), offset);
  if (help === null) return null;
  const { text: shown, places, meaning } = help.signatures[help.active];
  const place = places[Math.min(help.parameter, places.length - 1)];
  const marked =
    place === undefined
      ? shown
      : `${shown.slice(0, place.start)}[${shown.slice(place.start, place.end)}]${shown.slice(place.end)}`;
  return { marked, meaning, count: help.signatures.length, parameter: help.parameter };
}

const shownAt = (text: string) => helpAt(text)?.marked ?? null;

describe('signature help', () => {
  it.each([
    ['target += normal_lpdf(‸', 'real normal_lpdf([reals y] | reals mu, reals sigma)'],
    ['target += normal_lpdf(y | ‸', 'real normal_lpdf(reals y | [reals mu], reals sigma)'],
    ['target += normal_lpdf(y | mu, ‸)', 'real normal_lpdf(reals y | reals mu, [reals sigma])'],
    ['target += normal_lupdf(y | mu, ‸)', 'real normal_lupdf(reals y | reals mu, [reals sigma])'],
    ['y ~ normal(‸', 'normal([reals mu], reals sigma)'],
    ['y ~ normal(mu, ‸); y ~ normal(0, 1);', 'normal(reals mu, [reals sigma])'],
    ['for (n in 1:N) y[n] ~ normal(mu, sig‸', 'normal(reals mu, [reals sigma])'],
    ['y ~ normal(exp(mu)‸', 'normal([reals mu], reals sigma)'],
    ['y ~ normal(exp(‸mu), 1);', 'T exp([T x])'],
    ['y ~ normal({1, 2, ‸', 'normal([reals mu], reals sigma)'],
    ['y ~ normal(y[1 + (2 - ‸', 'normal([reals mu], reals sigma)'],
    ['mu ~ std_normal(‸', 'std_normal()'],
    ['real a = fma(1, (2 + 3) * 4, ‸', 'real fma(real x, real y, [real z])'],
    ['if (fmax(mu, ‸', 'T fmax(T x, [T y])'],
  ])('of %s', (text, shown) => {
    expect(shownAt(`model { ${text}`)).toBe(shown);
  });

  it('describes the function and its support', () => {
    expect(helpAt('model { y ~ normal(‸')?.meaning).toBe(
      'Log density: normal with mean mu and standard deviation sigma. Support: y real; sigma > 0.',
    );
  });

  it.each([
    ['y ~ wave(‸', 'wave([real phase], data real speed)'],
    ['target += wave_lupdf(y | mu, ‸', 'real wave_lpdf(vector y | real phase, [data real speed])'],
    ['real a = fall(1.5, ‸', 'vector fall(real t, [vector state], real drag)'],
  ])('of a function of the program: %s', (text, shown) => {
    expect(shownAt(`model { ${text}`)).toBe(shown);
  });

  it('shows the comment above the function, unless a blank line or code separates them', () => {
    expect(helpAt('model { y ~ wave(‸')?.meaning).toBe('Log density of a wave,\nwith its phase.');
    expect(helpAt('model { real a = twice(‸')?.meaning).toBe('Twice.\nOf an int.');
    expect(helpAt('model { real a = fall(‸')?.meaning).toBe('');
    const behind =
      'functions { real g(real x) { return x; } // of g\nreal h(real x) { return x; } }';
    expect(helpAt('model { real a = h(‸', behind)?.meaning).toBe('');
  });

  it('chooses the overload that fits the arguments so far', () => {
    expect(helpAt('model { real a = twice(‸')).toMatchObject({ count: 2 });
    expect(shownAt('model { real a = twice(1‸')).toBe('int twice([int n])');
    expect(shownAt('model { real a = twice(1.5‸')).toBe('real twice([real x])');
    expect(shownAt('model { matrix[2, 2] a = rep_matrix(1.5, ‸')).toBe(
      'matrix rep_matrix(real x, [int m], int n)',
    );
    expect(shownAt('model { matrix[2, 2] a = rep_matrix(y, ‸')).toBe(
      'matrix rep_matrix(vector or row_vector v, [int m])',
    );
    expect(shownAt('model { real a = log_mix(0.5, mu, ‸')).toBe(
      'real log_mix(real theta, real lp1, [real lp2])',
    );
  });

  it('shows the arguments that a function argument takes', () => {
    expect(shownAt('model { z ~ normal(reduce_sum(part, z, 1, ‸')).toBe(
      'real reduce_sum(function f, array[] T x, int grainsize, [real mu])',
    );
    expect(shownAt('model { array[2] vector[2] a = ode_rk45(fall, y, 0, z, ‸')).toBe(
      'array[] vector ode_rk45(function f, vector y0, real t0, array[] real ts, [real drag])',
    );
    expect(shownAt('model { array[2] vector[2] a = ode_rk45(‸')).toBe(
      'array[] vector ode_rk45([function f], vector y0, real t0, array[] real ts, …)',
    );
  });

  it('stays on the last argument when any number may follow', () => {
    expect(helpAt('model { real a = reduce_sum(nowhere, z, 1, 2, 3, ‸')).toMatchObject({
      parameter: 5,
      marked: 'real reduce_sum(function f, array[] T x, int grainsize, […])',
    });
  });

  it.each([
    'model { // normal(‸',
    'model { /* y ~ normal(‸ */ }',
    'model { print("normal(‸"); }',
    'model { print("normal(‸',
    'model { print(‸',
    'model { if (‸',
    'model { for (n in 1:‸',
    'model { y ~ normal(0, 1‸); }'.replace('1‸)', '1)‸'),
    'model { y ~ normal(0, 1);‸ }',
    'model { real a = nothing_like_it(‸',
    'model { real a = (mu + ‸',
    'model { y ~ normal(mu, sigma); { ‸',
    'normal(‸',
  ])('is silent at %s', (text) => {
    expect(helpAt(text)).toBeNull();
  });

  it('is silent where a function is being defined', () => {
    expect(helpAt('functions { real normal(real x, ‸', '')).toBeNull();
    expect(helpAt('functions { real f(real x) { return exp(‸', '')?.marked).toBe('T exp([T x])');
  });

  it('answers at every offset of a program without throwing', () => {
    const text = `${head}model { y ~ normal(mu, sigma); target += reduce_sum(part, z, 1, mu); }`;
    const result = checkProgram(text);
    const shown = Array.from(text, (_, offset) => signatureHelp(result, offset)).filter(
      (help) => help !== null,
    );
    expect(shown.length).toBeGreaterThan(50);
    for (const { active, signatures } of shown) expect(signatures[active]).toBeDefined();
  });
});
