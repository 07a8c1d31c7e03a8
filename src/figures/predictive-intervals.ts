/** Each observation over its predictive intervals. */
import { predictiveIntervals } from '../posterior/predictive/intervals.ts';
import { formatCount, formatNumber } from '../shared/readable-numbers.ts';
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

/** Observations that are drawn; the table has all. */
const maxShown = 200;

export function intervalsFigure(parts: PredictiveParts, options: PredictiveOptions): DrawnFigure {
  const { palette } = options;
  const { y } = parts.predictive;
  const found = predictiveIntervals(parts.predictive);
  const placeOf = (i: number) => parts.places?.[i] ?? i + 1;
  const step = Math.max(1, Math.ceil(y.length / maxShown));
  const shown = Array.from(y, (_, i) => i).filter((i) => i % step === 0);
  const isInside = (i: number) => y[i] >= found.low90[i] && y[i] <= found.high90[i];
  const bars = (low: Float64Array, high: Float64Array, name: string, width: number) => ({
    type: 'scatter',
    mode: 'lines',
    name,
    x: shown.flatMap((i) => [placeOf(i), placeOf(i), null]),
    y: shown.flatMap((i) => [cell(low[i]), cell(high[i]), null]),
    line: { width, color: replicatedColor(palette, 0.45) },
    hoverinfo: 'skip',
  });
  const marks = (own: readonly number[], name: string, marker: Record<string, unknown>) => ({
    type: 'scatter',
    mode: 'markers',
    name,
    x: own.map(placeOf),
    y: own.map((i) => y[i]),
    marker,
    hovertemplate: 'Observation %{x}<br>%{y:.4g}<extra></extra>',
  });
  const outside = shown.filter((i) => !isInside(i));
  const data = [
    bars(found.low90, found.high90, '90 %', 1.2),
    bars(found.low50, found.high50, '50 %', 3.5),
    marks(shown.filter(isInside), observedText(parts), {
      symbol: 'circle',
      size: 5,
      color: observedColor(palette),
    }),
    ...(outside.length > 0
      ? [marks(outside, 'Outside 90 %', { symbol: 'x', size: 7, color: palette.bad })]
      : []),
  ];
  const layout = framedWithLegend(
    {
      margin: { l: 40, r: 14, t: 6, b: 22 },
      xaxis: plainAxis(palette, { line: true, tickformat: ',d' }),
      yaxis: plainAxis(palette, { grid: true }),
    },
    {
      title: titled('Intervals', parts),
      x: 'Observation',
      y: `${observedText(parts)}, ${replicatedText(parts)}`,
      inCard: true,
    },
    options,
  );
  const percent = (share: number) => `${formatNumber(100 * share, 0)} %`;
  return withTable(
    { data, layout, preferredHeight: options.alone === true ? undefined : 240 },
    () => ({
      columns: ['observation', parts.observed, 'q5', 'q25', 'median', 'q75', 'q95'],
      rows: Array.from(y, (value, i) => [
        placeOf(i),
        cell(value),
        ...[found.low90, found.low50, found.median, found.high50, found.high90].map((each) =>
          cell(each[i]),
        ),
      ]),
    }),
    [
      `${percent(found.coverage50)} of observations lie within their 50 % interval, ${percent(found.coverage90)} within their 90 %`,
      ...(step > 1
        ? [
            `${formatCount(shown.length)} of ${formatCount(y.length)} observations shown; the table has all`,
          ]
        : []),
    ],
  );
}
