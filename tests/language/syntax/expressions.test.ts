import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Expression } from '../../../src/language/syntax/ast.ts';
import { infixOperators } from '../../../src/language/syntax/operators.ts';
import { parse } from '../../../src/language/syntax/parse.ts';
import { printExpression } from '../../../src/language/syntax/printer.ts';

function parseExpression(text: string): Expression {
  const { program, diagnostics } = parse({ name: 'm', text: `model { target += ${text}; }` });
  expect(diagnostics).toEqual([]);
  const [statement] = program.model;
  if (statement?.kind !== 'target-increment') throw new Error('no increment');
  return statement.value;
}

/** Every operation in brackets. */
function bracketed(e: Expression): string {
  switch (e.kind) {
    case 'unary':
      return `(${e.operator}${bracketed(e.operand)})`;
    case 'postfix':
      return `(${bracketed(e.operand)}')`;
    case 'binary':
      return `(${bracketed(e.left)} ${e.operator} ${bracketed(e.right)})`;
    case 'conditional':
      return `(${bracketed(e.condition)} ? ${bracketed(e.then)} : ${bracketed(e.otherwise)})`;
    default:
      return printExpression(e);
  }
}

describe('operators bind', () => {
  it.each([
    ['a + b * c', '(a + (b * c))'],
    ['a - b - c', '((a - b) - c)'],
    ['a * b / c % d', '(((a * b) / c) % d)'],
    ['a .* b * c', '((a .* b) * c)'],
    ['a * b %/% c', '(a * (b %/% c))'],
    ['a * b \\ c', '(a * (b \\ c))'],
    ['-a ^ b', '(-(a ^ b))'],
    ['a ^ b ^ c', '(a ^ (b ^ c))'],
    ['a ^ -b', '(a ^ (-b))'],
    ['a ^ -b ^ c', '(a ^ (-(b ^ c)))'],
    ['a ^ -b * c', '((a ^ (-b)) * c)'],
    ['-a * b', '((-a) * b)'],
    ['-a \\ b', '((-a) \\ b)'],
    ['!a == b', '((!a) == b)'],
    ['a == b < c', '(a == (b < c))'],
    ['a < b + c', '(a < (b + c))'],
    ['a || b && c', '(a || (b && c))'],
    ["a * b'", "(a * (b'))"],
    ["-a'", "(-(a'))"],
    ["a ^ b'", "(a ^ (b'))"],
    ["a''", "((a')')"],
    ['a ? b : c ? d : e', '(a ? b : (c ? d : e))'],
    ['a ? b ? c : d : e', '(a ? (b ? c : d) : e)'],
    ['a || b ? c : d', '((a || b) ? c : d)'],
    ['(a + b) * c', '((a + b) * c)'],
    ['a .^ b ./ c', '((a .^ b) ./ c)'],
    ['1 .* x', '(1 .* x)'],
    ['- - a', '(-(-a))'],
  ])('%s', (text, expected) => {
    expect(bracketed(parseExpression(text))).toBe(expected);
  });
});

describe('indexes and calls', () => {
  it.each([
    'x[1, 2][3]',
    'x[1:n]',
    'x[n:]',
    'x[:n]',
    'x[]',
    'x[:, 2]',
    'x[a ? b : c]',
    'normal_lpdf(y | mu, sigma)',
    'f()',
    '{1, {2}}',
    '[[1, 2], [3, 4]]',
    'target()',
    "(a + b)'",
    '(a ? b : c) + d',
    '(-a)^b',
    '1.0 + 0.5',
  ])('%s is printed unchanged', (text) => {
    expect(printExpression(parseExpression(text))).toBe(text);
  });

  it('keep their spans', () => {
    const call = parseExpression('f(x) + 1');
    expect(call.span).toEqual({ file: 0, start: 18, end: 26 });
    const grouped = parseExpression('(a + b) * c');
    expect(grouped.span).toEqual({ file: 0, start: 18, end: 29 });
  });
});

describe('printing', () => {
  const span = { file: 0, start: 0, end: 0 };
  const leaf = fc.constantFrom<Expression>(
    { kind: 'variable', name: 'x', span },
    { kind: 'int', value: 3, span },
    { kind: 'real', value: 0.5, span },
    { kind: 'target', span },
  );
  const tree = fc.letrec<{ e: Expression }>((tie) => ({
    e: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      leaf,
      fc.record({
        kind: fc.constant('binary' as const),
        operator: fc.constantFrom(...(Object.keys(infixOperators) as '+'[])),
        left: tie('e'),
        right: tie('e'),
        span: fc.constant(span),
      }),
      fc.record({
        kind: fc.constant('unary' as const),
        operator: fc.constantFrom('-' as const, '+' as const, '!' as const),
        operand: tie('e'),
        span: fc.constant(span),
      }),
      fc.record({
        kind: fc.constant('postfix' as const),
        operator: fc.constant("'" as const),
        operand: tie('e'),
        span: fc.constant(span),
      }),
      fc.record({
        kind: fc.constant('conditional' as const),
        condition: tie('e'),
        // oxlint-disable-next-line unicorn/no-thenable
        then: tie('e'),
        otherwise: tie('e'),
        span: fc.constant(span),
      }),
    ),
  })).e;

  it('is inverted by parsing, for any tree', () => {
    fc.assert(
      fc.property(tree, (expression) => {
        const text = printExpression(expression);
        expect(bracketed(parseExpression(text))).toBe(bracketed(expression));
      }),
      { seed: 11, numRuns: 500 },
    );
  });
});
