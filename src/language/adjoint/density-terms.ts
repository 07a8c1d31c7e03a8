/** The parts that density forms are written with. */
import type { InlineFunction } from '../emit/derivatives.ts';
import type { NodeBuilder } from './build-node.ts';
import type { Guard, Node } from './node.ts';

/** `drop`: text of whether terms without active operands are dropped. */
export type DensityForm = (b: NodeBuilder, operands: readonly Node[], drop: string) => Node;

export const isFinite = (x: string) => `Math.abs(${x}) < Infinity`;
export const isPositiveFinite = (x: string) => `${x} > 0 && ${x} < Infinity`;

/** The operand, which throws the library's error outside the domain before anything else is computed from it. */
export function guarded(b: NodeBuilder, node: Node, guard: Guard): Node {
  return b.operation(identity, [node], guard);
}

const identity = { value: (x: string) => x, partials: [() => '1'] };

/** `term` unless dropped: a term of the operands `of`. */
export function included(
  b: NodeBuilder,
  drop: string,
  of: readonly Node[],
  term: () => Node,
): Node {
  const isKept = drop === 'false' || of.some((operand) => operand.active);
  const node = term();
  if (isKept || (node.kind === 'literal' && node.value === 0)) return node;
  return b.choice(b.plain(`(${drop} ? 1 : 0)`), b.number(0), node);
}

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
