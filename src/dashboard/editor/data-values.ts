/** Sizes and bounds of declarations, computed from data: only the arithmetic that occurs in them. */

import type { Expression } from '../../language/syntax/ast.ts';
import { ownValue } from '../../shared/items.ts';

/** Entries of the data by name, as parsed. */
export type Known = Map<string, unknown>;

/** A number, a nested list, or undefined when it cannot be known before the run. */
export function evaluate(expression: Expression, known: Known): unknown {
  switch (expression.kind) {
    case 'int':
    case 'real':
      return expression.value;
    case 'variable':
      return known.get(expression.name);
    case 'unary': {
      const value = evaluate(expression.operand, known);
      if (typeof value !== 'number' || expression.operator === '!') return undefined;
      return expression.operator === '-' ? -value : value;
    }
    case 'binary': {
      const [left, right] = [evaluate(expression.left, known), evaluate(expression.right, known)];
      if (typeof left !== 'number' || typeof right !== 'number') return undefined;
      const isInt = expression.left.type?.base === 'int' && expression.right.type?.base === 'int';
      return operate(expression.operator, left, right, isInt);
    }
    case 'conditional': {
      const condition = evaluate(expression.condition, known);
      if (typeof condition !== 'number') return undefined;
      return evaluate(condition !== 0 ? expression.then : expression.otherwise, known);
    }
    case 'index': {
      let value = evaluate(expression.base, known);
      for (const item of expression.indexes) {
        const index = item.kind === 'single' ? evaluate(item.expression, known) : undefined;
        if (typeof index !== 'number' || !Array.isArray(value)) return undefined;
        value = value[index - 1];
      }
      return value;
    }
    case 'member': {
      const tuple = evaluate(expression.base, known);
      return isMembers(tuple) ? ownValue(tuple, String(expression.position)) : undefined;
    }
    case 'call':
      return call(
        expression.name.name,
        expression.arguments.map((argument) => evaluate(argument, known)),
      );
    default:
      return undefined;
  }
}

/** A tuple in data: an object whose keys are positions. */
export function isMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function operate(operator: string, a: number, b: number, isInt: boolean): number | undefined {
  switch (operator) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      return isInt ? Math.trunc(a / b) : a / b;
    case '%/%':
      return Math.trunc(a / b);
    case '%':
      return a % b;
    case '^':
      return a ** b;
    case '>':
      return Number(a > b);
    case '>=':
      return Number(a >= b);
    case '<':
      return Number(a < b);
    case '<=':
      return Number(a <= b);
    case '==':
      return Number(a === b);
    case '!=':
      return Number(a !== b);
    case '&&':
      return Number(a !== 0 && b !== 0);
    case '||':
      return Number(a !== 0 || b !== 0);
    default:
      return undefined;
  }
}

function call(name: string, values: readonly unknown[]): unknown {
  const [first] = values;
  if (Array.isArray(first)) {
    const flat: unknown[] = first.flat(Number.POSITIVE_INFINITY);
    if (name === 'size' || name === 'rows') return first.length;
    if (name === 'cols') return Array.isArray(first[0]) ? first[0].length : undefined;
    if (name === 'num_elements') return flat.length;
    if (!flat.every((value) => typeof value === 'number')) return undefined;
    if (name === 'sum') return flat.reduce((total, value) => total + value, 0);
    if (name === 'max') return flat.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
    if (name === 'min') return flat.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
    return undefined;
  }
  if (!values.every((value) => typeof value === 'number')) return undefined;
  const functions: Readonly<Record<string, (...x: number[]) => number>> = {
    max: Math.max,
    min: Math.min,
    abs: Math.abs,
    sqrt: Math.sqrt,
    square: (x) => x * x,
    pow: (x, y) => x ** y,
    exp: Math.exp,
    log: Math.log,
    pi: () => Math.PI,
    machine_precision: () => Number.EPSILON,
    positive_infinity: () => Number.POSITIVE_INFINITY,
    negative_infinity: () => Number.NEGATIVE_INFINITY,
    choose: (n, k) => choose(n, k),
  };
  return ownValue(functions, name)?.(...values);
}

function choose(n: number, k: number): number {
  let result = 1;
  for (let i = 1; i <= k; i++) result = (result * (n - k + i)) / i;
  return Math.round(result);
}

/** A bound of an entry: the same for all, or one for each. Null: not known. */
export function numberAt(bound: unknown, indexes: readonly number[]): number | null {
  let value = bound;
  for (const index of indexes) if (Array.isArray(value)) value = value[index - 1];
  return typeof value === 'number' ? value : null;
}
