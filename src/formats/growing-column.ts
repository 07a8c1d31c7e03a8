/** Columns of numbers that grow while a file is read: in memory, or wherever a store of the caller keeps them. */

/** What readers ask of a finished column; `Float64Array` is one. */
export interface NumberColumn<C> {
  readonly length: number;
  subarray(from?: number, to?: number): C;
}

export interface GrowingColumn<C = Float64Array> {
  push(value: number): void;
  readonly length: number;
  /** What was pushed. */
  finish(): C;
}

/** Where readers keep what they read: files of any size need a store beside the memory. */
export interface ColumnStore<C extends NumberColumn<C> = Float64Array> {
  grow(): GrowingColumn<C>;
  /** A column of values that are there already. */
  keep(values: Float64Array): C;
  /** A column of values that can be read piece by piece: `read(from, to)`. */
  lazy(length: number, read: (from: number, to: number) => Float64Array): C;
  load(column: C): Float64Array;
}

export const memoryColumns: ColumnStore = {
  grow: createGrowingColumn,
  keep: (values) => values,
  lazy: (length, read) => read(0, length),
  load: (column) => column,
};

function createGrowingColumn(): GrowingColumn {
  let values = new Float64Array(64);
  let length = 0;
  return {
    push(value) {
      if (length === values.length) {
        const larger = new Float64Array(length * 2);
        larger.set(values);
        values = larger;
      }
      values[length++] = value;
    },
    get length() {
      return length;
    },
    finish: () => values.slice(0, length),
  };
}
