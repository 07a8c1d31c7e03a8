/** The shared axis of several variables' intervals, wherever they are lines in a table. */

export interface Scale {
  readonly low: number;
  readonly high: number;
}

export interface IntervalRow {
  readonly q5: number | null;
  readonly q25: number | null;
  readonly median: number | null;
  readonly q75: number | null;
  readonly q95: number | null;
}

/** A scale that covers the 90 % intervals of all rows, and zero when it is near. Null when no row has one. */
export function scaleOf(rows: readonly IntervalRow[]): Scale | null {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const { q5, q95 } of rows) {
    if (q5 === null || q95 === null) continue;
    low = Math.min(low, q5);
    high = Math.max(high, q95);
  }
  if (!(high >= low)) return null;
  const span = high - low || 1;
  if (low > 0 && low < 0.5 * span) low = 0;
  if (high < 0 && -high < 0.5 * span) high = 0;
  return { low: low - 0.04 * span, high: high + 0.04 * span };
}

/** Three to seven round values inside the scale. */
export function axisTicks({ low, high }: Scale): number[] {
  const power = 10 ** Math.floor(Math.log10(high - low));
  const countOf = (step: number) => Math.floor(high / step) - Math.ceil(low / step) + 1;
  const step = [5, 2, 1, 0.5].map((m) => m * power).find((size) => countOf(size) >= 3);
  const used = step ?? 0.2 * power;
  return Array.from({ length: countOf(used) }, (_, i) =>
    Number(((Math.ceil(low / used) + i) * used).toPrecision(12)),
  );
}
