/** Calibration by simulation: the ECDF of where true values lie among the draws, minus that of uniform positions. */
import { bandPoints } from '../posterior/calibration.ts';
import { uniformEcdf } from '../posterior/predictive/uniform-band.ts';
import {
  type DrawnFigure,
  type FigureOptions,
  framed,
  plainAxis,
  titleName,
  withTable,
} from './figure.ts';
import { bandTrace } from './predictive-uniform.ts';
import { levelLine } from './reference-line.ts';

export interface SimulatedQuantity {
  readonly variable: string;
  readonly label?: string | undefined;
  /** In [0, 1], one per simulation. */
  readonly positions: Float64Array;
  /** Of the simultaneous band. */
  readonly probability: number;
  readonly state: 'passed' | 'warn' | 'bad';
}

export function simulationRankFigure(
  quantity: SimulatedQuantity,
  options: FigureOptions,
): DrawnFigure {
  const { palette } = options;
  const { positions, probability, state } = quantity;
  const points = bandPoints(positions.length);
  const ecdf = uniformEcdf(positions, { points, probability });
  const band = `${(100 * probability).toFixed(probability > 0.99 ? 2 : 1)} % band`;
  const data =
    ecdf === null
      ? []
      : [
          bandTrace(ecdf.z, ecdf, band, palette),
          {
            type: 'scatter',
            mode: 'lines',
            name: 'Simulations',
            x: ecdf.z,
            y: ecdf.difference,
            line: { width: 2, color: state === 'passed' ? palette.text : palette.bad },
            hovertemplate: 'position %{x:.2f}<br>%{y:.3f}<extra></extra>',
          },
        ];
  const layout = framed(
    {
      margin: { l: 40, r: 14, t: 6, b: 22 },
      xaxis: plainAxis(palette, { line: true, range: [0, 1] }),
      yaxis: plainAxis(palette, { grid: true }),
      shapes: [levelLine(0, palette.axis)],
    },
    {
      title: `Ranks of the true values of ${titleName(quantity)}`,
      x: 'Rank of the true value',
      y: 'ECDF difference',
      inCard: true,
    },
    options,
  );
  return withTable(
    { data, layout },
    () => ({
      columns: ['rank', 'difference', 'band_low', 'band_high'],
      rows:
        ecdf === null
          ? []
          : Array.from(ecdf.z, (at, k) => [at, ecdf.difference[k], ecdf.low[k], ecdf.high[k]]),
    }),
    ecdf === null ? ['No simulation has finished yet'] : [],
  );
}
