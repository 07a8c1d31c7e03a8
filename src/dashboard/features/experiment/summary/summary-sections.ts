/** The rows of the summary under a head per kind of variable; kinds with a value per observation start folded. */
import {
  arrayOf,
  kindOf,
  type VariableKind,
  variableKinds,
} from '../../../../posterior/variable-kinds.ts';
import type { TableRow } from './summary-columns.ts';

export interface SectionHead {
  readonly kind: VariableKind;
  readonly count: number;
  /** Its arrays and scalars, in order. */
  readonly arrays: readonly string[];
  readonly isFolded: boolean;
}

export type TableEntry =
  | { readonly head: SectionHead; readonly row?: undefined }
  | { readonly row: TableRow; readonly head?: undefined };

/** Longer tables are printed only as far as they are on screen. */
export const mostPrinted = 5000;

const foldedAtFirst: readonly VariableKind[] = ['log likelihood', 'replications'];

/** `toggled`: kinds that the user folded or unfolded. A search unfolds everything. */
export function tableEntries(
  rows: readonly TableRow[],
  toggled: ReadonlySet<VariableKind>,
  isFiltered: boolean,
): TableEntry[] {
  const sections = variableKinds.flatMap((kind) => {
    const own = rows.filter((row) => kindOf(row) === kind);
    return own.length === 0 ? [] : [{ kind, own }];
  });
  if (sections.length < 2) return rows.map((row) => ({ row }));
  return sections.flatMap(({ kind, own }): TableEntry[] => {
    const isFolded = !isFiltered && foldedAtFirst.includes(kind) !== toggled.has(kind);
    const arrays = [...new Set(own.map(({ variable }) => arrayOf(variable)))];
    const head = { kind, count: own.length, arrays, isFolded };
    return [{ head }, ...(isFolded ? [] : own.map((row) => ({ row })))];
  });
}

/**
 * The variables before and after this one among those that are shown, so that stepping skips folded sections. For a
 * folded variable: those around its section.
 */
export function neighboursOf(
  entries: readonly TableEntry[],
  variable: TableRow,
): { readonly previous: TableRow | undefined; readonly next: TableRow | undefined } {
  const own = entries.findIndex(({ row }) => row?.variable === variable.variable);
  const place = own >= 0 ? own : entries.findIndex(({ head }) => head?.kind === kindOf(variable));
  const isRow = ({ row }: TableEntry) => row !== undefined;
  return {
    previous: entries.slice(0, Math.max(0, place)).findLast(isRow)?.row,
    next: entries.slice(place + 1).find(isRow)?.row,
  };
}
