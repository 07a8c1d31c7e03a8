/** From flat names to arrays and back: `theta[1]` … `theta[8]` are one variable of shape 8. */

export interface ShapedVariable {
  readonly name: string;
  /** Lengths beside chain and draw; empty for a scalar. */
  readonly dims: readonly number[];
  /** Flat names of the elements, the last index running fastest. */
  readonly elements: readonly string[];
}

const INDEXED = /^(.+)\[([1-9]\d*(?:,[1-9]\d*)*)\]$/s;

interface Family {
  readonly elements: Map<string, string>;
  readonly dims: number[];
  isArray: boolean;
}

/**
 * Folds flat names into variables, in the order their first elements come. An array needs every element from 1 on; a
 * ragged one, or one whose name is also a scalar's, stays apart as scalars.
 */
export function foldNames(names: readonly string[]): ShapedVariable[] {
  const families = new Map<string, Family>();
  const scalars = new Set(names.filter((name) => !INDEXED.test(name)));
  for (const name of names) {
    const [, base, indices] = INDEXED.exec(name) ?? [];
    if (base === undefined) continue;
    const place = indices.split(',').map(Number);
    const family = families.get(base) ?? {
      elements: new Map<string, string>(),
      dims: place.map(() => 0),
      isArray: !scalars.has(base),
    };
    families.set(base, family);
    if (family.dims.length !== place.length) family.isArray = false;
    for (const [axis, index] of place.entries())
      family.dims[axis] = Math.max(family.dims[axis] ?? 0, index);
    family.elements.set(indices, name);
  }
  for (const family of families.values()) {
    const size = family.dims.reduce((product, length) => product * length, 1);
    if (size !== family.elements.size) family.isArray = false;
  }
  const folded: ShapedVariable[] = [];
  for (const name of names) {
    const base = INDEXED.exec(name)?.[1];
    const family = base === undefined ? undefined : families.get(base);
    if (base === undefined || family === undefined || !family.isArray) {
      folded.push({ name, dims: [], elements: [name] });
    } else if (family.elements.size > 0) {
      const elements = flatNames(base, family.dims);
      folded.push({ name: base, dims: family.dims, elements });
      family.elements.clear();
    }
  }
  return folded;
}

/** `theta` of shape 2×2 → `theta[1,1]`, `theta[1,2]`, `theta[2,1]`, `theta[2,2]`; a scalar keeps its name. */
export function flatNames(name: string, dims: readonly number[]): string[] {
  if (dims.length === 0) return [name];
  const size = dims.reduce((product, length) => product * length, 1);
  return Array.from({ length: size }, (_, place) => {
    const indices: number[] = [];
    let rest = place;
    for (let axis = dims.length - 1; axis >= 0; axis--) {
      indices.unshift((rest % dims[axis]) + 1);
      rest = Math.floor(rest / dims[axis]);
    }
    return `${name}[${indices.join(',')}]`;
  });
}
