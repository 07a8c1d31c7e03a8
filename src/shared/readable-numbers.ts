/** Numbers as people read them: U+2212 for minus, U+202F between thousands, `–` for what is missing. */

export const missing = '–';
const minus = '\u2212';
const narrowSpace = '\u202f';

function grouped(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+$)/g, narrowSpace);
}

/** `decimals` after the point; exponents above 10⁹. */
export function formatNumber(value: number | null | undefined, decimals: number): string {
  if (value === null || value === undefined || Number.isNaN(value)) return missing;
  if (!Number.isFinite(value)) return value > 0 ? '∞' : `${minus}∞`;
  const size = Math.abs(value);
  if (size >= 1e9) return value.toExponential(2).replace('-', minus).replace('e+', 'e');
  const [whole, fraction] = size.toFixed(decimals).split('.');
  const text = fraction === undefined ? grouped(whole) : `${grouped(whole)}.${fraction}`;
  return value < 0 && Number(size.toFixed(decimals)) !== 0 ? minus + text : text;
}

/** Whole numbers: counts, draws, lines. All digits are written, however many there are. */
export function formatCount(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value))
    return formatNumber(value, 0);
  const whole = Math.round(value);
  return whole < 0 ? minus + grouped(String(-whole)) : grouped(String(whole));
}

/** 84 kB, 2.1 MB. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const units = ['kB', 'MB', 'GB', 'TB'];
  let value = bytes / 1000;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}
