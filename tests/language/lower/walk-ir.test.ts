/** The parts of expressions and statements, and which of them depend on parameters. */
import { describe, expect, it } from 'vitest';
import { checkProgram } from '../../../src/language/check.ts';
import { Activity } from '../../../src/language/lower/activity.ts';
import type { IrExpression, IrProgram, IrStatement } from '../../../src/language/lower/ir.ts';
import { lowerProgram } from '../../../src/language/lower/lower-program.ts';
import {
  childrenOf,
  expressionsOf,
  holdsCall,
  visitStatements,
  visitVariables,
} from '../../../src/language/lower/walk-ir.ts';

const functions = `functions {
  real f(real x) { return x; }
  real g_lp(real x) { target += x; return 1; }
  void u(real x) { return; }
  tuple(real, real) h(real x) { return (x, 1); }
  real i(real x, real y) { return x + y; }
  vector t(vector y, vector s) { return y; }
  int r(real x) { return x > 0; }
  tuple(int, real) m(real x) { return (1, x); }
}
`;
const names = 'int n; real a; real b; real c; array[3] real w; array[2] int k; vector[3] v;';

function lower(model: string): IrProgram {
  const source = `${functions} data { ${names} } parameters { real p; vector[2] q; } model { ${model} }`;
  const { program, files, diagnostics } = checkProgram(source);
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return lowerProgram(program, files);
}

/** `e` lowered as in a print, which keeps its calls. */
function expression(e: string): { readonly program: IrProgram; readonly value: IrExpression } {
  const program = lower(`print(${e});`);
  const print = program.model.at(-1) as Extract<IrStatement, { op: 'print' }>;
  return { program, value: print.parts[0] as IrExpression };
}

const namesIn = (expressions: readonly IrExpression[]): string => {
  const seen: string[] = [];
  for (const e of expressions) visitVariables(e, ({ name }) => seen.push(name));
  return seen.join(' ');
};

describe('the variables of an expression', () => {
  it.each([
    ['a', 'a'],
    ['1', ''],
    ['a + b * c', 'a b c'],
    ['normal_lpdf(a | b, c)', 'a b c'],
    ['f(a)', 'a'],
    ['n > 0 ? a : b', 'n a b'],
    ['n && k[1]', 'n k'],
    ['n || k[1]', 'n k'],
    ['a < b', 'a b'],
    ['!n', 'n'],
    ['size(w)', 'w'],
    ['w[n]', 'w n'],
    ['w[k]', 'w k'],
    ['w[n:k[1]]', 'w n k'],
    ['w[n:]', 'w n'],
    ['w[:n]', 'w n'],
    ['w[:]', 'w'],
    ['{a, b}', 'a b'],
    ['[a, b]', 'a b'],
    ['(a, b)', 'a b'],
    ['solve_powell(t, q, v)', 'q v'],
    ['h(a).2', 'a'],
    ['lower_bound_constrain(a, b)', 'a b'],
    ['target()', ''],
  ])('%s: %s', (e, expected) => expect(namesIn([expression(e).value])).toBe(expected));
});

describe('the variables of a statement', () => {
  const first = (model: string, op: IrStatement['op']) => {
    let found: IrStatement | null = null;
    visitStatements(lower(model).model, (statement) => {
      if (statement.op === op) found ??= statement;
    });
    const expressions = expressionsOf(found as unknown as IrStatement);
    for (const e of expressions) expect(e).toHaveProperty('op');
    return namesIn(expressions);
  };
  it.each<[string, IrStatement['op'], string]>([
    ['array[n] vector[k[1]] x;', 'declare', 'n k'],
    ['real x = a;', 'declare', 'a'],
    ['real x; x = a;', 'assign', 'a'],
    ['vector[3] x; x[n] = a;', 'store', 'n a'],
    ['vector[3] x; x[n:k[1]] = v;', 'store', 'n k v'],
    ['target += a;', 'increment', 'a'],
    ['p ~ normal(a, b) T[c, ];', 'support', 'p c'],
    ['if (n) target += a;', 'if', 'n'],
    ['while (n) target += a;', 'while', 'n'],
    ['for (j in n:k[1]) target += a;', 'for', 'n k'],
    ['for (x in w) target += x;', 'for-each', 'w'],
    ['print("a", a, b);', 'print', 'a b'],
    ['reject("a", a);', 'reject', 'a'],
    ['tuple(real, real) x = h(a);', 'bind', 'a'],
    ['tuple(real, real) x = n > 0 ? h(a) : (b, c);', 'bind', 'n a'],
    ['u(a);', 'evaluate', 'a'],
    ['while (1) break;', 'break', ''],
  ])('%s: in its %s', (model, op, expected) => expect(first(model, op)).toBe(expected));

  it('are those of the value that a function returns', () => {
    const { functions } = lower('');
    const returned = functions.map(({ body }) =>
      body.flatMap((statement) => (statement.op === 'return' ? [expressionsOf(statement)] : [])),
    );
    const byName = new Map(functions.map(({ name }, i) => [name, returned[i]]));
    expect(byName.get('i')?.map(namesIn)).toEqual(['x y']);
    expect(byName.get('u')).toEqual([[]]);
  });

  it('are visited in order, also in nested statements', () => {
    const seen: string[] = [];
    const model =
      'if (n) print(a); else { while (n) print(b); } for (j in 1:n) { for (x in w) print(c); }';
    visitStatements(lower(model).model, (statement) => seen.push(statement.op));
    expect(seen).toEqual(['if', 'print', 'while', 'print', 'for', 'for-each', 'print']);
  });
});

