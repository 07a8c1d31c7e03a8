/** Models at their limits: run-time errors with their place, endless programs, the environment. */
import { describe, expect, it } from 'vitest';
import { compileModel, LoopBudgetError } from '../../src/engine/compile-model.ts';
import { DomainError, ShapeError } from '../../src/math/errors.ts';
import { logDensityAt, modelOf, outputsAt, refusalOf, testRng } from '../support/stan-program.ts';

describe('errors while running', () => {
  const failing = (body: string, data = '') => {
    const model = modelOf(`parameters { real p; }\nmodel {\n${data}\n${body}\n}`);
    return () => logDensityAt(model, Float64Array.of(-0.5));
  };
  it.each([
    [
      'vector[8] x; target += x[9];',
      ShapeError,
      'accessing `x`: index 9 is out of range 1 to 8 (in model, line 4)',
    ],
    ['vector[2] x; x[0] = p;', ShapeError, 'accessing `x`: index 0 is out of range 1 to 2'],
    [
      'array[0] int x; target += x[1];',
      ShapeError,
      'accessing `x`: index 1, but it has no elements',
    ],
    ['matrix[2, 3] x; target += x[2, 4];', ShapeError, 'index 4 is out of range 1 to 3'],
    ['vector[3] x; target += sum(x[2:4]);', ShapeError, 'index 4 is out of range 1 to 3'],
    [
      "vector[3] x = [p, p]';",
      ShapeError,
      '`x` is declared with size 3, but is assigned a value of size 2',
    ],
    [
      "vector[3] x; x = [p, p]';",
      ShapeError,
      '`x` is declared with size 3, but is assigned a value of size 2',
    ],
    ["vector[3] x; x[1:2] = [p, p, p]';", ShapeError, 'assigning to `x`: 2 places, but 3 values'],
    [
      "array[2] vector[3] x; x[2] = [p, p]';",
      ShapeError,
      'assigning to `x`: 3 places, but 2 values',
    ],
    [
      'array[2] row_vector[3] x; for (i in 1:2) x[i] = [0, 1];',
      ShapeError,
      'assigning to `x`: 3 places, but 2 values',
    ],
    [
      'array[2] matrix[2, 3] x; x[1] = [[p, p], [p, p]];',
      ShapeError,
      'assigning to `x`: a value of size 2 × 2, but the element has size 2 × 3',
    ],
    [
      "array[2, 2] vector[3] x; x[1] = {[p, p]', [p, p]'};",
      ShapeError,
      'assigning to `x`: a value of size 2 × 2, but the element has size 2 × 3',
    ],
    [
      "array[2, 2] vector[3] x; x[:, 1] = {[p, p]', [p, p]'};",
      ShapeError,
      'assigning to `x`: 3 places, but 2 values',
    ],
    [
      'vector[3] x; vector[2] z; target += sum(x + z);',
      ShapeError,
      'sizes of the operands must match: found 3 and 2',
    ],
    ['int k = 0; int j = 3 %/% k;', DomainError, 'integer division of 3 by zero'],
    ['int k = 0; int j = 3 % k;', DomainError, 'remainder of 3 divided by zero'],
    ['reject("p is ", p, " and ", [1, 2]);', DomainError, 'p is -0.5 and [1,2] (in model, line 4)'],
    ['fatal_error("stop: ", {1, 2});', Error, 'stop: [1,2]'],
    ['real x = normal_lpdf(p | 0, -1);', DomainError, '(in model, line 4)'],
    ['vector[-1] x;', ShapeError, 'a size is -1: must be at least 0'],
  ])('%s', (body, kind, message) => {
    expect(failing(body)).toThrow(kind);
    expect(failing(body)).toThrow(message);
  });

  it('name the function and the line inside it', () => {
    const source = `functions {
  real f(vector x) {
    return x[3];
  }
}
parameters { vector[2] p; }
model { target += f(p); }`;
    const model = modelOf(source);
    expect(() => logDensityAt(model, new Float64Array(2))).toThrow('(in function f, line 3)');
  });

  it('include broken constraints of transformed parameters and generated quantities', () => {
    const source = `parameters { real p; }
transformed parameters { real<lower=0> t = p; }
generated quantities { simplex[2] s = [p, p]'; }`;
    const model = modelOf(source);
    const message = '`t` is -1: must be at least 0 (in transformed parameters, line 2)';
    expect(() => logDensityAt(model, Float64Array.of(-1))).toThrow(message);
    expect(() => outputsAt(model, Float64Array.of(-1))).toThrow(message);
    expect(() => outputsAt(model, Float64Array.of(2))).toThrow(
      /s.*simplex.*generated quantities, line 3/,
    );
  });
});

