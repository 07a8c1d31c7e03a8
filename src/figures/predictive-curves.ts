/** The distribution of the data over those of replicated data sets: densities, and distribution functions. */
import { density } from '../posterior/density.ts';
import { chosenDraws, replicateOf } from '../posterior/predictive/replications.ts';
import { quantileOfSorted } from '../posterior/quantile.ts';
import { formatCount } from '../shared/readable-numbers.ts';
import { stepsOf } from './ecdf-figure.ts';
import { type DrawnFigure, heightAxis, plainAxis, textColumn, withTable } from './figure.ts';
import {
  framedWithLegend,
  observedColor,
  observedText,
  type PredictiveOptions,
  type PredictiveParts,
  replicatedColor,
  replicatedText,
  titled,
} from './predictive-frame.ts';

/** Replicated data sets that are drawn. */
const maxCurves = 50;
const pointsOfReplicate = 128;
/** Steps of a distribution function. */
const maxSteps = 200;

interface Curve {
  readonly x: ArrayLike<number>;
  readonly y: ArrayLike<number>;
}

interface Replicate extends Curve {
  /** Number of the draw, from 1. */
  readonly draw: number;
}

/** Kernel densities. Source: Gabry et al. 2019, JRSS A 182(2), section 4.1. */
export function predictiveDensityFigure(
  parts: PredictiveParts,
  options: PredictiveOptions,
): DrawnFigure {
  const curves = replicatesOf(parts, (values) => density(values, { points: pointsOfReplicate }));
  return curvesFigure(parts, density(parts.y), curves, {
    ...options,
    what: 'Density',
    column: 'density',
    shape: 'linear',
    yaxis: heightAxis,
    margin: { l: 12, r: 12, t: 6, b: 22 },
  });
}

export function predictiveEcdfFigure(
  parts: PredictiveParts,
  options: PredictiveOptions,
): DrawnFigure {
  const curveOf = (values: Float64Array) => stepsOf(values, maxSteps);
  return curvesFigure(parts, curveOf(parts.y), replicatesOf(parts, curveOf), {
    ...options,
    what: 'Distribution function',
    column: 'share',
    shape: 'hv',
    yaxis: plainAxis(options.palette, { grid: true, range: [0, 1.02] }),
    margin: { l: 34, r: 14, t: 6, b: 22 },
  });
}

function replicatesOf(
  { predictive }: PredictiveParts,
  curveOf: (values: Float64Array) => Curve,
): Replicate[] {
  const values = new Float64Array(predictive.y.length);
  return chosenDraws(predictive.numDraws, maxCurves).map((draw) => {
    replicateOf(predictive, draw, values);
    const { x, y } = curveOf(values);
    return { draw: draw + 1, x, y };
  });
}

interface CurveOptions extends PredictiveOptions {
  readonly what: string;
  readonly column: string;
  readonly shape: 'linear' | 'hv';
  readonly yaxis: Record<string, unknown>;
  readonly margin: Record<string, number>;
}

function curvesFigure(
  parts: PredictiveParts,
  observed: Curve,
  replicates: readonly Replicate[],
  options: CurveOptions,
): DrawnFigure {
  const { palette, what, column, shape, yaxis, margin } = options;
  const data = [
    {
      type: 'scatter',
      mode: 'lines',
      name: replicatedText(parts),
      // one trace for all, with gaps between them
      x: replicates.flatMap(({ x }) => [...Array.from(x), null]),
      y: replicates.flatMap(({ y }) => [...Array.from(y), null]),
      line: { width: 1, shape, color: replicatedColor(palette, 0.3) },
      hoverinfo: 'skip',
    },
    {
      type: 'scatter',
      mode: 'lines',
      name: observedText(parts),
      x: observed.x,
      y: observed.y,
      line: { width: 2.5, shape, color: observedColor(palette) },
      hovertemplate: `${observedText(parts)}<br>%{x:.4g}<extra></extra>`,
    },
  ];
  const layout = framedWithLegend(
    {
      margin,
      xaxis: plainAxis(palette, {
        line: true,
        grid: what === 'Density',
        range: rangeOf(observed, replicates),
      }),
      yaxis,
    },
    {
      title: titled(what, parts),
      x: observedText(parts),
      ...(shape === 'hv' ? { y: 'Share up to here' } : { margin: { l: 20 } }),
    },
    options,
  );
  const row = (name: string, draw: number | null, { x, y }: Curve) =>
    Array.from(x, (at, i) => [name, draw, at, y[i]]);
  return withTable(
    { data, layout },
    () => ({
      columns: [textColumn('of'), 'draw', parts.observed, column],
      rows: [
        ...row(parts.observed, null, observed),
        ...replicates.flatMap((one) => row(parts.replicatedName, one.draw, one)),
      ],
    }),
    [
      `${formatCount(replicates.length)} of ${formatCount(parts.predictive.numDraws)} draws of ${parts.replicatedName} shown`,
    ],
  );
}

/** The range of the data and of 99 % of the replicated curves: one far draw must not flatten the rest. */
function rangeOf(observed: Curve, replicates: readonly Replicate[]): [number, number] | undefined {
  const ends = (place: (x: ArrayLike<number>) => number) =>
    Float64Array.from(replicates.filter(({ x }) => x.length > 0).map(({ x }) => place(x)));
  const lows = ends((x) => x[0]).sort();
  const highs = ends((x) => x[x.length - 1]).sort();
  const own = Array.from(observed.x);
  const low = Math.min(...own.slice(0, 1), quantileOfSorted(lows, lows.length > 0 ? 0.1 : 0));
  const high = Math.max(...own.slice(-1), quantileOfSorted(highs, highs.length > 0 ? 0.9 : 0));
  if (!(low < high)) return undefined;
  const room = 0.02 * (high - low);
  return [low - room, high + room];
}
