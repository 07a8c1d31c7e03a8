/** Numbers as people read them: U+2212 for minus, U+202F between thousands, `–` for what is missing. */

export const missing = '–';
const minus = '\u2212';
const narrowSpace = '\u202f';

function grouped(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+$)/g, narrowSpace);
}

/** `decimals` after the point; exponents beyond 10⁹. */
export function formatNumber(value: number | null | undefined, decimals: number): string {
  if (value === null || value === undefined || Number.isNaN(value)) return missing;
  if (!Number.isFinite(value)) return value > 0 ? '∞' : `${minus}∞`;
  const size = Math.abs(value);
  if (size >= 1e9) return value.toExponential(2).replace('-', minus).replace('e+', 'e');
  const [whole, fraction] = size.toFixed(decimals).split('.');
  const text = fraction === undefined ? grouped(whole) : `${grouped(whole)}.${fraction}`;
  return value < 0 && Number(size.toFixed(decimals)) !== 0 ? minus + text : text;
}

/** Whole numbers: counts, draws, lines. All digits are written, however many. */
export function formatCount(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value))
    return formatNumber(value, 0);
  const whole = Math.round(value);
  return whole < 0 ? minus + grouped(String(-whole)) : grouped(String(whole));
}

const byteUnits = ['B', 'kB', 'MB', 'GB', 'TB'];

function byteUnitOf(bytes: number): number {
  let unit = 0;
  for (let value = bytes; value >= 1000 && unit < byteUnits.length - 1; value /= 1000) unit++;
  return unit;
}

function inUnit(bytes: number, unit: number): string {
  const value = bytes / 1000 ** unit;
  return unit > 0 && value < 10 ? value.toFixed(1) : String(Math.round(value));
}

/** 84 kB, 2.1 MB. */
export function formatBytes(bytes: number): string {
  const unit = byteUnitOf(bytes);
  return `${inUnit(bytes, unit)} ${byteUnits[unit]}`;
}

/** 1.2 of 4.3 GB. */
export function formatBytesOf(done: number, total: number): string {
  const unit = byteUnitOf(total);
  return `${inUnit(Math.min(done, total), unit)} of ${inUnit(total, unit)} ${byteUnits[unit]}`;
}

/** Time left, from what was done in `seconds`: "3 min left"; empty until there is something to go by. */
export function timeLeft(done: number, total: number, seconds: number): string {
  if (done <= 0 || seconds < 1 || done >= total) return '';
  const left = ((total - done) * seconds) / done;
  if (left < 60) return `${Math.max(1, Math.round(left))} s left`;
  if (left < 5400) return `${Math.round(left / 60)} min left`;
  return `${Math.round(left / 3600)} h left`;
}
