/** Types of Stan expressions, without sizes or constraints (those live on declarations). */

export type BaseType =
  | 'int'
  | 'real'
  | 'complex'
  | 'vector'
  | 'row_vector'
  | 'matrix'
  | 'complex_vector'
  | 'complex_row_vector'
  | 'complex_matrix'
  | 'tuple'
  | 'void'
  | 'error';

/** `arrayDepth` array dimensions around a base: `array[,] real` is `{ base: 'real', arrayDepth: 2 }`. */
export interface StanType {
  readonly base: BaseType;
  readonly arrayDepth: number;
  /** For a tuple: the types of its members, one or more. */
  readonly members?: readonly StanType[];
}

const plain = (base: BaseType): StanType => Object.freeze({ base, arrayDepth: 0 });

export const intType = plain('int');
export const realType = plain('real');
export const vectorType = plain('vector');
export const rowVectorType = plain('row_vector');
export const matrixType = plain('matrix');
export const complexType = plain('complex');
export const voidType = plain('void');
/** The type of what failed to check: already reported, so no more messages follow. */
export const errorType = plain('error');

export function arrayOf(type: StanType, depth = 1): StanType {
  return { ...type, arrayDepth: type.arrayDepth + depth };
}

export function tupleOf(members: readonly StanType[]): StanType {
  return { base: 'tuple', arrayDepth: 0, members };
}

export function isError(type: StanType): boolean {
  return type.base === 'error';
}

export function isSameType(a: StanType, b: StanType): boolean {
  return a.base === b.base && a.arrayDepth === b.arrayDepth && everyMember(a, b, isSameType);
}

/** Whether both have the same number of members, and `test` holds for each pair. */
function everyMember(
  a: StanType,
  b: StanType,
  test: (a: StanType, b: StanType) => boolean,
): boolean {
  const [mine, theirs] = [a.members ?? [], b.members ?? []];
  return mine.length === theirs.length && mine.every((member, i) => test(member, theirs[i]));
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
  const { base } = realPartOf(type);
  if (base === 'matrix') return type.arrayDepth + 2;
  if (base === 'vector' || base === 'row_vector') return type.arrayDepth + 1;
  return type.arrayDepth;
}

/** `int` becomes `real`, also inside arrays and tuples; others do not change. */
export function promoteToReal(type: StanType): StanType {
  if (type.members) return { ...type, members: type.members.map(promoteToReal) };
  return type.base === 'int' ? { base: 'real', arrayDepth: type.arrayDepth } : type;
}

const complexOf: Partial<Record<BaseType, BaseType>> = {
  real: 'complex',
  vector: 'complex_vector',
  row_vector: 'complex_row_vector',
  matrix: 'complex_matrix',
};
const realOf: Partial<Record<BaseType, BaseType>> = Object.fromEntries(
  Object.entries(complexOf).map(([real, complex]) => [complex, real]),
);

/** A complex number, or a container or an array of them. */
export function isComplex({ base }: StanType): boolean {
  return realOf[base] !== undefined;
}

/** `complex_vector` to `vector`, also inside arrays; other types are unchanged. */
export function realPartOf(type: StanType): StanType {
  return { ...type, base: realOf[type.base] ?? type.base };
}

/** `int` and `real` become `complex`, `vector` becomes `complex_vector`, also inside arrays and tuples; others stay. */
export function promoteToComplex(type: StanType): StanType {
  if (type.members) return { ...type, members: type.members.map(promoteToComplex) };
  const real = promoteToReal(type);
  return { ...real, base: complexOf[real.base] ?? real.base };
}

/** How many promotions turn `from` into `to`, which must accept it: int to complex counts as two, via real. */
export function countPromotions(from: StanType, to: StanType): number {
  const members = from.members ?? [];
  if (members.length > 0) {
    return members.reduce((sum, member, i) => {
      const other = to.members?.[i];
      return other ? sum + countPromotions(member, other) : sum;
    }, 0);
  }
  return isSameType(from, to) ? 0 : promotionLevel(to) - promotionLevel(from);
}

function promotionLevel(type: StanType): number {
  if (isComplex(type)) return 2;
  return type.base === 'int' ? 0 : 1;
}

/**
 * Whether a value of type `from` may be used as `to`: the same type, int for real, or either of them for complex, at
 * equal depth.
 */
export function isAssignable(from: StanType, to: StanType): boolean {
  if (isError(from) || isError(to)) return true;
  if (from.members && to.members) {
    return from.arrayDepth === to.arrayDepth && everyMember(from, to, isAssignable);
  }
  return (
    isSameType(from, to) ||
    isSameType(promoteToReal(from), to) ||
    isSameType(promoteToComplex(from), to)
  );
}

/** The type both promote to, or null. */
export function commonType(a: StanType, b: StanType): StanType | null {
  if (isError(a) || isError(b)) return errorType;
  if (isAssignable(a, b)) return b;
  if (isAssignable(b, a)) return a;
  if (!a.members || !b.members) return null;
  if (a.arrayDepth !== b.arrayDepth || a.members.length !== b.members.length) return null;
  const theirs = b.members;
  const members = a.members.map((member, i) => commonType(member, theirs[i]));
  if (members.includes(null)) return null;
  return { ...a, members: members.filter((member) => member !== null) };
}

/** Whether `test` holds for the type or, for a tuple, for all of its parts. */
export function everyPart(type: StanType, test: (part: StanType) => boolean): boolean {
  return type.members ? type.members.every((member) => everyPart(member, test)) : test(type);
}
