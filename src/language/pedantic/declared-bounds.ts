/** Numbers and bounds that are known without data. */
import type { Declaration, Expression } from '../syntax/ast.ts';
import type { Support } from './argument-supports.ts';

export type Bound = number | 'none' | 'unknown';

/** The value of a literal with its signs; null if unknown. */
export function numberOf(expression: Expression): number | null {
  if (expression.kind === 'int' || expression.kind === 'real') return expression.value;
  if (expression.kind !== 'unary' || expression.operator === '!') return null;
  const inner = numberOf(expression.operand);
  if (inner === null) return null;
  return expression.operator === '-' ? -inner : inner;
}

function boundOf(expression: Expression | null): Bound {
  return expression === null ? 'none' : (numberOf(expression) ?? 'unknown');
}

export function declaredBounds({ constraint }: Declaration): { lower: Bound; upper: Bound } {
  switch (constraint.kind) {
    case 'bounds':
      return { lower: boundOf(constraint.lower), upper: boundOf(constraint.upper) };
    case 'simplex':
    case 'column_stochastic_matrix':
    case 'row_stochastic_matrix':
      return { lower: 0, upper: 1 };
    case 'positive_ordered':
      return { lower: 0, upper: 'none' };
    case 'unit_vector':
      return { lower: -1, upper: 1 };
    default:
      return { lower: 'none', upper: 'none' };
  }
}

/** Whether values that the declaration allows are outside the support. */
export function allowsOther(declaration: Declaration, { range, kinds }: Support): boolean {
  if (kinds) return !kinds.some((kind) => kind === declaration.constraint.kind);
  if (!range) return false;
  const { lower, upper } = declaredBounds(declaration);
  if (range.lower !== null && (lower === 'none' || (lower !== 'unknown' && lower < range.lower)))
    return true;
  return range.upper !== null && (upper === 'none' || (upper !== 'unknown' && upper > range.upper));
}

export function isOutside(value: number, { range }: Support): boolean {
  if (!range) return false;
  const { lower, upper, closed } = range;
  if (lower !== null && (closed ? value < lower : value <= lower)) return true;
  return upper !== null && (closed ? value > upper : value >= upper);
}
