/** Every figure of the page as plain data, so that a worker can draw it; and the one function that draws. */

import {
  type AutocorrelationOptions,
  autocorrelationFigure,
} from '../../figures/autocorrelation-figure.ts';
import {
  type ComparedDensityOptions,
  type ComparedDraws,
  comparedDensityFigure,
} from '../../figures/compared-figure.ts';
import { type DensityOptions, densityFigure } from '../../figures/density-figure.ts';
import { type DivergenceOptions, divergenceFigure } from '../../figures/divergence-figure.ts';
import { type EcdfOptions, ecdfFigure } from '../../figures/ecdf-figure.ts';
import { energyFigure } from '../../figures/energy-figure.ts';
import { type EssOptions, essGrowthFigure, essQuantileFigure } from '../../figures/ess-figure.ts';
import type {
  DrawnFigure,
  FigureChain,
  FigureOptions,
  FigureTable,
  FigureVariable,
} from '../../figures/figure.ts';
import {
  type ForestOptions,
  type ForestRow,
  forestFigure,
  forestRows,
} from '../../figures/forest-figure.ts';
import { type HistogramOptions, histogramFigure } from '../../figures/histogram-figure.ts';
import { looCompareFigure, type ParetoKOptions, paretoKFigure } from '../../figures/loo-figure.ts';
import { type PairOptions, pairFigure } from '../../figures/pair-figure.ts';
import { predictiveFigure } from '../../figures/predictive-figure.ts';
import type { PredictiveInput, PredictiveOptions } from '../../figures/predictive-frame.ts';
import {
  type RankEcdfOptions,
  type RankHistogramOptions,
  rankEcdfFigure,
  rankHistogramFigure,
} from '../../figures/rank-figure.ts';
import { type RunningMeanOptions, runningMeanFigure } from '../../figures/running-mean-figure.ts';
import {
  type AcceptanceInput,
  type AcceptanceOptions,
  acceptanceFigure,
  type TreedepthOptions,
  treedepthFigure,
} from '../../figures/sampler-figure.ts';
import { sensitivityFigure } from '../../figures/sensitivity-figure.ts';
import {
  type SimulatedQuantity,
  simulationRankFigure,
} from '../../figures/simulation-rank-figure.ts';
import { type TraceOptions, type TraceVariable, traceFigure } from '../../figures/trace-figure.ts';
import type { Loo, LooComparison } from '../../posterior/loo.ts';

interface OfVariable<Options> {
  readonly variable: FigureVariable;
  readonly options: Options;
}
interface OfVariables<Options> {
  readonly variables: readonly FigureVariable[];
  readonly options: Options;
}
interface OfChains<Options> {
  readonly chains: readonly FigureChain[];
  readonly options: Options;
}

export type FigureRequest =
  | {
      readonly kind: 'trace';
      readonly variable: TraceVariable;
      readonly options: TraceOptions;
    }
  | ({ readonly kind: 'running-mean' } & OfVariable<RunningMeanOptions>)
  | ({ readonly kind: 'density' } & OfVariable<DensityOptions>)
  | ({ readonly kind: 'histogram' } & OfVariable<HistogramOptions>)
  | ({ readonly kind: 'ecdf' } & OfVariable<EcdfOptions>)
  | ({ readonly kind: 'rank-ecdf' } & OfVariable<RankEcdfOptions>)
  | ({ readonly kind: 'rank-histogram' } & OfVariable<RankHistogramOptions>)
  | ({ readonly kind: 'autocorrelation' } & OfVariable<AutocorrelationOptions>)
  | ({ readonly kind: 'ess-growth' } & OfVariable<EssOptions>)
  | ({ readonly kind: 'ess-quantile' } & OfVariable<EssOptions>)
  | ({ readonly kind: 'energy' } & OfChains<FigureOptions>)
  | ({ readonly kind: 'treedepth' } & OfChains<TreedepthOptions>)
  | {
      readonly kind: 'acceptance';
      readonly input: AcceptanceInput;
      readonly options: AcceptanceOptions;
    }
  | ({ readonly kind: 'pair' } & OfVariables<PairOptions>)
  | ({ readonly kind: 'divergence' } & OfVariables<DivergenceOptions>)
  | {
      readonly kind: 'forest';
      readonly rows: readonly ForestRow[];
      readonly options: ForestOptions;
    }
  | ({ readonly kind: 'forest-by-chain' } & OfVariables<ForestOptions>)
  | { readonly kind: 'loo'; readonly loo: Loo; readonly options: ParetoKOptions }
  | ({ readonly kind: 'sensitivity' } & OfVariables<FigureOptions>)
  | {
      readonly kind: 'predictive';
      readonly input: PredictiveInput;
      readonly options: PredictiveOptions;
    }
  | {
      readonly kind: 'simulation-rank';
      readonly quantity: SimulatedQuantity;
      readonly options: FigureOptions;
    }
  | {
      readonly kind: 'compared-density';
      readonly variable: Pick<FigureVariable, 'variable' | 'label'>;
      readonly experiments: readonly ComparedDraws[];
      readonly options: ComparedDensityOptions;
    }
  | {
      readonly kind: 'loo-compare';
      readonly rows: readonly LooComparison[];
      readonly options: FigureOptions;
    };

