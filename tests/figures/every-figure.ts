/** Every builder once, over seeded draws of a funnel-like model: the input of the checks of all figures. */

import { autocorrelationFigure } from '../../src/figures/autocorrelation-figure.ts';
import { comparedDensityFigure } from '../../src/figures/compared-figure.ts';
import { densityFigure } from '../../src/figures/density-figure.ts';
import { divergenceFigure } from '../../src/figures/divergence-figure.ts';
import { ecdfFigure } from '../../src/figures/ecdf-figure.ts';
import { energyFigure } from '../../src/figures/energy-figure.ts';
import {
  essGrowthFigure,
  essLocalFigure,
  essQuantileFigure,
} from '../../src/figures/ess-figure.ts';
import type {
  DrawnFigure,
  FigureChain,
  FigureOptions,
  FigureVariable,
} from '../../src/figures/figure.ts';
import { forestFigure, forestRows } from '../../src/figures/forest-figure.ts';
import { histogramFigure } from '../../src/figures/histogram-figure.ts';
import { looCompareFigure, paretoKFigure } from '../../src/figures/loo-figure.ts';
import { pairFigure } from '../../src/figures/pair-figure.ts';
import { predictiveFigure } from '../../src/figures/predictive-figure.ts';
import type { PredictiveCheck, PredictiveInput } from '../../src/figures/predictive-frame.ts';
import { rankEcdfFigure, rankHistogramFigure } from '../../src/figures/rank-figure.ts';
import { runningMeanFigure } from '../../src/figures/running-mean-figure.ts';
import { acceptanceFigure, treedepthFigure } from '../../src/figures/sampler-figure.ts';
import { sensitivityFigure } from '../../src/figures/sensitivity-figure.ts';
import {
  type SimulatedQuantity,
  simulationRankFigure,
} from '../../src/figures/simulation-rank-figure.ts';
import { traceFigure } from '../../src/figures/trace-figure.ts';
import { compareLoo, looOf } from '../../src/posterior/loo.ts';
import type { OutcomeKind } from '../../src/posterior/predictive/replications.ts';
import { seededRng } from '../support/seeded-rng.ts';

export interface DrawnRun {
  readonly variables: readonly FigureVariable[];
  readonly energy: readonly FigureChain[];
  readonly treedepth: readonly FigureChain[];
  readonly acceptance: readonly FigureChain[];
  readonly stepSize: readonly FigureChain[];
  /** One entry per observation. */
  readonly logLik: readonly Float64Array[][];
}

/** Autocorrelated draws with a few divergences; chain 3 of variable 2 differs from the others. */
export function drawnRun({ numDraws = 600, numChains = 4, names = defaultNames } = {}): DrawnRun {
  const rng = seededRng(20_260_712);
  const chains = (draw: (chain: number, i: number) => number, warmup = 0): FigureChain[] =>
    Array.from({ length: numChains }, (_, index) => ({
      index,
      name: `chain#${index + 1}`,
      warmup: Float64Array.from({ length: warmup }, () => 3 * rng.normal()),
      sampling: Float64Array.from({ length: numDraws }, (__, i) => draw(index, i)),
      divergent: Float64Array.from({ length: numDraws }, (__, i) =>
        (i * 7 + index) % 97 === 0 ? 1 : 0,
      ),
    }));
  const variables = names.map((variable, v) => {
    let last = 0;
    const rho = 0.3 + 0.1 * (v % 5);
    return {
      variable,
      chains: chains((chain) => {
        last = rho * last + Math.sqrt(1 - rho * rho) * rng.normal();
        const apart = v === 1 && chain === 2 ? 1.5 : 0;
        return v % 3 === 2 ? Math.exp(last) : last * (v + 1) + apart;
      }, 200),
    };
  });
  return {
    variables,
    energy: chains(() => 20 + 3 * rng.normal()),
    treedepth: chains(() => 2 + Math.floor(3 * rng.uniform())),
    acceptance: chains(() => Math.min(1, 0.6 + 0.5 * rng.uniform())),
    stepSize: chains((chain) => 0.4 + 0.05 * chain),
    logLik: Array.from({ length: 12 }, (_, observation) =>
      chains(() => -1.5 - (observation === 3 ? 4 : 0.3) * rng.normal() ** 2).map(
        (chain) => chain.sampling,
      ),
    ),
  };
}

const defaultNames = ['mu', 'theta[1]', 'tau', 'theta[2]', 'a_very_long_variable_name[12,345]'];

/** The `lprior` of a program with the prior normal(0, 3) for its first variable. */
export function logPriorOf({ variables: [first] }: DrawnRun): FigureVariable {
  const chains = first.chains.map((chain) => ({
    ...chain,
    sampling: chain.sampling.map((x) => -0.5 * (x / 3) ** 2),
  }));
  return { variable: 'lprior', chains };
}

/** Pointwise log likelihoods as variables of a run. */
function logLikOf({ logLik, variables: [first] }: DrawnRun): FigureVariable[] {
  return logLik.map((observation, i) => ({
    variable: `log_lik[${i + 1}]`,
    chains: observation.map((sampling, index) => ({
      index,
      name: first.chains[index].name,
      sampling,
    })),
  }));
}

