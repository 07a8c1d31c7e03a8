/** Tokens and comments of a Stan source, with the reserved words. */
import type { Span } from '../source/span.ts';

export type TokenKind =
  | 'name' // identifiers and keywords alike
  | 'int'
  | 'real'
  | 'imaginary'
  | 'string' // text without its quotes
  | 'symbol'
  | 'include' // text is the path
  | 'unknown' // a character that Stan does not use; already reported
  | 'end';

/** A token is its own span. */
export interface Token extends Span {
  readonly kind: TokenKind;
  readonly text: string;
}

export interface Comment extends Span {
  readonly style: 'line' | 'block' | 'hash';
}

export function spanOf(place: Span): Span {
  return { file: place.file, start: place.start, end: place.end };
}

/** Base types without constraints, as written. */
export const plainTypes = [
  'int',
  'real',
  'vector',
  'row_vector',
  'matrix',
  'complex',
  'complex_vector',
  'complex_row_vector',
  'complex_matrix',
] as const;

/** Types whose name is their constraint → the base they constrain. */
export const constrainedTypes = {
  ordered: 'vector',
  positive_ordered: 'vector',
  simplex: 'vector',
  unit_vector: 'vector',
  sum_to_zero_vector: 'vector',
  sum_to_zero_matrix: 'matrix',
  cholesky_factor_cov: 'matrix',
  cholesky_factor_corr: 'matrix',
  cov_matrix: 'matrix',
  corr_matrix: 'matrix',
  column_stochastic_matrix: 'matrix',
  row_stochastic_matrix: 'matrix',
} as const;

export type ConstrainedTypeName = keyof typeof constrainedTypes;

export const typeWords: ReadonlySet<string> = new Set<string>([
  ...plainTypes,
  ...Object.keys(constrainedTypes),
  'array',
  'tuple',
  'void',
]);

export const statementWords: ReadonlySet<string> = new Set([
  'for',
  'in',
  'while',
  'if',
  'else',
  'break',
  'continue',
  'return',
  'print',
  'reject',
  'fatal_error',
  'profile',
  'target',
  'jacobian',
]);

/** Words of constraints and transforms between `<` and `>`. */
export const boundWords: ReadonlySet<string> = new Set(['lower', 'upper', 'offset', 'multiplier']);

export const blockWords: ReadonlySet<string> = new Set([
  'functions',
  'data',
  'transformed',
  'parameters',
  'model',
  'generated',
  'quantities',
]);

/** May not name a variable or function (reference manual, "Reserved names"). */
export const reservedWords: ReadonlySet<string> = new Set([
  ...typeWords,
  ...statementWords,
  ...blockWords,
  ...boundWords,
  'repeat',
  'until',
  'then',
  'true',
  'false',
  'struct',
  'typedef',
  'export',
  'auto',
  'extern',
  'var',
  'static',
]);
