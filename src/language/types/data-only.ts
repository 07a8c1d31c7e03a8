/** Which expressions do not depend on parameters. */
import type { Expression } from '../syntax/ast.ts';
import { everyNode } from '../syntax/walk.ts';
import type { Binding, CheckContext } from './scope.ts';
import { everyPart } from './stan-type.ts';

/**
 * Whether an expression, already checked, is free of parameters. Ints are, whatever they were computed from, unless an
 * expression chooses them by comparing parameters.
 */
export function isDataOnly(context: CheckContext, expression: Expression): boolean {
  const { type } = expression;
  // Generated quantities are computed from values, not differentiated.
  if (context.place.block === 'generated quantities') return true;
  if (type && everyPart(type, ({ base }) => base === 'int' || base === 'error'))
    return isChosenByData(context, expression);
  if (expression.kind === 'tuple' || expression.kind === 'array') {
    return expression.elements.every((element) => isDataOnly(context, element));
  }
  return (
    everyVariable(context, expression, (binding) => binding.dataOnly) && !readsTarget(expression)
  );
}

function isChosenByData(context: CheckContext, expression: Expression): boolean {
  const isData = (e: Expression) => isChosenByData(context, e);
  switch (expression.kind) {
    case 'variable': {
      const binding = expression.declaration && context.bindingOf(expression.declaration);
      if (!binding || binding.dataOnly) return true;
      return everyPart(binding.type, ({ base }) => base === 'int' || base === 'error');
    }
    case 'conditional':
      return [expression.condition, expression.then, expression.otherwise].every(isData);
    case 'binary':
      return isData(expression.left) && isData(expression.right);
    case 'unary':
      return isData(expression.operand);
    case 'tuple':
    case 'array':
      return expression.elements.every(isData);
    default:
      // sizes and other functions that give ints, and elements of arrays of ints
      return true;
  }
}

/** Whether a size is known before any draw: from data, transformed data and constants, without random numbers. */
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
