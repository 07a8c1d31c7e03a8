/** The functions and blocks of a lowered program, the variables we add to it, and how messages name its places. */
import { describe, expect, it } from 'vitest';
import { checkProgram } from '../../../src/language/check.ts';
import type { IrExpression, IrStatement } from '../../../src/language/lower/ir.ts';
import { lowerProgram } from '../../../src/language/lower/lower-program.ts';
import { InternalCompilerError, LoweringScope } from '../../../src/language/lower/scope.ts';
import { functionLines, linesOf, lowered } from './ir-text.ts';

/** Forward declarations, overloads, every suffix with a meaning, and the same letters elsewhere in names. */
const functions = `functions {
  real f(real x);
  real k(real x, int y);
  real g(real x) { return f(x) + k(x, 2); }
  real f(vector x) { return x[1]; }
  real f(real x, real y) { return y; }
  real k(real x, vector y) { return x; }
  real f(real x) { return x; }
  real k(real x, int y) { return y; }
  void u_lp(real x) { target += x; }
  real d_rng(real x) { return normal_rng(x, 1); }
  real e_lpdf(real x) { return -x; }
  real c_lpmf(int x) { return -x; }
  real in_lp_a(real x) { return x; }
  real in_lpdf_a(real x) { return x; }
  real in_rng_a(real x) { return x; }
  real in_jacobian_a(real x) { return x; }
  real k_jacobian(real x) { jacobian += x; return lower_bound_jacobian(x, 0); }
  real j_jacobian(complex x) { complex y = exp(x); jacobian += norm(y); return k_jacobian(1); }
  tuple(complex, real) t(complex z) { complex y = log(z); return (1, 2.5); }
}`;

describe('the functions of a program', () => {
  it('are those with a body, followed by the complex functions that they call', () => {
    const program = lowered(functions);
    expect(program.functions.flatMap(functionLines)).toEqual([
      'plain real g(argument real x):',
      '  return real add(real user f(x), real user k(x, 2))',
      'plain real f(argument vector x):',
      '  return real x[1] of "x"',
      'plain real f(argument real x, argument real y):',
      '  return y',
      'plain real k(argument real x, argument vector y):',
      '  return x',
      'plain real f(argument real x):',
      '  return x',
      'plain real k(argument real x, argument int y):',
      '  return y',
      'target void u_lp(argument real x):',
      '  target += x',
      'random real d_rng(argument real x):',
      '  return real random normal_rng(x, 1)',
      'density real e_lpdf(argument real x):',
      '  return real minus(x)',
      'density real c_lpmf(argument int x):',
      '  return int minus(x)',
      'plain real in_lp_a(argument real x):',
      '  return x',
      'plain real in_lpdf_a(argument real x):',
      '  return x',
      'plain real in_rng_a(argument real x):',
      '  return x',
      'plain real in_jacobian_a(argument real x):',
      '  return x',
      'target real k_jacobian(argument int jacobian, argument real x):',
      '  if jacobian',
      '    target += x',
      '  return real mixed lower_bound_jacobian(jacobian, x, 0)',
      'target real j_jacobian(argument int jacobian, argument real x.real, argument real x.imag):',
      '  local real value.real, local real value.imag := tuple(real, real) user complex_exp(x.real, x.imag)',
      '  local real y.real = value.real',
      '  local real y.imag = value.imag',
      '  if jacobian',
      '    target += real add(real square(y.real), real square(y.imag))',
      '  return real user k_jacobian(jacobian, 1)',
      'plain tuple(complex, real) t(argument real z.real, argument real z.imag):',
      '  local real value.real, local real value.imag := tuple(real, real) user complex_log(z.real, z.imag)',
      '  local real y.real = value.real',
      '  local real y.imag = value.imag',
      '  return tuple(complex, real) pack(1.0, 0.0, 2.5)',
      'plain tuple(real, real) complex_exp(argument real z.real, argument real z.imag):',
      '  local real a = z.real',
      '  local real b = z.imag',
      '  local real r = real exp(a)',
      '  local real y = real multiply(r, real sin(b))',
      '  if ((b === 0) and (real divide(1, r) === 0))',
      '    y = b',
      '  local real value := real multiply(r, real cos(b))',
      '  return tuple(real, real) pack(value, y)',
      'plain tuple(real, real) complex_log(argument real z.real, argument real z.imag):',
      '  local real a = z.real',
      '  local real b = z.imag',
      '  local real value := real log(real hypot(a, b))',
      '  local real value#2 := real atan2(b, a)',
      '  return tuple(real, real) pack(value, value#2)',
    ]);
    expect(program.functions.map(({ id }) => id)).toEqual([...program.functions.keys()]);
    expect(program.locations).toEqual([
      'function g, line 4',
      'function f, line 5',
      'function f, line 6',
      'function k, line 7',
      'function f, line 8',
      'function k, line 9',
      'function u_lp, line 10',
      'function d_rng, line 11',
      'function e_lpdf, line 12',
      'function c_lpmf, line 13',
      'function in_lp_a, line 14',
      'function in_lpdf_a, line 15',
      'function in_rng_a, line 16',
      'function in_jacobian_a, line 17',
      'function k_jacobian, line 18',
      'exp',
      'function j_jacobian, line 19',
      'log',
      'function t, line 20',
    ]);
  });

  it('are resolved to their definitions, even if only a declaration was seen', () => {
    const {
      functions: [caller, ...others],
    } = lowered(functions);
    const [returned] = caller.body as [Extract<IrStatement, { op: 'return' }>];
    const sum = returned.value as Extract<IrExpression, { op: 'call' }>;
    const called = sum.arguments.map((e) => (e.op === 'user' ? e.function : null));
    const f = others.filter(({ name }) => name === 'f').at(-1);
    const k = others.filter(({ name }) => name === 'k').at(-1);
    expect(called[0]).toBe(f);
    expect(called[1]).toBe(k);
  });

  it('cannot be called without a body, or outside of a program', () => {
    const { program, files } = checkProgram('functions { real f(real x); } model { print(f(1)); }');
    expect(() => lowerProgram(program, files)).toThrow(
      'the compiler met code that the checker should have refused: `f` has no body',
    );
    const [defined] = checkProgram('functions { real f(real x) { return x; } }').program.functions;
    const scope = new LoweringScope([]);
    expect(() => scope.function(defined)).toThrow('refused: a function outside of a program');
  });
});

