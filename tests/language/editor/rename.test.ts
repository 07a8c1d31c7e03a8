/** Renaming, references and highlights; in all sample programs, names change and the density stays the same. */
import { describe, expect, it } from 'vitest';
import { type CheckResult, checkProgram } from '../../../src/language/check.ts';
import { occurrencesAt } from '../../../src/language/editor/occurrences.ts';
import { rename, renamePlace } from '../../../src/language/editor/rename.ts';
import type { DataJson } from '../../../src/language/program.ts';
import { applyEdits } from '../../../src/language/remedies/apply-edits.ts';
import { evaluate } from '../../support/back-ends.ts';
import { readData, readProgram, referencePosteriors } from '../../support/posteriordb.ts';
import { modelOf, pointOf } from '../../support/stan-program.ts';
import { sampleData } from '../adjoint/sample-data.ts';
import { goodPrograms } from '../sample-programs.ts';

/** The text after renaming what is at `‸`, or why it is rejected. */
function renamed(text: string, name: string): string {
  const offset = text.indexOf('‸');
  const result = checkProgram(text.replace('‸', ''));
  const answer = rename(result, { offset, name });
  return 'refusal' in answer ? answer.refusal : applyEdits(result.files, answer.edits)[0].text;
}

describe('rename', () => {
  it.each([
    [
      'a variable, but not others with the same name',
      'model { { real x‸ = 1; print(x, "x"); } { real x = 2; print(x); } } // x',
      'model { { real zz = 1; print(zz, "x"); } { real x = 2; print(x); } } // x',
    ],
    [
      'a loop variable',
      'model { for (i in 1:3) print(i); for (i in 1:2) { print(i‸ + i); } }',
      'model { for (i in 1:3) print(i); for (zz in 1:2) { print(zz + zz); } }',
    ],
    [
      'the argument of a function, with its sizes',
      'functions { real f(int n‸, real x) { array[n] real a = rep_array(x, n); return a[n]; } }',
      'functions { real f(int zz, real x) { array[zz] real a = rep_array(x, zz); return a[zz]; } }',
    ],
    [
      'data in sizes that two names share, bounds and transforms',
      'data { int n‸; } parameters { vector<lower=n>[n] a; array[n] real b, c; }',
      'data { int zz; } parameters { vector<lower=zz>[zz] a; array[zz] real b, c; }',
    ],
    [
      'a function and its forward declaration, also where it is an argument',
      "functions { vector f(vector y); vector f(vector y) { return y; } } transformed data { vector[2] a = solve_newton(f‸, [1, 2]'); print(f(a)); }",
      "functions { vector zz(vector y); vector zz(vector y) { return y; } } transformed data { vector[2] a = solve_newton(zz, [1, 2]'); print(zz(a)); }",
    ],
    [
      'a density in all its forms',
      `functions { real d_lpdf(real y, real m) { return -square(y - m); } real d_lccdf(real y, real m) { return -y; } real d_rng(real m) { return m; } }
parameters { real y; } model { y ~ d(1)T[0, ]; target += d_lupdf(y | 2) + d_lpdf(y | 3); } generated quantities { real z = d‸_rng(1); }`,
      `functions { real zz_lpdf(real y, real m) { return -square(y - m); } real zz_lccdf(real y, real m) { return -y; } real zz_rng(real m) { return m; } }
parameters { real y; } model { y ~ zz(1)T[0, ]; target += zz_lupdf(y | 2) + zz_lpdf(y | 3); } generated quantities { real z = zz_rng(1); }`,
    ],
    [
      'overloads of a function, not the library function of the same name',
      'functions { real square(array[,] real x) { return x[1, 1]; } } model { print(squar‸e({{1.5}}), square(2)); }',
      'functions { real zz(array[,] real x) { return x[1, 1]; } } model { print(zz({{1.5}}), square(2)); }',
    ],
    [
      'a function that adds to the target without its suffix',
      'functions { void add_lp(real x) { target += x; } } model { add‸_lp(1); }',
      'functions { void zz_lp(real x) { target += x; } } model { zz_lp(1); }',
    ],
    [
      'a variable in a program with an error',
      'model { real x‸; y = 1 +; print(x); }',
      'model { real zz; y = 1 +; print(zz); }',
    ],
  ])('of %s', (_, before, after) => {
    expect(renamed(before, 'zz')).toBe(after);
    expect(renamed(before, ' zz ')).toBe(after);
  });

  it('treats the full name of a density as the name without its suffix', () => {
    const text =
      'functions { real d‸_lpdf(real y) { return -y; } } parameters { real y; } model { y ~ d(); }';
    expect(renamed(text, 'dd_lpdf')).toBe(renamed(text, 'dd'));
    expect(renamed(text, 'dd')).toContain('y ~ dd()');
  });

  it.each([
    [
      'model { real x‸; }',
      '2x',
      '`2x` is not a valid name. A name begins with a letter and contains only the letters a to z and A to Z, digits and `_`.',
    ],
    [
      'model { real x‸; }',
      '',
      '`` is not a valid name. A name begins with a letter and contains only the letters a to z and A to Z, digits and `_`.',
    ],
    ['model { real x‸; }', 'model', '`model` is a reserved word of Stan.'],
    ['model { real x‸; }', 'x__', '`x__` ends in `__`, which is reserved by Stan.'],
    [
      'data { real y; }\nmodel { real x‸; }',
      'y',
      '`y` is already declared. Choose another name. Line 1 has it.',
    ],
    [
      'data { real y‸; }\nmodel { { real x; } }',
      'x',
      '`x` is already declared. Choose another name. Line 1 has it.',
    ],
    [
      'model { for (i in 1:2) { for (j in 1:2) print(i, j‸); } }',
      'i',
      '`i` is already declared. Choose another name. Line 1 has it.',
    ],
    [
      'functions { real f‸(real x) { return x; } real g(real x) { return x; } }',
      'g',
      'There is already a function `g` with these arguments. Line 1 has it.',
    ],
    ['functions { real f‸(real x) { return x; } }', 'exp', 'Stan already has a function `exp`.'],
    [
      'functions { real f‸_lpdf(real x, real y) { return x; } }',
      'normal',
      'Stan already has a function `normal_lpdf`.',
    ],
    [
      'functions { real f‸(real x) { return x; } }',
      'f_lpdf',
      'The suffix `_lpdf` would change what the function is for. Choose a name without it.',
    ],
    ['model { real x = exp‸(1); }', 'e', '`exp` is built into Stan and cannot be renamed.'],
    [
      'parameters { real x; } model { x ~ normal‸(0, 1); }',
      'e',
      '`normal` is built into Stan and cannot be renamed.',
    ],
    ['model { real‸ x; }', 'e', '`real` is built into Stan and cannot be renamed.'],
    ['model { print(u‸); }', 'e', 'Nothing called `u` is declared here.'],
    ['model { // x‸\n }', 'e', 'Only variables and functions of the program can be renamed.'],
  ])('is refused in %s, to %s', (text, name, refusal) => {
    expect(renamed(text, name)).toBe(refusal);
  });

  it('is refused if a function and an argument would get the same name', () => {
    const inner = 'functions { real g(real y) { return y; } real f(real g‸) { return exp(g); } }';
    expect(renamed(inner, 'h')).toContain('real f(real h) { return exp(h); }');
    const taken = '`h` is already declared on line 1. Choose another name.';
    const capture = 'functions { real g‸(real y) { return y; } real f(real h) { return g(h); } }';
    expect(renamed(capture, 'h')).toBe(taken);
    const other = 'functions { real h(real y) { return y; } real f(real g‸) { return h(g); } }';
    expect(renamed(other, 'h')).toBe(taken);
  });

  it('is refused if the name occurs in code with an error', () => {
    expect(renamed('model {\n  real x‸;\n  x = 1 +;\n}', 'z')).toBe(
      '`x` also appears on line 3, which has an error. Correct that first.',
    );
  });

  it('offers the name without the suffix, even from within the suffix', () => {
    const text = 'functions { real d_lpdf(real y) { return -y; } }';
    for (const offset of [17, 18, 20, 23]) {
      expect(renamePlace(checkProgram(text), offset)).toEqual({
        name: 'd',
        span: { file: 0, start: 17, end: 18 },
      });
    }
  });

  it('covers the files that a program includes', () => {
    const include = (name: string) => (name === 'f.stan' ? 'real f(real x) { return x; }' : null);
    const main = {
      name: 'main.stan',
      text: 'functions {\n#include "f.stan"\n}\nmodel { print(f(1)); }',
    };
    const result = checkProgram(main, { include });
    const answer = rename(result, { offset: main.text.indexOf('f(1)'), name: 'zz' });
    if ('refusal' in answer) throw new Error(answer.refusal);
    const [first, second] = applyEdits(result.files, answer.edits);
    expect(first.text).toContain('print(zz(1))');
    expect(second.text).toBe('real zz(real x) { return x; }');
  });
});

