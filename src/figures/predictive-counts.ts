/** How often each count occurs, in the data and in what the model replicates: bars, and their square roots. */
import type { CountFrequencies } from '../posterior/predictive/count-frequencies.ts';
import { formatNumber } from '../shared/readable-numbers.ts';
import { cell, type DrawnFigure, plainAxis, withTable } from './figure.ts';
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

/**
 * On a square-root scale, where errors of small and large counts look alike: bars hang from the expected
 * frequency, so that those that miss the zero line show where the model is wrong.
 * Source: Kleiber & Zeileis 2016, The American Statistician 70(3).
 */
export function rootogramFigure(
  parts: PredictiveParts,
  found: CountFrequencies,
  options: PredictiveOptions,
): DrawnFigure {
  const root = (values: Float64Array) => values.map(Math.sqrt);
  const [expected, observed] = [root(found.expected), root(found.observed)];
  return frequencies(parts, found, options, {
    title: 'Rootogram',
    unit: 'Square root of the number',
    foot: expected.map((top, k) => top - observed[k]),
    top: expected,
    low: root(found.low),
    middle: expected,
    high: root(found.high),
    extra: ['bar_from', 'root_expected', 'root_q5', 'root_q95'],
  });
}

/** Source: Gabry et al. 2019, JRSS A 182(2), section 4. */
export function barsFigure(
  parts: PredictiveParts,
  found: CountFrequencies,
  options: PredictiveOptions,
): DrawnFigure {
  return frequencies(parts, found, options, {
    title: 'Frequencies',
    unit: 'Observations',
    foot: found.observed.map(() => 0),
    top: found.observed,
    low: found.low,
    middle: found.expected,
    high: found.high,
    extra: [],
  });
}

interface Heights {
  readonly title: string;
  readonly unit: string;
  /** Ends of the bars. */
  readonly foot: Float64Array;
  readonly top: Float64Array;
  readonly low: Float64Array;
  readonly middle: Float64Array;
  readonly high: Float64Array;
  /** Columns of the table for the heights, if they are on a separate scale. */
  readonly extra: readonly string[];
}

function frequencies(
  parts: PredictiveParts,
  found: CountFrequencies,
  options: PredictiveOptions,
  heights: Heights,
): DrawnFigure {
  const { palette } = options;
  const { from, to } = found;
  const x = from.map((first, k) => (first + to[k]) / 2);
  const half = from.map((first, k) => 0.4 * (to[k] - first + 1));
  const data = [
    {
      // outlines instead of bars, which cannot hang in our renderer
      type: 'scatter',
      mode: 'lines',
      name: observedText(parts),
      x: Array.from(x).flatMap((at, k) => {
        const [left, right] = [at - half[k], at + half[k]];
        return [left, left, right, right, left, null];
      }),
      y: Array.from(heights.foot).flatMap((foot, k) => {
        const top = heights.top[k];
        return [foot, top, top, foot, foot, null];
      }),
      fill: 'toself',
      fillcolor: replicatedColor(palette, 0.22),
      line: { width: 1.2, color: observedColor(palette) },
      hoverinfo: 'skip',
    },
    {
      type: 'scatter',
      mode: 'lines',
      name: `${replicatedText(parts)}, 90 %`,
      x: Array.from(x).flatMap((at) => [at, at, null]),
      y: Array.from(heights.low).flatMap((low, k) => [low, heights.high[k], null]),
      line: { width: 1.5, color: palette.chains[0] },
      hoverinfo: 'skip',
    },
    {
      type: 'scatter',
      mode: 'markers',
      name: `${replicatedText(parts)}, mean`,
      x,
      y: heights.middle,
      text: Array.from(from, (first, k) => (first === to[k] ? `${first}` : `${first}–${to[k]}`)),
      marker: { symbol: 'circle', size: 5, color: palette.chains[0] },
      hovertemplate: '%{text}<br>%{y:.3g}<extra></extra>',
    },
  ];
  const layout = framedWithLegend(
    {
      margin: { l: 34, r: 14, t: 6, b: 22 },
      xaxis: plainAxis(palette, { line: true, tickformat: ',d' }),
      yaxis: plainAxis(palette, { grid: true, zeroline: true }),
    },
    { title: titled(heights.title, parts), x: observedText(parts), y: heights.unit, inCard: true },
    options,
  );
  return withTable(
    { data, layout },
    () => ({
      columns: ['from', 'to', 'observed', 'expected', 'q5', 'q95', ...heights.extra],
      rows: Array.from(from, (first, k) => [
        first,
        to[k],
        cell(found.observed[k]),
        cell(found.expected[k]),
        cell(found.low[k]),
        cell(found.high[k]),
        ...(heights.extra.length > 0
          ? [heights.foot[k], heights.middle[k], heights.low[k], heights.high[k]].map(cell)
          : []),
      ]),
    }),
    [
      ...(from.length > 0 && to[0] > from[0]
        ? [`Each bar holds ${to[0] - from[0] + 1} counts`]
        : []),
      ...(found.beyond > 0
        ? [
            `${percentText(100 * found.beyond)} % of replicated values lie beyond the last bar and are not shown`,
          ]
        : []),
    ],
  );
}

/** A small share is not called none. */
const percentText = (percent: number) =>
  percent < 0.01 ? 'Less than 0.01' : formatNumber(percent, 2);
