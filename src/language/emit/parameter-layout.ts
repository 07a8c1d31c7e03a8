/** Where a parameter's free values are in the unconstrained vector, as texts of constants of the emitted program. */
import type { IrDeclaration, IrExpression } from '../lower/ir.ts';
import { freeSize, isElementwise } from './emit-sizes.ts';
import { mangle } from './printer.ts';

export interface ParameterLayout {
  readonly declaration: IrDeclaration;
  /** The sizes of the arrays, then those of one element; names of constants, or numbers. */
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
  const ofArrays = arraySizes.map((size, i) => literalSize(size) ?? name(`d${i}`));
  const ofBase = baseSizes.map((size, i) => literalSize(size) ?? name(`d${arraySizes.length + i}`));
  const numFree = freeSize(declaration, ofBase);
  const each = isName(numFree) ? numFree : name('each');
  return {
    declaration,
    arraySizes: ofArrays,
    baseSizes: ofBase,
    offset: name('at'),
    each,
    total: ofArrays.length === 0 ? each : name('n'),
    elementwise: isElementwise(constraint),
  };
}

/** A size that is a number in the program's text and needs no check. */
function literalSize(size: IrExpression): string | null {
  return size.op === 'int' && size.value >= 0 && size.value <= mostLiteral
    ? String(size.value)
    : null;
}

const mostLiteral = 1000;

/** Whether a text is one name or number, so that it needs no other name. */
const isName = (text: string) => /^[\w$]+$/.test(text);

/** The same as the sizes of a declaration, where the sizes of block variables are kept for output. */
export function sizesOf({ arraySizes, baseSizes }: ParameterLayout): string[] {
  return [...arraySizes, ...baseSizes];
}
