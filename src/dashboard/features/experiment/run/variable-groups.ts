/** The variable tree: `theta[1] … theta[8]` fold under `theta`; search, worst first. */
import type { SummaryRow } from '../../../../contract/draws.ts';

export interface VariableGroup {
  /** `theta`, or the whole name of a scalar. */
  readonly name: string;
  readonly rows: readonly SummaryRow[];
  /** Largest R-hat among the rows; null when none is defined. */
  readonly worstRhat: number | null;
}

export type VariableOrder = 'worst' | 'model';

/** Part before the first bracket; other servers' `m/val` is shown as `m`. */
export function baseName(variable: string): string {
  const bracket = variable.indexOf('[');
  return bracket === -1 ? variable : variable.slice(0, bracket);
}

/** Running statistics and sampler internals that foreign runners send along: hidden unless searched for. */
export function isInternal(variable: string): boolean {
  return variable === 'lp__' || variable.includes('/stat/') || variable.startsWith('extras/');
}

/** `/…/` is a regular expression, else every word must occur. An unfinished expression matches as plain words. */
export function matcher(search: string): (name: string) => boolean {
  const text = search.trim();
  if (text === '') return () => true;
  if (text.length > 2 && text.startsWith('/') && text.endsWith('/')) {
    try {
      const expression = new RegExp(text.slice(1, -1));
      return (name) => expression.test(name);
    } catch {
      // Still being typed.
    }
  }
  const words = text.toLowerCase().split(/\s+/);
  return (name) => words.every((word) => name.toLowerCase().includes(word));
}

function rhatOf(row: SummaryRow): number {
  return row.rhat ?? Number.NEGATIVE_INFINITY;
}

export function groupVariables(
  rows: readonly SummaryRow[],
  order: VariableOrder,
  search: string,
): VariableGroup[] {
  const matches = matcher(search);
  const byName = new Map<string, SummaryRow[]>();
  for (const row of rows) {
    if (!matches(row.variable)) continue;
    const name = baseName(row.variable);
    const group = byName.get(name);
    if (group === undefined) byName.set(name, [row]);
    else group.push(row);
  }
  const groups = [...byName].map(([name, members]) => {
    const sorted = order === 'worst' ? members.toSorted((a, b) => rhatOf(b) - rhatOf(a)) : members;
    const worst = Math.max(...members.map(rhatOf));
    return { name, rows: sorted, worstRhat: Number.isFinite(worst) ? worst : null };
  });
  if (order === 'model') return groups;
  return groups.toSorted((a, b) => (b.worstRhat ?? -1) - (a.worstRhat ?? -1));
}
