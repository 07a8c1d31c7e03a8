/** Options and output of the scale measurements. */

/** `1e6` is a million. */
export function count(text: string | undefined, fallback: number): number {
  const value = text === undefined ? fallback : Number(text);
  if (!Number.isFinite(value) || value < 1) throw new Error(`"${text}" is not a number above 0`);
  return Math.round(value);
}

/** The median of all values, and the one that 99 of 100 are below. Values may be in any order. */
export function quantiles(values: readonly number[]): { p50: number; p99: number } {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (part: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;
  return { p50: at(0.5), p99: at(0.99) };
}

export function printTable(rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
  for (const row of rows)
    process.stdout.write(
      `${row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd()}\n`,
    );
}

export const bytesText = (bytes: number): string =>
  bytes >= 1e9
    ? `${(bytes / 1e9).toFixed(2)} GB`
    : bytes >= 1e6
      ? `${(bytes / 1e6).toFixed(1)} MB`
      : `${(bytes / 1e3).toFixed(1)} kB`;

export const msText = (ms: number): string => (ms < 10 ? ms.toFixed(2) : ms.toFixed(0));

export async function timed<T>(work: () => Promise<T>): Promise<{ ms: number; result: T }> {
  const since = performance.now();
  const result = await work();
  return { ms: performance.now() - since, result };
}
