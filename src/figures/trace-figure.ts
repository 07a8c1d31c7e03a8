/** Trace plots: one line per chain over iterations, warmup shaded, divergences at the bottom. */

import { thinTrace } from '../posterior/thin.ts';
import { shownName } from '../posterior/variable-labels.ts';
import { divergenceRug } from './divergence-rug.ts';
import {
  cell,
  chainLabel,
  chainOpacity,
  type DrawnFigure,
  type FigureChain,
  type FigureOptions,
  type FigureVariable,
  framed,
  plainAxis,
  plotText,
  shorten,
  shownChains,
  textColumn,
  titleName,
  withTable,
} from './figure.ts';
import { chainColor, type PlotPalette } from './palette.ts';
import { lostOnScale, onScale } from './scale.ts';
import { settledRange } from './settled-range.ts';
import { areDense, bandTraces, calmestLast, type TraceLine } from './trace-bands.ts';

export interface TraceOptions extends FigureOptions {
  /** Warmup and sampling iterations the run will have, so that the axis has its full length from the start. */
  readonly numWarmup: number;
  readonly numSamples: number;
  readonly showWarmup: boolean;
  /** Iterations from one saved draw to the next; default 1. */
  readonly step?: number;
  /** Zooms along iterations only, so that the values always fit the visible part; default false. */
  readonly fixedrange?: boolean;
  /** Pixels across: the bucket count of min–max thinning. Default 300. */
  readonly width?: number;
  /** Only these iterations, as the axis counts them (warmup first, if shown), both ends included: thinned again, so finer. */
  readonly range?: readonly [number, number];
}

/** Draws that were thinned before they arrived: what remains of `count` of them. */
export interface ThinnedColumn {
  /** 1-based positions among the saved draws of the phase, ascending. */
  readonly places: Float64Array;
  readonly values: Float64Array;
  /** Number of draws in the same range. */
  readonly count: number;
}

/** A chain with complete columns, or with an overview instead of them. */
export interface TraceChain extends FigureChain {
  readonly overview?: {
    readonly warmup?: ThinnedColumn;
    readonly sampling: ThinnedColumn;
    /** Positions of the divergent draws. */
    readonly divergent?: Float64Array;
  };
}

export interface TraceVariable extends FigureVariable {
  readonly chains: readonly TraceChain[];
}

/** Builds the figure and reports how much was thinned (`thinning`: 1 = every draw is drawn). */
export function traceFigure(
  asked: TraceVariable,
  options: TraceOptions,
): DrawnFigure & { readonly thinning: number } {
  const { palette } = options;
  const scaled = onScale(asked);
  const { variable, chains } = scaled;
  const offset = options.showWarmup ? options.numWarmup : 0;
  const shown: readonly TraceChain[] = shownChains(chains, options);
  const lines = shown.flatMap((chain) => linesOf(chain, offset, options));
  const thinning = lines.reduce((most, line) => Math.max(most, line.factor), 1);
  const isBands = areDense(lines);
  const traces = isBands
    ? bandTraces(lines, options)
    : calmestLast(lines).map((line) => lineTrace(line, options));
  const settled = settledRange(lines, options.numWarmup);
  const range = options.range ?? [0, Math.max(2, offset + options.numSamples)];
  const rug = divergenceRug(divergentIterations(shown, offset, options), {
    palette,
    range,
    isPart: options.range !== undefined,
    width: options.width ?? 300,
    step: options.step ?? 1,
  });
  const figure = {
    data: rug.trace === null ? traces : [...traces, rug.trace],
    layout: framed(
      {
        margin: { l: 34, r: roomForLastTick(range[1]), t: 6, b: 22 },
        xaxis: plainAxis(palette, { line: true, ...iterationTicks(range) }),
        yaxis: plainAxis(palette, {
          grid: true,
          ...(options.fixedrange ? { fixedrange: true } : {}),
          // Both ways: a plot that is drawn again keeps the range it had if the next figure says nothing about it.
          ...(settled === null ? { autorange: true } : { autorange: false, range: settled }),
        }),
        // Ticks of divergences are at the bottom of the plot, whatever the values are.
        yaxis2: { overlaying: 'y', range: [0, 1], visible: false, fixedrange: true },
        shapes: options.showWarmup && options.numWarmup > 0 ? warmupShapes(options) : [],
      },
      {
        title: `Trace of ${titleName(scaled)}`,
        x: 'Iteration',
        y: plotText(shorten(shownName(scaled), 16)),
        margin: { r: Math.max(20, roomForLastTick(range[1])) },
      },
      options,
    ),
    thinning,
  };
  return withTable(figure, () => tableOf(variable, lines, offset), [
    ...thinningNotes(thinning, isBands),
    ...(settled === null ? [] : ['Part of warmup is outside the plot']),
    ...rug.notes,
    ...lostOnScale(asked),
  ]);
}

/** "1 in 250 shown, extremes kept", "71 % shown, extremes kept"; nothing when every draw is shown. */
function thinningNotes(factor: number, isBands: boolean): string[] {
  if (isBands) return ['Bands: lowest to highest draw, by chain'];
  if (factor <= 1.05) return [];
  const shown = Number(factor.toFixed(factor < 10 ? 1 : 0));
  const share = Number.isInteger(shown) ? `1 in ${shown}` : `${Math.round(100 / factor)} %`;
  return [`${share} shown, extremes kept`];
}

