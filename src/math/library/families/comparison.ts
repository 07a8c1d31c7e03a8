/** Comparisons and logical operators as functions on ints and reals: they give 0 or 1. */
import type { LibraryPart } from '../machinery/implementation.ts';

const bit = (condition: boolean) => (condition ? 1 : 0);

export const comparisonPart: LibraryPart = {
  logical_eq__rr: (a: number, b: number) => bit(a === b),
  logical_neq__rr: (a: number, b: number) => bit(a !== b),
  logical_lt__rr: (a: number, b: number) => bit(a < b),
  logical_lte__rr: (a: number, b: number) => bit(a <= b),
  logical_gt__rr: (a: number, b: number) => bit(a > b),
  logical_gte__rr: (a: number, b: number) => bit(a >= b),
  logical_negation__r: (a: number) => bit(a === 0),
  logical_and__rr: (a: number, b: number) => bit(a !== 0 && b !== 0),
  logical_or__rr: (a: number, b: number) => bit(a !== 0 || b !== 0),
};