describe('the blocks of a program', () => {
  const source = `data {
  int<lower=0> n; array[2] tuple(int, complex) t;
}
transformed data {
  tuple(real, vector[n]) q = (1, rep_vector(0, n));
}
parameters {
  real<lower=0> p; simplex[n] s;
}
transformed parameters {
  complex z = p;
  jacobian += p;
}
model {
  real x = p; x += 1;
  target += x;
}
generated quantities {
  array[n] real y;
  { real w = 1; y[1] = w; }
}`;

  it('record the places of their variables and statements', () => {
    const {
      data,
      transformedData,
      parameters,
      transformedParameters,
      model,
      generatedQuantities,
      locations,
    } = lowered(source);
    expect({
      data: linesOf(data),
      transformedData: linesOf(transformedData),
      parameters: linesOf(parameters),
      transformedParameters: linesOf(transformedParameters),
      model: linesOf(model),
      generatedQuantities: linesOf(generatedQuantities),
    }).toEqual({
      data: [
        'data int n <bounds lower 0>',
        'data array[] int t[*].1 [2; ]',
        'data array[] real t[*].2.real [2; ]',
        'data array[] real t[*].2.imag [2; ]',
      ],
      transformedData: [
        'transformed data real q.1 = 1',
        'transformed data vector q.2 [; n] = vector rep_vector(0, n)',
      ],
      parameters: ['parameters real p <bounds lower 0>', 'parameters vector s [; n] <simplex>'],
      transformedParameters: [
        'transformed parameters real z.real = p',
        'transformed parameters real z.imag = 0.0',
        'if jacobian',
        '  target += p',
      ],
      model: ['local real x = p', 'x = real add(x, 1)', 'target += x'],
      generatedQuantities: [
        'generated quantities array[] real y [n; ]',
        'block',
        '  local real w = 1',
        '  y[1] = w',
      ],
    });
    expect(locations).toEqual([
      'data, line 2',
      'transformed data, line 5',
      'parameters, line 8',
      'transformed parameters, line 11',
      'transformed parameters, line 12',
      'model, line 15',
      'model, line 16',
      'generated quantities, line 19',
      'generated quantities, line 20',
    ]);
  });

  it('record the declared variable of each leaf', () => {
    const { data } = lowered(
      'data { int n; array[2] tuple(int, complex) t; complex_vector[2] z; }',
    );
    const step = { dims: 1, count: 2 };
    expect(data.map(({ variable }) => variable.tuple)).toEqual([
      undefined,
      { name: 't', steps: [{ ...step, position: 1 }] },
      { name: 't', steps: [{ ...step, position: 2 }], part: 'real' },
      { name: 't', steps: [{ ...step, position: 2 }], part: 'imag' },
      { name: 'z', steps: [], part: 'real' },
      { name: 'z', steps: [], part: 'imag' },
    ]);
    expect(Object.keys(data[0].variable)).not.toContain('tuple');
    expect(new Set(data.map(({ variable }) => variable.id)).size).toBe(6);
  });

  it('have a Jacobian flag if something reads it, and pass it to functions', () => {
    expect(lowered('parameters { real p; } model { target += p; }').jacobian).toBeNull();
    const { jacobian, transformedParameters } = lowered(`functions {
        real j_jacobian(real x) { jacobian += x; return x; }
      }
      parameters { real p; }
      transformed parameters { real q = j_jacobian(p); real r = lower_bound_jacobian(p, 0); }`);
    expect(jacobian).toMatchObject({
      name: 'jacobian',
      place: 'local',
      type: { base: 'int', arrayDepth: 0 },
    });
    expect(linesOf(transformedParameters)).toEqual([
      'transformed parameters real q = real user j_jacobian(jacobian, p)',
      'transformed parameters real r = real mixed lower_bound_jacobian(jacobian, p, 0)',
    ]);
  });
});

