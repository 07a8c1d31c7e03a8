/** Fixed parameters: every draw is the chain's starting point, and only generated quantities are random. */
import type { Approximation, Fit, FitRequest } from './fit.ts';
import { startOf } from './fit.ts';

// A generator like the other fits, although nothing happens between start and draws.
// oxlint-disable-next-line require-yield
export function* fitNothing(request: FitRequest): Fit {
  const start = request.model.numUnconstrained === 0 ? new Float64Array(0) : startOf(request);
  const fixed: Approximation = {
    draw(_index, _rng, q, statistics) {
      q.set(start);
      statistics.fill(0);
    },
  };
  return fixed;
}
