/** The results of moment matching for a run, in the form that leave-one-out uses. */
import type { MatchedObservation } from './loo.ts';

/** By the name of the log likelihood. */
export type MatchedByVariable = Readonly<Record<string, MatchedObservation>>;

/** As stored with a run; null: undefined. */
export interface StoredMatch {
  readonly state: string;
  readonly observations?: readonly StoredObservation[] | null;
}
interface StoredObservation {
  readonly variable: string;
  readonly pareto_k: number | null;
  readonly elpd_loo: number | null;
  readonly moves: number;
}

const none: MatchedByVariable = {};

/** Empty while there are none. Observations that no move helped are left out: their plain weights stay in use. */
export function matchedByVariable(match: StoredMatch | null | undefined): MatchedByVariable {
  if (match?.state !== 'done' || !match.observations) return none;
  return Object.fromEntries(
    match.observations.flatMap(({ variable, pareto_k, elpd_loo, moves }) =>
      pareto_k === null || elpd_loo === null || moves === 0
        ? []
        : [[variable, { pareto_k, elpd_loo }]],
    ),
  );
}

/** By the index of the observation among `names`. */
export function matchedByPlace(
  names: readonly string[],
  matched: MatchedByVariable,
): Map<number, MatchedObservation> {
  return new Map(
    names.flatMap((name, i) => (Object.hasOwn(matched, name) ? [[i, matched[name]]] : [])),
  );
}
