/** What moment matching found, as leave-one-out takes it. */
import type { Experiment } from '../../../contract/experiment.ts';
import type { MatchedObservation } from '../../../posterior/loo.ts';

/** By the name of the log likelihood. */
export type MatchedByVariable = Readonly<Record<string, MatchedObservation>>;

const none: MatchedByVariable = {};
const byMatch = new WeakMap<object, MatchedByVariable>();

/** Empty while there is none; the same object while nothing changes. Observations that no move helped are left out. */
export function matchedObservations({ meta }: Pick<Experiment, 'meta'>): MatchedByVariable {
  const match = meta?.moment_match;
  if (match?.state !== 'done' || !match.observations) return none;
  const known = byMatch.get(match);
  if (known !== undefined) return known;
  const found: MatchedByVariable = Object.fromEntries(
    match.observations.flatMap(({ variable, pareto_k, elpd_loo, moves }) =>
      pareto_k === null || elpd_loo === null || moves === 0
        ? []
        : [[variable, { pareto_k, elpd_loo }]],
    ),
  );
  byMatch.set(match, found);
  return found;
}
