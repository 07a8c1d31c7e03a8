/** Where the values of a trace are once its chains have left their starting points. */
import type { TraceLine } from './trace-bands.ts';

/** Times as high as the settled values that everything may be, and still be shown. */
const mostTimes = 2;

/**
 * The range of the sampling draws and the second half of warmup, if starting points far away would press these flat;
 * null: everything fits, nothing has settled yet, or no warmup is shown.
 */
export function settledRange(
  lines: readonly TraceLine[],
  numWarmup: number,
): [number, number] | null {
  if (new Set(lines.map(({ phase }) => phase)).size < 2) return null;
  const [low, high] = rangeOf(
    lines,
    ({ phase, x }, i) => phase === 'sampling' || (x[i] as number) > numWarmup / 2,
  );
  const [lowest, highest] = rangeOf(lines, () => true);
  const height = high - low;
  if (!(height > 0) || highest - lowest <= mostTimes * height) return null;
  return [low - height / 20, high + height / 20];
}

function rangeOf(
  lines: readonly TraceLine[],
  isMeant: (line: TraceLine, i: number) => boolean,
): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const line of lines) {
    for (let i = 0; i < line.y.length; i++) {
      const value = line.y[i] as number;
      if (!Number.isFinite(value) || !isMeant(line, i)) continue;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }
  return [low, high];
}
