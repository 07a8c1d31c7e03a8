/** Every figure of the page as plain data, so that a worker can draw it; and the one function that draws. */
import { autocorrelationFigure } from '../../figures/autocorrelation-figure.ts';
import {
  type ComparedDensityOptions,
  type ComparedDraws,
  comparedDensityFigure,
} from '../../figures/compared-figure.ts';
import { densityFigure } from '../../figures/density-figure.ts';
import { divergenceFigure } from '../../figures/divergence-figure.ts';
import { ecdfFigure } from '../../figures/ecdf-figure.ts';
import { energyFigure } from '../../figures/energy-figure.ts';
import { essGrowthFigure, essQuantileFigure } from '../../figures/ess-figure.ts';
import type { DrawnFigure, FigureTable, FigureVariable } from '../../figures/figure.ts';
import { type ForestOptions, forestFigure, forestRows } from '../../figures/forest-figure.ts';
import { histogramFigure } from '../../figures/histogram-figure.ts';
import { looCompareFigure, type ParetoKOptions, paretoKFigure } from '../../figures/loo-figure.ts';
import { pairFigure } from '../../figures/pair-figure.ts';
import { predictiveFigure } from '../../figures/predictive-figure.ts';
import { rankEcdfFigure, rankHistogramFigure } from '../../figures/rank-figure.ts';
import { runningMeanFigure } from '../../figures/running-mean-figure.ts';
import { acceptanceFigure, treedepthFigure } from '../../figures/sampler-figure.ts';
import { sensitivityFigure } from '../../figures/sensitivity-figure.ts';
import { simulationRankFigure } from '../../figures/simulation-rank-figure.ts';
import { traceFigure } from '../../figures/trace-figure.ts';
import type { Loo } from '../../posterior/loo.ts';

type Builder<Input, Options> = (input: Input, options: Options) => DrawnFigure;

/** A request's entry `key` is the input of its builder. */
const ofEntry =
  <Key extends string>(key: Key) =>
  <Input, Options>(build: Builder<Input, Options>) =>
  (request: { readonly [K in Key]: Input } & { readonly options: Options }) =>
    build(request[key], request.options);

const ofVariable = ofEntry('variable');
const ofVariables = ofEntry('variables');
const ofChains = ofEntry('chains');
const ofRows = ofEntry('rows');
const ofInput = ofEntry('input');

interface ComparedRequest {
  readonly variable: Pick<FigureVariable, 'variable' | 'label'>;
  readonly experiments: readonly ComparedDraws[];
  readonly options: ComparedDensityOptions;
}

/** By kind of request. */
const builders = {
  trace: ofVariable(traceFigure),
  'running-mean': ofVariable(runningMeanFigure),
  density: ofVariable(densityFigure),
  histogram: ofVariable(histogramFigure),
  ecdf: ofVariable(ecdfFigure),
  'rank-ecdf': ofVariable(rankEcdfFigure),
  'rank-histogram': ofVariable(rankHistogramFigure),
  autocorrelation: ofVariable(autocorrelationFigure),
  'ess-growth': ofVariable(essGrowthFigure),
  'ess-quantile': ofVariable(essQuantileFigure),
  energy: ofChains(energyFigure),
  treedepth: ofChains(treedepthFigure),
  acceptance: ofInput(acceptanceFigure),
  pair: ofVariables(pairFigure),
  divergence: ofVariables(divergenceFigure),
  forest: ofRows(forestFigure),
  'forest-by-chain': ofVariables((variables: readonly FigureVariable[], options: ForestOptions) =>
    forestFigure(forestRows(variables, { byChain: true, hidden: options.hidden }), options),
  ),
  loo: ofEntry('loo')(drawLoo),
  sensitivity: ofVariables(sensitivityFigure),
  predictive: ofInput(predictiveFigure),
  'simulation-rank': ofEntry('quantity')(simulationRankFigure),
  'compared-density': ({ variable, experiments, options }: ComparedRequest) =>
    comparedDensityFigure(variable, experiments, options),
  'loo-compare': ofRows(looCompareFigure),
};

type Kind = keyof typeof builders;

export type FigureRequest = {
  [K in Kind]: { readonly kind: K } & Parameters<(typeof builders)[K]>[0];
}[Kind];

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
  // A request fits the builder of its kind, but indexing loses this.
  const build = builders[request.kind] as (request: FigureRequest) => DrawnFigure;
  return build(request);
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
