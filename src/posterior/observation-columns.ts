/** What the data say about each observation: the rows to which pointwise log likelihoods belong. */
import type { DataVariable } from './predictive/pairing.ts';
import { elementOf } from './variable-kinds.ts';
import type { DimensionLabels } from './variable-labels.ts';

/** A column of the data with one entry per observation. */
export interface ObservationColumn {
  /** `y`, `x[,2]`, or the name of a dimension with labels. */
  readonly name: string;
  readonly values: readonly (number | string)[];
}

export interface ObservationColumns {
  readonly columns: readonly ObservationColumn[];
  /** Number of data columns that are left out because there are too many. */
  readonly omitted: number;
}

/** Maximum number of columns shown for one observation. */
const mostColumns = 24;

/**
 * Columns of the data for `observations`, elements of one array (`log_lik[3]`, `log_lik[2,1]`): labels of its
 * dimensions, then each data variable whose first dimensions are those of the array, or whose first is the array's
 * first. The remaining dimensions of a variable give one column each. None if the names are not elements of an array.
 */
export function observationColumns(
  observations: readonly string[],
  data: readonly DataVariable[],
  { coords, dims }: DimensionLabels,
): ObservationColumns {
  const elements = observations.map(elementOf);
  const [first] = elements;
  const indices = elements.map((element) => element?.indices.map(Number) ?? []);
  const isAlike = (own: readonly number[]) =>
    own.length === first?.indices.length && own.every(Number.isInteger);
  if (first === undefined || !indices.every(isAlike)) return { columns: [], omitted: 0 };
  const extents = first.indices.map((_, axis) =>
    indices.reduce((most, own) => Math.max(most, own[axis]), 0),
  );
  const names = dims[first.array] ?? [];
  const labels = extents.flatMap((extent, axis): ObservationColumn[] => {
    const texts = coords[names[axis]];
    if (texts === undefined || texts.length < extent) return [];
    return [{ name: names[axis], values: indices.map((own) => texts[own[axis] - 1]) }];
  });
  const all = [...labels, ...data.flatMap((variable) => columnsOf(variable, indices, extents))];
  return { columns: all.slice(0, mostColumns), omitted: Math.max(0, all.length - mostColumns) };
}

/** Empty if the variable does not have an entry for each observation. */
function columnsOf(
  { name, dims, values }: DataVariable,
  indices: readonly (readonly number[])[],
  extents: readonly number[],
): ObservationColumn[] {
  const isWhole = extents.every((extent, axis) => dims[axis] === extent);
  const shared = isWhole ? extents.length : dims[0] === extents[0] ? 1 : 0;
  if (shared === 0) return [];
  const rest = dims.slice(shared);
  const width = rest.reduce((size, length) => size * length, 1);
  const rowOf = (own: readonly number[]) =>
    own.slice(0, shared).reduce((row, index, axis) => row * dims[axis] + index - 1, 0);
  return Array.from({ length: width }, (_, column) => ({
    name: rest.length === 0 ? name : `${name}[${','.repeat(shared)}${indexText(column, rest)}]`,
    values: indices.map((own) => values[rowOf(own) * width + column]),
  }));
}

/** Indexes of the `place`-th entry of an array, from 1, last index fastest. */
function indexText(place: number, dims: readonly number[]): string {
  let left = place;
  return dims
    .toReversed()
    .map((length) => {
      const index = (left % length) + 1;
      left = Math.floor(left / length);
      return index;
    })
    .toReversed()
    .join(',');
}

/** `y 28.4 · sigma 15`: one observation as text, of the first few columns. */
export function observationText(
  columns: readonly ObservationColumn[],
  observation: number,
  most = 6,
): string {
  const shown = columns.slice(0, most).map(({ name, values }) => {
    const value = values[observation];
    return `${name} ${typeof value === 'number' ? shortNumber(value) : value}`;
  });
  return [...shown, ...(columns.length > most ? ['…'] : [])].join(' · ');
}

function shortNumber(value: number): string {
  return String(Number(value.toPrecision(5))).replace('-', '\u2212');
}
