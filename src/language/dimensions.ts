/** The names of the dimensions of a program's variables: from the variable that is their size, or that indexes them. */
import type { Declaration, Expression, Program, SizedType } from './syntax/ast.ts';
import { isComplex, numDimensions } from './types/stan-type.ts';

/** The names of a dimension, the nearest first; empty if its size is not a name. */
export type DimensionNames = readonly string[];

/**
 * The dimensions of each parameter, transformed parameter and generated quantity: `vector[J] theta` has one, named
 * `J`, and also `g` if the data declare `array[N] int<lower=1, upper=J> g`; `vector[max(g)] theta` is named by `g`.
 */
export function dimensionNames(program: Program): ReadonlyMap<string, readonly DimensionNames[]> {
  const indices = [...program.data, ...program.transformedData].filter(isDeclaration);
  const output = [
    ...program.parameters,
    ...program.transformedParameters,
    ...program.generatedQuantities,
  ].filter(isDeclaration);
  return new Map(
    output.flatMap((declaration) =>
      leavesOf(declaration, declaration.name.name).map(
        ({ name, sizes }) => [name, sizes.map((size) => namesOf(size, indices))] as const,
      ),
    ),
  );
}

interface Leaf {
  readonly name: string;
  /** Outermost first, those of arrays of tuples before. */
  readonly sizes: readonly Expression[];
}

/** The variable; for a tuple, its members as columns name them, `x:2`; for complex values, the parts, `z.real`. */
function leavesOf(declared: SizedType, name: string): readonly Leaf[] {
  if (isComplex(declared.type)) {
    return ['real', 'imag'].map((part) => ({ name: `${name}.${part}`, sizes: sizesOf(declared) }));
  }
  if (!declared.members) return [{ name, sizes: sizesOf(declared) }];
  return declared.members.flatMap((member, i) =>
    leavesOf(member, `${name}:${i + 1}`).map((leaf) => ({
      ...leaf,
      sizes: [...declared.arraySizes, ...leaf.sizes],
    })),
  );
}

const isDeclaration = (statement: { readonly kind: string }): statement is Declaration =>
  statement.kind === 'declaration';

/** Outermost first; a square matrix is declared with one size. */
function sizesOf({ type, arraySizes, baseSizes }: SizedType): Expression[] {
  const sizes = [...arraySizes, ...baseSizes];
  const [last] = baseSizes.slice(-1);
  return sizes.length < numDimensions(type) && last !== undefined ? [...sizes, last] : sizes;
}

function namesOf(size: Expression, declared: readonly Declaration[]): DimensionNames {
  if (size.kind === 'call' && size.name.name === 'max') {
    const [of] = size.arguments;
    return of?.kind === 'variable' ? [of.name] : [];
  }
  if (size.kind !== 'variable') return [];
  const counting = declared.filter(
    ({ type, constraint }) =>
      type.base === 'int' &&
      constraint.kind === 'bounds' &&
      constraint.upper?.kind === 'variable' &&
      constraint.upper.name === size.name,
  );
  return [size.name, ...counting.map(({ name }) => name.name)];
}
