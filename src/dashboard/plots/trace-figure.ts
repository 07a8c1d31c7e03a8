/** Trace plots: one line a chain over iterations, warmup shaded, divergences as ticks at the foot. */
import { thinTrace } from '../../posterior/thin.ts';
import { baseLayout, type Figure, plainAxis } from './figure.ts';
import { chainColor, type PlotPalette } from './palette.ts';

/** Draws of one variable in one chain. Iterations count from 1 within their phase. */
export interface TraceChain {
  /** 0-based place of the chain in the run, which decides its colour. */
  readonly index: number;
  readonly name: string;
  readonly warmup: Float64Array;
  readonly sampling: Float64Array;
  /** 1 where the draw of that sampling iteration was divergent; empty when not recorded. */
  readonly divergent: Float64Array;
}

export interface TraceOptions {
  readonly palette: PlotPalette;
  /** Iterations of warmup and sampling the run will have, so that the axis is full length from the start. */
  readonly numWarmup: number;
  readonly numSamples: number;
  readonly showWarmup: boolean;
  /** Iterations from one saved draw to the next; default 1. */
  readonly step?: number;
  /** Pixels across: the bucket count of min–max thinning. */
  readonly width: number;
  /** Chains to draw faintly (another one is pointed at), and those not to draw, by index. */
  readonly faded?: ReadonlySet<number>;
  readonly hidden?: ReadonlySet<number>;
}

/** Builds the figure and says how much was thinned (`1` = every draw is drawn). */
export function traceFigure(
  chains: readonly TraceChain[],
  options: TraceOptions,
): Figure & { thinning: number } {
  const offset = options.showWarmup ? options.numWarmup : 0;
  const shown = chains.filter((chain) => !options.hidden?.has(chain.index));
  let thinning = 1;
  const lines = shown.flatMap((chain) => {
    const traces: Record<string, unknown>[] = [];
    const opacity = options.faded?.has(chain.index) ? 0.15 : 1;
    if (options.showWarmup && chain.warmup.length > 0) {
      const line = thinned(chain.warmup, 0, options, null);
      traces.push(
        lineTrace(chain, line, {
          palette: options.palette,
          opacity: 0.3 * opacity,
          what: 'warmup',
        }),
      );
    }
    if (chain.sampling.length > 0) {
      const line = thinned(chain.sampling, offset, options, flagsOf(chain));
      thinning = Math.max(thinning, line.factor);
      traces.push(
        lineTrace(chain, line, { palette: options.palette, opacity: 0.72 * opacity, what: '' }),
      );
    }
    return traces;
  });
  const last = Math.max(2, offset + options.numSamples);
  const rug = divergenceRug(shown, offset, options);
  return {
    data: rug === null ? lines : [...lines, rug],
    layout: {
      ...baseLayout(options.palette),
      xaxis: {
        ...plainAxis(options.palette, { grid: false, line: true }),
        range: [0, last],
        tickformat: ',d',
        tick0: 0,
        dtick: roundStep(last / 4),
      },
      yaxis: plainAxis(options.palette, { grid: true, line: false }),
      // Ticks of divergences stand on the foot of the plot, whatever the values are.
      yaxis2: { overlaying: 'y', range: [0, 1], visible: false, fixedrange: true },
      shapes: options.showWarmup && options.numWarmup > 0 ? warmupShapes(options) : [],
    },
    thinning,
  };
}

/** Two points a column of half a pixel, as fine screens have: more cannot be seen. */
function thinned(
  values: Float64Array,
  offset: number,
  { width, step = 1 }: TraceOptions,
  flags: Float64Array | null,
) {
  const line = thinTrace(values, {
    maxPoints: 4 * Math.max(50, Math.round(width)),
    firstIteration: offset + 1,
    step,
    flags,
  });
  return { x: line.iterations, y: line.values, factor: line.factor };
}

/** The round number (1, 2, 2.5 or 5 times a power of ten) that is at least `rough`. */
function roundStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  return power * ([1, 2, 2.5, 5, 10].find((m) => m * power >= rough * 0.999) ?? 10);
}

function flagsOf(chain: TraceChain): Float64Array | null {
  return chain.divergent.length === chain.sampling.length ? chain.divergent : null;
}

function lineTrace(
  chain: TraceChain,
  line: { x: Float64Array; y: Float64Array },
  style: { palette: PlotPalette; opacity: number; what: string },
): Record<string, unknown> {
  const label = `Chain ${chain.index + 1}${style.what === '' ? '' : `, ${style.what}`}`;
  return {
    type: 'scatter',
    mode: 'lines',
    name: label,
    x: line.x,
    y: line.y,
    line: { width: 1, color: chainColor(style.palette, chain.index) },
    opacity: style.opacity,
    hovertemplate: `${label}<br>iteration %{x}<br>%{y:.4g}<extra></extra>`,
  };
}

function divergenceRug(
  chains: readonly TraceChain[],
  offset: number,
  { palette, step = 1 }: TraceOptions,
) {
  const x: number[] = [];
  for (const chain of chains) {
    chain.divergent.forEach((flag, i) => {
      if (flag === 1) x.push(offset + i * step + 1);
    });
  }
  if (x.length === 0) return null;
  return {
    type: 'scatter',
    mode: 'markers',
    name: 'Divergent',
    x,
    y: x.map(() => 0.03),
    yaxis: 'y2',
    marker: {
      symbol: 'line-ns-open',
      size: 8,
      color: palette.bad,
      line: { width: 1.25, color: palette.bad },
    },
    hovertemplate: 'divergent<br>iteration %{x}<extra></extra>',
  };
}

function warmupShapes({ numWarmup, palette }: TraceOptions) {
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