function linesOf(chain: TraceChain, offset: number, options: TraceOptions): TraceLine[] {
  if (chain.overview !== undefined) return overviewLines(chain, offset, options);
  const { warmup, sampling } = chain;
  const lines: TraceLine[] = [];
  if (options.showWarmup && warmup !== undefined && warmup.length > 0)
    lines.push({ chain, phase: 'warmup', ...thinned(warmup, 0, options, null) });
  if (sampling.length > 0)
    lines.push({ chain, phase: 'sampling', ...thinned(sampling, offset, options, flagsOf(chain)) });
  return lines.filter((line) => line.x.length > 0);
}

function overviewLines(chain: TraceChain, offset: number, { step = 1, showWarmup }: TraceOptions) {
  const { warmup, sampling } = chain.overview ?? {};
  const line = (
    phase: TraceLine['phase'],
    column: ThinnedColumn | undefined,
    from: number,
  ): TraceLine[] => {
    if (column === undefined || column.places.length === 0) return [];
    const { places, values, count } = column;
    const x = places.map((place) => from + 1 + (place - 1) * step);
    return [{ chain, phase, x, y: values, factor: count / places.length }];
  };
  return [...(showWarmup ? line('warmup', warmup, 0) : []), ...line('sampling', sampling, offset)];
}

/** Two points per column of half a pixel, as on high-resolution screens: more cannot be seen. */
function thinned(
  values: Float64Array,
  offset: number,
  { width = 300, step = 1, range }: TraceOptions,
  flags: Float64Array | null,
) {
  const from = range === undefined ? 0 : Math.ceil((range[0] - offset - 1) / step);
  const to = range === undefined ? values.length : Math.floor((range[1] - offset - 1) / step) + 1;
  const first = Math.min(values.length, Math.max(0, from));
  const end = Math.max(first, to);
  const line = thinTrace(values.subarray(first, end), {
    maxPoints: 4 * Math.max(50, Math.round(width)),
    firstIteration: offset + 1 + first * step,
    step,
    flags: flags === null ? null : flags.subarray(first, end),
  });
  return { x: line.iterations, y: line.values, factor: line.factor };
}

function iterationTicks([from, to]: readonly [number, number]) {
  return {
    range: [from, to],
    tickformat: ',d',
    tick0: 0,
    dtick: roundStep(Math.max(1, (to - from) / 4)),
  };
}

/** Half the label of the last iteration, which may be at the very end of the axis. */
function roomForLastTick(last: number): number {
  const digits = Math.round(last).toString().length;
  const characters = digits + Math.floor((digits - 1) / 3);
  return Math.max(14, Math.ceil(3.3 * characters));
}

/** The round number (1, 2, 2.5 or 5 times a power of ten) that is at least `rough`. */
function roundStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  return power * ([1, 2, 2.5, 5, 10].find((m) => m * power >= rough * 0.999) ?? 10);
}

function flagsOf(chain: FigureChain): Float64Array | null {
  return chain.divergent?.length === chain.sampling.length ? chain.divergent : null;
}

function lineTrace(line: TraceLine, options: TraceOptions): Record<string, unknown> {
  const isWarmup = line.phase === 'warmup';
  const label = `${chainLabel(line.chain)}${isWarmup ? ', warmup' : ''}`;
  return {
    type: 'scatter',
    mode: 'lines',
    name: label,
    x: line.x,
    y: line.y,
    line: { width: 1, color: chainColor(options.palette, line.chain.index) },
    opacity: (isWarmup ? 0.3 : 0.72) * chainOpacity(line.chain.index, options),
    showlegend: !isWarmup,
    legendrank: line.chain.index + 1,
    hovertemplate: `${label}<br>iteration %{x}<br>%{y:.4g}<extra></extra>`,
  };
}

/** Iterations as the axis counts them. */
function divergentIterations(
  chains: readonly TraceChain[],
  offset: number,
  { step = 1 }: TraceOptions,
): number[] {
  const found: number[] = [];
  const mark = (i: number) => found.push(offset + i * step + 1);
  for (const { divergent, overview } of chains) {
    if (overview === undefined) divergent?.forEach((flag, i) => flag === 1 && mark(i));
    else for (const place of overview.divergent ?? []) mark(place - 1);
  }
  return found;
}

function warmupShapes({ numWarmup, palette }: { numWarmup: number; palette: PlotPalette }) {
  const band = { xref: 'x', yref: 'paper', y0: 0, y1: 1, layer: 'below' };
  return [
    { ...band, type: 'rect', x0: 1, x1: numWarmup, fillcolor: palette.shade, line: { width: 0 } },
    {
      ...band,
      type: 'line',
      x0: numWarmup,
      x1: numWarmup,
      line: { width: 1, dash: 'dot', color: palette.axis },
    },
  ];
}

function tableOf(variable: string, lines: readonly TraceLine[], offset: number) {
  return {
    columns: [textColumn('chain'), textColumn('phase'), 'iteration', variable],
    rows: lines.flatMap(({ chain, phase, x, y }) =>
      Array.from(x, (at, i) => [
        chain.name,
        phase,
        phase === 'sampling' ? at - offset : at,
        cell(y[i]),
      ]),
    ),
  };
}
