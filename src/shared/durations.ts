/** Durations as text: "1.4 s", "48 s", "6 min 12 s", "2 h 5 min", "3 d 4 h". */
export function formatDuration(seconds: number): string {
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return pair(whole, 60, 'min', 's');
  if (whole < 86_400) return pair(Math.round(whole / 60), 60, 'h', 'min');
  return pair(Math.round(whole / 3600), 24, 'd', 'h');
}

function pair(value: number, base: number, large: string, small: string): string {
  const rest = value % base;
  return rest === 0
    ? `${Math.floor(value / base)} ${large}`
    : `${Math.floor(value / base)} ${large} ${rest} ${small}`;
}