it.each([
  ['a + b', false],
  ['w[n]', false],
  ['f(a)', true],
  ['1 + f(a)', true],
  ['w[k[1]] + i(a, 1)', true],
  ['solve_powell(t, q, v)', true],
  ['lower_bound_constrain(a, b)', true],
])('%s calls: %s', (e, expected) => expect(holdsCall(expression(e).value)).toBe(expected));

describe('what depends on parameters', () => {
  const isActive = (e: string, hasTarget = false) => {
    const { program, value } = expression(e);
    const activity = new Activity(hasTarget);
    for (const { variable } of program.parameters) activity.mark(variable);
    activity.propagate(program.model);
    return activity.isActive(value);
  };
  it.each([
    ['a', false],
    ['p', true],
    ['1.5', false],
    ['n', false],
    ['p > 0', false],
    ['a + p', true],
    ['a + b', false],
    ['normal_lpdf(a | b, p)', true],
    ['normal_lpdf(a | b, c)', false],
    ['lower_bound_constrain(p, a)', true],
    ['solve_powell(t, q, v)', true],
    ['f(a)', false],
    ['f(p)', true],
    ['i(a, p)', true],
    ['n > 0 ? a : p', true],
    ['n > 0 ? p : a', true],
    ['n > 0 ? a : b', false],
    ['p > 0 ? a : b', false],
    ['q[n]', true],
    ['w[n]', false],
    ['{a, p}', true],
    ['{a, b}', false],
    ['h(p).2', true],
    ['h(a).2', false],
    ['(a, p)', true],
    ['(a, b)', false],
    ['rank(q, 1)', false],
    ['r(p)', false],
  ])('%s: %s', (e, expected) => expect(isActive(e)).toBe(expected));

  it('includes the target and functions that add to it, if the target depends on parameters', () => {
    for (const e of ['target()', 'g_lp(a)'])
      expect([true, false].map((hasTarget) => isActive(e, hasTarget))).toEqual([true, false]);
    expect(isActive('f(a)', true)).toBe(false);
  });

  it.each([
    ['real x = p;', true],
    ['real x = a;', false],
    ['real x; x = p;', true],
    ['vector[2] x; x[1] = p;', true],
    ['real x; { x = p; }', true],
    ['real x; if (n) x = 1; else x = p;', true],
    ['real x; for (y in q) x = y;', true],
    ['real x; for (y in w) x = y;', false],
    ['int x = p > 0;', false],
    ['tuple(real, real) y = h(p); real x = y.1;', true],
    ['tuple(real, real) y = h(a); real x = y.1;', false],
    ['real x; real y = p; real z = 2 * y; x = z;', true],
    ['real y; real x; while (n) { x = y; y = p; }', true],
  ])('spreads: %s', (model, expected) => {
    const program = lower(model);
    const activity = new Activity(true);
    for (const { variable } of program.parameters) activity.mark(variable);
    activity.propagate(program.model);
    const found: boolean[] = [];
    visitStatements(program.model, (statement) => {
      if (statement.op === 'declare' && statement.variable.name === 'x')
        found.push(activity.has(statement.variable));
    });
    expect(found).toEqual([expected]);
  });

  it('excludes a call without a value', () => {
    const { model, parameters } = lower('u(p);');
    const activity = new Activity(true);
    for (const { variable } of parameters) activity.mark(variable);
    const [{ call }] = model as [Extract<IrStatement, { op: 'evaluate' }>];
    expect(activity.isActive(call)).toBe(false);
  });

  it('excludes an int in a tuple whose other member depends on parameters', () => {
    const { model, parameters } = lower('tuple(int, real) y = m(p);');
    const activity = new Activity(true);
    for (const { variable } of parameters) activity.mark(variable);
    activity.propagate(model);
    const [{ variables }] = model as [Extract<IrStatement, { op: 'bind' }>];
    expect(variables.map((variable) => activity.has(variable))).toEqual([false, true]);
  });
});

it('a draw of random numbers counts as a call and reads its parameters', () => {
  const source = `data { real a; real b; } generated quantities { real x = normal_rng(a, b); }`;
  const { program, files } = checkProgram(source);
  const [declared] = lowerProgram(program, files).generatedQuantities;
  expect(expressionsOf(declared).map(holdsCall)).toEqual([true]);
  expect(namesIn(expressionsOf(declared))).toBe('a b');
});

it('an index that selects everything has no parts', () => {
  const { value } = expression('w[:]');
  expect(childrenOf(value).map(({ op }) => op)).toEqual(['variable']);
});
