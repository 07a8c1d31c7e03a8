/** Labels edited by hand: the dimensions of a run's arrays, and the update that changes their labels. */
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

/** One dimension as the user writes it, with one label per line. */
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

/** Trimmed, and without empty lines at the end; an empty line in between leaves its index unlabelled. */
export function linesOf(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim());
  while (lines.length > 0 && lines.at(-1) === '') lines.pop();
  return lines;
}

/** The labels after applying the drafts to `arrays`, which share one shape. Removes dimensions without labels. */
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
    // ArviZ's name for an unnamed dimension.
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

/** The patch that turns `before` into `after` when updates are merged key by key. */
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
