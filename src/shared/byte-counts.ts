/** The progress of a transfer in bytes, as people read it. */

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

/** 1.2 of 4.3 GB. */
export function formatBytesOf(done: number, total: number): string {
  const unit = byteUnitOf(total);
  return `${inUnit(Math.min(done, total), unit)} of ${inUnit(total, unit)} ${byteUnits[unit]}`;
}

/** Time left, based on what was done in `seconds`: "3 min left"; empty until there is enough to estimate. */
export function timeLeft(done: number, total: number, seconds: number): string {
  if (done <= 0 || seconds < 1 || done >= total) return '';
  const left = ((total - done) * seconds) / done;
  if (left < 60) return `${Math.max(1, Math.round(left))} s left`;
  if (left < 5400) return `${Math.round(left / 60)} min left`;
  return `${Math.round(left / 3600)} h left`;
}
