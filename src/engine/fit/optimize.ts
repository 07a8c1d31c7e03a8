/** The mode of the posterior, or of the likelihood times the priors as written: one row, no uncertainty. */
import {
  type Approximation,
  createLogDensity,
  type Fit,
  type FitRequest,
  type LogDensity,
  shortNumber,
  startOf,
} from './fit.ts';
import { followLbfgs, type PathEnd } from './lbfgs.ts';
import type { Objective } from './line-search.ts';

/** Iterations between two log lines. */
const linesEvery = 100;

export function* fitOptimum(request: FitRequest): Fit {
  const logDensity = createLogDensity(request.model, request.fit.jacobian);
  const { point, isConverged } = yield* climb(request, logDensity);
  const optimum: Approximation = {
    draw(_index, _rng, q, statistics) {
      q.set(point.x);
      statistics[0] = -point.value;
      statistics[1] = isConverged ? 1 : 0;
    },
  };
  return optimum;
}

/** Climbs from a starting point to the maximum, with lines for the log. */
export function* climb(
  request: FitRequest,
  logDensity: LogDensity,
): Generator<string | null, PathEnd> {
  const path = followLbfgs(negated(logDensity), startOf(request), request.fit);
  for (;;) {
    const step = path.next();
    if (step.done) {
      const { point, isConverged, reason } = step.value;
      const verb = isConverged ? 'converged' : 'stopped';
      yield `L-BFGS ${verb} after ${point.iteration} iterations at log density ${shortNumber(-point.value)}: ${reason}.`;
      return step.value;
    }
    const { iteration, value } = step.value;
    yield iteration % linesEvery === 0
      ? `L-BFGS iteration ${iteration}: log density ${shortNumber(-value)}.`
      : null;
  }
}

/** The log density as a function to minimise. */
export function negated(logDensity: LogDensity): Objective {
  return (x, gradient) => {
    const value = logDensity(x, gradient);
    for (let i = 0; i < gradient.length; i++) gradient[i] = -gradient[i];
    return -value;
  };
}
