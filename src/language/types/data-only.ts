/** Which expressions do not depend on parameters. */
import type { Expression } from '../syntax/ast.ts';
import { everyNode } from '../syntax/walk.ts';
import type { Binding, CheckContext } from './scope.ts';
import { everyPart } from './stan-type.ts';

/** Whether an expression, checked before, is free of parameters. Ints are, whatever they come from. */
export function isDataOnly(context: CheckContext, expression: Expression): boolean {
  const { type } = expression;
  if (type && everyPart(type, ({ base }) => base === 'int' || base === 'error')) return true;
  // Generated quantities are computed from values, not differentiated.
  if (context.place.block === 'generated quantities') return true;
  if (expression.kind === 'tuple' || expression.kind === 'array') {
    return expression.elements.every((element) => isDataOnly(context, element));
  }
  return (
    everyVariable(context, expression, (binding) => binding.dataOnly) && !readsTarget(expression)
  );
}

/** Whether a size is settled before any draw: made of data, transformed data and constants, without random numbers. */
export function isFixedByData(context: CheckContext, expression: Expression): boolean {
  const fixed = (binding: Binding): boolean =>
    binding.origin === 'data' || binding.origin === 'transformed data';
  return everyVariable(context, expression, fixed) && !drawsRandomly(expression);
}

function everyVariable(
  context: CheckContext,
  expression: Expression,
  test: (binding: Binding) => boolean,
): boolean {
  return everyNode(expression, (node) => {
    if (node.kind !== 'variable' || !node.declaration) return true;
    const binding = context.bindingOf(node.declaration);
    return !binding || test(binding);
  });
}

function readsTarget(expression: Expression): boolean {
  return !everyNode(expression, (node) => node.kind !== 'target');
}

function drawsRandomly(expression: Expression): boolean {
  return !everyNode(expression, (node) => node.kind !== 'call' || !node.name.name.endsWith('_rng'));
}
