/** Names and labels of dimensions: `theta[3]` is `theta[School C]` if its dimension says so. */
import { isRecord } from '../shared/items.ts';
import { type ArrayElement, elementOf, withIndices } from './variable-kinds.ts';

/** As in ArviZ: coordinates by dimension, and the dimensions of each array. */
export interface DimensionLabels {
  /** Labels by the name of a dimension, starting with index 1. */
  readonly coords: Readonly<Record<string, readonly string[]>>;
  /** The dimensions of an array in order; empty for one without a name. */
  readonly dims: Readonly<Record<string, readonly string[]>>;
}

export const noLabels: DimensionLabels = { coords: {}, dims: {} };

/** From stored or received values of any form: entries that are not lists of texts are ignored. */
export function readLabels(stored: unknown): DimensionLabels {
  const { coords, dims } = (isRecord(stored) ? stored : {}) as Record<string, unknown>;
  return { coords: textLists(coords), dims: textLists(dims) };
}

function textLists(value: unknown): Record<string, readonly string[]> {
  const entries = Object.entries(isRecord(value) ? value : {}).filter(
    (entry): entry is [string, string[]] =>
      Array.isArray(entry[1]) && entry[1].every((text) => typeof text === 'string'),
  );
  // No prototype: names come from programs, and `constructor` is one.
  return Object.assign(
    Object.create(null) as Record<string, readonly string[]>,
    Object.fromEntries(entries),
  );
}

/** Whether any variable has a label. */
export function hasLabels({ dims, coords }: DimensionLabels): boolean {
  return Object.values(dims).some((names) => names.some((name) => (coords[name] ?? []).length > 0));
}

/** `theta[School C]`, `Sigma[School A,2]`; undefined if none of its indexes has a label. */
export function labelOf(variable: string, labels: DimensionLabels): string | undefined {
  const element = elementOf(variable);
  if (element === undefined) return undefined;
  const found = indexLabels(element, labels);
  if (found === undefined) return undefined;
  return withIndices(
    variable,
    found.map(({ index, label }) => label ?? index),
  );
}

/** `theta[3] (School C)`, for sentences whose reader looks for the name in the program; undefined: it has no label. */
export function nameWithLabel(variable: string, labels: DimensionLabels): string | undefined {
  const element = elementOf(variable);
  const found = element && indexLabels(element, labels);
  if (found === undefined) return undefined;
  return `${variable} (${found.flatMap(({ label }) => label ?? []).join(', ')})`;
}

interface IndexLabel {
  readonly index: string;
  readonly label: string | undefined;
}

/** Undefined if no index has a label. */
function indexLabels(
  { array, indices }: ArrayElement,
  { coords, dims }: DimensionLabels,
): readonly IndexLabel[] | undefined {
  const names = dims[array];
  if (names === undefined) return undefined;
  const found = indices.map((index, axis) => {
    const label = coords[names[axis]]?.[Number(index) - 1];
    return { index, label: label === '' ? undefined : label };
  });
  return found.some(({ label }) => label !== undefined) ? found : undefined;
}

/** The displayed name of a variable: its label if it has one, otherwise its name. */
export function shownName({
  variable,
  label,
}: {
  readonly variable: string;
  readonly label?: string;
}): string {
  return label ?? variable;
}
