/** Names of variables and functions change nothing: names of JavaScript are names like any other. */
import { describe, expect, it } from 'vitest';
import { libraryKeys } from '../../src/engine/compile-model.ts';
import { checkProgram } from '../../src/language/check.ts';
import { compileProgram } from '../../src/language/compile.ts';
import { lex } from '../../src/language/syntax/lexer.ts';
import { walkProgram } from '../../src/language/syntax/walk.ts';
import { modelOf, outputsAt, pointOf } from '../support/stan-program.ts';
import { goodPrograms } from './sample-programs.ts';

/** Names that objects inherit, that JavaScript reserves and Stan does not, and that emitted programs use themselves. */
const hostile =
  `constructor prototype hasOwnProperty isPrototypeOf propertyIsEnumerable toString toLocaleString valueOf
  proto arguments eval caller callee apply call bind name length undefined NaN Infinity globalThis window self
  process require module exports async await of let yield function const null delete instanceof typeof new class super
  extends finally throw catch switch case default with debugger enum implements interface package private protected public
  L host rng tape target_ propto theta out column at places fail K D G sp library Math Object Array
  Function Symbol Promise Proxy Reflect catch_ iterator next done value get set`.split(/\s+/);

/** Names that the program declares, functions without their suffixes. */
function declaredNames(text: string): Set<string> {
  const { program } = checkProgram(text);
  const names = new Set<string>();
  const suffix = /_(?:lpdf|lpmf|lupdf|lupmf|lcdf|lccdf|cdf|rng|lp|jacobian)$/;
  walkProgram(program, {
    function: ({ name, arguments: given }) => {
      names.add(name.name.replace(suffix, ''));
      for (const argument of given) names.add(argument.name.name);
    },
    statement: (statement) => {
      if (statement.kind === 'declaration') names.add(statement.name.name);
      if (statement.kind === 'for' || statement.kind === 'for-each')
        names.add(statement.variable.name.name);
    },
  });
  // the same letter starts a truncation
  names.delete('T');
  return names;
}

/** The program with other names, in the order in which it declares them. */
function renamed(text: string, replacements: ReadonlyMap<string, string>): string {
  const forms = new Map(replacements);
  for (const [from, to] of replacements)
    for (const suffix of [
      'lpdf',
      'lpmf',
      'lupdf',
      'lupmf',
      'lcdf',
      'lccdf',
      'cdf',
      'rng',
      'lp',
      'jacobian',
    ])
      forms.set(`${from}_${suffix}`, `${to}_${suffix}`);
  let result = '';
  let end = 0;
  for (const token of lex(text, 0).tokens) {
    const to = forms.get(token.text);
    result += text.slice(end, token.start) + (to ?? text.slice(token.start, token.end));
    end = token.end;
  }
  return result + text.slice(end);
}

const compiled = (text: string) => compileProgram(text, { libraryKeys });

describe('a program whose names are those of JavaScript', () => {
  const usable = goodPrograms.filter(({ text }) => !text.includes('#include'));

  it.each(usable.map(({ name, text }, i) => [name, text, i] as const))('%s', (_, text, i) => {
    const names = [...declaredNames(text)];
    const taken = new Set(lex(text, 0).tokens.map((token) => token.text));
    const free = hostile.filter((name) => !taken.has(name));
    // a different offset for each program, so that all names meet all kinds of uses
    const to = new Map(
      names.map((name, k) => [name, free[(k + 7 * i) % free.length] + (k < free.length ? '' : k)]),
    );
    const other = compiled(renamed(text, to));
    const errors = other.diagnostics.filter(({ severity }) => severity === 'error');
    expect(errors.map(({ message }) => message)).toEqual([]);
    const own = compiled(text);
    expect(other.program?.onTape).toEqual(own.program?.onTape);
    const javascript = other.program?.javascript ?? '';
    // oxlint-disable-next-line typescript/no-implied-eval
    expect(() => new Function('L', javascript)).not.toThrow();
  });

  it('has the same density, gradient and output', () => {
    const text = `functions {
  real scaled(real x, vector w) { real y = x * sum(w); for (k in 1:2) { y += w[k]; } return y; }
  real odd_lpdf(real x, real m) { return -square(x - m); }
}
data { int N; vector[N] y; tuple(real, array[2] real) both; }
transformed data { real centre = mean(y); }
parameters { real mu; real<lower=0> sigma; tuple(real, vector[2]) pair; }
transformed parameters { vector[2] local = pair.2 * sigma; }
model {
  mu ~ odd(centre + both.1);
  sigma ~ exponential(scaled(0.3, [1, 2]'));
  pair.1 ~ normal(0, both.2[2]);
  for (n in 1:N) y[n] ~ normal(mu + local[1], sigma);
  local ~ std_normal();
}
generated quantities { real shown = scaled(mu, local); }`;
    const data = { N: 3, y: [0.1, 0.5, -1], both: { 1: 0.2, 2: [1, 2] } };
    const own = modelOf(text, data);
    const names = [...declaredNames(text)];
    const point = pointOf(own, 5);
    const [expected, found] = [new Float64Array(point.length), new Float64Array(point.length)];
    const value = own.logDensityGradient(point, expected);
    const output = Object.values(outputsAt(own, point));
    for (let shift = 0; shift < hostile.length; shift += names.length) {
      const to = new Map(names.map((name, k) => [name, hostile[(k + shift) % hostile.length]]));
      const given = Object.fromEntries(
        Object.entries(data).map(([name, values]) => [to.get(name) ?? name, values]),
      );
      const other = modelOf(renamed(text, to), given);
      expect(other.logDensityGradient(point, found)).toBe(value);
      expect(found).toEqual(expected);
      expect(Object.values(outputsAt(other, point))).toEqual(output);
    }
  });

  it.each(['__proto__', 'naïve', 'µ', '变量', 'x\u0301'])('refuses %s, as Stan does', (name) => {
    const { diagnostics, files } = checkProgram(
      `parameters { real ${name}; } model { ${name} ~ normal(0, 1); }`,
    );
    const [first] = diagnostics;
    expect(first?.severity).toBe('error');
    expect(first?.span.end).toBeLessThanOrEqual(files[0].text.length);
  });

  it('reads no data from inherited properties of objects', () => {
    const text = 'data { real constructor; real toString; }';
    expect(() => modelOf(text, {})).toThrow(/constructor/);
    expect(() => modelOf(text, JSON.parse('{"__proto__": {"constructor": 1}}'))).toThrow(
      /constructor/,
    );
  });
});
