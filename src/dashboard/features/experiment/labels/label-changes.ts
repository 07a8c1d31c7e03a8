/** Labels by hand: the dimensions of the arrays of a run, and what an update has to say so that labels become others. */
import type { SummaryRow } from '../../../../contract/draws.ts';
import type { WireLabels } from '../../../../contract/experiment.ts';
import { elementOf, kindOf } from '../../../../posterior/variable-kinds.ts';
import type { DimensionLabels } from '../../../../posterior/variable-labels.ts';

export interface LabelledArray {
  readonly name: string;
  /** Lengths of its dimensions. */
  readonly sizes: readonly number[];
}

/** In the order of the rows. */
export function arraysOf(rows: readonly SummaryRow[]): LabelledArray[] {
  const sizes = new Map<string, number[]>();
  for (const row of rows) {
    const { variable } = row;
    const element = elementOf(variable);
    if (element === undefined || kindOf(row) === 'sampler') continue;
    const name = element.array;
    const indices = element.indices.map(Number);
    if (!indices.every(Number.isInteger)) continue;
    const known = sizes.get(name) ?? [];
    sizes.set(
      name,
      indices.map((index, axis) => Math.max(index, known[axis] ?? 0)),
    );
  }
  return [...sizes].map(([name, own]) => ({ name, sizes: own }));
}

/** One dimension as a person writes it: the labels one a line. */
export interface DimensionDraft {
  readonly name: string;
  readonly text: string;
}

export function draftsOf(
  { name, sizes }: LabelledArray,
  labels: DimensionLabels,
): DimensionDraft[] {
  return sizes.map((_, axis) => {
    const dimension = labels.dims[name]?.[axis] ?? '';
    return { name: dimension, text: (labels.coords[dimension] ?? []).join('\n') };
  });
}

/** Without spaces around, and without empty lines at the end; an empty line between others leaves its index a number. */
export function linesOf(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim());
  while (lines.length > 0 && lines.at(-1) === '') lines.pop();
  return lines;
}

/** The labels with what the drafts say of `arrays`, which have one shape. A dimension without labels goes. */
export function withDrafts(
  labels: DimensionLabels,
  arrays: readonly string[],
  drafts: readonly DimensionDraft[],
): DimensionLabels {
  const [first = ''] = arrays;
  const coords = { ...labels.coords };
  const dims = { ...labels.dims };
  const names = drafts.map(({ name, text }, axis) => {
    const lines = linesOf(text);
    if (lines.length === 0) return '';
    // What ArviZ calls a dimension without a name.
    const dimension = name.trim() || `${first}_dim_${axis}`;
    coords[dimension] = lines;
    return dimension;
  });
  for (const array of arrays) {
    if (names.every((name) => name === '')) delete dims[array];
    else dims[array] = names;
  }
  const used = new Set(Object.values(dims).flat());
  const kept = Object.entries(coords).filter(([name]) => used.has(name));
  return { coords: Object.fromEntries(kept), dims };
}

/** What makes `before` into `after` where updates are merged key by key. */
export function labelsPatch(before: DimensionLabels, after: DimensionLabels): WireLabels {
  return {
    coords: patch(before.coords, after.coords),
    dims: patch(before.dims, after.dims),
  };
}

type Lists = Readonly<Record<string, readonly string[]>>;

function patch(before: Lists, after: Lists): Record<string, string[] | null> {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return Object.fromEntries(
    [...names].map((name) => {
      const list = after[name];
      return [name, list === undefined ? null : [...list]];
    }),
  );
}
