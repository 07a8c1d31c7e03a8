/**
 * From flat names to arrays and back: `theta[1]` … `theta[8]` are one variable of shape 8, and so are `z[1].real` …, the real
 * parts of complex numbers, whose name is `z.real`.
 */

export interface ShapedVariable {
  readonly name: string;
  /** Lengths without chain and draw; empty for a scalar. */
  readonly dims: readonly number[];
  /** Flat names of the elements, last index fastest. */
  readonly elements: readonly string[];
}

const INDEXED = /^(.+)\[([1-9]\d*(?:,[1-9]\d*)*)\](\.(?:real|imag))?$/s;
const PART = /\.(?:real|imag)$/;

/**
 * The array that an element belongs to, and its indices; null: not an element. `z.real[1]` is not one either: elements
 * of an array `z.real` are called `z[1].real`.
 */
function elementOf(name: string): { readonly array: string; readonly indices: string } | null {
  const found = INDEXED.exec(name);
  if (found === null) return null;
  const [, base, indices, part = ''] = found;
  if (PART.test(base)) return null;
  return { array: `${base}${part}`, indices };
}

interface Family {
  readonly elements: Map<string, string>;
  readonly dims: number[];
  isArray: boolean;
}

/**
 * Folds flat names into variables, in the order of their first elements. An array needs every element from 1 on; a
 * ragged one, or one whose name another variable has, is kept as separate scalars.
 */
export function foldNames(names: readonly string[]): ShapedVariable[] {
  const families = new Map<string, Family>();
  const taken = new Set(names);
  for (const name of names) {
    const element = elementOf(name);
    if (element === null) continue;
    const { array, indices } = element;
    const place = indices.split(',').map(Number);
    const family = families.get(array) ?? {
      elements: new Map<string, string>(),
      dims: place.map(() => 0),
      isArray: !taken.has(array),
    };
    families.set(array, family);
    if (family.dims.length !== place.length) family.isArray = false;
    for (const [axis, index] of place.entries())
      family.dims[axis] = Math.max(family.dims[axis], index);
    family.elements.set(indices, name);
  }
  for (const family of families.values()) {
    const size = family.dims.reduce((product, length) => product * length, 1);
    if (size !== family.elements.size) family.isArray = false;
  }
  const folded: ShapedVariable[] = [];
  for (const name of names) {
    // A scalar with the name of an array stays a scalar, and the array is not folded.
    const array = elementOf(name)?.array ?? name;
    const family = families.get(array);
    if (family?.isArray !== true) {
      folded.push({ name, dims: [], elements: [name] });
    } else if (family.elements.size > 0) {
      const elements = flatNames(array, family.dims);
      folded.push({ name: array, dims: family.dims, elements });
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
