/** Expressions and types back to text, with as few brackets as the operator table allows. */
import { assertNever } from '../../shared/assert-never.ts';
import type { StanType } from '../types/stan-type.ts';
import type { Expression, IndexItem } from './ast.ts';
import {
  boundPower,
  conditionalPower,
  infixOperators,
  postfixPower,
  prefixPower,
} from './operators.ts';

export function printExpression(expression: Expression): string {
  return print(expression, 0);
}

/** A bound of a constraint: comparisons in it need brackets, since `>` ends the constraint. */
export function printBound(expression: Expression): string {
  return print(expression, boundPower);
}

/** `minPower`: what the surroundings bind with; a looser expression is put in brackets. */
function print(expression: Expression, minPower: number): string {
  switch (expression.kind) {
    case 'int':
    case 'real':
      return printNumber(expression);
    case 'imaginary':
      return `${expression.value}i`;
    case 'string':
      return `"${expression.value}"`;
    case 'variable':
      return expression.name;
    case 'unary': {
      const operand = print(expression.operand, prefixPower);
      return bracket(`${expression.operator}${operand}`, prefixPower < minPower);
    }
    case 'postfix':
      return `${print(expression.operand, postfixPower)}'`;
    case 'binary': {
      const { power, rightAssociative } = infixOperators[expression.operator];
      const left = print(expression.left, rightAssociative ? power + 1 : power);
      const right = printRightOperand(expression.right, rightAssociative ? power : power + 1);
      // `3.^x` would be read as `3.` and `^`.
      const space = expression.operator === '^' ? '' : ' ';
      const text = `${left}${space}${expression.operator}${space}${right}`;
      return bracket(text, power < minPower);
    }
    case 'conditional': {
      const condition = print(expression.condition, conditionalPower + 1);
      const then = print(expression.then, 0);
      const otherwise = print(expression.otherwise, conditionalPower);
      return bracket(`${condition} ? ${then} : ${otherwise}`, conditionalPower < minPower);
    }
    case 'call':
      return `${expression.name.name}(${printArguments(expression.arguments, expression.bar)})`;
    case 'index':
      return `${print(expression.base, postfixPower)}[${printIndexes(expression.indexes)}]`;
    case 'array':
      return `{${printArguments(expression.elements)}}`;
    case 'row-vector':
      return `[${printArguments(expression.elements)}]`;
    case 'tuple':
      return `(${printArguments(expression.elements)}${expression.elements.length === 1 ? ',' : ''})`;
    case 'member':
      return `${printMemberBase(expression.base)}.${expression.position}`;
    case 'target':
      return 'target()';
    case 'error':
      return '…';
    default:
      return assertNever(expression, 'expression');
  }
}

/** A number before `.1` would be read as one number. */
function printMemberBase(base: Expression): string {
  const text = print(base, postfixPower);
  return base.kind === 'int' || base.kind === 'real' ? `(${text})` : text;
}

/** A prefix operator binds by itself, so `2 ^ -1` needs no brackets although `-` is looser than `^`. */
function printRightOperand(expression: Expression, minPower: number): string {
  return print(
    expression,
    expression.kind === 'unary' ? Math.min(minPower, prefixPower) : minPower,
  );
}

function bracket(text: string, needed: boolean): string {
  return needed ? `(${text})` : text;
}

function printNumber(literal: { readonly kind: 'int' | 'real'; readonly value: number }): string {
  const text = String(literal.value);
  const looksReal = /[.eI]/.test(text);
  return literal.kind === 'real' && !looksReal ? `${text}.0` : text;
}

function printArguments(expressions: readonly Expression[], bar = false): string {
  const [first, ...rest] = expressions.map((expression) => print(expression, 0));
  if (bar) return `${first} | ${rest.join(', ')}`;
  return [first, ...rest].filter((text) => text !== undefined).join(', ');
}

function printIndexes(indexes: readonly IndexItem[]): string {
  const texts = indexes.map((index) => {
    if (index.kind !== 'slice') return print(index.expression, 0);
    if (!index.from && !index.to) return indexes.length === 1 ? '' : ':';
    const from = index.from ? print(index.from, 0) : '';
    return `${from}:${index.to ? print(index.to, 0) : ''}`;
  });
  return texts.join(', ');
}

/** `array[,] real`, `tuple(real, vector)`. */
export function printType(type: StanType): string {
  if (type.base === 'error') return 'unknown';
  const base = type.members ? printTuple(type.members.map(printType)) : type.base;
  if (type.arrayDepth === 0) return base;
  return `array[${','.repeat(type.arrayDepth - 1)}] ${base}`;
}

/** `tuple(real, int)`, and `tuple(real,)` for one member. */
export function printTuple(members: readonly string[]): string {
  return `tuple(${members.join(', ')}${members.length === 1 ? ',' : ''})`;
}
