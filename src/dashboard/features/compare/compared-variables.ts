/** Which variables are compared: names over all experiments, groups, the usual choice, and who lacks what. */
import type { SummaryRow } from '../../../contract/draws.ts';

/** What is shown of a choice at most: beyond, a page of plots answers no question. */
export const mostVariables = 60;
/** What is shown while nothing is chosen. */
const usualCount = 12;

/** Part before the first bracket. */
export function groupOf(variable: string): string {
  const bracket = variable.indexOf('[');
  return bracket === -1 ? variable : variable.slice(0, bracket);
}

/**
 * False for the log density (of two programs it means two things), pointwise likelihoods, replicated data, and what
 * runners send of themselves: compared only when asked for.
 */
export function isUsual(variable: string): boolean {
  return !(
    variable === 'lp__' ||
    /^(log_lik|y_rep|yrep|y_pred|y_hat)$/.test(groupOf(variable)) ||
    variable.includes('/stat/') ||
    variable.startsWith('extras/')
  );
}

export type RowsByName = ReadonlyMap<string, SummaryRow>;

/** All names, those of the first experiment first, in the order of their programs. */
export function allVariables(runs: readonly RowsByName[]): readonly string[] {
  return [...new Set(runs.flatMap((rows) => [...rows.keys()]))];
}

/** Names and groups that can be picked: a group of several stands before its members. */
export function choosable(
  variables: readonly string[],
): readonly { value: string; label: string }[] {
  const members = new Map<string, string[]>();
  for (const name of variables) {
    const group = groupOf(name);
    members.set(group, [...(members.get(group) ?? []), name]);
  }
  return [...members].flatMap(([group, names]) =>
    names.length === 1
      ? names.map((name) => ({ value: name, label: name }))
      : [
          { value: group, label: `${group}, all ${names.length}` },
          ...names.map((name) => ({ value: name, label: name })),
        ],
  );
}

/** Names of a choice, in the order of `variables`; while nothing is chosen, the first usual ones that most have. */
export function chosenVariables(
  chosen: readonly string[],
  variables: readonly string[],
  runs: readonly RowsByName[],
): readonly string[] {
  if (chosen.length > 0) {
    const wanted = new Set(chosen);
    return variables.filter((name) => wanted.has(name) || wanted.has(groupOf(name)));
  }
  const usual = variables.filter(isUsual);
  const counts = new Map(
    usual.map((name) => [name, runs.filter((rows) => rows.has(name)).length] as const),
  );
  const common = usual.filter((name) => (counts.get(name) ?? 0) > 1);
  return (common.length > 0 ? common : usual).slice(0, usualCount);
}

export interface Absence {
  /** Place of the experiment that lacks them. */
  readonly index: number;
  /** "theta_tilde (8)", "tau". */
  readonly groups: readonly string[];
}

/** What each experiment lacks that another has. */
export function absences(runs: readonly RowsByName[]): readonly Absence[] {
  const all = allVariables(runs);
  return runs.flatMap((rows, index) => {
    const counts = new Map<string, number>();
    for (const name of all) {
      if (rows.has(name)) continue;
      const group = groupOf(name);
      counts.set(group, (counts.get(group) ?? 0) + 1);
    }
    if (counts.size === 0) return [];
    const groups = [...counts].map(([group, count]) =>
      count === 1 ? group : `${group} (${count})`,
    );
    return [{ index, groups }];
  });
}
