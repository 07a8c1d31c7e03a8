/** Numbers as people read them in pages we write: U+2212 for minus, U+202F between thousands, `–` for what is missing. */

const minus = '\u2212';
const narrowSpace = '\u202f';

/** `decimals` after the point; exponents from 10⁹ on. */
export function displayNumber(value: number | null | undefined, decimals: number): string {
  if (value === null || value === undefined || Number.isNaN(value)) return '–';
  if (!Number.isFinite(value)) return value > 0 ? '∞' : `${minus}∞`;
  const size = Math.abs(value);
  if (size >= 1e9) return value.toExponential(2).replace('-', minus).replace('e+', 'e');
  const [whole, fraction] = size.toFixed(decimals).split('.');
  const digits = whole.replace(/\B(?=(\d{3})+$)/g, narrowSpace);
  const text = fraction === undefined ? digits : `${digits}.${fraction}`;
  return value < 0 && Number(size.toFixed(decimals)) !== 0 ? minus + text : text;
}

/** Whole numbers: counts, draws. */
export function displayCount(value: number | null | undefined): string {
  return displayNumber(value === null || value === undefined ? value : Math.round(value), 0);
}
