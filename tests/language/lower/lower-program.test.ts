/** The intermediate representation of a program. */
import { describe, expect, it } from 'vitest';
import { checkProgram } from '../../../src/language/check.ts';
import { isWorthCaching } from '../../../src/language/emit/invariant.ts';
import { Activity } from '../../../src/language/lower/activity.ts';
import type { IrExpression, IrProgram, IrStatement } from '../../../src/language/lower/ir.ts';
import {
  dataKind,
  isActiveKind,
  isContainerKind,
  kindOf,
  levelsOf,
} from '../../../src/language/lower/kinds.ts';
import { lowerProgram } from '../../../src/language/lower/lower-program.ts';

function lower(source: string): IrProgram {
  const { program, files, diagnostics } = checkProgram(source);
  expect(diagnostics.filter((diagnostic) => diagnostic.severity === 'error')).toEqual([]);
  return lowerProgram(program, files);
}

/** `e` lowered among variables of every shape. */
function expression(e: string): IrExpression {
  const { model } = lower(
    `data { int n; real s; vector[3] y; matrix[3, 3] k; } parameters { real p; vector[3] v; row_vector[3] r; matrix[3, 3] m; array[3] vector[3] w; }
     model { print(${e}); }`,
  );
  const [print] = model as [Extract<IrStatement, { op: 'print' }>];
  return print.parts[0] as IrExpression;
}

const nameOf = (e: string) => {
  const lowered = expression(e);
  return 'name' in lowered ? lowered.name : lowered.op;
};

describe('operators mean library functions', () => {
  it.each([
    ['p + s', 'add'],
    ['m * v', 'multiply'],
    ['r * v', 'dot_product'],
    ['v * r', '$outer_product'],
    ['m / m', 'mdivide_right'],
    ['m / p', 'divide'],
    ['m \\ v', 'mdivide_left'],
    ['n / 2', 'divide'],
    ['n %/% 2', 'divide'],
    ['v .^ 2', 'pow'],
    ["m'", 'transpose'],
    ["v'", 'variable'],
    ['append_row(r, r)', '$stack_rows'],
    ['append_row(v, v)', 'append_row'],
    ['append_col(v, v)', '$stack_columns'],
    ['rep_matrix(r, 2)', '$rep_rows'],
    ['rep_matrix(v, 2)', 'rep_matrix'],
    ['to_matrix(r)', '$row_matrix'],
    ['rows(m)', 'measure'],
    ['cols(v)', 'int'],
    ['size(s)', 'int'],
    ['p < s', 'compare'],
    ['!n', 'not'],
    ['-1', 'int'],
    ['-1.5', 'real'],
    ['-p', 'minus'],
    ['pi()', 'real'],
    ['normal_lpdf(p | 0, 1)', 'normal_lpdf'],
    ['to_matrix(v)', '$column_matrix'],
    ['to_matrix(m)', 'to_matrix'],
    ['append_row(r, m)', 'append_row'],
    ['append_col(v, m)', 'append_col'],
    ['multiply(r, v)', 'dot_product'],
    ['r / m', 'mdivide_right'],
    ['v / p', 'divide'],
    ['p / v', 'divide'],
    ['v ./ v', 'elt_divide'],
    ['v .* v', 'elt_multiply'],
    ['plus(v)', 'variable'],
    ['transpose(r)', 'variable'],
    ['transpose(m)', 'transpose'],
    ['rows_dot_product(m, m)', 'rows_dot_product'],
    ['columns_dot_self(m)', 'columns_dot_self'],
    ['fma(p, s, s)', 'fma'],
  ])('%s is %s', (e, name) => expect(nameOf(e)).toBe(name));

  it.each([
    ['pi()', Math.PI],
    ['e()', Math.E],
    ['sqrt2()', Math.SQRT2],
    ['log2()', Math.LN2],
    ['log10()', Math.LN10],
    ['not_a_number()', Number.NaN],
    ['positive_infinity()', Number.POSITIVE_INFINITY],
    ['negative_infinity()', Number.NEGATIVE_INFINITY],
    ['machine_precision()', 2 ** -52],
  ])('%s is %s', (e, value) => expect(expression(e)).toMatchObject({ op: 'real', value }));

  it.each([
    ['dims(n)', 'list'],
    ['dims(s)', 'list'],
    ['dims(m)', 'dims'],
    ['dims(w)', 'dims'],
    ['size(n)', 1],
    ['size(s)', 1],
    ['size(v)', 'length'],
    ['size(m)', 'elements'],
    ['size(w)', 'length'],
    ['num_elements(v)', 'elements'],
    ['num_elements(w)', 'elements'],
    ['rows(v)', 'length'],
    ['rows(r)', 1],
    ['rows(m)', 'rows'],
    ['cols(v)', 1],
    ['cols(r)', 'length'],
    ['cols(m)', 'cols'],
  ])('%s measures %s', (e, expected) => {
    const lowered = expression(e);
    const measured = lowered.op === 'measure' ? lowered.what : 'value' in lowered && lowered.value;
    expect(lowered.op === 'list' ? 'list' : measured).toBe(expected);
  });

  /** Calls as nested, each with its type; other arguments by their operation. */
  const callsOf = (e: IrExpression): string =>
    'arguments' in e && 'name' in e
      ? `${e.type.base} ${e.name}(${e.arguments.map(callsOf).join(', ')})`
      : e.op;
  it.each([
    ['fma(v, s, p)', 'vector add(vector elt_multiply(variable, variable), variable)'],
    ['fma(s, v, p)', 'vector add(vector elt_multiply(variable, variable), variable)'],
    ['fma(p, s, v)', 'vector add(real elt_multiply(variable, variable), variable)'],
    ['rows_dot_product(v, v)', 'vector elt_multiply(variable, variable)'],
    ['rows_dot_self(v)', 'vector square(variable)'],
    ['rows_dot_product(r, r)', 'vector rep_vector(real dot_product(variable, variable), int)'],
    ['rows_dot_self(r)', 'vector rep_vector(real dot_self(variable), int)'],
    ['columns_dot_product(r, r)', 'row_vector elt_multiply(variable, variable)'],
    ['columns_dot_self(r)', 'row_vector square(variable)'],
    [
      'columns_dot_product(v, v)',
      'row_vector rep_row_vector(real dot_product(variable, variable), int)',
    ],
  ])('%s is %s', (e, calls) => expect(callsOf(expression(e))).toBe(calls));
});

