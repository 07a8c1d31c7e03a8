/** Where elements and rows of containers are, as texts of array, start, stride and count. */
import { variableName } from '../emit/unit.ts';
import type { IrVariable } from '../lower/ir.ts';
import type { Along, Image } from './node.ts';
import { offsetName, rankOf, sizeName } from './region-scope.ts';

/** `i - 1` of the 1-based index `i`. */
function before(index: string): string {
  return /^\d+$/.test(index) ? String(Number(index) - 1) : `${index} - 1`;
}

function plus(...terms: readonly string[]): string {
  const kept = terms.filter((term) => term !== '0');
  return kept.length === 0 ? '0' : kept.join(' + ');
}

function times(term: string, factor: string): string {
  if (term === '0') return '0';
  return /^[\w$]+$/.test(term) ? `${term} * ${factor}` : `(${term}) * ${factor}`;
}

const isMatrix = (variable: IrVariable) => variable.type.base === 'matrix';

/** The offset of element `indexes` from the first of an active container: arrays outermost first, matrices by column. */
function elementOffset(variable: IrVariable, indexes: readonly string[]): string {
  const rank = rankOf(variable);
  const order = indexes.map((_, k) => k);
  if (isMatrix(variable)) order.splice(rank - 2, 2, rank - 1, rank - 2);
  let text = '0';
  for (const k of order) {
    text =
      text === '0'
        ? before(indexes[k])
        : plus(times(text, sizeName(variable, k)), before(indexes[k]));
  }
  return text;
}

export function elementAddress(variable: IrVariable, indexes: readonly string[]): string {
  return plus(offsetName(variable), elementOffset(variable, indexes));
}

/** Where the image of an element is. */
export function imageAddress({ name, element }: Image, indexes: readonly string[]): string {
  return plus(name, elementOffset(element.variable, indexes));
}

export interface ViewPlace extends ViewText {
  readonly array: string;
}

/** The current element of a loop over vectors, among the values or (`D`) the adjoints. */
export function alongText(
  places: ReadonlyMap<string, ViewPlace>,
  { key, index }: Along,
  adjoints?: 'D',
): string {
  const place = places.get(key);
  if (!place) throw new Error('a vector without its place');
  const step = place.stride === '1' ? index : `${index} * ${place.stride}`;
  return `${adjoints ?? place.array}[${plus(place.start, step)}]`;
}

export interface ViewText {
  readonly start: string;
  readonly stride: string;
  readonly count: string;
}

/** Whether the free indexes are both of a matrix: its elements, column by column. */
export function isWholeMatrix(indexes: readonly unknown[]): boolean {
  return indexes.filter((index) => index === null).length === 2;
}

/** The row, column, vector or matrix that remains when one index or two, null, select all. */
export function viewOf(variable: IrVariable, indexes: readonly (string | null)[]): ViewText {
  const rank = rankOf(variable);
  const free = indexes.indexOf(null);
  const start = elementAddress(
    variable,
    indexes.map((index) => index ?? '1'),
  );
  if (isWholeMatrix(indexes)) {
    const count = `${sizeName(variable, rank - 2)} * ${sizeName(variable, rank - 1)}`;
    return { start, stride: '1', count };
  }
  const isRow = isMatrix(variable) && free === rank - 1;
  const isInner = !isMatrix(variable) && free < rank - 1;
  const stride = isRow
    ? sizeName(variable, rank - 2)
    : isInner
      ? indexes
          .map((_, k) => sizeName(variable, k))
          .slice(free + 1)
          .join(' * ')
      : '1';
  return { start, stride, count: sizeName(variable, free) };
}

/** The part of a view that begins at its 1-based element `from`. */
export function within(place: ViewPlace, from: string, count: string): ViewPlace {
  const skipped = before(from);
  const step = place.stride === '1' ? skipped : times(skipped, place.stride);
  return { ...place, start: plus(place.start, step), count };
}

// ---------------------------------------------------------------- data

/** Text of `x[i, j]` of data: arrays of arrays, vectors, or a matrix. */
export function datumText(variable: IrVariable, kind: string, indexes: readonly string[]): string {
  const name = variableName(variable);
  const levels = kind.length - 1;
  const outer = indexes.slice(0, levels).map((index) => `[${before(index)}]`);
  const inner = indexes.slice(levels);
  const element = `${name}${outer.join('')}`;
  if (!kind.endsWith('M')) return `${element}[${before(inner[0])}]`;
  return `${element}.data[${plus(times(before(inner[1]), `${element}.rows`), before(inner[0]))}]`;
}

/** Texts of the sizes that the indexes of {@link datumText} are checked against. */
export function datumSizes(
  variable: IrVariable,
  kind: string,
  indexes: readonly string[],
): string[] {
  const name = variableName(variable);
  const sizes: string[] = [];
  let element = name;
  for (let k = 0; k < kind.length - 1; k++) {
    sizes.push(`${element}.length`);
    element += `[${before(indexes[k])}]`;
  }
  if (kind.endsWith('M')) sizes.push(`${element}.rows`, `${element}.cols`);
  else sizes.push(`${element}.length`);
  return sizes;
}

/** The vector, row or matrix of data that remains when one index or two, null, select all. */
export function dataViewOf(
  variable: IrVariable,
  kind: string,
  indexes: readonly (string | null)[],
): ViewPlace {
  const levels = kind.length - 1;
  const outer = indexes.slice(0, levels).map((index) => `[${before(index ?? '1')}]`);
  const array = `${variableName(variable)}${outer.join('')}`;
  const inner = indexes.slice(levels);
  if (!kind.endsWith('M')) return { array, start: '0', stride: '1', count: `${array}.length` };
  const [row, column] = inner;
  const data = `${array}.data`;
  if (isWholeMatrix(indexes)) {
    return { array: data, start: '0', stride: '1', count: `${data}.length` };
  }
  if (column === null) {
    return {
      array: data,
      start: before(row ?? '1'),
      stride: `${array}.rows`,
      count: `${array}.cols`,
    };
  }
  const start = times(before(column), `${array}.rows`);
  return { array: data, start, stride: '1', count: `${array}.rows` };
}
