import { describe, expect, it } from 'vitest';
import type { Declaration } from '../../../src/language/syntax/ast.ts';
import { parse } from '../../../src/language/syntax/parse.ts';
import { printDeclaredType } from '../../../src/language/syntax/parse-declarations.ts';

const parseText = (text: string, include?: (name: string) => string | null) =>
  parse({ name: 'main.stan', text }, include);
const codes = (text: string): string[] => parseText(text).diagnostics.map(({ code }) => code);

describe('declarations', () => {
  const declared = (text: string): Declaration[] => parseText(`data { ${text} }`).program.data;

  it.each([
    'int<lower=0> x;',
    'array[N, 2] vector<lower=0, upper=1>[K] x;',
    'real<offset=mu, multiplier=2 * s> x;',
    'cholesky_factor_cov[M, N] x;',
    'array[3] simplex[K] x;',
    'matrix<upper=(a > b)>[2, 3] x;',
    'real<lower=(a ? 1 : 2)> x;',
  ])('%s is printed unchanged', (text) => {
    const [declaration] = declared(text);
    expect(`${printDeclaredType(declaration)} x;`).toBe(text);
  });

  it('share sizes between names', () => {
    const [x, y] = declared('array[N] real x, y;');
    expect(x.name.name + y.name.name).toBe('xy');
    expect(y.type).toEqual({ base: 'real', arrayDepth: 1 });
    expect(y.arraySizes).toEqual(x.arraySizes);
  });

  it('in the old syntax put the array sizes outermost first', () => {
    const { program, diagnostics } = parseText('data { vector[3] x[4, 5]; }');
    expect(program.data[0].type).toEqual({ base: 'vector', arrayDepth: 2 });
    expect(diagnostics[0].fix?.replacement).toBe('array[4, 5] vector[3] x');
  });

  it('keep the name when the value is broken', () => {
    const { program } = parseText('model { real x = ; target += x; }');
    expect(program.model.map(({ kind }) => kind)).toEqual(['declaration', 'target-increment']);
  });
});

describe('recovery', () => {
  it('reports each broken statement once and reads the others', () => {
    const { program, diagnostics } = parseText(`model {
      x ~ normal(0, ;
      y ~ normal(0, 1);
      z = + * 2;
      target += 1;
    }`);
    expect(program.model.map(({ kind }) => kind)).toEqual(['tilde', 'target-increment']);
    expect(diagnostics).toHaveLength(2);
  });

  it('ends a block at the next header when its brace is missing', () => {
    const { program } = parseText('data { int N; parameters { real x; } model { }');
    expect(program.parameters.map(({ name }) => name.name)).toEqual(['x']);
    expect(program.data.map(({ name }) => name.name)).toEqual(['N']);
  });

  it('accepts a missing semicolon at the end of a line', () => {
    const { program } = parseText('model {\n  x ~ normal(0, 1)\n  y ~ normal(0, 1);\n}');
    expect(program.model).toHaveLength(2);
  });
});

describe('statements', () => {
  it('distinguish a group from an array that is distributed', () => {
    const { program } = parseText('model { { x = 1; } {x, y} ~ normal(0, 1); }');
    expect(program.model.map(({ kind }) => kind)).toEqual(['block', 'tilde']);
  });

  it('put a lone declaration under a loop into a block', () => {
    const { program } = parseText('model { for (i in 1:3) real x = 1; }');
    const [loop] = program.model;
    expect(loop.kind === 'for' && loop.body.kind).toBe('block');
  });

  it('bind else to the nearest if', () => {
    const [outer] = parseText('model { if (a) if (b) x = 1; else x = 2; }').program.model;
    expect(outer.kind === 'if' && outer.otherwise).toBeNull();
  });
});

describe('includes', () => {
  it('splice tokens and keep the file of each span', () => {
    const { program, files } = parseText('#include <sizes.stan>\nmodel { }', (name) =>
      name === 'sizes.stan' ? 'data { int N; }' : null,
    );
    expect(files.map(({ name }) => name)).toEqual(['main.stan', 'sizes.stan']);
    expect(program.data[0].span.file).toBe(1);
    expect(program.blocks.model?.file).toBe(0);
  });

  it('may stand inside a block, quoted or bare, and be used twice', () => {
    const files: Record<string, string> = {
      'a.stan': 'real one;',
      'b.stan': '#include "a.stan"\nreal two;',
    };
    const { program } = parseText('data {\n#include b.stan\n}', (name) => files[name] ?? null);
    expect(program.data.map(({ name }) => name.name)).toEqual(['one', 'two']);
  });

  it('report cycles and stop', () => {
    const { diagnostics } = parseText('#include "a"', () => '#include "a"\n#include "main.stan"');
    expect(diagnostics.map(({ code }) => code)).toEqual([
      'stan/include-cycle',
      'stan/include-cycle',
    ]);
  });

  it('are limited when files include each other many times over', () => {
    const { diagnostics } = parseText('#include "l0"', (name) => {
      const level = Number(name.slice(1));
      return level < 20 ? `#include "l${level + 1}"\n`.repeat(4) : 'data { }';
    });
    expect(diagnostics.some(({ code }) => code === 'stan/includes-too-many')).toBe(true);
  });
});

describe('deep nesting', () => {
  it('is refused without a stack overflow', () => {
    const deep = (open: string, close: string, n = 5_000): string =>
      `model { target += ${open.repeat(n)}1${close.repeat(n)}; }`;
    expect(codes(deep('(', ')'))).toContain('stan/too-deep');
    expect(codes(deep('-', ''))).toContain('stan/too-deep');
    expect(codes(deep('1+', ''))).toContain('stan/too-deep');
    expect(codes(deep('', '[1]'))).toContain('stan/too-deep');
    expect(codes(deep('', "'"))).toContain('stan/too-deep');
    expect(codes(deep('1^', ''))).toContain('stan/too-deep');
    expect(codes(deep('1?1:', ''))).toContain('stan/too-deep');
    expect(codes(`model { ${'if (1) '.repeat(5_000)} }`)).toContain('stan/too-deep');
    expect(codes(`model { ${'{'.repeat(5_000)} }`)).toContain('stan/too-deep');
    expect(codes(`model { ${'if (1) ; else '.repeat(5_000)}; }`)).toContain('stan/too-deep');
  });
});
