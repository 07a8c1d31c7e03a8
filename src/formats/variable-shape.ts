/**
 * From flat names to arrays and back: `theta[1]` … `theta[8]` are one variable of shape 8, and so are `z[1].real` …, the real
 * parts of complex numbers, whose name is `z.real`.
 */

export interface ShapedVariable {
  readonly name: string;
  /** Lengths beside chain and draw; empty for a scalar. */
  readonly dims: readonly number[];
  /** Flat names of the elements, the last index running fastest. */
  readonly elements: readonly string[];
}

const INDEXED = /^(.+)\[([1-9]\d*(?:,[1-9]\d*)*)\](\.(?:real|imag))?$/s;
const PART = /\.(?:real|imag)$/;

/** The name of the array that an element is of; undefined: it is of none. */
function arrayName(found: RegExpExecArray | null): string | undefined {
  const [, base, , part = ''] = found ?? [];
  return base === undefined ? undefined : `${base}${part}`;
}

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
    const found = INDEXED.exec(name);
    const base = arrayName(found);
    const indices = found?.[2];
    if (base === undefined || indices === undefined) continue;
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
    const base = arrayName(INDEXED.exec(name));
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
  const part = PART.exec(name)?.[0] ?? '';
  const bare = part === '' ? name : name.slice(0, -part.length);
  const size = dims.reduce((product, length) => product * length, 1);
  return Array.from({ length: size }, (_, place) => {
    const indices: number[] = [];
    let rest = place;
    for (let axis = dims.length - 1; axis >= 0; axis--) {
      indices.unshift((rest % dims[axis]) + 1);
      rest = Math.floor(rest / dims[axis]);
    }
    return `${bare}[${indices.join(',')}]${part}`;
  });
}
