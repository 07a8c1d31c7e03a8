/** Calls of the embedded Laplace approximation: the user's functions, and their arguments taken out of the tuples. */
import type { Expression, FunctionDefinition } from '../syntax/ast.ts';
import { leadingArguments, outcomeTypes } from '../types/signatures/laplace.ts';
import type { StanType } from '../types/stan-type.ts';
import type { IrExpression, IrFunction } from './ir.ts';
import { intType, realType } from './kinds.ts';
import { densityName, lowerOperation } from './lower-call.ts';
import { lowerExpression } from './lower-expression.ts';
import { lowerParts } from './lower-tuples.ts';
import { InternalCompilerError, type LoweringScope } from './scope.ts';

/** With `type` of the result; `laplace_latent_solve` is one function for each member of it. */
export function lowerLaplace(
  scope: LoweringScope,
  name: string,
  args: readonly Expression[],
  type: StanType,
): IrExpression {
  const leading = leadingArguments(name);
  const isOwn = outcomeTypes(name) === null;
  const front = args.slice(isOwn ? 1 : 0, leading);
  const [, covariance, tuple, ...options] = args.slice(leading);
  const likelihoodArgs = front.flatMap((argument) => lowerParts(scope, argument));
  const covarianceArgs = lowerParts(scope, tuple);
  return {
    op: 'higher-order',
    name: densityName(name).name,
    function: functionOf(scope, covariance),
    laplace: {
      likelihood: isOwn ? functionOf(scope, args[0]) : null,
      numLikelihood: likelihoodArgs.length,
      numCovariance: covarianceArgs.length,
    },
    arguments: [
      ...likelihoodArgs,
      lowerExpression(scope, args[leading]),
      ...covarianceArgs,
      ...options.flatMap((argument) => lowerParts(scope, argument)),
    ],
    type,
  };
}

function functionOf(scope: LoweringScope, name: Expression): IrFunction {
  const callable: FunctionDefinition | undefined =
    name.kind === 'variable' ? name.callable : undefined;
  if (!callable) throw new InternalCompilerError('a call without a function', name.span);
  return scope.function(callable);
}

/** Mean and Cholesky factor of the approximate posterior. */
export function latentSolutionParts(
  scope: LoweringScope,
  name: string,
  args: readonly Expression[],
): readonly IrExpression[] {
  const whole = (member: string, base: 'vector' | 'matrix') => ({
    ...lowerLaplace(scope, name, args, { base, arrayDepth: 0 }),
    name: member,
  });
  return [
    whole('$laplace_latent_mean', 'vector'),
    whole('$laplace_latent_factor', 'matrix'),
  ] as IrExpression[];
}

/** Stan's default options for a theta of this size, or with this initial value. */
export function laplaceOptionParts(scope: LoweringScope, argument: Expression): IrExpression[] {
  const given = lowerExpression(scope, argument);
  const vector: StanType = { base: 'vector', arrayDepth: 0 };
  const zero: IrExpression = { op: 'real', value: 0, type: realType };
  const initial =
    given.type.base === 'int' ? lowerOperation('rep_vector', [zero, given], vector) : given;
  const int = (value: number): IrExpression => ({ op: 'int', value, type: intType });
  const tolerance: IrExpression = { op: 'real', value: Math.sqrt(Number.EPSILON), type: realType };
  return [initial, tolerance, int(500), int(1), int(1000), int(1)];
}
