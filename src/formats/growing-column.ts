/** A column of numbers that grows while a file is read. */

export interface GrowingColumn {
  push(value: number): void;
  readonly length: number;
  /** What was pushed, in an array of its own. */
  finish(): Float64Array;
}

export function createGrowingColumn(): GrowingColumn {
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
