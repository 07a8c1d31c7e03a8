/**
 * Pathfinder: normal approximations along the path of L-BFGS, the one with the best ELBO, and importance resampling of
 * several paths. Source: Zhang, Carpenter, Gelman & Vehtari 2022, JMLR 23(306), algorithms 1 and 2.
 */
import type { Rng } from '../../math/random/rng.ts';
import { psis } from '../../posterior/psis.ts';
import { paretoKOfRatios } from '../../posterior/run-method.ts';
import { ChainEnd } from '../chain-end.ts';
import type { FitSettings } from '../chain-state.ts';
import { restoreStream } from '../random-streams.ts';
import {
  type Approximation,
  createLogDensity,
  type Fit,
  type FitRequest,
  type LogDensity,
  shortNumber,
  startOf,
} from './fit.ts';
import { followLbfgs } from './lbfgs.ts';
import { negated } from './optimize.ts';
import { createPathNormals, type PathNormal } from './path-normal.ts';

/** Draws of each path for the importance weights, as in CmdStan. */
const drawsPerPath = 1000;

export function* fitPathfinder(request: FitRequest): Fit {
  const { fit, rng, model } = request;
  const logDensity = createLogDensity(model, true);
  const paths: FittedPath[] = [];
  for (let number = 1; number <= fit.numPaths; number++) {
    const start = startOf(request);
    const found = yield* followPath(logDensity, start, { fit, rng });
    if (found === null) {
      yield `Path ${number} gives no approximation.`;
      continue;
    }
    const { elbo, iteration, of } = found;
    yield `Path ${number}: the best ELBO, ${shortNumber(elbo)}, at iteration ${iteration} of ${of}.`;
    paths.push({ ...found, number });
  }
  if (paths.length === 0)
    throw new ChainEnd(
      'no-approximation',
      'Pathfinder found no approximation: on no path is the log density finite around the points of L-BFGS. Give inits, or try NUTS.',
    );
  const pool: Candidate[] = [];
  for (const path of paths) {
    addCandidates(logDensity, path, { rng, pool });
    yield null;
  }
  const logRatios = Float64Array.from(pool, (one) => one.logP - one.logQ);
  const { logWeights } = psis(logRatios);
  const k = paretoKOfRatios(logRatios);
  yield `Pareto k of the importance ratios: ${shortNumber(k)}.`;
  return fit.psisResample && fit.numPaths > 1
    ? resampled({ pool, logWeights, k })
    : fresh(paths, k, logDensity);
}

interface BestNormal {
  readonly normal: PathNormal;
  readonly elbo: number;
  readonly iteration: number;
  /** Iterations of the path. */
  readonly of: number;
}

interface FittedPath extends BestNormal {
  /** 1-based. */
  readonly number: number;
}

/** Follows one path and keeps its best approximation; null if none has a finite ELBO. */
export function* followPath(
  logDensity: LogDensity,
  start: Float64Array,
  { fit, rng }: { readonly fit: FitSettings; readonly rng: Rng },
): Generator<string | null, BestNormal | null> {
  const normals = createPathNormals(start.length, fit.historySize);
  let best: Omit<BestNormal, 'of'> | null = null;
  let of = 0;
  for (const point of followLbfgs(negated(logDensity), start, fit)) {
    of = point.iteration;
    const normal = normals.next(point);
    if (normal !== null) {
      const elbo = elboOf(normal, logDensity, fit.numElboDraws, rng);
      if (elbo > (best?.elbo ?? Number.NEGATIVE_INFINITY))
        best = { normal, elbo, iteration: point.iteration };
    }
    yield null;
  }
  return best === null ? null : { ...best, of };
}

/** Mean of log p − log q over draws; −∞ if a draw has no density. */
function elboOf(normal: PathNormal, logDensity: LogDensity, count: number, rng: Rng): number {
  const q = new Float64Array(normal.size);
  const gradient = new Float64Array(normal.size);
  let sum = 0;
  for (let i = 0; i < count; i++) {
    const logQ = normal.draw(rng, q);
    sum += logDensity(q, gradient) - logQ;
  }
  return Number.isNaN(sum) ? Number.NEGATIVE_INFINITY : sum / count;
}

/** A draw of the pool, regenerated from the state of its random stream, which is smaller than the draw. */
interface Candidate {
  readonly path: FittedPath;
  readonly state: readonly number[];
  readonly logP: number;
  readonly logQ: number;
}

function addCandidates(
  logDensity: LogDensity,
  path: FittedPath,
  { rng, pool }: { readonly rng: Rng; readonly pool: Candidate[] },
): void {
  const { normal } = path;
  const q = new Float64Array(normal.size);
  const gradient = new Float64Array(normal.size);
  for (let i = 0; i < drawsPerPath; i++) {
    const state = rng.state();
    const logQ = normal.draw(rng, q);
    pool.push({ path, state, logQ, logP: logDensity(q, gradient) });
  }
}

interface Pool {
  readonly pool: readonly Candidate[];
  readonly logWeights: Float64Array;
  readonly k: number;
}

/** With replacement, as Stan does. */
function resampled({ pool, logWeights, k }: Pool): Approximation {
  const cumulative = new Float64Array(pool.length);
  let sum = 0;
  for (let i = 0; i < pool.length; i++) {
    sum += Math.exp(logWeights[i]);
    cumulative[i] = sum;
  }
  return {
    draw(_index, rng, q, statistics) {
      const chosen = pool[placeOf(cumulative, rng.uniform() * sum)];
      chosen.path.normal.draw(restoreStream(chosen.state), q);
      statistics.set([chosen.logQ, chosen.logP, chosen.path.number, k]);
    },
  };
}

/** Index of the first entry above `value`; the last if there is none. */
function placeOf(cumulative: Float64Array, value: number): number {
  let low = 0;
  let high = cumulative.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (cumulative[middle] > value) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** As many of each path. */
function fresh(paths: readonly FittedPath[], k: number, logDensity: LogDensity): Approximation {
  const gradient = new Float64Array(paths[0].normal.size);
  return {
    draw(index, rng, q, statistics) {
      const path = paths[index % paths.length];
      const logQ = path.normal.draw(rng, q);
      statistics.set([logQ, logDensity(q, gradient), path.number, k]);
    },
  };
}
