/** Monte Carlo standard errors of the sd, which no summary contains: from the draws, in a worker. */
import { useMemo } from 'react';
import type { CompareQuestion } from './compare-statistics.ts';
import { type DrawsGroup, useComparedDraws } from './compared-draws.ts';
import { type SdErrors, sdKey } from './numbers.ts';
import type { ComparedRun } from './use-compared.ts';
import { useComparison } from './use-comparison.ts';

/** Maximum number of values fetched for it: 32 MB. */
const mostValues = 4 * 2 ** 20;
const noNames: readonly string[] = [];
const noErrors: SdErrors = new Map();

export interface SdErrorsState {
  readonly errors: SdErrors;
  /** There are too many draws to fetch for it. */
  readonly tooMany: boolean;
}

export function useSdErrors(
  group: DrawsGroup,
  runs: readonly ComparedRun[],
  variables: readonly string[],
): SdErrorsState {
  const size = runs.reduce(
    (sum, { summary }) =>
      sum + variables.length * (summary?.n_chains ?? 0) * (summary?.n_samples ?? 0),
    0,
  );
  const tooMany = size > mostValues;
  const { read } = useComparedDraws(group, runs, tooMany ? noNames : variables);
  const asked = useMemo((): { keys: readonly string[]; question: CompareQuestion } | null => {
    if (tooMany) return null;
    const wanted = runs.flatMap((run) =>
      variables
        .filter((variable) => run.rows.has(variable))
        .map((variable) => ({ key: sdKey(run, variable), chains: read(run, variable) })),
    );
    const here = wanted.filter(({ chains }) => chains.length > 0);
    // One question once all draws are loaded, rather than one for each that arrives.
    if (here.length === 0 || here.length < wanted.length) return null;
    const draws = here.map(({ chains }) => chains);
    return { keys: here.map(({ key }) => key), question: { kind: 'mcse-sd', draws } };
  }, [runs, variables, read, tooMany]);
  const { answer } = useComparison(asked?.question ?? null);
  const errors = useMemo((): SdErrors => {
    if (asked === null || answer?.kind !== 'mcse-sd') return noErrors;
    const { errors: found } = answer;
    return new Map(
      asked.keys.flatMap((key, i): [string, number][] => {
        const error = found[i];
        return error === undefined ? [] : [[key, error]];
      }),
    );
  }, [asked, answer]);
  return { errors, tooMany };
}