describe('assignments', () => {
  const levels = (body: string) => {
    const { model } = lower(
      `model { array[2, 2] vector[3] x; matrix[2, 2] m; vector[3] v; ${body} }`,
    );
    return model.flatMap((s) => (s.op === 'declare' ? [s.variable.writtenLevel] : []));
  };
  it.each([
    ['x[1] = x[2];', [0, -1, -1]],
    ['x[1, 2] = v;', [1, -1, -1]],
    ['x[1][2][3] = 1;', [2, -1, -1]],
    ['x[:, 1] = x[1];', [1, -1, -1]],
    ['m[1] = m[2];', [-1, 0, -1]],
    ['m[1, 2] = 3;', [-1, 0, -1]],
    ['v = v;', [-1, -1, -1]],
    ['v[2:] = v[:2];', [-1, -1, 0]],
  ])('%s writes at level %s', (body, expected) => expect(levels(body)).toEqual(expected));

  it('compound assignment is an operation on the old value', () => {
    const { model } = lower('model { vector[2] v; v[1] *= 3; }');
    const store = model[1] as Extract<IrStatement, { op: 'store' }>;
    expect(store.value).toMatchObject({
      op: 'call',
      name: 'multiply',
      arguments: [{ op: 'index' }, { op: 'int' }],
    });
  });
});

