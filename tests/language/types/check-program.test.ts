import { describe, expect, it } from 'vitest';
import { checkProgram } from '../../../src/language/check.ts';
import type { Call, Expression } from '../../../src/language/syntax/ast.ts';
import { printExpression, printType } from '../../../src/language/syntax/printer.ts';
import { walkProgram } from '../../../src/language/syntax/walk.ts';
import { goodPrograms } from '../sample-programs.ts';

function expressionsOf(text: string): Expression[] {
  const { program, diagnostics } = checkProgram(text);
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  const all: Expression[] = [];
  walkProgram(program, { expression: (node) => all.push(node) });
  return all;
}

function callIn(text: string, name: string): Call {
  const call = expressionsOf(text).find((node) => node.kind === 'call' && node.name.name === name);
  if (call?.kind !== 'call') throw new Error(`no call of ${name}`);
  return call;
}

describe('the checker fills in', () => {
  it('a type for every expression of every good program, strings aside', () => {
    for (const { name, text } of goodPrograms) {
      for (const node of expressionsOf(text)) {
        if (node.kind === 'string') continue;
        expect(node.type && node.type.base !== 'error', `${name}: ${printExpression(node)}`).toBe(
          true,
        );
      }
    }
  });

  it('a declaration or a callable for every variable, and a callee for every call', () => {
    for (const { name, text } of goodPrograms) {
      for (const node of expressionsOf(text)) {
        if (node.kind === 'variable') expect(node.declaration ?? node.callable, name).toBeDefined();
        if (node.kind === 'call') expect(node.callee, `${name}: ${node.name.name}`).toBeDefined();
      }
    }
  });

  it('a density for every ~, an origin for every declaration', () => {
    for (const { name, text } of goodPrograms) {
      walkProgram(checkProgram(text).program, {
        statement: (node) => {
          if (node.kind === 'tilde') expect(node.density, name).toBeDefined();
          if (node.kind === 'declaration') expect(node.origin, name).toBeDefined();
        },
      });
    }
  });

  it('the promoted argument types of a library call', () => {
    const text = 'transformed data { array[3] int n = {1, 2, 3}; real x = normal_lpdf(n | 0, 1); }';
    const { callee } = callIn(text, 'normal_lpdf');
    expect(callee && 'library' in callee && callee.library.arguments.map(printType)).toEqual([
      'array[] real',
      'real',
      'real',
    ]);
  });

  it('the definition, not the forward declaration, and the lpdf for a lupdf', () => {
    const text = `functions {
      real later_lpdf(real y);
      real caller_lpdf(real y) { return later_lupdf(y); }
      real later_lpdf(real y) { return -y; }
    }`;
    const { callee } = callIn(text, 'later_lupdf');
    expect(callee && 'user' in callee && callee.user.body).not.toBeNull();
  });

  it('the overload with the fewest promotions', () => {
    const text = `functions {
      real f(real x) { return x; }
      int f(int x) { return x; }
    }
    transformed data { int a = f(1); real b = f(1.5); }`;
    expect(callIn(text, 'f').type?.base).toBe('int');
  });

  it('multi for an index that is an int array', () => {
    const text = 'data { vector[3] v; array[2] int i; } transformed data { vector[2] w = v[i]; }';
    const index = expressionsOf(text).find((node) => node.kind === 'index');
    expect(index?.kind === 'index' && index.indexes[0].kind).toBe('multi');
  });

  it('origins by block, local inside', () => {
    const { program } = checkProgram(
      'transformed parameters { real a = 1; { real b = 2; } } model { real c; }',
    );
    const origins: unknown[] = [];
    walkProgram(program, {
      statement: (node) => {
        if (node.kind === 'declaration') origins.push([node.name.name, node.origin]);
      },
    });
    expect(origins).toEqual([
      ['a', 'transformed parameters'],
      ['b', 'local'],
      ['c', 'local'],
    ]);
  });
});

describe('scopes', () => {
  const errors = (text: string): string[] =>
    checkProgram(text)
      .diagnostics.filter(({ severity }) => severity === 'error')
      .map(({ code }) => code);

  it('hide model variables from generated quantities', () => {
    expect(errors('model { real x; } generated quantities { real y = x; }')).toEqual([
      'stan/unknown-name',
    ]);
  });

  it('let siblings reuse a name', () => {
    expect(errors('model { { real x; } { int x; } for (i in 1:2) {} for (i in 1:2) {} }')).toEqual(
      [],
    );
  });

  it('let variables share names with library functions', () => {
    expect(errors('data { real e; real beta; } model { target += e() * e + beta; }')).toEqual([]);
  });

  it('report shared sizes once', () => {
    expect(errors('data { array[unknown] real a, b; }')).toEqual(['stan/unknown-name']);
  });
});