describe('occurrences', () => {
  it('distinguish writes from reads, and find built-in functions', () => {
    const text = 'model { real x = 1; x += exp(x); (x, x) = (exp(1), 2); vector[2] v; v[1] = x; }';
    const at = (word: string) =>
      occurrencesAt(checkProgram(text), text.indexOf(word))?.places.map(({ isWrite }) => isWrite);
    expect(at('x =')).toEqual([true, true, false, true, true, false]);
    expect(at('v;')).toEqual([true, true]);
    expect(at('exp')).toEqual([false, false]);
    expect(occurrencesAt(checkProgram(text), text.indexOf('real'))).toBeNull();
  });
});

interface Symbol {
  readonly name: string;
  readonly offset: number;
  readonly isFunction: boolean;
}

/** All that a program declares, by the place of its declaration. */
function symbolsOf(result: CheckResult): Symbol[] {
  const found = new Map<number, Symbol>();
  const text = result.files[0].text;
  const seen = new Set<number>();
  for (const { index } of text.matchAll(/[A-Za-z]\w*/g)) {
    if (seen.has(index)) continue;
    const occurrences = occurrencesAt(result, index);
    if (occurrences === null || occurrences.declared === null) continue;
    const { span } = occurrences.places[0];
    for (const place of occurrences.places) seen.add(place.span.start);
    found.set(span.start, {
      name: occurrences.name,
      offset: span.start,
      isFunction: occurrences.declared === 'function',
    });
  }
  return [...found.values()];
}

