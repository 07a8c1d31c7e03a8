/** Fixed parameters: every draw stands where the chain starts, and only generated quantities are random. */
import type { Approximation, Fit, FitRequest } from './fit.ts';
import { startOf } from './fit.ts';

// A generator like the other fits, though there is nothing to do between start and draws.
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
