/** Calls of the embedded Laplace approximation: the user's functions, and their arguments extracted from the tuples. */
import type { Expression, FunctionArgument, FunctionDefinition } from '../syntax/ast.ts';
import { leadingArguments, outcomeTypes } from '../types/signatures/laplace.ts';
import { type StanType, tupleOf } from '../types/stan-type.ts';
import type { IrExpression } from './ir.ts';
import { intType, realType } from './kinds.ts';
import { densityName, lowerOperation } from './lower-call.ts';
import { lowerExpression } from './lower-expression.ts';
import { lowerParts, lowerPartsAs } from './lower-tuples.ts';
import { InternalCompilerError, type LoweringScope } from './scope.ts';

/** With the `type` of the result; `laplace_latent_solve` is one function for each of its members. */
export function lowerLaplace(
  scope: LoweringScope,
  name: string,
  args: readonly Expression[],
  type: StanType,
): IrExpression {
  const leading = leadingArguments(name);
  const [size, covarianceName, tuple, ...options] = args.slice(leading);
  const likelihood = outcomeTypes(name) === null ? callableOf(args[0]) : null;
  const covariance = callableOf(covarianceName);
  const likelihoodArgs = likelihood
    ? handedParts(scope, args[1], likelihood.arguments.slice(1))
    : args.slice(0, leading).flatMap((argument) => lowerParts(scope, argument));
  const covarianceArgs = handedParts(scope, tuple, covariance.arguments);
  return {
    op: 'higher-order',
    name: densityName(name).name,
    function: scope.function(covariance),
    laplace: {
      likelihood: likelihood && scope.function(likelihood),
      numLikelihood: likelihoodArgs.length,
      numCovariance: covarianceArgs.length,
    },
    arguments: [
      ...likelihoodArgs,
      lowerExpression(scope, size),
      ...covarianceArgs,
      ...options.flatMap((argument) => lowerParts(scope, argument)),
    ],
    type,
  };
}

/** The members of a tuple as the function accepts them: real ones may have to be complex. */
function handedParts(
  scope: LoweringScope,
  tuple: Expression,
  wanted: readonly FunctionArgument[],
): readonly IrExpression[] {
  return lowerPartsAs(scope, tuple, tupleOf(wanted.map(({ type }) => type)));
}

function callableOf(name: Expression): FunctionDefinition {
  const callable = name.kind === 'variable' ? name.callable : undefined;
  if (!callable) throw new InternalCompilerError('a call without a function', name.span);
  return callable;
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
