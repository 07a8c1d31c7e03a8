/** Binding powers of operators, from the reference manual's table (there the tightest is 0). Higher binds tighter. */
import type { BinaryOperator } from './ast.ts';

export interface InfixOperator {
  readonly power: number;
  readonly rightAssociative: boolean;
}

const left = (power: number): InfixOperator => ({ power, rightAssociative: false });
const right = (power: number): InfixOperator => ({ power, rightAssociative: true });

export const infixOperators: Readonly<Record<BinaryOperator, InfixOperator>> = {
  '||': left(2),
  '&&': left(3),
  '==': left(4),
  '!=': left(4),
  '<': left(5),
  '<=': left(5),
  '>': left(5),
  '>=': left(5),
  '+': left(6),
  '-': left(6),
  '*': left(7),
  '/': left(7),
  '%': left(7),
  '.*': left(7),
  './': left(7),
  '\\': left(8),
  '%/%': left(8),
  '^': right(10),
  '.^': right(10),
};

export const conditionalPower = 1;
/** Bounds of a constraint contain no comparisons, so that `>` ends them. */
export const boundPower = 6;
export const prefixPower = 9;
export const postfixPower = 11;

export const infixByText: ReadonlyMap<string, InfixOperator> = new Map(
  Object.entries(infixOperators),
);

export const assignmentOperators: ReadonlySet<string> = new Set([
  '=',
  '+=',
  '-=',
  '*=',
  '/=',
  '.*=',
  './=',
]);
