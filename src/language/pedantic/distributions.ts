/** Distributions whose variate or arguments are not what they must be, or should be. */
import type { Diagnostic } from '../diagnostics.ts';
import type { Declaration, Expression, Program } from '../syntax/ast.ts';
import { printExpression } from '../syntax/printer.ts';
import { supportAt } from './argument-supports.ts';
import { allowsOther, declaredBounds, isOutside, numberOf } from './declared-bounds.ts';
import * as problems from './pedantic-problems.ts';
import { type DensityTerm, libraryDensities } from './terms.ts';

export function checkDensities(program: Program): Diagnostic[] {
  return libraryDensities(program).flatMap((term) => [
    ...term.operands.flatMap((operand, place) => checkOperand(term, operand, place)),
    ...checkChoice(term),
  ]);
}

function parameterNamed(expression: Expression): Declaration | null {
  if (expression.kind !== 'variable' || !expression.declaration) return null;
  const { declaration } = expression;
  return 'origin' in declaration && declaration.origin === 'parameters' ? declaration : null;
}

function checkOperand(term: DensityTerm, operand: Expression, place: number): Diagnostic[] {
  const found: Diagnostic[] = [];
  const support = supportAt(term.distribution, place);
  const parameter = parameterNamed(operand);
  const value = numberOf(operand);
  if (support) {
    const { wanted } = support;
    const { distribution } = term;
    if (parameter && allowsOther(parameter, support)) {
      const { name } = parameter.name;
      found.push(problems.boundsMissing(operand.span, { name, distribution, wanted }));
    }
    if (value !== null && isOutside(value, support)) {
      const name = printExpression(operand);
      found.push(problems.outOfSupport(operand.span, { name, distribution, wanted }));
    }
  }
  if (value !== null && value !== 0 && (Math.abs(value) < 0.1 || Math.abs(value) > 10)) {
    found.push(problems.unscaledConstant(operand.span, printExpression(operand)));
  }
  return found;
}

function checkChoice(term: DensityTerm): Diagnostic[] {
  const [variate, first, second] = term.operands;
  switch (term.distribution) {
    case 'lkj_corr':
      return [problems.lkjCorr(term.span)];
    case 'gamma':
    case 'inv_gamma': {
      const shape = first && numberOf(first);
      const isVague =
        typeof shape === 'number' && second && shape === numberOf(second) && shape < 1;
      return isVague ? [problems.vagueGamma(term.span, term.distribution)] : [];
    }
    case 'uniform': {
      const parameter = parameterNamed(variate);
      if (!parameter || !first || !second) return [];
      return fitsBounds(parameter, numberOf(first), numberOf(second))
        ? []
        : [problems.uniformPrior(term.span, parameter.name.name)];
    }
    default:
      return [];
  }
}

/** Whether the declared bounds are those of the distribution, as far as both are known. */
function fitsBounds(parameter: Declaration, low: number | null, high: number | null): boolean {
  const { lower, upper } = declaredBounds(parameter);
  if (lower === 'none' || upper === 'none') return false;
  const isOther = (bound: number | 'unknown', limit: number | null): boolean =>
    bound !== 'unknown' && limit !== null && bound !== limit;
  return !isOther(lower, low) && !isOther(upper, high);
}
