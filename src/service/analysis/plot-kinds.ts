/** What the plotting function can draw, by the values of `plot_func`. */

import { autocorrelationFigure } from '../../figures/autocorrelation-figure.ts';
import { densityFigure } from '../../figures/density-figure.ts';
import { divergenceFigure } from '../../figures/divergence-figure.ts';
import { ecdfFigure } from '../../figures/ecdf-figure.ts';
import { energyFigure } from '../../figures/energy-figure.ts';
import { essGrowthFigure, essLocalFigure, essQuantileFigure } from '../../figures/ess-figure.ts';
import type { DrawnFigure, FigureOptions, FigureVariable } from '../../figures/figure.ts';
import { forestFigure, forestRows } from '../../figures/forest-figure.ts';
import { histogramFigure } from '../../figures/histogram-figure.ts';
import { mostPairVariables, pairFigure } from '../../figures/pair-figure.ts';
import type { PredictiveCheck } from '../../figures/predictive-frame.ts';
import { rankEcdfFigure, rankHistogramFigure } from '../../figures/rank-figure.ts';
import { runningMeanFigure } from '../../figures/running-mean-figure.ts';
import { acceptanceFigure, treedepthFigure } from '../../figures/sampler-figure.ts';
import { sensitivityFigure } from '../../figures/sensitivity-figure.ts';
import { traceFigure } from '../../figures/trace-figure.ts';
import { isLogLik, isLogPrior } from '../../posterior/variable-kinds.ts';
import { itemAt, ownValue } from '../../shared/items.ts';

/** One figure per variable, one of several variables together, or one of columns that the sampler reports. */
export type PlotKind =
  | {
      readonly of: 'variable';
      readonly draw: (variable: FigureVariable, options: FigureOptions) => DrawnFigure;
    }
  | {
      readonly of: 'variables';
      readonly most: number;
      /** What it needs in addition to the requested variables; `orElse` says what to do if a run has none. */
      readonly needs?: readonly {
        readonly is: (variable: string) => boolean;
        readonly orElse: string;
      }[];
      readonly draw: (variables: readonly FigureVariable[], options: FigureOptions) => DrawnFigure;
    }
  | {
      readonly of: 'sampler';
      readonly columns: readonly string[];
      readonly draw: (columns: readonly FigureVariable[], options: FigureOptions) => DrawnFigure;
    }
  /** The data next to the run's replications; `first`: the most informative check for the outcome. */
  | { readonly of: 'predictive'; readonly check: PredictiveCheck | 'first' }
  /** Pareto k of each observation of leave-one-out. */
  | { readonly of: 'loo' };

const runningMeanOf = (variable: FigureVariable, options: FigureOptions) => {
  const numSamples = Math.max(1, ...variable.chains.map((chain) => chain.sampling.length));
  return runningMeanFigure(variable, { ...options, numSamples });
};

const traceOf = (variable: FigureVariable, options: FigureOptions) => {
  const numSamples = Math.max(1, ...variable.chains.map((chain) => chain.sampling.length));
  return traceFigure(variable, { ...options, numWarmup: 0, numSamples, showWarmup: false });
};

const kinds: Readonly<Record<string, PlotKind>> = {
  trace: { of: 'variable', draw: traceOf },
  running_mean: { of: 'variable', draw: runningMeanOf },
  density: { of: 'variable', draw: densityFigure },
  histogram: { of: 'variable', draw: histogramFigure },
  ecdf: { of: 'variable', draw: ecdfFigure },
  rank: { of: 'variable', draw: rankHistogramFigure },
  rank_ecdf: { of: 'variable', draw: rankEcdfFigure },
  autocorr: { of: 'variable', draw: autocorrelationFigure },
  ess: { of: 'variable', draw: essGrowthFigure },
  ess_quantile: { of: 'variable', draw: essQuantileFigure },
  ess_local: { of: 'variable', draw: essLocalFigure },
  forest: {
    of: 'variables',
    most: 100,
    draw: (variables, options) =>
      forestFigure(forestRows(variables), { ...options, showRhat: true }),
  },
  pair: { of: 'variables', most: mostPairVariables, draw: pairFigure },
  parallel: { of: 'variables', most: 30, draw: divergenceFigure },
  sensitivity: {
    of: 'variables',
    most: 100,
    needs: [
      {
        is: isLogPrior,
        orElse: 'the program has no variable lprior, the log density of its priors',
      },
      { is: isLogLik, orElse: 'the program has no variable log_lik, the log likelihood' },
    ],
    draw: sensitivityFigure,
  },
  energy: {
    of: 'sampler',
    columns: ['energy__'],
    draw: (columns, options) => energyFigure(itemAt(columns, 0).chains, options),
  },
  treedepth: {
    of: 'sampler',
    columns: ['treedepth__'],
    draw: (columns, options) => treedepthFigure(itemAt(columns, 0).chains, options),
  },
  acceptance: {
    of: 'sampler',
    columns: ['accept_stat__', 'stepsize__'],
    draw: (columns, options) =>
      acceptanceFigure(
        { acceptance: itemAt(columns, 0).chains, stepSize: itemAt(columns, 1).chains },
        options,
      ),
  },
  ppc: { of: 'predictive', check: 'first' },
  ppc_density: { of: 'predictive', check: 'density' },
  ppc_ecdf: { of: 'predictive', check: 'ecdf' },
  ppc_intervals: { of: 'predictive', check: 'intervals' },
  ppc_stat: { of: 'predictive', check: 'statistics' },
  ppc_bars: { of: 'predictive', check: 'bars' },
  ppc_rootogram: { of: 'predictive', check: 'rootogram' },
  ppc_calibration: { of: 'predictive', check: 'calibration' },
  loo_pit: { of: 'predictive', check: 'loo-pit' },
  pareto_k: { of: 'loo' },
};

/** Names that other tools use for the same plots. */
const aliases: Readonly<Record<string, string>> = {
  dens: 'density',
  dist: 'density',
  kde: 'density',
  posterior: 'density',
  hist: 'histogram',
  autocorrelation: 'autocorr',
  acf: 'autocorr',
  pairs: 'pair',
  ess_evolution: 'ess',
  ess_growth: 'ess',
  rank_hist: 'rank',
  divergence: 'parallel',
  ppc_dens: 'ppc_density',
  ppc_dens_overlay: 'ppc_density',
  ppc_ecdf_overlay: 'ppc_ecdf',
  ppc_loo_pit: 'loo_pit',
  ppc_loo_pit_ecdf: 'loo_pit',
  khat: 'pareto_k',
  loo: 'pareto_k',
  bpv: 'ppc_stat',
  reliability: 'ppc_calibration',
};

export const plotNames: readonly string[] = Object.keys(kinds);

/** By name, with or without the prefix `plot_`; null for an unknown name. */
export function findPlotKind(name: string): PlotKind | null {
  const plain = name
    .trim()
    .toLowerCase()
    .replace(/^plot_/, '');
  return ownValue(kinds, ownValue(aliases, plain) ?? plain) ?? null;
}
