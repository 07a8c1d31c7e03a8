/** The kind of what `x[entries]` contains, from the type of `x`. */
import type { IrIndex } from '../lower/ir.ts';
import { type Kind, kindOf } from '../lower/kinds.ts';
import type { BaseType, StanType } from '../types/stan-type.ts';

export function storedKind(type: StanType, entries: readonly IrIndex[], active: boolean): Kind {
  const overArrays = entries.slice(0, type.arrayDepth);
  const singles = overArrays.filter((entry) => entry.kind === 'single').length;
  const inside = entries.slice(type.arrayDepth);
  return kindOf({ base: baseOf(type.base, inside), arrayDepth: type.arrayDepth - singles }, active);
}

function baseOf(base: BaseType, inside: readonly IrIndex[]): BaseType {
  if (inside.length === 0) return base;
  const [row, col] = inside;
  if (base !== 'matrix') return row.kind === 'single' ? 'real' : base;
  const oneColumn = col?.kind === 'single';
  if (row.kind !== 'single') return oneColumn ? 'vector' : 'matrix';
  return oneColumn ? 'real' : 'row_vector';
}
