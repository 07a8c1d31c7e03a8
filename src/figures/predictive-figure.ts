/** Predictive checks: the data compared with what the model replicates, one figure for each kind of check. */
import { calibrationOf } from '../posterior/predictive/calibration.ts';
import { countFrequencies } from '../posterior/predictive/count-frequencies.ts';
import { looPitOf } from '../posterior/predictive/loo-pit.ts';
import { predictiveOf } from '../posterior/predictive/replications.ts';
import type { DrawnFigure, FigureVariable } from './figure.ts';
import { barsFigure, rootogramFigure } from './predictive-counts.ts';
import { predictiveDensityFigure, predictiveEcdfFigure } from './predictive-curves.ts';
import type { PredictiveInput, PredictiveOptions } from './predictive-frame.ts';
import { intervalsFigure } from './predictive-intervals.ts';
import { statisticsFigure } from './predictive-statistics.ts';
import { calibrationFigure, looPitFigure } from './predictive-uniform.ts';

export function predictiveFigure(input: PredictiveInput, options: PredictiveOptions): DrawnFigure {
  const drawsOf = ({ chains }: FigureVariable) => chains.map(({ sampling }) => sampling);
  const predictive = predictiveOf(input.y, input.replicated.map(drawsOf));
  const parts = { ...input, predictive };
  switch (input.check) {
    case 'density':
      return predictiveDensityFigure(parts, options);
    case 'ecdf':
      return predictiveEcdfFigure(parts, options);
    case 'intervals':
      return intervalsFigure(parts, options);
    case 'statistics':
      return statisticsFigure(parts, options);
    case 'rootogram':
      return rootogramFigure(parts, countFrequencies(predictive), options);
    case 'bars':
      return barsFigure(parts, countFrequencies(predictive), options);
    case 'calibration':
      return calibrationFigure(parts, calibrationOf(predictive), options);
    case 'loo-pit': {
      const logLik = (input.logLik ?? []).map(drawsOf);
      const isWhole = logLik.length === input.y.length;
      return looPitFigure(parts, isWhole ? looPitOf(predictive, logLik) : null, options);
    }
  }
}
