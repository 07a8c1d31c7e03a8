/** Replicated data of a run and the data they replicate, in the form figures need. */
import type { FigureVariable } from '../../figures/figure.ts';
import type { PredictiveInput } from '../../figures/predictive-frame.ts';
import {
  type DataVariable,
  findPair,
  type ObservationGroup,
  type PredictivePair,
  priorFlagOf,
} from '../../posterior/predictive/pairing.ts';
import { guessOutcome } from '../../posterior/predictive/replications.ts';
import { itemAt } from '../../shared/items.ts';
import type { FigureDraws } from './figure-draws.ts';

export type PredictiveRun = Omit<PredictiveInput, 'check'>;

/**
 * By their usual names, or the names in `wanted`: an array of the run and a variable of the data, in any order. Null:
 * no such pair.
 */
export function choosePair(
  draws: FigureDraws,
  data: readonly DataVariable[],
  wanted: readonly string[] = [],
): PredictivePair | null {
  const ofRun = (name: string) => draws.variables.some((one) => one.startsWith(`${name}[`));
  return findPair(draws.variables, data, {
    replicated: wanted.find(ofRun) ?? '',
    observed: wanted.find((name) => data.some((one) => one.name === name)) ?? '',
  });
}

/** Number of values that reading it takes. */
export function valuesOf({ replicated, logLik }: PredictivePair, draws: FigureDraws): number {
  const variables = replicated.variables.length + (logLik?.variables.length ?? 0);
  return variables * draws.chains.length * draws.numDraws;
}

export async function readPredictive(
  { observed, replicated, logLik }: PredictivePair,
  draws: FigureDraws,
  data: readonly DataVariable[],
): Promise<PredictiveRun> {
  const readAll = async (names: readonly string[]) => {
    const read: FigureVariable[] = [];
    for (const name of names) read.push(await draws.read(name));
    return read;
  };
  const drawn = await readAll(replicated.variables);
  const outcome = guessOutcome(
    observed.values,
    drawn.map(({ chains }) => chains.map(({ sampling }) => sampling)),
  );
  return {
    outcome,
    observed: observed.name,
    y: observed.values,
    replicated: drawn,
    replicatedName: replicated.name,
    // leave-one-out has no check for binary outcomes
    logLik: logLik === null || outcome === 'binary' ? undefined : await readAll(logLik.variables),
    isPrior: priorFlagOf(data)?.isSet,
  };
}

/** The same run, restricted to the observations of a group. */
export function ofGroup(run: PredictiveRun, { label, members }: ObservationGroup): PredictiveRun {
  const pick = (variables: readonly FigureVariable[]) => members.map((i) => itemAt(variables, i));
  return {
    ...run,
    y: Float64Array.from(members, (i) => itemAt(run.y, i)),
    replicated: pick(run.replicated),
    logLik: run.logLik && pick(run.logLik),
    places: members.map((i) => i + 1),
    group: label,
  };
}
