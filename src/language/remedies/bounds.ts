/** Parameters that the model restricts to part of the line, without the bounds that say so. */
import type { CheckResult } from '../check.ts';
import type { Declaration, Expression } from '../syntax/ast.ts';
import { printBound, printExpression } from '../syntax/printer.ts';
import { namesIn } from '../syntax/walk.ts';
import { constrainDeclaration } from './declaration-edit.ts';
import {
  coveringLoops,
  declarationOf,
  densitiesOf,
  isOfData,
  lineOf,
  type Prior,
  parameterOf,
} from './priors.ts';
import type { Remedy } from './remedy.ts';

/** Arguments that must be positive, by place. */
const positiveArguments: Readonly<Record<string, readonly number[]>> = {
  normal: [1],
  student_t: [0, 2],
  cauchy: [1],
  double_exponential: [1],
  logistic: [1],
  gumbel: [1],
  lognormal: [1],
  skew_normal: [1],
  exponential: [0],
  gamma: [0, 1],
  inv_gamma: [0, 1],
  weibull: [0, 1],
  beta: [0, 1],
  chi_square: [0],
  neg_binomial: [0, 1],
  neg_binomial_2: [0, 1],
  neg_binomial_2_log: [1],
  beta_binomial: [1, 2],
};

const positiveVariate: ReadonlySet<string> = new Set([
  'lognormal',
  'exponential',
  'gamma',
  'inv_gamma',
  'weibull',
  'chi_square',
  'inv_chi_square',
  'scaled_inv_chi_square',
  'rayleigh',
]);

interface Support {
  readonly lower: string | null;
  readonly upper: string | null;
  readonly prior: Prior;
}

export function findMissingBounds(result: CheckResult): Remedy[] {
  const densities = densitiesOf(result.program).filter(({ isConditional }) => !isConditional);
  return result.program.parameters.flatMap((declaration) => {
    if (declaration.constraint.kind !== 'none') return [];
    const support = supportOf(declaration, densities);
    return (support && remedyOf(result, declaration, support)) ?? [];
  });
}

/** What the densities leave of the line; null when they allow all of it, or more is unknown. */
function supportOf(declaration: Declaration, densities: readonly Prior[]): Support | null {
  for (const prior of densities) {
    if (!isWhole(prior.variate, prior, declaration)) continue;
    const [lower, upper] = prior.arguments;
    if (prior.distribution === 'uniform' && isFixed(lower) && isFixed(upper))
      return { lower: printBound(lower), upper: printBound(upper), prior };
    if (prior.distribution === 'beta') return { lower: '0', upper: '1', prior };
    if (positiveVariate.has(prior.distribution)) return { lower: '0', upper: null, prior };
  }
  const found = densities.find((prior) =>
    (positiveArguments[prior.distribution] ?? []).some((place) => {
      const argument = prior.arguments[place];
      return argument !== undefined && isWhole(argument, prior, declaration);
    }),
  );
  return found === undefined ? null : { lower: '0', upper: null, prior: found };
}

/** The complete parameter, or all its elements in loops. */
function isWhole(expression: Expression, { loops }: Prior, declaration: Declaration): boolean {
  return (
    parameterOf(expression) === declaration &&
    coveringLoops(expression, loops, declaration) !== null
  );
}

/** Known before the run: a scalar of data and numbers only. */
function isFixed(expression: Expression | undefined): expression is Expression {
  if (expression?.type === undefined || expression.type.arrayDepth > 0) return false;
  const isScalar = expression.type.base === 'real' || expression.type.base === 'int';
  return isScalar && namesIn(expression).every((name) => isOfData(declarationOf(name)));
}

function remedyOf(
  result: CheckResult,
  declaration: Declaration,
  { lower, upper, prior }: Support,
): Remedy | null {
  const bounds = [lower === null ? '' : `lower=${lower}`, upper === null ? '' : `upper=${upper}`]
    .filter((bound) => bound !== '')
    .join(', ');
  const edit = constrainDeclaration(result, declaration, `<${bounds}>`);
  if (edit === null) return null;
  const { name } = declaration.name;
  const density = `${printExpression(prior.variate)} ~ ${prior.distribution}(…)`;
  return {
    kind: 'bounds',
    parameter: name,
    involved: [name],
    title: `Declare \`${name}\` with ${bounds}`,
    reason: `\`${density}\`${lineOf(result, prior, ' in ')} has no density outside of ${bounds}, but the declaration of \`${name}\` allows it: steps that leave the range are rejected or diverge. The posterior stays the same.`,
    ...edit,
  };
}
