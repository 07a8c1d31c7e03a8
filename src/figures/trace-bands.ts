/**
 * Long traces over each other as bands: the range from the lowest to the highest draw within a few pixels, translucent
 * and outlined, so that no chain hides another. Lines of that many draws become blocks, the last hiding the rest.
 */
import { chainLabel, chainOpacity, type FigureChain, type FigureOptions } from './figure.ts';
import { chainColor, withAlpha } from './palette.ts';

/** A trace as drawn, perhaps thinned: each point represents `factor` draws. */
export interface TraceLine {
  readonly chain: FigureChain;
  readonly phase: 'warmup' | 'sampling';
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly factor: number;
}

/** A thinned line has four points per pixel, so from here on there are eight draws per pixel. */
const denseFactor = 2;
/** Pixels per corner of a band. */
const pixelsACorner = 3;

/** Whether lines of several chains are so dense that they would cover each other. */
export function areDense(lines: readonly TraceLine[]): boolean {
  const dense = lines.filter(({ factor }) => factor >= denseFactor);
  return new Set(dense.map(({ chain }) => chain.index)).size > 1;
}

/** Fills first, then outlines; wide bands first, so that a stuck chain is on top. */
export function bandTraces(
  lines: readonly TraceLine[],
  { width = 300, ...options }: FigureOptions & { readonly width?: number },
): Record<string, unknown>[] {
  const corners = Math.max(20, Math.round(width / pixelsACorner));
  const bands = widestFirst(lines.map((line) => ({ line, ...bandOf(line, corners) })));
  return [
    ...bands.map((band) => fillTrace(band, options)),
    ...bands.map((band) => outlineTrace(band, options)),
  ];
}

/**
 * Lines in drawing order: chains that move less than half as far as the one that moves most come
 * on top of it; the others keep their order.
 */
export function calmestLast<Line extends TraceLine>(lines: readonly Line[]): Line[] {
  const spreads = new Map<number, number>();
  for (const { chain, y } of lines)
    spreads.set(chain.index, Math.max(spreads.get(chain.index) ?? 0, meanStep(y)));
  return widestFirst(
    lines.map((line) => ({ line, spread: spreads.get(line.chain.index) ?? 0 })),
  ).map(({ line }) => line);
}

interface Band {
  readonly line: TraceLine;
  /** Middle of each stretch of iterations, its first and last iteration, and the lowest and highest draw there. */
  readonly x: readonly number[];
  readonly stretch: readonly string[];
  readonly low: readonly number[];
  readonly high: readonly number[];
  /** Mean distance from low to high. */
  readonly spread: number;
}

/** NaN draws have no place in a band; a stretch of only NaN has no corner. */
function bandOf({ x, y }: TraceLine, corners: number): Omit<Band, 'line'> {
  const first = x[0];
  const span = (x[x.length - 1] - first) / corners || 1;
  const low = new Float64Array(corners).fill(Infinity);
  const high = new Float64Array(corners).fill(-Infinity);
  for (let i = 0; i < x.length; i++) {
    const k = Math.min(corners - 1, Math.floor((x[i] - first) / span));
    if (y[i] < low[k]) low[k] = y[i];
    if (y[i] > high[k]) high[k] = y[i];
  }
  const used = Array.from({ length: corners }, (_, k) => k).filter((k) => low[k] <= high[k]);
  const edge = (k: number) => Math.round(first + k * span);
  return {
    x: used.map((k) => first + (k + 0.5) * span),
    stretch: used.map((k) => `${edge(k)} to ${edge(k + 1)}`),
    low: used.map((k) => low[k]),
    high: used.map((k) => high[k]),
    spread: used.reduce((sum, k) => sum + (high[k] - low[k]), 0) / Math.max(1, used.length),
  };
}

/** A stable order in which only a clearly narrower one follows a wider one. */
function widestFirst<T extends { readonly spread: number }>(items: readonly T[]): T[] {
  const widest = Math.max(0, ...items.map(({ spread }) => spread));
  const isNarrow = ({ spread }: T) => spread < widest / 2;
  return [
    ...items.filter((item) => !isNarrow(item)),
    ...items.filter(isNarrow).toSorted((a, b) => b.spread - a.spread),
  ];
}

function meanStep(y: Float64Array): number {
  let sum = 0;
  let count = 0;
  for (let i = 1; i < y.length; i++) {
    const step = Math.abs(y[i] - y[i - 1]);
    if (step - step !== 0) continue;
    sum += step;
    count++;
  }
  return count === 0 ? 0 : sum / count;
}

function look({ chain, phase }: TraceLine, options: FigureOptions) {
  const color = chainColor(options.palette, chain.index);
  const opacity = (phase === 'warmup' ? 0.4 : 1) * chainOpacity(chain.index, options);
  return { color, opacity, label: `${chainLabel(chain)}${phase === 'warmup' ? ', warmup' : ''}` };
}

function fillTrace({ line, x, low, high }: Band, options: FigureOptions) {
  const { color, opacity, label } = look(line, options);
  return {
    type: 'scatter',
    mode: 'lines',
    name: label,
    x: [...x, ...x.toReversed()],
    y: [...high, ...low.toReversed()],
    fill: 'toself',
    fillcolor: withAlpha(color, 0.16),
    line: { width: 0, color },
    opacity,
    showlegend: false,
    hoverinfo: 'skip',
  };
}

function outlineTrace({ line, x, low, high, stretch }: Band, options: FigureOptions) {
  const { color, opacity, label } = look(line, options);
  const short = (value: number) => String(Number(value.toPrecision(4)));
  const texts = stretch.map(
    (range, k) => `${label}<br>iterations ${range}<br>${short(low[k])} to ${short(high[k])}`,
  );
  return {
    type: 'scatter',
    mode: 'lines',
    name: label,
    x: [...x, null, ...x],
    y: [...high, null, ...low],
    text: [...texts, '', ...texts],
    line: { width: 1, color },
    opacity,
    showlegend: line.phase === 'sampling',
    legendrank: line.chain.index + 1,
    hovertemplate: '%{text}<extra></extra>',
  };
}
