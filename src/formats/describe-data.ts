/** Describes each entry of a data file, for previews and for messages that compare it with a declaration. */
import { isRecord } from '../shared/items.ts';

export type ElementType =
  | 'int'
  | 'real'
  | 'string'
  | 'boolean'
  | 'null'
  | 'object'
  | 'mixed'
  | 'empty';

export interface EntryDescription {
  readonly name: string;
  readonly type: ElementType;
  /** Outermost first; empty for a scalar. For a ragged list, only the dimensions that are the same throughout. */
  readonly dims: readonly number[];
  readonly isRagged: boolean;
  /** Number of scalars. */
  readonly count: number;
  /** Over finite numbers; null when there are none. */
  readonly min: number | null;
  readonly max: number | null;
  /** NaN, infinite and null scalars. */
  readonly missing: number;
  /** "array[8] int", "real", "array[2,?] real (ragged)". */
  readonly text: string;
}

/** One description for each member of an object; none for anything else. */
export function describeData(value: unknown): EntryDescription[] {
  if (!isRecord(value)) return [];
  return Object.entries(value).map(([name, entry]) => describeEntry(name, entry));
}

interface Tally {
  types: Set<ElementType>;
  count: number;
  min: number;
  max: number;
  missing: number;
}

export function describeEntry(name: string, entry: unknown): EntryDescription {
  const tally: Tally = { types: new Set(), count: 0, min: Infinity, max: -Infinity, missing: 0 };
  const dims: number[] = [];
  let level: unknown[] = [entry];
  // Level by level: if all are lists of the same length, there is one more dimension.
  while (level.length > 0 && level.every(Array.isArray)) {
    const lists = level as unknown[][];
    const size = lists[0].length;
    if (lists.some((list) => list.length !== size)) break;
    dims.push(size);
    level = lists.flat(1);
  }
  const isRagged = level.some(Array.isArray);
  for (const item of level) tallyItem(item, tally);
  const type = elementType(tally.types);
  const shown = isRagged ? [...dims.map(String), '?'] : dims.map(String);
  return {
    name,
    type,
    dims,
    isRagged,
    count: tally.count,
    min: tally.min <= tally.max ? tally.min : null,
    max: tally.min <= tally.max ? tally.max : null,
    missing: tally.missing,
    text: `${shown.length === 0 ? '' : `array[${shown.join(',')}] `}${type}${isRagged ? ' (ragged)' : ''}`,
  };
}

function tallyItem(item: unknown, tally: Tally): void {
  if (Array.isArray(item)) {
    for (const part of item) tallyItem(part, tally);
    return;
  }
  tally.count++;
  const number = typeof item === 'string' && numberNames.has(item) ? NaN : item;
  if (typeof number === 'number') {
    tally.types.add(Number.isInteger(number) ? 'int' : 'real');
    if (Number.isFinite(number)) {
      tally.min = Math.min(tally.min, number);
      tally.max = Math.max(tally.max, number);
    } else tally.missing++;
  } else if (item === null) {
    tally.types.add('null');
    tally.missing++;
  } else if (typeof item === 'string') tally.types.add('string');
  else if (typeof item === 'boolean') tally.types.add('boolean');
  else tally.types.add('object');
}

/** Texts that represent numbers missing from JSON, as R and others write them. */
const numberNames = new Set(['NaN', 'Inf', '-Inf', 'Infinity', '-Infinity']);

function elementType(types: ReadonlySet<ElementType>): ElementType {
  if (types.size === 0) return 'empty';
  const [only] = types;
  if (types.size === 1) return only;
  return [...types].every((type) => type === 'int' || type === 'real') ? 'real' : 'mixed';
}
