/** Types of Stan expressions, without sizes or constraints (those live on declarations). */

export type BaseType =
  | 'int'
  | 'real'
  | 'complex'
  | 'vector'
  | 'row_vector'
  | 'matrix'
  | 'void'
  | 'error';

/** `arrayDepth` array dimensions around a base: `array[,] real` is `{ base: 'real', arrayDepth: 2 }`. */
export interface StanType {
  readonly base: BaseType;
  readonly arrayDepth: number;
}

const plain = (base: BaseType): StanType => Object.freeze({ base, arrayDepth: 0 });

export const intType = plain('int');
export const realType = plain('real');
export const vectorType = plain('vector');
export const rowVectorType = plain('row_vector');
export const matrixType = plain('matrix');
export const voidType = plain('void');
/** What checking failed for; it was reported, and nothing more is said of it. */
export const errorType = plain('error');

export function arrayOf(type: StanType, depth = 1): StanType {
  return { base: type.base, arrayDepth: type.arrayDepth + depth };
}

export function isError(type: StanType): boolean {
  return type.base === 'error';
}

export function isSameType(a: StanType, b: StanType): boolean {
  return a.base === b.base && a.arrayDepth === b.arrayDepth;
}

/** An `int` or `real`. */
export function isScalar(type: StanType): boolean {
  return type.arrayDepth === 0 && (type.base === 'int' || type.base === 'real');
}

export function isInt(type: StanType): boolean {
  return type.arrayDepth === 0 && type.base === 'int';
}

/** How many indexes it takes to reach a scalar: array dimensions, then those of vector (1) or matrix (2). */
export function numDimensions(type: StanType): number {
  if (type.base === 'matrix') return type.arrayDepth + 2;
  if (type.base === 'vector' || type.base === 'row_vector') return type.arrayDepth + 1;
  return type.arrayDepth;
}

/** `int` becomes `real`, also inside arrays; others stay. */
export function promoteToReal(type: StanType): StanType {
  return type.base === 'int' ? { base: 'real', arrayDepth: type.arrayDepth } : type;
}

/** Whether a value of `from` may stand where `to` is wanted: the same type, or int for real at equal depth. */
export function isAssignable(from: StanType, to: StanType): boolean {
  if (isError(from) || isError(to)) return true;
  return isSameType(from, to) || isSameType(promoteToReal(from), to);
}

/** The type both promote to, or null. */
export function commonType(a: StanType, b: StanType): StanType | null {
  if (isError(a) || isError(b)) return errorType;
  if (isAssignable(a, b)) return b;
  if (isAssignable(b, a)) return a;
  return null;
}
