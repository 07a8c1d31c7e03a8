/** Leave-one-out of one or more runs, for the thread that computes it. Independent of any page. */
import { compareLoo, type Loo, type LooComparison, looOf } from '../../../posterior/loo.ts';
import { type MatchedByVariable, matchedByPlace } from '../../../posterior/matched-observations.ts';
import { itemAt } from '../../../shared/items.ts';
import type { ReportProgress } from '../../threads/call-worker.ts';

export interface LooModel {
  readonly name: string;
  /** Names of the log likelihoods, and the chains × draws of each. */
  readonly observations: readonly string[];
  readonly logLik: readonly (readonly Float64Array[])[];
  /** What moment matching found. */
  readonly matched: MatchedByVariable;
}

export interface LooAnswer {
  readonly loos: readonly Loo[];
  /** Null: there is nothing to compare, or the numbers of observations differ. */
  readonly rows: readonly LooComparison[] | null;
}

export function computeLoo(models: readonly LooModel[], report?: ReportProgress): LooAnswer {
  const total = models.reduce((sum, { logLik }) => sum + logLik.length, 0);
  let before = 0;
  const loos = models.map(({ observations, logLik, matched }) => {
    const loo = looOf(logLik, {
      matched: matchedByPlace(observations, matched),
      onObservation: (done) => report?.(before + done, total),
    });
    before += logLik.length;
    return loo;
  });
  const named = models.map(({ name }, i) => ({ name, loo: itemAt(loos, i) }));
  return { loos, rows: models.length < 2 ? null : compareLoo(named) };
}
