/**
 * Implicitly adaptive importance sampling for leave-one-out: if the weights of an observation have a heavy tail, the
 * draws are moved until their moments match those of the posterior without it.
 *
 * Source: Paananen, Piironen, Bürkner & Vehtari 2021, Statistics and Computing 31, article 16, sections 2.2 to 2.4; the
 * order of transformations, and the split at the end, as in R's loo (`loo_moment_match`).
 */
import { logSumExp, relativeEfficiency } from './loo.ts';
import {
  composed,
  type Draws,
  logDeterminant,
  type Move,
  mappingBetween,
  momentsOf,
  moveDraws,
  movePoint,
  movePointBack,
  stays,
  weightedMoments,
} from './moving-draws.ts';
import { psis, type SmoothedWeights } from './psis.ts';

/** What is known about the posterior. */
export interface MatchTarget {
  /** On the unconstrained scale, chain by chain. */
  readonly draws: Draws;
  readonly numChains: number;
  /** Log density of each draw, with the Jacobian; constants do not matter. */
  readonly logDensity: Float64Array;
  /**
   * Log density at a point (D values), and the log likelihood of the observation there; −∞ and any number if the
   * density is undefined.
   */
  readonly evaluate: (point: Float64Array, observation: number) => readonly [number, number];
}

export interface MatchOptions {
  /** Moves until k is at most this value. */
  readonly threshold: number;
  /** Maximum number of moves; default 30. */
  readonly maxMoves?: number;
  /** ESS ÷ draws of the likelihood of the observation; default found from its draws. */
  readonly relativeEfficiency?: number;
  /** False: the moved draws alone give the estimate. Default true, which also covers the posterior. */
  readonly split?: boolean;
}

export interface MatchResult {
  readonly elpd_loo: number;
  /** k of the moved draws; that of plain importance sampling if no move made it smaller. */
  readonly pareto_k: number;
  /** Moves that were made: 0 if none helped. */
  readonly moves: number;
}

/** Draws per parameter needed for a covariance. */
const drawsForCovariance = 10;

interface State {
  readonly draws: Draws;
  /** Transforms the draws of the run into these. */
  readonly move: Move;
  readonly logLik: Float64Array;
  readonly weights: SmoothedWeights;
}

/** `logLik`: log likelihood of the observation at each draw of the run, in order. */
export function matchMoments(
  target: MatchTarget,
  observation: number,
  logLik: Float64Array,
  { threshold, maxMoves = 30, split = true, relativeEfficiency: given }: MatchOptions,
): MatchResult {
  const { draws, numChains } = target;
  const efficiency = given ?? relativeEfficiency(logLik, numChains, draws.count / numChains);
  const weigh = (logRatios: Float64Array) => psis(logRatios, efficiency);
  const hasCovariance = draws.count >= drawsForCovariance * draws.dimension;
  let state: State = {
    draws,
    move: stays(draws),
    logLik,
    weights: weigh(logLik.map((value) => -value)),
  };
  let moves = 0;
  while (moves < maxMoves && state.weights.k > threshold) {
    const next = betterMove(target, observation, state, { weigh, hasCovariance });
    if (next === null) break;
    state = next;
    moves += 1;
  }
  const { k } = state.weights;
  const plain = { elpd_loo: predictive(state), pareto_k: k, moves };
  if (moves === 0 || !split) return plain;
  const elpd = splitPredictive(target, observation, state.move, weigh);
  return Number.isFinite(elpd) ? { ...plain, elpd_loo: elpd } : plain;
}

interface Moving {
  readonly weigh: (logRatios: Float64Array) => SmoothedWeights;
  readonly hasCovariance: boolean;
}

/** The first of mean, mean with scales, and mean with covariance that makes k smaller; null: none of them. */
function betterMove(
  target: MatchTarget,
  observation: number,
  state: State,
  { weigh, hasCovariance }: Moving,
): State | null {
  const now = momentsOf(state.draws);
  const wanted = weightedMoments(state.draws, state.weights.logWeights);
  const shifted: Move = {
    ...stays(state.draws),
    shift: wanted.mean.map((value, j) => value - now.mean[j]),
  };
  const scaled = (): Move => ({
    ...shifted,
    scale: wanted.variance.map((value, j) => Math.sqrt(value / now.variance[j])),
  });
  const turned = (): Move => ({ ...shifted, map: mappingBetween(now, wanted) });
  for (const candidate of [() => shifted, scaled, ...(hasCovariance ? [turned] : [])]) {
    const move = candidate();
    const draws = moveDraws(state.draws, now.mean, move);
    const { logDensity, logLik } = evaluateAll(target, observation, draws);
    const weights = weigh(logDensity.map((value, s) => value - logLik[s] - target.logDensity[s]));
    if (weights.k < state.weights.k)
      return { draws, logLik, weights, move: composed(state.move, move) };
  }
  return null;
}

function evaluateAll({ evaluate }: MatchTarget, observation: number, draws: Draws) {
  const { values, count, dimension } = draws;
  const logDensity = new Float64Array(count);
  const logLik = new Float64Array(count);
  for (let s = 0; s < count; s++) {
    const point = values.subarray(s * dimension, (s + 1) * dimension);
    [logDensity[s], logLik[s]] = evaluate(point, observation);
  }
  return { logDensity, logLik };
}

function predictive({ logLik, weights }: Pick<State, 'logLik' | 'weights'>): number {
  return logSumExp(logLik.map((value, s) => value + weights.logWeights[s]));
}

/**
 * The log predictive density from draws of which the first half is moved and the second is not: a mixture that covers
 * both the posterior and the one without the observation, with deterministic mixture weights (section 2.4).
 */
function splitPredictive(
  target: MatchTarget,
  observation: number,
  move: Move,
  weigh: Moving['weigh'],
): number {
  const { draws } = target;
  const { values, count, dimension } = draws;
  const half = Math.floor(count / 2);
  const { mean } = momentsOf(draws);
  const determinant = logDeterminant(move);
  const logLik = new Float64Array(count);
  const logRatios = new Float64Array(count);
  const moved = new Float64Array(dimension);
  for (let s = 0; s < count; s++) {
    const own = values.subarray(s * dimension, (s + 1) * dimension);
    const isMoved = s < half;
    if (isMoved) movePoint(own, mean, move, moved);
    else movePointBack(own, mean, move, moved);
    const [density, likelihood] = target.evaluate(isMoved ? moved : own, observation);
    // the density at the point that this one came from, or would have come from
    const there = isMoved ? target.logDensity[s] : target.evaluate(moved, observation)[0];
    const mixture = logSumExp(Float64Array.of(density, there - determinant));
    logLik[s] = likelihood;
    logRatios[s] = density - likelihood - mixture;
  }
  return predictive({ logLik, weights: weigh(logRatios) });
}
