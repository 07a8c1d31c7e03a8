/** Which variables are plotted, as stored in the address: complete groups by name, so that 1000 variables stay short. */
import type { SummaryRow } from '../../../../contract/draws.ts';
import { arrayOf, firstLook } from '../../../../posterior/variable-kinds.ts';

/** Nothing is chosen, which differs from no choice at all. */
const none = '-';

/** What is plotted without a choice: parameters, without quantities generated from them. */
function usualVariables(rows: readonly SummaryRow[]): Set<string> {
  return new Set(rows.filter(firstLook(rows)).map((row) => row.variable));
}

/** Resolves names of variables and groups to names of variables; omits any that the run does not have. */
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
 * The shortest way to write a choice: nothing if it is the page's initial one (the default, or the choice of a
 * share's owner); a complete group by its name.
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

/** The address value with which a page whose initial choice is `usual` also shows `variable`. */
export function choiceWith(
  variable: string,
  rows: readonly SummaryRow[],
  usual: readonly string[],
): readonly string[] {
  const shown = readChoice(usual, rows);
  return shown.has(variable) ? [] : writeChoice(new Set([...shown, variable]), rows);
}
