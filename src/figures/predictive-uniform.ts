/** Calibration: of predicted probabilities, and of entire predictive distributions by leave-one-out. */
import type { Calibration } from '../posterior/predictive/calibration.ts';
import type { LooPit } from '../posterior/predictive/loo-pit.ts';
import { type UniformEcdf, uniformEcdf } from '../posterior/predictive/uniform-band.ts';
import { formatNumber } from '../shared/readable-numbers.ts';
import {
  cell,
  type DrawnFigure,
  type FigureOptions,
  framed,
  plainAxis,
  withTable,
} from './figure.ts';
import type { PlotPalette } from './palette.ts';
import {
  observedColor,
  observedText,
  type PredictiveOptions,
  type PredictiveParts,
  titled,
} from './predictive-frame.ts';
import { levelLine } from './reference-line.ts';

/** The area between two curves. */
export function bandTrace(
  x: Float64Array,
  { low, high }: { readonly low: Float64Array; readonly high: Float64Array },
  name: string,
  palette: PlotPalette,
) {
  return {
    type: 'scatter',
    mode: 'lines',
    name,
    x: [...x, ...Array.from(x).reverse()],
    y: [...high, ...Array.from(low).reverse()],
    fill: 'toself',
    fillcolor: palette.shade,
    line: { width: 0, color: palette.shade },
    hoverinfo: 'skip',
  };
}

/** The reliability diagram with its consistency band. */
export function calibrationFigure(
  parts: PredictiveParts,
  found: Calibration,
  options: PredictiveOptions,
): DrawnFigure {
  const { palette } = options;
  const { predicted, calibrated, counts } = found;
  const data = [
    bandTrace(predicted, found, '90 % band if calibrated', palette),
    {
      type: 'scatter',
      mode: 'lines',
      name: 'Right',
      x: [0, 1],
      y: [0, 1],
      line: { width: 1, dash: 'dot', color: palette.axis },
      hoverinfo: 'skip',
    },
    {
      type: 'scatter',
      mode: 'lines+markers',
      name: observedText(parts),
      x: predicted,
      y: calibrated,
      marker: { symbol: 'circle', size: 4, color: observedColor(palette) },
      line: { width: 2, color: observedColor(palette) },
      hovertemplate: 'predicted %{x:.2f}<br>occurs %{y:.2f}<extra></extra>',
    },
  ];
  const unit = { range: [-0.02, 1.02] };
  const layout = framed(
    {
      xaxis: plainAxis(palette, { grid: true, line: true, ...unit }),
      yaxis: plainAxis(palette, { grid: true, ...unit }),
    },
    {
      title: titled('Calibration', parts),
      x: 'Predicted probability',
      y: 'How often it occurs',
      inCard: true,
    },
    options,
  );
  const score = (value: number) => formatNumber(value, 3);
  return withTable(
    { data, layout, preferredHeight: options.alone === true ? undefined : 300 },
    () => ({
      columns: ['predicted', 'observations', 'calibrated', 'band_low', 'band_high'],
      rows: Array.from(predicted, (at, k) => [
        cell(at),
        counts[k],
        cell(calibrated[k]),
        cell(found.low[k]),
        cell(found.high[k]),
      ]),
    }),
    [
      `Brier score ${score(found.brier)} = miscalibration ${score(found.miscalibration)} − discrimination ${score(found.discrimination)} + uncertainty ${score(found.uncertainty)}`,
    ],
  );
}

/** With the band of 95 %; null: there is no log likelihood. */
export function looPitFigure(
  parts: PredictiveParts,
  found: LooPit | null,
  options: PredictiveOptions,
): DrawnFigure {
  const { palette } = options;
  const ecdf = found === null ? null : uniformEcdf(found.pit);
  const isOut =
    ecdf !== null &&
    ecdf.difference.some((value, k) => value < ecdf.low[k] || value > ecdf.high[k]);
  return uniformFigure(
    ecdf,
    {
      title: titled('LOO-PIT', parts),
      x: 'LOO-PIT',
      column: 'loo_pit',
      band: '95 % band',
      name: observedText(parts),
      color: isOut ? palette.bad : observedColor(palette),
      hover: 'PIT',
      notes: notesOn(found, ecdf !== null, isOut),
    },
    options,
  );
}

interface UniformTexts {
  readonly title: string;
  readonly x: string;
  /** The column of the table for what is on the x axis, and its name under the pointer. */
  readonly column: string;
  readonly hover: string;
  readonly band: string;
  readonly name: string;
  readonly color: string;
  readonly notes: readonly string[];
}

/** ECDF of values minus that of uniform ones, with its band. */
export function uniformFigure(
  ecdf: UniformEcdf | null,
  { title, x, column, hover, band, name, color, notes }: UniformTexts,
  options: FigureOptions,
): DrawnFigure {
  const { palette } = options;
  const data =
    ecdf === null
      ? []
      : [
          bandTrace(ecdf.z, ecdf, band, palette),
          {
            type: 'scatter',
            mode: 'lines',
            name,
            x: ecdf.z,
            y: ecdf.difference,
            line: { width: 2, color },
            hovertemplate: `${hover} %{x:.2f}<br>%{y:.3f}<extra></extra>`,
          },
        ];
  const layout = framed(
    {
      margin: { l: 40, r: 14, t: 6, b: 22 },
      xaxis: plainAxis(palette, { line: true, range: [0, 1] }),
      yaxis: plainAxis(palette, { grid: true }),
      shapes: [levelLine(0, palette.axis)],
    },
    { title, x, y: 'ECDF difference', inCard: true },
    options,
  );
  return withTable(
    { data, layout },
    () => ({
      columns: [column, 'difference', 'band_low', 'band_high'],
      rows:
        ecdf === null
          ? []
          : Array.from(ecdf.z, (at, k) => [at, ecdf.difference[k], ecdf.low[k], ecdf.high[k]]),
    }),
    notes,
  );
}

function notesOn(found: LooPit | null, isDrawn: boolean, isOut: boolean): string[] {
  if (found === null)
    return ['LOO-PIT needs the variable log_lik, the log likelihood of each observation'];
  if (!isDrawn) return ['Some draws are not finite, so there is no LOO-PIT'];
  return [
    isOut
      ? 'The values leave the band: the predictive distributions are not calibrated'
      : 'The values stay in the band: no sign that the predictive distributions are miscalibrated',
    ...(found.num_high_k > 0
      ? [
          Number.isNaN(found.threshold)
            ? 'Too few draws to judge Pareto k: not reliable'
            : `${found.num_high_k} Pareto k above ${found.threshold.toFixed(2)}: not reliable for these observations`,
        ]
      : []),
  ];
}