describe('values computed before a statement', () => {
  const head = `functions { tuple(real, real) h(real x) { return (x, 1); } int f(int x) { return x; } }
    data { int n; int m; real a; }`;
  const linesOfModel = (statement: string) =>
    linesOf(lowered(`${head} model { ${statement} }`).model);
  const call = 'local real value.1, local real value.2 := tuple(real, real) user h(a)';

  it('are computed only if the conditions around them hold', () => {
    expect(linesOfModel('tuple(real, real) x = n > 0 ? m > 0 ? h(a) : (1, 2) : (3, 4);')).toEqual([
      `${call} where ((n > 0) and (m > 0))`,
      'local real x.1 = real ((n > 0) ? real ((m > 0) ? value.1 : 1) : 3)',
      'local real x.2 = real ((n > 0) ? real ((m > 0) ? value.2 : 2) : 4)',
    ]);
    expect(linesOfModel('tuple(real, real) x = n > 0 ? (3, 4) : h(a);')[0]).toBe(
      `${call} where not (n > 0)`,
    );
    expect(linesOfModel('tuple(real, real) x = h(a);')[0]).toBe(call);
  });

  it('keep their conditions while a function is lowered', () => {
    const [first] = linesOfModel('complex z = n > 0 ? exp(to_complex(a, 1)) : 2;');
    expect(first).toBe(
      'local real value.real, local real value.imag := tuple(real, real) user complex_exp(a, 1.0) where (n > 0)',
    );
  });

  it('are not used in declarations of data', () => {
    const { data } = lowered(`functions { int f(int x) { return x; } }
      data { int n; complex_vector[f(n)] z; }`);
    expect(linesOf(data)).toEqual([
      'data int n',
      'data vector z[*].real [; int user f(n)]',
      'data vector z[*].imag [; int user f(n)]',
    ]);
  });
});

describe('locations in messages', () => {
  it('exist once per line, with the name of an included file', () => {
    const { model, locations } = lowered(
      'model { print("a"); print("b");\n print("c");\n#include part.stan\n}',
      {
        include: () => '\nprint("d");',
      },
    );
    const named = model.map((s) => ('location' in s ? locations[s.location] : ''));
    expect(named).toEqual([
      'model, line 1',
      'model, line 1',
      'model, line 2',
      'model, line 2 of part.stan',
    ]);
    expect(locations).toHaveLength(3);
  });
});

it('a program that the checker refuses is not lowered', () => {
  const lower = (source: string) => () => {
    const { program, files } = checkProgram(source);
    return lowerProgram(program, files);
  };
  expect(lower('model { z = 1; }')).toThrow(InternalCompilerError);
  expect(lower('model { z = 1; }')).toThrow(
    expect.objectContaining({
      name: 'InternalCompilerError',
      message: 'the compiler met code that the checker should have refused: `z` has no declaration',
    }),
  );
});
