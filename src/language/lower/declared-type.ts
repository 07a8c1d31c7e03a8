/** A declaration's type as a user writes it, without the name: `array[N] vector<lower=0>[J]`. */
import type { Constraint, Expression, SizedType } from '../syntax/ast.ts';
import { printExpression, printTuple } from '../syntax/printer.ts';

export function declaredType(declaration: SizedType): string {
  const { constraint, type, arraySizes, baseSizes, members } = declaration;
  const plain = members ? printTuple(members.map(declaredType)) : type.base;
  const named = baseName(constraint) ?? plain;
  const list = (sizes: readonly Expression[]) => sizes.map(printExpression).join(', ');
  const array = arraySizes.length > 0 ? `array[${list(arraySizes)}] ` : '';
  const sizes = baseSizes.length > 0 ? `[${list(baseSizes)}]` : '';
  return `${array}${named}${qualifiers(constraint)}${sizes}`;
}

/** Constraints that are separate words: `simplex`. */
function baseName({ kind }: Constraint): string | null {
  return kind === 'none' || kind === 'bounds' || kind === 'offset-multiplier' ? null : kind;
}

function qualifiers(constraint: Constraint): string {
  const parts = [
    ...('lower' in constraint
      ? ([
          ['lower', constraint.lower],
          ['upper', constraint.upper],
        ] as const)
      : []),
    ...('offset' in constraint
      ? ([
          ['offset', constraint.offset],
          ['multiplier', constraint.multiplier],
        ] as const)
      : []),
  ].flatMap(([word, value]) => (value ? [`${word}=${printExpression(value)}`] : []));
  return parts.length > 0 ? `<${parts.join(', ')}>` : '';
}
