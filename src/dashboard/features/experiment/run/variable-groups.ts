/** The variable tree: sections by a variable's role in its program, with arrays in them; search, worst first. */
import type { SummaryRow } from '../../../../contract/draws.ts';
import {
  arrayOf,
  kindOf,
  type VariableKind,
  variableKinds,
} from '../../../../posterior/variable-kinds.ts';
import { matcher } from '../../status/find-variables.ts';

export interface VariableGroup {
  /** `theta`, or the full name of a scalar. */
  readonly name: string;
  readonly kind: VariableKind;
  readonly rows: readonly SummaryRow[];
  /** Largest R-hat among the rows; null when none is defined. */
  readonly worstRhat: number | null;
}

export interface VariableSection {
  readonly kind: VariableKind;
  readonly groups: readonly VariableGroup[];
}

export type VariableOrder = 'worst' | 'model';

/** Finds a variable by its name and by its label. */
export function rowMatcher(search: string): (row: SummaryRow) => boolean {
  const matches = matcher(search);
  return ({ variable, label }) => matches(variable) || (label !== undefined && matches(label));
}

function rhatOf(row: SummaryRow): number {
  return row.rhat ?? Number.NEGATIVE_INFINITY;
}

/** Arrays by kind, and within a kind in the requested order. */
export function groupVariables(
  rows: readonly SummaryRow[],
  order: VariableOrder,
  search: string,
): VariableGroup[] {
  const matches = rowMatcher(search);
  const byName = new Map<string, SummaryRow[]>();
  for (const row of rows) {
    if (!matches(row)) continue;
    const name = arrayOf(row.variable);
    const group = byName.get(name);
    if (group === undefined) byName.set(name, [row]);
    else group.push(row);
  }
  const groups = [...byName].flatMap(([name, members]): VariableGroup[] => {
    const [first] = members;
    if (first === undefined) return [];
    const sorted = order === 'worst' ? members.toSorted((a, b) => rhatOf(b) - rhatOf(a)) : members;
    const worst = Math.max(...members.map(rhatOf));
    return [
      {
        name,
        kind: kindOf(first),
        rows: sorted,
        worstRhat: Number.isFinite(worst) ? worst : null,
      },
    ];
  });
  const worstFirst = (a: VariableGroup, b: VariableGroup) =>
    (b.worstRhat ?? -1) - (a.worstRhat ?? -1);
  const ordered = order === 'model' ? groups : groups.toSorted(worstFirst);
  return sectionsOf(ordered).flatMap((section) => section.groups);
}

/** The groups of each kind present, in the order of kinds. */
export function sectionsOf(groups: readonly VariableGroup[]): VariableSection[] {
  return variableKinds.flatMap((kind) => {
    const own = groups.filter((group) => group.kind === kind);
    return own.length === 0 ? [] : [{ kind, groups: own }];
  });
}