describe('a compiled model', () => {
  it('stops infinite recursion', () => {
    const source = `functions { real f(real x) { return 1 + f(x + 1); } }
parameters { real p; } model { target += f(p); }`;
    expect(() => logDensityAt(modelOf(source), Float64Array.of(1))).toThrow(
      'calls are nested too deeply',
    );
  });

  it('stops infinite loops', () => {
    const source = `parameters { real p; } model { if (p > 0) { while (1) {} } else { for (i in 1:2000000000) {} } }`;
    const model = modelOf(source, {}, { limits: { ticks: 10_000 } });
    expect(() => logDensityAt(model, Float64Array.of(1))).toThrow(LoopBudgetError);
    expect(() => logDensityAt(model, Float64Array.of(-1))).toThrow('more than 10000 loop steps');
  });

  it('starts each evaluation with its full loop budget', () => {
    const source =
      'parameters { real<upper=9> p; } transformed parameters { real s = 0; for (i in 1:6000) s += p; } model { target += s; }';
    const model = modelOf(source, {}, { limits: { ticks: 10_000 } });
    const at = Float64Array.of(0);
    for (let n = 0; n < 3; n++) {
      expect(logDensityAt(model, at)).toBeCloseTo(48_000, 6);
      expect(outputsAt(model, at).s).toBeCloseTo(48_000, 6);
      model.unconstrain({ p: 8 }, at);
    }
  });

  it('rejects a point where the log density is NaN', () => {
    const model = modelOf('parameters { real p; } model { target += p * not_a_number(); }');
    expect(() => logDensityAt(model, Float64Array.of(1))).toThrow(
      new DomainError('the log density is not a number'),
    );
  });

  it('allows exactly as many loop steps as the limit', () => {
    const source = 'parameters { real p; } model { for (i in 1:9000) { } }';
    const within = (ticks: number) => {
      const model = modelOf(source, {}, { limits: { ticks } });
      return () => logDensityAt(model, Float64Array.of(1));
    };
    expect(within(9000)).not.toThrow();
    expect(within(8999)).toThrow(
      new LoopBudgetError('the program takes more than 8999 loop steps (in model, line 1)'),
    );
  });

  it('counts the steps of loops whose gradient is derived', () => {
    const source = `parameters { real p; }
model { for (i in 1:20000) target += -0.5 * square(p - i); }`;
    const model = modelOf(source, {}, { limits: { ticks: 10_000 } });
    expect(() => logDensityAt(model, Float64Array.of(1))).toThrow(LoopBudgetError);
  });

  it.each([
    ['for (j in 1:999) target += p * j;', 10_000],
    ['for (j in 1:99) for (k in 1:10) target += p * k;', 10 + 10 * 99 * 11],
    ['int j = 0; while (j < 40) { target += p * j; j += 1; }', 10 + 10 * 40],
    ['for (j in 1:9) { if (j == 5) break; target += p * j; }', 10 + 10 * 5],
  ])('counts the steps of its inner loops, too: %s', (inner, steps) => {
    const source = `parameters { real p; } model { for (i in 1:10) { ${inner} } }`;
    const within = (ticks: number) => {
      const model = modelOf(source, {}, { limits: { ticks } });
      return () => model.logDensityGradient(Float64Array.of(1), new Float64Array(1));
    };
    expect(within(steps)).not.toThrow();
    expect(within(steps - 1)).toThrow(`more than ${steps - 1} loop steps`);
  });

  it('does not wait for the end of an inner loop that never ends', () => {
    let asked = 0;
    const limits = {
      checkTime: () => {
        asked++;
        throw new Error('time is up');
      },
    };
    const source =
      'parameters { real p; } model { for (i in 1:2) { real x = p; while (x > 0) x = x + 1; target += x; } }';
    const model = modelOf(source, {}, { limits });
    const gradient = () => model.logDensityGradient(Float64Array.of(1), new Float64Array(1));
    expect(gradient).toThrow('time is up');
    expect(asked).toBe(1);
  });

  it('checks the time after 100 000 steps, not before', () => {
    let asked = 0;
    const limits = {
      checkTime: () => {
        asked++;
      },
    };
    const evaluate = (steps: number) => {
      asked = 0;
      const source = `parameters { real p; } model { for (i in 1:${steps}) { } }`;
      logDensityAt(modelOf(source, {}, { limits }), Float64Array.of(1));
      return asked;
    };
    expect([evaluate(100_000), evaluate(100_001)]).toEqual([0, 1]);
  });

  it('checks the time every 100 000 steps', () => {
    let asked = 0;
    const limits = {
      checkTime: () => {
        asked++;
      },
    };
    const source = 'parameters { real p; } model { for (i in 1:350000) { } }';
    logDensityAt(modelOf(source, {}, { limits }), Float64Array.of(1));
    expect(asked).toBe(3);
  });

  it('stops a loop when the time check throws', () => {
    let asked = 0;
    const limits = {
      checkTime: () => {
        asked++;
        throw new Error('time is up');
      },
    };
    const model = modelOf('parameters { real p; } model { while (1) {} }', {}, { limits });
    expect(() => logDensityAt(model, Float64Array.of(1))).toThrow('time is up');
    expect(asked).toBe(1);
  });

  it('limits the size of containers and of the tape', () => {
    const huge = modelOf('parameters { real p; } model { vector[2000000000] x; }');
    expect(() => logDensityAt(huge, Float64Array.of(1))).toThrow('larger than the limit');
    const long = modelOf(
      'parameters { real p; } model { real x = p; for (i in 1:10000000) x = x * p; target += x; }',
      {},
      { limits: { tapeBytes: 1e6 } },
    );
    expect(() => logDensityAt(long, Float64Array.of(1))).toThrow('needs more than');
  });

  it('prints values from the tape and from data', () => {
    const lines: string[] = [];
    const source = `parameters { real p; vector[2] v; } model { print("p=", p, " v=", v, " m=", [[1, 2], [3, 4]], " ", {0.1, 1e10, 1 / 3.0}); }`;
    const model = modelOf(source, {}, { print: (text) => lines.push(text) });
    logDensityAt(model, Float64Array.of(0.5, 1, -2));
    expect(lines).toEqual(['p=0.5 v=[1,-2] m=[[1,2],[3,4]] [0.1,10000000000,0.333333]']);
  });

  it('includes files of the model and names them in errors', () => {
    const files = new Map([
      ['lib/f.stan', 'real twice(real x) {\n  array[1] real a;\n  return a[2] * x;\n}\n'],
    ]);
    const source =
      'functions {\n#include lib/f.stan\n}\nparameters { real p; } model { target += twice(p); }';
    const model = modelOf(source, {}, { files });
    expect(() => logDensityAt(model, Float64Array.of(1))).toThrow(
      '(in function twice, line 3 of lib/f.stan)',
    );
    expect(refusalOf(source)).toContain('lib/f.stan');
  });

  it('reports errors in a program with their location, and errors in its data', () => {
    const compiled = (source: string, more: object = {}) => {
      const result = compileModel({ source, data: {}, rng: testRng(), ...more });
      if (result.ok) throw new Error('the program was accepted');
      return { ...result, files: result.files.map(({ name }) => name) };
    };
    const wrong = compiled('parameters { real x; } model { x ~ normal(y, 1); }');
    expect(wrong.diagnostics).toMatchObject([{ severity: 'error' }]);
    expect(wrong.message).toBe(wrong.diagnostics[0].message);
    expect(wrong.files).toEqual(['main.stan']);
    // the note on the integer division comes first
    const both = compiled('model { real a = 3 / 2; real b = y; }');
    expect(both.diagnostics.map(({ severity }) => severity)).toEqual(['info', 'error']);
    expect(both.message).toBe(both.diagnostics[1].message);
    expect(compiled('model { x; }', { fileName: 'own.stan' }).files).toEqual(['own.stan']);
    expect(compiled('data { int N; }')).toMatchObject({
      diagnostics: [],
      files: ['main.stan'],
      message: '`N` is missing from the data: must be a whole number (in data, line 1)',
    });
  });

  it('draws the same transformed data and generated quantities for the same seeds', () => {
    const source = `transformed data { real t = normal_rng(0, 1); }
generated quantities { real x = t; real z = normal_rng(t, 1); array[2] int k = {poisson_rng(3), binomial_rng(10, 0.5)}; }`;
    const first = outputsAt(modelOf(source, {}, { rng: testRng(9) }), undefined, 3);
    const again = outputsAt(modelOf(source, {}, { rng: testRng(9) }), undefined, 3);
    const other = outputsAt(modelOf(source, {}, { rng: testRng(10) }), undefined, 3);
    expect(again).toEqual(first);
    expect(other.x).not.toBe(first.x);
  });

  it('runs programs without parameters', () => {
    const model = modelOf(
      "generated quantities { int k = 3; matrix[2, 2] m = [[1, 2], [3, 4]]; array[2] vector[2] v = {m[1]', m[2]'}; }",
    );
    expect(model.numUnconstrained).toBe(0);
    expect(outputsAt(model)).toEqual({
      k: 3,
      'm[1,1]': 1,
      'm[2,1]': 3,
      'm[1,2]': 2,
      'm[2,2]': 4,
      'v[1,1]': 1,
      'v[2,1]': 3,
      'v[1,2]': 2,
      'v[2,2]': 4,
    });
  });
});