/** A figure from a worker; it has a table only if one was requested. */
export interface AnsweredFigure {
  readonly data: DrawnFigure['data'];
  readonly layout: DrawnFigure['layout'];
  readonly notes: readonly string[];
  readonly preferredHeight?: number;
  readonly table: FigureTable | null;
}

/** Draws the requested figure. `withTable`: builds its table as well, which may be long. */
export function answerRequest(request: FigureRequest, withTable: boolean): AnsweredFigure {
  const figure = drawFigure(request);
  return {
    data: figure.data,
    layout: figure.layout,
    notes: figure.notes,
    preferredHeight: figure.preferredHeight,
    table: withTable ? figure.table : null,
  };
}

function drawFigure(request: FigureRequest): DrawnFigure {
  switch (request.kind) {
    case 'trace':
      return traceFigure(request.variable, request.options);
    case 'running-mean':
      return runningMeanFigure(request.variable, request.options);
    case 'density':
      return densityFigure(request.variable, request.options);
    case 'histogram':
      return histogramFigure(request.variable, request.options);
    case 'ecdf':
      return ecdfFigure(request.variable, request.options);
    case 'rank-ecdf':
      return rankEcdfFigure(request.variable, request.options);
    case 'rank-histogram':
      return rankHistogramFigure(request.variable, request.options);
    case 'autocorrelation':
      return autocorrelationFigure(request.variable, request.options);
    case 'ess-growth':
      return essGrowthFigure(request.variable, request.options);
    case 'ess-quantile':
      return essQuantileFigure(request.variable, request.options);
    case 'energy':
      return energyFigure(request.chains, request.options);
    case 'treedepth':
      return treedepthFigure(request.chains, request.options);
    case 'acceptance':
      return acceptanceFigure(request.input, request.options);
    case 'pair':
      return pairFigure(request.variables, request.options);
    case 'divergence':
      return divergenceFigure(request.variables, request.options);
    case 'forest':
      return forestFigure(request.rows, request.options);
    case 'forest-by-chain':
      return forestFigure(
        forestRows(request.variables, { byChain: true, hidden: request.options.hidden }),
        request.options,
      );
    case 'loo':
      return drawLoo(request.loo, request.options);
    case 'sensitivity':
      return sensitivityFigure(request.variables, request.options);
    case 'predictive':
      return predictiveFigure(request.input, request.options);
    case 'simulation-rank':
      return simulationRankFigure(request.quantity, request.options);
    case 'compared-density':
      return comparedDensityFigure(request.variable, request.experiments, request.options);
    case 'loo-compare':
      return looCompareFigure(request.rows, request.options);
  }
}

/** Pareto k of each observation; the notes say what they add up to. */
function drawLoo(loo: Loo, options: ParetoKOptions): DrawnFigure {
  const figure = paretoKFigure(loo, options);
  const high = loo.num_high_k;
  const fixed = (value: number) => value.toFixed(1).replace('-', '\u2212');
  const facts = [
    `elpd ${fixed(loo.elpd_loo)} (SE ${fixed(loo.se_elpd_loo)})`,
    `effective parameters ${fixed(loo.p_loo)}`,
    high === 0
      ? 'all observations reliable'
      : `${high} of ${loo.pareto_k.length} observations not reliable`,
  ];
  return {
    data: figure.data,
    layout: figure.layout,
    preferredHeight: figure.preferredHeight,
    notes: [facts.join(' · '), ...figure.notes],
    get table() {
      return figure.table;
    },
  };
}