describe('distribution statements', () => {
  const increments = (statement: string) =>
    lower(`parameters { real x; real a; } model { ${statement} }`).model.map((s) => {
      if (s.op !== 'increment') return s.op;
      const { value } = s;
      return `${s.sign > 0 ? '+' : '-'}${'name' in value ? value.name : value.op}`;
    });
  it.each([
    ['x ~ normal(0, 1);', ['+normal_lpdf']],
    ['x ~ normal(0, 1) T[a, ];', ['support', '+normal_lpdf', '-normal_lccdf']],
    ['x ~ normal(0, 1) T[, a];', ['support', '+normal_lpdf', '-normal_lcdf']],
    ['x ~ normal(0, 1) T[a, 3];', ['support', 'support', '+normal_lpdf', '-log_diff_exp']],
    ['target += x;', ['+variable']],
  ])('%s', (statement, expected) => expect(increments(statement)).toEqual(expected));
});

describe('activity', () => {
  it('spreads through assignments, also backwards through a loop, and not to ints', () => {
    const program = lower(`parameters { real p; } model {
  real a = 1; real b = 2; real c = 3; int k = 0; vector[2] v; real d = 4;
  for (i in 1:3) { a = b; b = p; k += p > 0; v[i] = c; }
  for (e in v) d = e;
}`);
    const activity = new Activity(true);
    activity.mark(program.parameters[0].variable);
    activity.propagate(program.model);
    const active = program.model.flatMap((s) =>
      s.op === 'declare' && activity.has(s.variable) ? [s.variable.name] : [],
    );
    expect(active).toEqual(['a', 'b']);
  });
});

describe('a loop over the elements of a container', () => {
  // For a vector the test for a matrix changes nothing: the element of a real is a real.
  it.each([
    ['vector[3]', 'real', 0],
    ['row_vector[3]', 'real', 0],
    ['matrix[3, 2]', 'real', 0],
    ['array[4] int', 'int', 0],
    ['array[4] vector[3]', 'vector', 0],
    ['array[4] matrix[3, 2]', 'matrix', 0],
    ['array[5, 4] matrix[3, 2]', 'matrix', 1],
    ['array[5, 4] vector[3]', 'vector', 1],
  ] as const)(
    'of type %s has a variable of type %s with array depth %i',
    (type, base, arrayDepth) => {
      const { model } = lower(`data { ${type} x; } model { for (e in x) print(e); }`);
      const [loop] = model as [Extract<IrStatement, { op: 'for-each' }>];
      expect(loop.op).toBe('for-each');
      expect(loop.variable.type).toEqual({ base, arrayDepth });
    },
  );
});

describe('expressions worth caching', () => {
  it.each([
    ['n + 1', false],
    ['y[2]', false],
    ['log(s)', true],
    ['y + 1', true],
    ['k * y', true],
    ['k[1]', true],
    ['p + log(s)', false],
    ['v', false],
    ['normal_lpdf(y | 0, 1)', true],
  ])('%s: %s', (e, expected) => expect(isWorthCaching(expression(e))).toBe(expected));
});

describe('kinds', () => {
  it.each([
    ['int', 0, 'i', 'i'],
    ['int', 2, '[I', '[I'],
    ['real', 0, 'r', 'v'],
    ['real', 1, 'R', 'V'],
    ['vector', 2, '[[R', '[[V'],
    ['matrix', 1, '[M', '[W'],
    ['row_vector', 1, '[R', '[V'],
    ['real', 3, '[[R', '[[V'],
  ] as const)('%s under %s arrays is %s or %s', (base, arrayDepth, data, active) => {
    expect(kindOf({ base, arrayDepth }, false)).toBe(data);
    expect(kindOf({ base, arrayDepth }, true)).toBe(active);
    expect(dataKind(active)).toBe(data);
    expect([isActiveKind(data), isActiveKind(active)]).toEqual([false, base !== 'int']);
    expect(isContainerKind(data)).toBe(levelsOf(data) > 0);
    expect(levelsOf(data)).toBe(data === 'i' || data === 'r' ? 0 : data.length);
  });
});

describe('locations', () => {
  it('name the block or function and the line', () => {
    const { locations } = lower(
      'functions {\n void f() {\n  print("x");\n }\n}\nmodel {\n f();\n f();\n}',
    );
    expect(locations).toEqual(['function f, line 3', 'model, line 7', 'model, line 8']);
  });
});
