/** Where a parameter's free values stand in the unconstrained vector, as texts of constants of the emitted program. */
import type { IrDeclaration } from '../lower/ir.ts';
import { isScalar } from '../lower/kinds.ts';
import { isElementwise } from './emit-sizes.ts';
import { mangle } from './printer.ts';

export interface ParameterLayout {
  readonly declaration: IrDeclaration;
  /** The sizes of the arrays, then those of one element; names of constants. */
  readonly arraySizes: readonly string[];
  readonly baseSizes: readonly string[];
  /** First free value (0-based), free values of one element, and of all. */
  readonly offset: string;
  readonly each: string;
  readonly total: string;
  readonly elementwise: boolean;
}

export function layoutOf(declaration: IrDeclaration): ParameterLayout {
  const { variable, arraySizes, baseSizes, constraint } = declaration;
  const name = (what: string) => mangle(variable.name, `${variable.id}${what}`);
  const each = isScalar(variable.type) ? '1' : name('each');
  return {
    declaration,
    arraySizes: arraySizes.map((_, i) => name(`d${i}`)),
    baseSizes: baseSizes.map((_, i) => name(`d${arraySizes.length + i}`)),
    offset: name('at'),
    each: arraySizes.length > 0 && isElementwise(constraint) && baseSizes.length === 0 ? '1' : each,
    total: arraySizes.length > 0 ? name('n') : each,
    elementwise: isElementwise(constraint),
  };
}

/** The same as a size of a declaration where the block variables' declared sizes are kept for output. */
export function sizesOf({ arraySizes, baseSizes }: ParameterLayout): string[] {
  return [...arraySizes, ...baseSizes];
}
