/** How many free values a parameter has and which transform constrains it. */
import type { IrConstraint, IrDeclaration } from '../lower/ir.ts';

/** The transform's name in the library, after `$constrain_` and `$free_`; null when every real is allowed. */
export function transformOf(constraint: IrConstraint): string | null {
  switch (constraint.kind) {
    case 'none':
      return null;
    case 'bounds':
      if (constraint.lower && constraint.upper) return 'bounds';
      return constraint.lower ? 'lower' : 'upper';
    case 'offset-multiplier':
      return 'offset_multiplier';
    case 'sum_to_zero_vector':
    case 'sum_to_zero_matrix':
      return 'sum_to_zero';
    case 'column_stochastic_matrix':
    case 'row_stochastic_matrix':
      return 'simplex';
    default:
      return constraint.kind;
  }
}

/** Whether each element is constrained separately. */
export function isElementwise({ kind }: IrConstraint): boolean {
  return kind === 'none' || kind === 'bounds' || kind === 'offset-multiplier';
}

/** Free values of one element of the array (or of the variable), from the texts of its sizes. */
export function freeSize({ constraint }: IrDeclaration, sizes: readonly string[]): string {
  const [n, m] = sizes;
  switch (constraint.kind) {
    case 'simplex':
    case 'sum_to_zero_vector':
      return `Math.max(0, ${n} - 1)`;
    case 'cholesky_factor_corr':
    case 'corr_matrix':
      return `${n} * (${n} - 1) / 2`;
    case 'cov_matrix':
      return `${n} * (${n} + 1) / 2`;
    case 'cholesky_factor_cov':
      return `${m} * (${m} + 1) / 2 + (${n} - ${m}) * ${m}`;
    case 'sum_to_zero_matrix':
      return `Math.max(0, ${n} - 1) * Math.max(0, ${m} - 1)`;
    case 'column_stochastic_matrix':
      return `Math.max(0, ${n} - 1) * ${m}`;
    case 'row_stochastic_matrix':
      return `${n} * Math.max(0, ${m} - 1)`;
    default:
      return sizes.length === 0 ? '1' : sizes.join(' * ');
  }
}
