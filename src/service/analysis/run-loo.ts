/** Leave-one-out of a run with its observations' rows of data, for the plotting function and reports. */
import { setImmediate } from 'node:timers/promises';
import type { ChainDraws } from '../../posterior/draws.ts';
import { type Loo, looOf } from '../../posterior/loo.ts';
import { matchedByPlace } from '../../posterior/matched-observations.ts';
import { type ObservationColumn, observationColumns } from '../../posterior/observation-columns.ts';
import { isLogLik } from '../../posterior/variable-kinds.ts';
import { labelOf } from '../../posterior/variable-labels.ts';
import type { ObservedData } from '../results/observed-data.ts';
import type { VisibleDraws } from '../results/visible-draws.ts';
import type { FigureDraws } from './figure-draws.ts';

export interface RunLoo {
  readonly loo: Loo;
  /** Names of the observations: `log_lik[School A]`. */
  readonly names: readonly string[];
  /** Empty if the viewer may not see the data. */
  readonly columns: readonly ObservationColumn[];
}

/** Number of log_lik values it needs; 0: the run has none. */
export function looSize({ variables, chains, numDraws }: FigureDraws): number {
  return variables.filter(isLogLik).length * chains.length * numDraws;
}

export async function readLoo(
  draws: FigureDraws,
  { labels, matched }: Pick<VisibleDraws, 'labels' | 'matched'>,
  data: ObservedData,
): Promise<RunLoo> {
  const observations = draws.variables.filter(isLogLik);
  const logLik: ChainDraws[] = [];
  for (const name of observations)
    logLik.push((await draws.read(name)).chains.map((chain) => chain.sampling));
  // lets other requests be answered in between
  await setImmediate();
  return {
    loo: looOf(logLik, { matched: matchedByPlace(observations, matched) }),
    names: observations.map((name) => labelOf(name, labels) ?? name),
    columns: observationColumns(observations, data.variables ?? [], labels).columns,
  };
}
