/** The parts that density forms are written with. */
import type { InlineFunction } from '../emit/derivatives.ts';
import type { NodeBuilder } from './build-node.ts';
import type { Guard, Node } from './node.ts';

/** `drop`: text of whether terms without active operands are dropped. */
export type DensityForm = (b: NodeBuilder, operands: readonly Node[], drop: string) => Node;

export const isNumber = (x: string) => `${x} === ${x}`;
export const isFinite = (x: string) => `Math.abs(${x}) < Infinity`;
export const isPositive = (x: string) => `${x} > 0`;
export const isPositiveFinite = (x: string) => `${x} > 0 && ${x} < Infinity`;
export const isNonnegative = (x: string) => `${x} >= 0`;
export const isUnit = (x: string) => `${x} >= 0 && ${x} <= 1`;
export const isBinary = (x: string) => `(${x} === 0 || ${x} === 1)`;

/** `term` unless dropped: a term of the operands `of`. */
type Kept = (of: readonly Node[], term: Node) => Node;

/** A form of the density of this name in the library. */
export type GuardedForm = (density: string) => DensityForm;

/**
 * A form whose first operand throws the library's error outside the domain before anything else is computed from it.
 * `requirements`: what each operand must be, or all of them together.
 */
export function guarded(
  requirements: readonly ((x: string) => string)[] | Guard['holds'],
  form: (b: NodeBuilder, operands: readonly Node[], kept: Kept) => Node,
): GuardedForm {
  const holds =
    typeof requirements === 'function'
      ? requirements
      : (...x: string[]) => requirements.map((meets, k) => meets(x[k])).join(' && ');
  return (density) => (b, operands, drop) => {
    const [first, ...others] = operands;
    const checked = b.operation(identity, [first], { density, operands, holds });
    return form(b, [checked, ...others], keeper(b, drop));
  };
}

const identity = { value: (x: string) => x, partials: [() => '1'] };

const keeper =
  (b: NodeBuilder, drop: string): Kept =>
  (of, term) => {
    const isKept = drop === 'false' || of.some((operand) => operand.active);
    if (isKept || (term.kind === 'literal' && term.value === 0)) return term;
    return b.choice(b.plain(`(${drop} ? 1 : 0)`), b.number(0), term);
  };

/** (y − mu)/sigma. */
export function standardised(b: NodeBuilder, y: Node, mu: Node, sigma: Node): Node {
  return b.call('multiply', b.call('subtract', y, mu), b.call('inv', sigma));
}

export const isNegative: InlineFunction = { value: (x) => `(${x} < 0 ? 1 : 0)`, partials: [] };

export const timesUnlessZero = (x: string, y: string) =>
  Number(x) > 0 ? `${x} * ${y}` : `(${x} === 0 ? 0 : ${x} * ${y})`;

/** k l, which is 0 at k = 0 whatever l is. */
export const timesOrZero: InlineFunction = {
  value: timesUnlessZero,
  partials: [(_, _k, l) => l, (_, k) => k],
};
