/** How many decimals to show for the numbers of a variable. */

/**
 * Decimals that reach the first significant digit of the MCSE: at least 2, none when it is 10 or more, at most 12;
 * the same for every number of that variable. Undefined MCSE (a constant, NaN): as many as `value` needs for four
 * significant digits, in the same range.
 */
export function decimalsForMcse(mcse: number | null, value = 0): number {
  const error = mcse ?? NaN;
  if (Number.isFinite(error) && error > 0) {
    // 9.6 gets the decimals of 10 only once it is 10: the rule looks at the number, not its rounding.
    return error >= 10 ? 0 : clampDecimals(-Math.floor(Math.log10(error)));
  }
  const size = Math.abs(value);
  if (!Number.isFinite(size) || Number.isInteger(value)) return 0;
  return clampDecimals(3 - Math.floor(Math.log10(size)));
}

function clampDecimals(decimals: number): number {
  return Math.min(12, Math.max(2, decimals));
}

/** Plain text for copying and files, `-1234.50`; empty for NaN or null, names for infinities. */
export function plainNumber(value: number | null, decimals: number): string {
  if (value === null || Number.isNaN(value)) return '';
  if (!Number.isFinite(value)) return value > 0 ? 'Inf' : '-Inf';
  const text = value.toFixed(decimals);
  // −0.001 with two decimals is 0.00, not −0.00; beyond 1e21 toFixed uses exponents, which still parse.
  return Number(text) === 0 ? text.replace('-', '') : text;
}
