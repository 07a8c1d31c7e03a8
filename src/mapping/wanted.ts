/** What a program's data block needs from a table: names, types, sizes and bounds, without the syntax tree. */
import type { Declaration, Expression } from '../language/syntax/ast.ts';
import { isComplex } from '../language/types/stan-type.ts';

/** A size or bound: a number, the variable of that name, or null for other expressions and if there is none. */
export type Extent = number | string | null;

export interface WantedVariable {
  readonly name: string;
  readonly isInt: boolean;
  /** Outermost first; empty for a scalar. */
  readonly dims: readonly Extent[];
  readonly lower: Extent;
  readonly upper: Extent;
  /** "array[N] int, 1 to J". */
  readonly text: string;
}

/** Data that no column of a table can represent: tuples and complex numbers. */
export function unmappableVariables(declarations: readonly Declaration[]): string[] {
  return declarations.filter(isUnmappable).map(({ name }) => name.name);
}

const isUnmappable = ({ members, type }: Declaration) => members !== undefined || isComplex(type);

/** Without variables that columns cannot represent. */
export function wantedVariables(declarations: readonly Declaration[]): WantedVariable[] {
  return declarations
    .filter((declaration) => !isUnmappable(declaration))
    .map((declaration) => {
      const { name, type, constraint, arraySizes, baseSizes } = declaration;
      const isSquare = type.base === 'matrix' && baseSizes.length === 1;
      const base = isSquare ? [...baseSizes, ...baseSizes] : baseSizes;
      const bounds = constraint.kind === 'bounds' ? constraint : { lower: null, upper: null };
      const lower = extentOf(bounds.lower);
      const upper = extentOf(bounds.upper);
      const typeName =
        constraint.kind === 'none' ||
        constraint.kind === 'bounds' ||
        constraint.kind === 'offset-multiplier'
          ? type.base
          : constraint.kind;
      const array = arraySizes.length === 0 ? '' : `array[${arraySizes.map(shown).join(', ')}] `;
      const sizes = baseSizes.length === 0 ? '' : `[${baseSizes.map(shown).join(', ')}]`;
      return {
        name: name.name,
        isInt: type.base === 'int',
        dims: [...arraySizes, ...base].map(extentOf),
        lower,
        upper,
        text: `${array}${typeName}${sizes}${boundsText(bounds.lower, bounds.upper)}`,
      };
    });
}

function boundsText(lower: Expression | null, upper: Expression | null): string {
  if (lower !== null && upper !== null) return `, ${shown(lower)} to ${shown(upper)}`;
  if (lower !== null) return `, at least ${shown(lower)}`;
  return upper === null ? '' : `, at most ${shown(upper)}`;
}

function extentOf(expression: Expression | null): Extent {
  switch (expression?.kind) {
    case 'int':
    case 'real':
      return expression.value;
    case 'variable':
      return expression.name;
    case 'unary': {
      const value = extentOf(expression.operand);
      return expression.operator === '-' && typeof value === 'number' ? -value : null;
    }
    default:
      return null;
  }
}

const shown = (expression: Expression) => {
  const extent = extentOf(expression);
  return extent === null ? '…' : String(extent).replace('-', '\u2212');
};
