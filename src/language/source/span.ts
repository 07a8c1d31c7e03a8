/** Half-open range of UTF-16 offsets into one source file. */
export interface Span {
  /** Index into the list of files that were compiled together: 0 the program, others its `#include`s. */
  readonly file: number;
  readonly start: number;
  readonly end: number;
}
