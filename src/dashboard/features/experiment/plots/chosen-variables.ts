/** Which variables are plotted, as the address keeps it: whole groups by their name, so that 1000 variables stay short. */
import type { SummaryRow } from '../../../../contract/draws.ts';
import { arrayOf, firstLook } from '../../../../posterior/variable-kinds.ts';

/** Nothing is chosen, which differs from nothing said. */
const none = '-';

/** What is plotted when nothing was said: parameters, without what is generated of them. */
function usualVariables(rows: readonly SummaryRow[]): Set<string> {
  return new Set(rows.filter(firstLook(rows)).map((row) => row.variable));
}

/** Names of variables from names of variables and groups; what the run does not have is left out. */
export function readChoice(
  written: readonly string[],
  rows: readonly SummaryRow[],
): ReadonlySet<string> {
  if (written.length === 0) return usualVariables(rows);
  const wanted = new Set(written);
  return new Set(
    rows.map((row) => row.variable).filter((name) => wanted.has(name) || wanted.has(arrayOf(name))),
  );
}

/**
 * The shortest way to write a choice: nothing for the one with which the page opens (the usual one, or that of a
 * share's owner), a group that is whole by its name.
 */
export function writeChoice(
  chosen: ReadonlySet<string>,
  rows: readonly SummaryRow[],
  opening: readonly string[] = [],
): readonly string[] {
  const usual = readChoice(opening, rows);
  if (chosen.size === usual.size && [...usual].every((name) => chosen.has(name))) return [];
  const groups = new Map<string, string[]>();
  for (const { variable } of rows) {
    const base = arrayOf(variable);
    const group = groups.get(base);
    if (group === undefined) groups.set(base, [variable]);
    else group.push(variable);
  }
  const written = [...groups].flatMap(([base, members]) =>
    members.every((name) => chosen.has(name)) ? [base] : members.filter((name) => chosen.has(name)),
  );
  return written.length === 0 ? [none] : written;
}

/** What the address says so that a page that opens with `usual` shows `variable` too. */
export function choiceWith(
  variable: string,
  rows: readonly SummaryRow[],
  usual: readonly string[],
): readonly string[] {
  const shown = readChoice(usual, rows);
  return shown.has(variable) ? [] : writeChoice(new Set([...shown, variable]), rows);
}
