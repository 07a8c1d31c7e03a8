/** `y ~ distribution(…) T[L, U]` as increments of the log density. */
import type { Expression, Tilde } from '../syntax/ast.ts';
import { isLaplace } from '../types/signatures/laplace.ts';
import type { IrExpression, IrStatement } from './ir.ts';
import { intType, isScalar, realType } from './kinds.ts';
import { lowerOperation } from './lower-call.ts';
import { truncateElements } from './lower-container-truncation.ts';
import { lowerDensity, lowerExpression, scalarOperation } from './lower-expression.ts';
import { lowerLaplace } from './lower-laplace.ts';
import { lowerParts, lowerPartsAs } from './lower-tuples.ts';
import { InternalCompilerError, type LoweringScope } from './scope.ts';

export function lowerTilde(scope: LoweringScope, tilde: Tilde): IrStatement[] {
  const location = scope.locate(tilde.span);
  if (tilde.density && 'library' in tilde.density && isLaplace(tilde.density.library.name)) {
    const args = [tilde.variate, ...tilde.arguments];
    const value = lowerLaplace(scope, tilde.density.library.name, args, realType);
    return [{ op: 'increment', value, sign: 1, location }];
  }
  if (!tilde.density) throw new InternalCompilerError('a distribution unresolved', tilde.span);
  const wanted = 'user' in tilde.density ? tilde.density.user.arguments : [];
  const lower = (argument: Expression, i: number) =>
    wanted[i] ? lowerPartsAs(scope, argument, wanted[i].type) : lowerParts(scope, argument);
  const variates = lower(tilde.variate, 0);
  const [variate] = variates;
  const parameters = tilde.arguments.flatMap((argument, i) => lower(argument, i + 1));
  const density = lowerDensity(scope, tilde.density, [...variates, ...parameters]);
  const increment: IrStatement = { op: 'increment', value: density, sign: 1, location };
  if (!tilde.truncation) return [increment];
  const bound = (side: 'lower' | 'upper') => {
    const given = tilde.truncation?.[side];
    return given ? lowerExpression(scope, given) : null;
  };
  const from = bound('lower');
  const upper = bound('upper');
  const tail = new Tails(scope, tilde, parameters);
  const isDiscrete = variate.type.base === 'int';
  if (!isScalar(variate.type)) {
    const loop = truncateElements(scope, {
      variate,
      parameters,
      location,
      supportOf: (element) => supportOf(element, from, upper),
      massOf: (own) => new Tails(scope, tilde, own).massBetween(from, upper, isDiscrete),
    });
    // the density looks at the sizes first
    return [increment, ...loop];
  }
  const value = tail.massBetween(from, upper, isDiscrete);
  return [
    ...supportOf(variate, from, upper).map(
      (condition): IrStatement => ({ op: 'support', condition, location }),
    ),
    increment,
    ...(value ? [{ op: 'increment', value, sign: -1, location } as const] : []),
  ];
}

/** Outside of the bounds the density is 0. */
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
    const below = lower && discrete ? scalarOperation('subtract', lower, one) : lower;
    if (below && upper) {
      const both = [this.tail('lcdf', upper), this.tail('lcdf', below)];
      return lowerOperation('log_diff_exp', both, realType);
    }
    if (below) return this.tail('lccdf', below);
    return upper ? this.tail('lcdf', upper) : null;
  }

  private tail(suffix: 'lcdf' | 'lccdf', at: IrExpression): IrExpression {
    const name = `${this.tilde.distribution.name}_${suffix}`;
    const args = [at, ...this.parameters];
    if (this.tilde.density && 'user' in this.tilde.density) {
      const found = this.scope.findFunction(name, args.length);
      if (!found) throw new InternalCompilerError(`no \`${name}\` to truncate`, this.tilde.span);
      return { op: 'user', function: found, arguments: args, propto: false, type: realType };
    }
    return lowerOperation(name, args, realType);
  }
}