function renameTo(text: string, offset: number, name: string): string {
  const result = checkProgram(text);
  const answer = rename(result, { offset, name });
  if ('refusal' in answer) throw new Error(answer.refusal);
  return applyEdits(result.files, answer.edits)[0].text;
}

const cases: readonly (readonly [string, string, DataJson | null])[] = [
  ...goodPrograms.map(
    ({ name, text }) =>
      [name, text, (sampleData as Record<string, DataJson>)[name] ?? null] as const,
  ),
  ...[...new Set(Object.values(referencePosteriors).map(({ model }) => model))].map((model) => {
    const posterior = Object.values(referencePosteriors).find((other) => other.model === model);
    return [model, readProgram(model), posterior ? readData(posterior.data) : null] as const;
  }),
];

describe('every name of a program', () => {
  it.each(cases)(
    'of %s can be renamed and back',
    (_, text) => {
      const errors = checkProgram(text).diagnostics.length;
      const symbols = symbolsOf(checkProgram(text));
      for (const { name, offset } of symbols) {
        const changed = renameTo(text, offset, 'quite_fresh');
        expect(changed).not.toBe(text);
        expect(checkProgram(changed).diagnostics).toHaveLength(errors);
        expect(renameTo(changed, offset, name)).toBe(text);
      }
    },
    60_000,
  );

  it.each(cases.filter(([, , data]) => data !== null))(
    'of %s can be renamed without changing the density',
    (_, text, data) => {
      let changed = text;
      const names = new Map<string, string>();
      const count = symbolsOf(checkProgram(text)).length;
      for (let k = 0; k < count; k++) {
        const { name, offset } = symbolsOf(checkProgram(changed))[k];
        names.set(name, `fresh_${k}`);
        changed = renameTo(changed, offset, `fresh_${k}`);
      }
      const before = modelOf(text, data ?? {});
      const declared = checkProgram(changed).program.data.map(
        (declaration) => declaration.name.name,
      );
      const values = Object.entries(data ?? {}).flatMap(([name, value]) => {
        const fresh = names.get(name);
        return fresh !== undefined && declared.includes(fresh) ? [[fresh, value]] : [];
      });
      const after = modelOf(changed, Object.fromEntries(values) as DataJson);
      const theta = pointOf(before, 7);
      expect(evaluate(after, theta).value).toBe(evaluate(before, theta).value);
      expect(changed).not.toBe(text);
    },
    60_000,
  );
});
