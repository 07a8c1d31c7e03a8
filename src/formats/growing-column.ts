/** Columns of numbers that grow while a file is read: in memory, or in a store of the caller. */

/** What readers need from a finished column; `Float64Array` is one. */
export interface NumberColumn<C> {
  readonly length: number;
  subarray(from?: number, to?: number): C;
}

export interface GrowingColumn<C = Float64Array> {
  push(value: number): void;
  readonly length: number;
  /** The values pushed. */
  finish(): C;
}

/** Where readers store what they read: files of any size need a store other than memory. */
export interface ColumnStore<C extends NumberColumn<C> = Float64Array> {
  grow(): GrowingColumn<C>;
  /** A column of existing values. */
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
