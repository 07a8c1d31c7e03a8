/** The letters that name how a value is stored at run time (see math/autodiff/containers.ts), from its Stan type. */
import type { StanType } from '../types/stan-type.ts';

/** `i r v I R V M W`, preceded by `[` for every array level around a container. */
export type Kind = string;

export function kindOf(type: StanType, active: boolean): Kind {
  const real = active ? 'V' : 'R';
  const { base, arrayDepth } = type;
  if (base === 'matrix') return '['.repeat(arrayDepth) + (active ? 'W' : 'M');
  if (base === 'vector' || base === 'row_vector') return '['.repeat(arrayDepth) + real;
  if (base === 'int') return arrayDepth === 0 ? 'i' : `${'['.repeat(arrayDepth - 1)}I`;
  if (arrayDepth === 0) return active ? 'v' : 'r';
  return '['.repeat(arrayDepth - 1) + real;
}

export function isActiveKind(kind: Kind): boolean {
  return /[vVW]$/.test(kind);
}

/** The same value with data for active. */
export function dataKind(kind: Kind): Kind {
  return kind.replace('v', 'r').replace('V', 'R').replace('W', 'M');
}

export function isContainerKind(kind: Kind): boolean {
  return !/^[irv]$/.test(kind);
}

/** How many container levels a value of this kind has: `[R` two, `R` and `M` one, `r` none. */
export function levelsOf(kind: Kind): number {
  return isContainerKind(kind) ? kind.length : 0;
}

export const intType: StanType = { base: 'int', arrayDepth: 0 };
export const realType: StanType = { base: 'real', arrayDepth: 0 };

export function isScalar(type: StanType): boolean {
  return type.arrayDepth === 0 && (type.base === 'int' || type.base === 'real');
}

/** The type of one element: its element for an array, a row vector for a matrix, a real for a vector. */
export function elementType(type: StanType): StanType {
  if (type.arrayDepth > 0) return { base: type.base, arrayDepth: type.arrayDepth - 1 };
  return type.base === 'matrix' ? { base: 'row_vector', arrayDepth: 0 } : realType;
}
