/** `y ~ distribution(…) T[L, U]` as increments of the log density. */
import type { Expression, Tilde } from '../syntax/ast.ts';
import { isLaplace } from '../types/signatures/laplace.ts';
import type { IrExpression, IrStatement } from './ir.ts';
import { intType, isScalar, realType } from './kinds.ts';
import { lowerOperation } from './lower-call.ts';
import { truncateElements } from './lower-container-truncation.ts';
import { lowerDensity, lowerExpression } from './lower-expression.ts';
import { lowerLaplace } from './lower-laplace.ts';
import { lowerParts, lowerPartsAs } from './lower-tuples.ts';
import { InternalCompilerError, type LoweringScope } from './scope.ts';

export function lowerTilde(scope: LoweringScope, tilde: Tilde): IrStatement[] {
  const location = scope.locate(tilde.span);
  const { density: found, truncation } = tilde;
  if (!found) throw new InternalCompilerError('a distribution unresolved', tilde.span);
  if ('library' in found && isLaplace(found.library.name)) {
    const args = [tilde.variate, ...tilde.arguments];
    const value = lowerLaplace(scope, found.library.name, args, realType);
    return [{ op: 'increment', value, sign: 1, location }];
  }
  const wanted = 'user' in found ? found.user.arguments : [];
  const lower = (argument: Expression, i: number) =>
    wanted[i] ? lowerPartsAs(scope, argument, wanted[i].type) : lowerParts(scope, argument);
  const variates = lower(tilde.variate, 0);
  const [variate] = variates;
  const parameters = tilde.arguments.flatMap((argument, i) => lower(argument, i + 1));
  const density = lowerDensity(scope, found, [...variates, ...parameters]);
  const increment: IrStatement = { op: 'increment', value: density, sign: 1, location };
  if (!truncation) return [increment];
  const bound = (given: Expression | null) => given && lowerExpression(scope, given);
  const from = bound(truncation.lower);
  const upper = bound(truncation.upper);
  // the variate of a continuous distribution may also be an int
  const { name } = 'user' in found ? found.user.name : found.library;
  const isDiscrete = name.endsWith('_lpmf');
  if (!isScalar(variate.type)) {
    const loop = truncateElements(scope, {
      variate,
      parameters,
      location,
      supportOf: (element) => supportOf(element, from, upper),
      massOf: (own) => new Tails(scope, tilde, own).massBetween(from, upper, isDiscrete),
    });
    // the density checks the sizes first
    return [increment, ...loop];
  }
  const tails = new Tails(scope, tilde, parameters);
  const value = tails.massBetween(from, upper, isDiscrete);
  return [
    ...supportOf(variate, from, upper).map(
      (condition): IrStatement => ({ op: 'support', condition, location }),
    ),
    increment,
    ...(value ? [{ op: 'increment', value, sign: -1, location } as const] : []),
  ];
}

/** Outside the bounds the density is 0. */
function supportOf(
  variate: IrExpression,
  lower: IrExpression | null,
  upper: IrExpression | null,
): IrExpression[] {
  const conditions: IrExpression[] = [];
  const add = (operator: '>=' | '<=', right: IrExpression | null) => {
    if (right) conditions.push({ op: 'compare', operator, left: variate, right, type: intType });
  };
  add('>=', lower);
  add('<=', upper);
  return conditions;
}

/** The log probability that a truncation keeps (Stan reference manual, "Truncated distributions"). */
class Tails {
  constructor(
    private readonly scope: LoweringScope,
    private readonly tilde: Tilde,
    private readonly parameters: readonly IrExpression[],
  ) {}

  /** `discrete`: the lower bound itself is kept, so the tail starts one below. */
  massBetween(
    lower: IrExpression | null,
    upper: IrExpression | null,
    discrete: boolean,
  ): IrExpression | null {
    const one: IrExpression = { op: 'int', value: 1, type: intType };
    const below = lower && discrete ? lowerOperation('subtract', [lower, one], lower.type) : lower;
    if (below && upper) {
      const both = [this.tail('lcdf', upper), this.tail('lcdf', below)];
      return lowerOperation('log_diff_exp', both, realType);
    }
    if (below) return this.tail('lccdf', below);
    return upper ? this.tail('lcdf', upper) : null;
  }

  private tail(suffix: 'lcdf' | 'lccdf', at: IrExpression): IrExpression {
    const { distribution, tails } = this.tilde;
    const own = tails?.[suffix];
    if (!own) {
      const name = `${distribution.name}_${suffix}`;
      return lowerOperation(name, [at, ...this.parameters], realType);
    }
    // its arguments may have other types than those of the density
    const wanted = own.arguments.slice(1).map(({ type }) => type);
    const rest = this.tilde.arguments.flatMap((e, i) => lowerPartsAs(this.scope, e, wanted[i]));
    return {
      op: 'user',
      function: this.scope.function(own),
      arguments: [at, ...rest],
      propto: false,
      type: realType,
    };
  }
}
