/** Calibration by simulation: the ECDF of where true values lie among the draws, minus that of uniform positions. */
import { bandPoints } from '../posterior/calibration.ts';
import { uniformEcdf } from '../posterior/predictive/uniform-band.ts';
import { type DrawnFigure, type FigureOptions, titleName } from './figure.ts';
import { uniformFigure } from './predictive-uniform.ts';

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
  return uniformFigure(
    ecdf,
    {
      title: `Ranks of the true values of ${titleName(quantity)}`,
      x: 'Rank of the true value',
      column: 'rank',
      band,
      name: 'Simulations',
      color: state === 'passed' ? palette.text : palette.bad,
      hover: 'position',
      notes: ecdf === null ? ['No simulation has finished yet'] : [],
    },
    options,
  );
}
