/** A starting point for NUTS: a draw of Pathfinder, which lies where the posterior has its mass. */

import type { Rng } from '../../math/random/rng.ts';
import { psis } from '../../posterior/psis.ts';
import { fitSettings } from '../chain-settings.ts';
import type { ChainSettings } from '../chain-state.ts';
import { updateDensity } from '../hmc/hamiltonian.ts';
import { createPhasePoint, type PhasePoint } from '../hmc/phase-point.ts';
import type { Model } from '../model.ts';
import { openStream } from '../random-streams.ts';
import { defaultSettings } from '../settings.ts';
import { createLogDensity, type LogDensity } from './fit.ts';
import type { PathNormal } from './path-normal.ts';
import { followPath } from './pathfinder.ts';

const maxTries = 20;
/** Starting points tried for each of several paths. */
const triesPerPath = 5;
/** Draws of each of several paths, which are weighted against each other. */
const drawsPerPath = 100;

export interface PathfinderStartRequest {
  readonly model: Model;
  /** Where the first path begins. */
  readonly start: PhasePoint;
  /** Where another path begins; null: nowhere. */
  readonly nextStart: () => PhasePoint | null;
  readonly settings: ChainSettings;
  readonly chain: number;
}

/** Null if Pathfinder finds no approximation, or none of its draws has a density. */
export function pathfinderStart(request: PathfinderStartRequest): PhasePoint | null {
  const { model, settings, chain, nextStart } = request;
  const rng = openStream(settings.seed, chain, 'fit');
  const logDensity = createLogDensity(model, true);
  const normals: PathNormal[] = [];
  let start: PhasePoint | null = request.start;
  const { startPaths = 1 } = settings;
  // L-BFGS gets nowhere from a point where the density explodes: another point takes its place
  const tries = startPaths === 1 ? 1 : triesPerPath * startPaths;
  for (let n = 0; n < tries && normals.length < startPaths && start !== null; n++) {
    const normal = approximationFrom(logDensity, start.q, rng);
    if (normal !== null) normals.push(normal);
    if (normals.length < startPaths) start = nextStart();
  }
  if (normals.length === 0) return null;
  const draw =
    normals.length === 1
      ? normals[0].draw.bind(normals[0], rng)
      : resampled(normals, logDensity, rng);
  const found = createPhasePoint(model.numUnconstrained);
  for (let n = 0; n < maxTries; n++) {
    draw(found.q);
    updateDensity(model, found);
    if (Number.isFinite(found.logDensity) && found.gradient.every(Number.isFinite)) return found;
  }
  return null;
}

function approximationFrom(logDensity: LogDensity, start: Float64Array, rng: Rng) {
  const fit = { ...fitSettings(defaultSettings), iter: 1000 };
  const path = followPath(logDensity, start, { fit, rng });
  let step = path.next();
  while (!step.done) step = path.next();
  return step.value?.normal ?? null;
}

/** Resamples draws of several paths by importance weight, so that a path ending in a lesser mode is rarely chosen. */
function resampled(normals: readonly PathNormal[], logDensity: LogDensity, rng: Rng) {
  const pool: Float64Array[] = [];
  const logRatios: number[] = [];
  for (const normal of normals) {
    const gradient = new Float64Array(normal.size);
    for (let n = 0; n < drawsPerPath; n++) {
      const q = new Float64Array(normal.size);
      const logQ = normal.draw(rng, q);
      pool.push(q);
      logRatios.push(logDensity(q, gradient) - logQ);
    }
  }
  const weights = psis(Float64Array.from(logRatios)).logWeights.map(Math.exp);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return (q: Float64Array): void => {
    let left = rng.uniform() * total;
    let place = 0;
    while (place < pool.length - 1 && !(left < weights[place])) left -= weights[place++];
    q.set(pool[place]);
  };
}
