/** The last comparison between the same models: stored in this browser and written into the address, so that a copied link shows it. */
import { useEffect } from 'react';
import { isText, readStoredList, writeStoredList } from '../../ui/stored-list.ts';
import { readStored, writeStored } from '../../ui/stored-text.ts';
import type { CompareSearch } from './compare-search.ts';
import { chosenVariables } from './compared-variables.ts';
import type { ComparedRun } from './use-compared.ts';

/** The same whichever run comes first, and for other runs of the same models. */
function keyOf(runs: readonly Pick<ComparedRun, 'experiment'>[]): string {
  const models = runs.flatMap(({ experiment }) =>
    experiment === null ? [] : [experiment.model_id || experiment.model_name],
  );
  return `ergodic.compared.${[...new Set(models)].sort().join(',')}`;
}

const settingsKey = 'ergodic.compared-settings';

export interface CompareChoice {
  readonly search: CompareSearch;
  readonly onSearchChange: (change: Partial<CompareSearch>) => void;
  readonly runs: readonly ComparedRun[];
  /** All that can be chosen; empty until known. */
  readonly variables: readonly string[];
}

/**
 * Opens with the last choice if the address has none, and returns a way to change the address that remembers it.
 * A choice that none of these runs has is ignored.
 */
export function useRememberedChoice({ search, onSearchChange, runs, variables }: CompareChoice) {
  const key = keyOf(runs);
  const isKnown = variables.length > 0;
  useEffect(() => {
    if (!isKnown) return;
    const known = runs.map(({ rows }) => rows);
    const vars = readStoredList(key, isText);
    const isThere = vars.length > 0 && chosenVariables(vars, variables, known).length > 0;
    const change = {
      ...(search.vars.length === 0 && isThere ? { vars } : {}),
      ...(!search.all && readStored(settingsKey) === 'all' ? { all: true } : {}),
    };
    if (Object.keys(change).length > 0) onSearchChange(change);
    // oxlint-disable-next-line react/exhaustive-deps -- once for these models: later the address is the person's
  }, [key, isKnown]);
  return (change: Partial<CompareSearch>) => {
    const { vars, all } = change;
    if (vars !== undefined) writeStoredList(key, vars);
    if (all !== undefined) writeStored(settingsKey, all ? 'all' : '');
    onSearchChange(change);
  };
}
