/** Which variables are plotted, as the address keeps it: whole groups by their name, so that 1000 variables stay short. */
import type { SummaryRow } from '../../../../contract/draws.ts';
import { baseName, isInternal } from '../run/variable-groups.ts';

/** Nothing is chosen, which differs from nothing said. */
const none = '-';

/** What is plotted when nothing was said. */
function usualVariables(rows: readonly SummaryRow[]): Set<string> {
  return new Set(rows.map((row) => row.variable).filter((name) => !isInternal(name)));
}

/** Names of variables from names of variables and groups; what the run does not have is left out. */
export function readChoice(
  written: readonly string[],
  rows: readonly SummaryRow[],
): ReadonlySet<string> {
  if (written.length === 0) return usualVariables(rows);
  const wanted = new Set(written);
  return new Set(
    rows
      .map((row) => row.variable)
      .filter((name) => wanted.has(name) || wanted.has(baseName(name))),
  );
}

/** The shortest way to write a choice: nothing for the usual one, a group that is whole by its name. */
export function writeChoice(
  chosen: ReadonlySet<string>,
  rows: readonly SummaryRow[],
): readonly string[] {
  const usual = usualVariables(rows);
  if (chosen.size === usual.size && [...usual].every((name) => chosen.has(name))) return [];
  const groups = new Map<string, string[]>();
  for (const { variable } of rows) {
    const base = baseName(variable);
    groups.set(base, [...(groups.get(base) ?? []), variable]);
  }
  const written = [...groups].flatMap(([base, members]) =>
    members.every((name) => chosen.has(name)) ? [base] : members.filter((name) => chosen.has(name)),
  );
  return written.length === 0 ? [none] : written;
}