/** Twelve observations with what a model would generate for them, as values of the requested outcome. */
function predictiveOf(
  run: DrawnRun,
  check: PredictiveCheck,
  outcome: OutcomeKind,
): PredictiveInput {
  const valueOf = (x: number) => {
    if (outcome === 'continuous') return x;
    const count = Math.floor(Math.abs(x));
    return outcome === 'count' ? count : Math.min(1, count);
  };
  const logLik = logLikOf(run);
  const [{ variable }] = run.variables;
  return {
    check,
    outcome,
    observed: variable,
    y: Float64Array.from(logLik, (_, i) => valueOf(-1.6 - 0.3 * i)),
    replicated: logLik.map(({ chains }, i) => ({
      variable: `y_rep[${i + 1}]`,
      chains: chains.map((chain) => ({ ...chain, sampling: chain.sampling.map(valueOf) })),
    })),
    replicatedName: run.variables[3].variable,
    logLik,
    group: run.variables[1].variable,
  };
}

/** Each kind of check once. */
const predictiveChecks: readonly (readonly [PredictiveCheck, OutcomeKind])[] = [
  ['density', 'continuous'],
  ['ecdf', 'continuous'],
  ['intervals', 'continuous'],
  ['statistics', 'continuous'],
  ['rootogram', 'count'],
  ['bars', 'count'],
  ['calibration', 'binary'],
  ['loo-pit', 'continuous'],
];

/** Name of the figure → the figure. */
export function everyFigure(
  options: FigureOptions,
  run: DrawnRun = drawnRun(),
): Map<string, DrawnFigure> {
  const [first, second] = run.variables;
  const loo = looOf(run.logLik);
  const other = looOf(run.logLik.map((chains) => chains.map((chain) => chain.map((x) => 1.1 * x))));
  const numSamples = first.chains[0].sampling.length;
  const traceOptions = { ...options, numWarmup: 200, numSamples, width: 500 };
  return new Map([
    ['trace', traceFigure(first, { ...traceOptions, showWarmup: true })],
    ['trace-apart', traceFigure(second, { ...traceOptions, showWarmup: false })],
    ['trace-range', traceFigure(first, { ...traceOptions, showWarmup: false, range: [100, 180] })],
    ['density', densityFigure(second, options)],
    ['density-pooled', densityFigure(run.variables[2], { ...options, pooled: true })],
    [
      'compared-density',
      comparedDensityFigure(
        second,
        run.variables.slice(0, 4).map(({ chains }, index) => ({
          index,
          name: 'ABCD'[index],
          draws: chains[0].sampling,
        })),
        options,
      ),
    ],
    ['histogram', histogramFigure(first, options)],
    ['histogram-by-chain', histogramFigure(second, { ...options, byChain: true })],
    ['running-mean', runningMeanFigure(second, { ...options, numSamples: 200 })],
    ['ecdf', ecdfFigure(second, options)],
    ['forest', forestFigure(forestRows(run.variables), { ...options, showRhat: true })],
    [
      'forest-by-chain',
      forestFigure(forestRows(run.variables.slice(0, 2), { byChain: true }), options),
    ],
    ['rank', rankHistogramFigure(second, options)],
    ['rank-ecdf', rankEcdfFigure(second, options)],
    ['autocorrelation', autocorrelationFigure(run.variables[3], options)],
    ['energy', energyFigure(run.energy, options)],
    ['ess-growth', essGrowthFigure(first, options)],
    ['ess-quantile', essQuantileFigure(first, options)],
    ['ess-local', essLocalFigure(first, options)],
    ['pair', pairFigure(run.variables.slice(0, 4), options)],
    ['divergence', divergenceFigure(run.variables, options)],
    ['treedepth', treedepthFigure(run.treedepth, { ...options, maxTreedepth: 10 })],
    [
      'acceptance',
      acceptanceFigure(
        { acceptance: run.acceptance, stepSize: run.stepSize },
        { ...options, target: 0.8 },
      ),
    ],
    ['pareto-k', paretoKFigure(loo, options)],
    [
      'sensitivity',
      sensitivityFigure([...run.variables, logPriorOf(run), ...logLikOf(run)], options),
    ],
    ['simulation-rank', simulationRankFigure(simulatedOf(first), options)],
    ...predictiveChecks.map(
      ([check, outcome]) =>
        [
          `predictive-${check}`,
          predictiveFigure(predictiveOf(run, check, outcome), options),
        ] as const,
    ),
    [
      'loo-compare',
      looCompareFigure(
        compareLoo([
          { name: 'linear', loo },
          { name: 'quadratic', loo: other },
        ]) ?? [],
        options,
      ),
    ],
  ]);
}

/** True values that are too often at the lower end. */
function simulatedOf({ variable, label }: FigureVariable): SimulatedQuantity {
  const positions = Float64Array.from({ length: 80 }, (_, n) => ((n + 0.5) / 80) ** 2);
  return { variable, label, positions, probability: 0.99, state: 'bad' };
}
