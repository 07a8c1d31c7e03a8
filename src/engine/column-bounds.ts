/** The range of each output column, from the declaration of its variable. */
import type { BoundingConstraint, OutputVariable } from '../language/program.ts';
import { assertNever } from '../shared/assert-never.ts';

/** Absent: no bound on that side. */
export interface ColumnBounds {
  readonly lower?: number;
  readonly upper?: number;
}

/** One entry per column, in the order of `columnNames`; infinite bounds count as none. */
export function columnBounds(variables: readonly OutputVariable[]): ColumnBounds[] {
  return variables.flatMap((variable) => {
    const count = variable.dims.reduce((n, size) => n * size, 1);
    return Array.from({ length: count }, (_, k) =>
      finite(
        variable.constraint === undefined
          ? { lower: boundAt(variable.lower, k, count), upper: boundAt(variable.upper, k, count) }
          : naturalBounds(variable.constraint, variable.dims, k),
      ),
    );
  });
}

/**
 * Columns are ordered first index fastest, with the array's dimensions before those of its elements. So a bound for
 * each element applies to a run of as many columns as the array has elements.
 */
function boundAt(bound: number | Float64Array | undefined, k: number, count: number) {
  if (bound === undefined || typeof bound === 'number') return bound;
  return bound[Math.floor((k * bound.length) / count)];
}

const positive: ColumnBounds = { lower: 0 };
const share: ColumnBounds = { lower: 0, upper: 1 };
const cosine: ColumnBounds = { lower: -1, upper: 1 };

/** The possible range of column k of a variable of this type. */
function naturalBounds(kind: BoundingConstraint, dims: readonly number[], k: number): ColumnBounds {
  switch (kind) {
    case 'positive_ordered':
      return positive;
    case 'simplex':
    case 'column_stochastic_matrix':
    case 'row_stochastic_matrix':
      return share;
    case 'unit_vector':
    case 'corr_matrix':
      return cosine;
    case 'cholesky_factor_corr':
      return isOnDiagonal(dims, k) ? share : cosine;
    case 'cov_matrix':
    case 'cholesky_factor_cov':
      return isOnDiagonal(dims, k) ? positive : {};
    default:
      return assertNever(kind);
  }
}

/** Whether column k of (arrays of) matrices, whose two dimensions come last, has the same row and column. */
function isOnDiagonal(dims: readonly number[], k: number): boolean {
  const arrays = dims.slice(0, -2).reduce((n, size) => n * size, 1);
  const element = Math.floor(k / arrays);
  const rows = dims[dims.length - 2];
  return element % rows === Math.floor(element / rows);
}

function finite({ lower, upper }: ColumnBounds): ColumnBounds {
  return {
    ...(Number.isFinite(lower) ? { lower } : {}),
    ...(Number.isFinite(upper) ? { upper } : {}),
  };
}
