/** Which variables are compared: names over all experiments, groups, the default choice, and what each one lacks. */
import type { SummaryRow } from '../../../contract/draws.ts';
import {
  arrayOf,
  firstLook,
  inKindOrder,
  kindLabels,
  kindOf,
  variableKinds,
} from '../../../posterior/variable-kinds.ts';
import { shownName } from '../../../posterior/variable-labels.ts';

/** Maximum number of variables shown: more would not answer any question. */
export const mostVariables = 60;
/** How many are shown without a choice. */
const usualCount = 12;

export type RowsByName = ReadonlyMap<string, SummaryRow>;

/** A variable by its row in the first experiment that has it. */
export function rowOf(runs: readonly RowsByName[], variable: string): SummaryRow | undefined {
  for (const rows of runs) {
    const row = rows.get(variable);
    if (row !== undefined) return row;
  }
  return undefined;
}

/** All names: parameters first, and of each kind those of the first experiment, in the order of their programs. */
export function allVariables(runs: readonly RowsByName[]): readonly string[] {
  const names = new Set(runs.flatMap((rows) => [...rows.keys()]));
  return inKindOrder([...names].flatMap((name) => rowOf(runs, name) ?? [])).map(
    ({ variable }) => variable,
  );
}

/**
 * Names that the finding is about. The log density means different things in two programs; pointwise likelihoods,
 * replicated data, and what runners report about themselves are compared only on request.
 */
export function judgedVariables(
  variables: readonly string[],
  runs: readonly RowsByName[],
): readonly string[] {
  return variables.filter((variable) => {
    const kind = kindOf(rowOf(runs, variable) ?? { variable });
    return kind !== 'sampler' && kind !== 'log likelihood' && kind !== 'replications';
  });
}

export interface Choice {
  readonly value: string;
  readonly label: string;
}
export interface ChoiceGroup {
  readonly group: string;
  readonly items: Choice[];
}

/** Names and arrays that can be picked, by kind: an array with several members precedes them. */
export function choosable(
  variables: readonly string[],
  runs: readonly RowsByName[],
): ChoiceGroup[] {
  const rows = variables.map((variable) => rowOf(runs, variable) ?? { variable });
  return variableKinds.flatMap((kind) => {
    const own = rows.filter((row) => kindOf(row) === kind);
    return own.length === 0 ? [] : [{ group: kindLabels[kind], items: choicesOf(own) }];
  });
}

function choicesOf(rows: readonly Pick<SummaryRow, 'variable' | 'label'>[]): Choice[] {
  const members = new Map<string, Choice[]>();
  for (const row of rows) {
    const array = arrayOf(row.variable);
    const choice = { value: row.variable, label: shownName(row) };
    const known = members.get(array);
    if (known === undefined) members.set(array, [choice]);
    else known.push(choice);
  }
  return [...members].flatMap(([array, choices]) =>
    choices.length === 1
      ? choices
      : [{ value: array, label: `${array}, all ${choices.length}` }, ...choices],
  );
}

/** Names of a choice, in the order of `variables`; without a choice, the first parameters that most have. */
export function chosenVariables(
  chosen: readonly string[],
  variables: readonly string[],
  runs: readonly RowsByName[],
): readonly string[] {
  if (chosen.length > 0) {
    const wanted = new Set(chosen);
    return variables.filter((name) => wanted.has(name) || wanted.has(arrayOf(name)));
  }
  const isFirst = firstLook(variables.flatMap((name) => rowOf(runs, name) ?? []));
  const usual = variables.filter((variable) => isFirst(rowOf(runs, variable) ?? { variable }));
  const counts = new Map(
    usual.map((name) => [name, runs.filter((rows) => rows.has(name)).length] as const),
  );
  const common = usual.filter((name) => (counts.get(name) ?? 0) > 1);
  return (common.length > 0 ? common : usual).slice(0, usualCount);
}

export interface Absence {
  /** Position of the experiment that lacks them. */
  readonly index: number;
  /** "theta_tilde (8)", "tau". */
  readonly groups: readonly string[];
}

/** What each experiment lacks and another has. */
export function absences(runs: readonly RowsByName[]): readonly Absence[] {
  const all = allVariables(runs);
  return runs.flatMap((rows, index) => {
    const counts = new Map<string, number>();
    for (const name of all) {
      if (rows.has(name)) continue;
      const group = arrayOf(name);
      counts.set(group, (counts.get(group) ?? 0) + 1);
    }
    if (counts.size === 0) return [];
    const groups = [...counts].map(([group, count]) =>
      count === 1 ? group : `${group} (${count})`,
    );
    return [{ index, groups }];
  });
}
