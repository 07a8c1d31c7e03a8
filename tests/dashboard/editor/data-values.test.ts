/** Sizes and bounds of a data block, computed from data as a run computes them. */
import { describe, expect, it } from 'vitest';
import { checkData } from '../../../src/dashboard/editor/data-check.ts';
import { numberAt } from '../../../src/dashboard/editor/data-values.ts';
import { checkProgram } from '../../../src/language/check.ts';

const block = `
  int a; int b; int zero; real r; array[3] real x; vector[2] v; matrix[2, 3] m;
  tuple(int, array[2] int) t; array[2] real odd; array[0] real none; int later;`;
const data = {
  a: 7,
  b: 2,
  zero: 0,
  r: 2,
  x: [4, 9, 1],
  v: [1, 2],
  m: [
    [1, 2, 3],
    [4, 5, 6],
  ],
  t: { 1: 5, 2: [8, 9] },
  odd: ['NaN', 1],
  none: [],
};

/** The bound as the list of data shows it; null: not known before the run. */
function boundOf(expression: string): string | null {
  const program = checkProgram(`data { ${block} real<lower=(${expression})> y; }`);
  const check = checkData(program, JSON.stringify(data));
  if (check.state !== 'checked') throw new Error(`${expression}: ${JSON.stringify(check)}`);
  const wants = check.rows.at(-1)?.wants ?? '';
  return wants === 'real, at least a bound of the program'
    ? null
    : wants.replace('real, at least ', '');
}

describe('an expression over data', () => {
  it.each([
    ['3', '3'],
    ['2.5', '2.5'],
    ['a', '7'],
    ['-a', '−7'],
    ['+a', '7'],
    ['a + b', '9'],
    ['a - b', '5'],
    ['a * b', '14'],
    ['a / b', '3'],
    ['-a / b', '−3'],
    ['a / r', '3.5'],
    ['r / a * a', '2'],
    ['a %/% b', '3'],
    ['-a %/% b', '−3'],
    ['a % b', '1'],
    ['a ^ b', '49'],
    ['(a + b) * b', '18'],
    ['a > b ? 10 : 20', '10'],
    ['b > a ? 10 : 20', '20'],
    ['x[2]', '9'],
    ['m[2, 3]', '6'],
    ['m[2][1]', '4'],
    ['t.1', '5'],
    ['t.2[2]', '9'],
  ])('%s is %s', (expression, value) => expect(boundOf(expression)).toBe(value));

  it.each([
    ['>', '010'],
    ['>=', '011'],
    ['<', '100'],
    ['<=', '101'],
    ['==', '001'],
    ['!=', '110'],
  ])('a %s b is 1 or 0: %s', (operator, expected) => {
    const pairs = ['b OP a', 'a OP b', 'a OP a'].map((one) => one.replace('OP', operator));
    expect(pairs.map(boundOf).join('')).toBe(expected);
  });

  it.each([
    ['&&', '1000'],
    ['||', '1110'],
  ])('a %s b treats nonzero values as true: %s', (operator, expected) => {
    const pairs = ['a OP b', 'a OP zero', 'zero OP b', 'zero OP zero'];
    expect(pairs.map((one) => boundOf(one.replace('OP', operator))).join('')).toBe(expected);
  });

  it.each([
    ['size(x)', '3'],
    ['size(none)', '0'],
    ['rows(m)', '2'],
    ['cols(m)', '3'],
    ['num_elements(m)', '6'],
    ['num_elements(odd)', '2'],
    ['sum(m)', '21'],
    ['max(x)', '9'],
    ['min(x)', '1'],
    ['max(a, b)', '7'],
    ['min(a, b)', '2'],
    ['abs(-a)', '7'],
    ['sqrt(x[1])', '2'],
    ['square(a)', '49'],
    ['pow(a, b)', '49'],
    ['exp(zero)', '1'],
    ['log(exp(zero))', '0'],
    ['pi()', String(Math.PI)],
    ['machine_precision()', '2.220446049250313e−16'],
    ['positive_infinity()', '∞'],
    ['negative_infinity()', '−∞'],
    ['choose(a, b)', '21'],
    ['choose(30, 15)', '155117520'],
    ['choose(a, zero)', '1'],
  ])('%s is %s', (expression, value) => expect(boundOf(expression)).toBe(value));

  it.each([
    'later',
    '-later',
    'later + a',
    'a + later',
    'later > a ? 1 : 2',
    'x[later]',
    'x[a]',
    'x[1:2][1]',
    'cols(v)',
    'sum(odd)',
    'max(odd)',
    'prod(x)',
    'tgamma(a)',
    'max(a, later)',
    'sum(to_vector(x))',
    '!a',
    'a .* b',
  ])('%s is left for the run to evaluate', (expression) => expect(boundOf(expression)).toBeNull());
});

it('a bound is one value for all entries, or one for each', () => {
  expect(numberAt(3, [1, 2])).toBe(3);
  const bounds = [
    [1, 2],
    [3, 4],
  ];
  expect(numberAt(bounds, [2, 1])).toBe(3);
  expect(numberAt(bounds, [2])).toBeNull();
  expect(numberAt(undefined, [])).toBeNull();
});
