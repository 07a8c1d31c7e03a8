/** Names of a calibration chain's columns for what it was simulated from. Stan has no such names. */

/** Log density of the true values, given the simulated data; NaN if unknown. Every chain of a calibration has it. */
export const trueLogDensity = 'lp_true__';

const truthEnd = '_true__';
const indicatorEnd = '_below__';

/** `theta` → `theta_true__`: the true value. */
export const truthName = (name: string): string => `${name}${truthEnd}`;
/** `theta` → `theta_below__`: whether a draw is below the true value, 1 or 0. */
export const indicatorName = (name: string): string => `${name}${indicatorEnd}`;

export interface TestColumn {
  /** `theta[1]`. */
  readonly quantity: string;
  readonly column: string;
  readonly kind: 'truth' | 'indicator';
}

/** The compared quantities, by the columns of a run: `theta[1]` of `theta_true__[1]`. */
export function testColumns(columns: readonly string[]): TestColumn[] {
  return columns.flatMap((column): TestColumn[] => {
    if (column === trueLogDensity) return [{ quantity: 'lp__', column, kind: 'truth' }];
    // For a tuple member, the suffix is in front of the last index: `x[1]:2_true__[3]`.
    const bracket = column.endsWith(']') ? column.lastIndexOf('[') : -1;
    const name = bracket < 0 ? column : column.slice(0, bracket);
    const index = bracket < 0 ? '' : column.slice(bracket);
    const at = (end: string) => `${name.slice(0, -end.length)}${index}`;
    if (name.endsWith(truthEnd)) return [{ quantity: at(truthEnd), column, kind: 'truth' }];
    if (name.endsWith(indicatorEnd))
      return [{ quantity: at(indicatorEnd), column, kind: 'indicator' }];
    return [];
  });
}
