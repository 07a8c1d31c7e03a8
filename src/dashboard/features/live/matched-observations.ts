/** The results of moment matching; the same object while nothing changes. */
import type { Experiment } from '../../../contract/experiment.ts';
import {
  type MatchedByVariable,
  matchedByVariable,
} from '../../../posterior/matched-observations.ts';

const none = matchedByVariable(null);
const byMatch = new WeakMap<object, MatchedByVariable>();

export function matchedObservations({ meta }: Pick<Experiment, 'meta'>): MatchedByVariable {
  const match = meta?.moment_match;
  if (!match) return none;
  const found = byMatch.get(match) ?? matchedByVariable(match);
  byMatch.set(match, found);
  return found;
}
