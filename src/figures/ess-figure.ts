/** Effective sample sizes along the draws, the quantiles and the range of a variable. */
import { essGrowth, essOfIntervals, essOfQuantiles } from '../posterior/ess-curves.ts';
import { verdictLimits } from '../posterior/verdict-limits.ts';
import {
  cardLegend,
  cell,
  type DrawnFigure,
  type FigureOptions,
  type FigureVariable,
  framed,
  plainAxis,
  shownChains,
  titleName,
  withTable,
} from './figure.ts';
import { levelLabel, levelLine } from './reference-line.ts';

export interface EssOptions extends FigureOptions {
  /** Points along the axis; default 20. */
  readonly points?: number;
}

/** Pixels for "400: enough" next to the plot. */
const labelRoom = 82;

interface EssCurve {
  readonly name: string;
  readonly y: Float64Array;
  readonly dash: string;
  readonly symbol: string;
}

/** Bulk and tail ESS by the number of draws: straight lines where chains mix. */
export function essGrowthFigure(variable: FigureVariable, options: EssOptions): DrawnFigure {
  const growth = essGrowth(drawsOf(variable, options), options.points);
  const curves = [
    { name: 'Bulk', y: growth.bulk, dash: 'solid', symbol: 'circle' },
    { name: 'Tail', y: growth.tail, dash: '7px,3px', symbol: 'diamond' },
  ];
  return essFigure({ ...variable, x: growth.numDraws, curves }, options, {
    title: `ESS of ${titleName(variable)} by number of draws`,
    x: 'Draws per chain',
    column: 'draws',
  });
}

/** ESS of quantiles from 5 % to 95 %: where it is low, that part of the distribution is poorly known. */
export function essQuantileFigure(variable: FigureVariable, options: EssOptions): DrawnFigure {
  const { points = 20 } = options;
  const x = Float64Array.from({ length: points - 1 }, (_, i) => (i + 1) / points);
  const y = essOfQuantiles(drawsOf(variable, options), Array.from(x));
  return essFigure(
    { ...variable, x, curves: [{ name: 'Quantile', y, dash: 'solid', symbol: 'circle' }] },
    options,
    {
      title: `ESS of quantiles of ${titleName(variable)}`,
      x: 'Quantile',
      column: 'quantile',
    },
  );
}

/** ESS of small intervals between even quantiles: a dip is a region that chains visit together, and rarely. */
export function essLocalFigure(variable: FigureVariable, options: EssOptions): DrawnFigure {
  const { points = 20 } = options;
  const x = Float64Array.from({ length: points }, (_, i) => (i + 0.5) / points);
  const y = essOfIntervals(drawsOf(variable, options), points);
  return essFigure(
    { ...variable, x, curves: [{ name: 'Interval', y, dash: 'solid', symbol: 'circle' }] },
    options,
    {
      title: `Local ESS of ${titleName(variable)}`,
      x: 'Middle of the interval, as a quantile',
      column: 'quantile',
    },
  );
}

function drawsOf(variable: FigureVariable, options: EssOptions): Float64Array[] {
  return shownChains(variable.chains, options).map((chain) => chain.sampling);
}

function essFigure(
  {
    chains,
    x,
    curves,
  }: FigureVariable & { readonly x: Float64Array; readonly curves: readonly EssCurve[] },
  options: EssOptions,
  labels: { readonly title: string; readonly x: string; readonly column: string },
): DrawnFigure {
  const { palette } = options;
  const limit = verdictLimits.essPerChain.warn * Math.max(1, shownChains(chains, options).length);
  const top = curves.reduce(
    (most, { y }) => y.reduce((a, b) => (b > a ? b : a), most),
    1.15 * limit,
  );
  const data = curves.map(({ name, y, dash, symbol }) => ({
    type: 'scatter',
    mode: 'lines+markers',
    name,
    x,
    y,
    line: { width: 1.6, color: palette.pooled, dash },
    marker: { symbol, size: 6, color: palette.pooled },
    hovertemplate: `${name}<br>%{x}<br>ESS %{y:,.0f}<extra></extra>`,
  }));
  const layout = framed(
    {
      margin: { l: 44, r: labelRoom, t: curves.length > 1 ? 22 : 6, b: 22 },
      ...(curves.length > 1 ? cardLegend(palette) : {}),
      xaxis: plainAxis(palette, { line: true, rangemode: 'tozero' }),
      yaxis: plainAxis(palette, { grid: true, range: [0, 1.05 * top], tickformat: ',d' }),
      shapes: [levelLine(limit, palette.bad)],
      annotations: [levelLabel(limit, `${limit}: enough`, palette.dim)],
    },
    { title: labels.title, x: labels.x, y: 'ESS', inCard: true, margin: { r: labelRoom } },
    options,
  );
  return withTable({ data, layout }, () => ({
    columns: [labels.column, ...curves.map(({ name }) => `ess_${name.toLowerCase()}`)],
    rows: Array.from(x, (at, i) => [at, ...curves.map(({ y }) => cell(y[i]))]),
  }));
}
