import { describe, expect, it } from 'vitest';
import { checkProgram } from '../../../src/language/check.ts';
import { supportAt } from '../../../src/language/pedantic/argument-supports.ts';
import { pedanticWarnings } from '../../../src/language/pedantic/pedantic-warnings.ts';
import { libraryDistributions } from '../../../src/language/types/signatures/signature-table.ts';
import { realPrograms } from '../format/samples.ts';

/** `code: the text that is underlined`, by position. */
function hints(text: string, all = true): string[] {
  const result = checkProgram(text);
  expect(result.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return pedanticWarnings(result, all).map(
    ({ code, span }) => `${code.replace('stan/', '')}: ${text.slice(span.start, span.end)}`,
  );
}

const model = (parameters: string, statements: string): string =>
  `data { int N; vector[N] y; real z; } parameters { ${parameters} } model { ${statements} }`;

describe('stricter checks', () => {
  it('report nothing for a model with bounds and priors', () => {
    const text = model(
      'real mu; real<lower=0> sigma;',
      'mu ~ normal(0, 1); sigma ~ exponential(1); y ~ normal(mu, sigma);',
    );
    expect(hints(text)).toEqual([]);
  });

  it('name parameters without effect, and those without a prior or with several', () => {
    const head = 'real a; real b; real c; real d;';
    const body = 'a ~ normal(0, 1); b ~ normal(a, 1); z ~ normal(b, 1); y ~ normal(c, 1);';
    expect(hints(model(head, body))).toEqual(['no-prior: c', 'unused-parameter: d']);
    expect(
      hints(model('real a;', 'target += std_normal_lpdf(a) + normal_lpdf(a | 1, 2);')),
    ).toEqual(['several-priors: a']);
  });

  it('follow parameters through other variables and conditions', () => {
    const body = 'real m; if (N > 1) m = a; else m = 2 * a; a ~ normal(0, 1); y ~ normal(m, 1);';
    expect(hints(model('real a;', body))).toEqual([]);
  });

  it('compare arguments with declared bounds and with numbers', () => {
    expect(hints(model('real s;', 's ~ normal(0, 1); y ~ normal(0, s);'), false)).toEqual([
      'bounds-missing: s',
    ]);
    expect(hints(model('real<lower=-1> s;', 's ~ gamma(2, 3);'), false)).toEqual([
      'bounds-missing: s',
    ]);
    expect(hints(model('real a;', 'a ~ normal(0, -1);'), false)).toEqual(['out-of-support: -1']);
    expect(hints(model('real<lower=0, upper=1> p;', 'p ~ beta(1, 0);'), false)).toEqual([
      'out-of-support: 0',
    ]);
    expect(
      hints(model('real<lower=0> s;', 'y ~ normal(0, s); s ~ exponential(1);'), false),
    ).toEqual([]);
    expect(
      hints(model('real<lower=z> s;', 'y ~ normal(0, s); s ~ exponential(1);'), false),
    ).toEqual([]);
  });

  it('name doubtful priors', () => {
    expect(hints(model('real<lower=0> a;', 'a ~ gamma(0.5, 0.5);'))).toEqual([
      'vague-gamma: a ~ gamma(0.5, 0.5);',
    ]);
    expect(hints(model('real a;', 'a ~ uniform(0, 1);'))).toEqual([
      'uniform-prior: a ~ uniform(0, 1);',
    ]);
    expect(hints(model('real<lower=0, upper=1> a;', 'a ~ uniform(0, 1);'))).toEqual([]);
    expect(hints(model('corr_matrix[3] a;', 'a ~ lkj_corr(2);'))).toEqual([
      'lkj-corr: a ~ lkj_corr(2);',
    ]);
    expect(hints(model('real a;', 'a ~ normal(0, 1000);'))).toEqual(['unscaled-constant: 1000']);
  });

  it('name bounds that are hard or leave nothing', () => {
    const prior = 'a ~ normal(0, 1);';
    expect(hints(model('real<lower=0, upper=2> a;', prior))).toEqual(['hard-constraint: a']);
    expect(hints(model('real<lower=2, upper=1> a;', prior))).toEqual(['empty-constraint: a']);
    expect(hints(model('real<lower=0, upper=1> a;', prior))).toEqual([]);
  });

  it('ask for a Jacobian when a transformed parameter has a distribution', () => {
    const of = (variate: string) => hints(model('real a; real b;', `${variate} ~ normal(b, 1);`));
    const asks = (variate: string) => of(variate).some((one) => one.startsWith('jacobian-needed'));
    for (const variate of ['log(a)', 'a * a', '1 / a', 'a ^ 2', 'exp(a) + 1', '1 / (1 / (1 / a))'])
      expect(asks(variate), variate).toBe(true);
    for (const variate of [
      'a',
      '2 * a - b',
      'a / 3',
      '2 / (1 / a)',
      '-(a)',
      'log(z)',
      'log(2) * a',
      '[a, b][1]',
    ])
      expect(asks(variate), variate).toBe(false);
  });

  it('name variables given two distributions', () => {
    const text = model('real a;', 'a ~ normal(0, 1); a ~ cauchy(0, 1);');
    expect(hints(text)).toContain('several-distributions: a ~ normal(0, 1);');
  });

  it('name conditions that depend on parameters, also within functions', () => {
    const loop = model('real a;', 'a ~ normal(0, 1); if (a > 0) target += 1;');
    expect(hints(loop)).toContain('parameter-control-flow: if (a > 0) target += 1;');
    const inside = `functions { real f(real x) { if (x > 0) return 1; return 2; } }
      parameters { real a; } model { a ~ normal(f(a), 1); }`;
    expect(hints(inside)).toEqual(['parameter-control-flow: if (x > 0) return 1;']);
    expect(hints(model('real a;', 'a ~ normal(0, 1); if (N > 0) target += 1;'))).toEqual([]);
  });

  it('name variables read before they have a value, and those never read', () => {
    const of = (body: string) => hints(model('real a;', `a ~ normal(0, 1); ${body}`));
    expect(of('real m; if (N > 1) m = 1; target += m;')).toEqual(['may-be-unassigned: m']);
    expect(of('real m; if (N > 1) m = 1; else reject("no"); target += m;')).toEqual([]);
    expect(of('vector[N] m; for (n in 1:N) m[n] = n; target += m[1];')).toEqual([]);
    expect(of('real m; m += 1; target += m;')).toEqual(['may-be-unassigned: m']);
    expect(of('real m; m = 1;')).toEqual(['unused-variable: m']);
  });

  it('report nothing for a program with errors', () => {
    expect(pedanticWarnings(checkProgram('parameters { real a; } model { b = 1; }'), true)).toEqual(
      [],
    );
  });

  it('report only hints, within the text of real programs, each of them once', () => {
    for (const { name, text } of realPrograms) {
      const result = checkProgram(text);
      const found = pedanticWarnings(result, true);
      for (const { severity, span } of found) {
        expect(severity).toBe('info');
        expect(span.start, name).toBeGreaterThanOrEqual(0);
        expect(span.end, name).toBeLessThanOrEqual(text.length);
      }
      const keys = found.map(({ code, span, message }) => `${code} ${span.start} ${message}`);
      expect(new Set(keys).size, name).toBe(keys.length);
    }
  });

  it('report nothing for programs of posteriordb unless all checks are requested', () => {
    const codes = realPrograms.flatMap(({ name, text }) =>
      pedanticWarnings(checkProgram(text), false).map(({ code }) => `${name} ${code}`),
    );
    expect(codes.filter((line) => line.includes('.stan '))).toEqual([]);
  });

  it('know the supports of existing distributions only', () => {
    const known = libraryDistributions().map(({ name }) => name);
    expect(known.filter((name) => supportAt(name, 0) !== null).length).toBeGreaterThan(15);
    expect(supportAt('normal', 2)).toMatchObject({ range: { lower: 0 } });
    expect(supportAt('constructor', 0)).toBeNull();
  });

  it('treat names such as `constructor` as plain names', () => {
    const text = 'parameters { real constructor; real hasOwnProperty; } model { }';
    expect(hints(text)).toEqual([
      'unused-parameter: constructor',
      'unused-parameter: hasOwnProperty',
    ]);
  });
});
