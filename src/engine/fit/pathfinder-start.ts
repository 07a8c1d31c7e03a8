/** A starting point for NUTS: a draw of single-path Pathfinder, which lies where the posterior has its mass. */

import { fitSettings } from '../chain-settings.ts';
import type { ChainSettings } from '../chain-state.ts';
import { updateDensity } from '../hmc/hamiltonian.ts';
import { createPhasePoint, type PhasePoint } from '../hmc/phase-point.ts';
import type { Model } from '../model.ts';
import { openStream } from '../random-streams.ts';
import { defaultSettings } from '../settings.ts';
import { createLogDensity } from './fit.ts';
import { followPath } from './pathfinder.ts';

const maxTries = 20;

export interface PathfinderStartRequest {
  readonly model: Model;
  /** Where the path begins. */
  readonly start: PhasePoint;
  readonly settings: ChainSettings;
  readonly chain: number;
}

/** Null where Pathfinder finds no approximation, or none of its draws has a density. */
export function pathfinderStart(request: PathfinderStartRequest): PhasePoint | null {
  const { model, start, settings, chain } = request;
  const rng = openStream(settings.seed, chain, 'fit');
  const fit = { ...fitSettings(defaultSettings), iter: 1000 };
  const path = followPath(createLogDensity(model, true), start.q.slice(), { fit, rng });
  let step = path.next();
  while (!step.done) step = path.next();
  if (step.value === null) return null;
  const found = createPhasePoint(model.numUnconstrained);
  for (let n = 0; n < maxTries; n++) {
    step.value.normal.draw(rng, found.q);
    updateDensity(model, found);
    if (Number.isFinite(found.logDensity) && found.gradient.every(Number.isFinite)) return found;
  }
  return null;
}
