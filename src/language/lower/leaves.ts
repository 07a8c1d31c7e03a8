/**
 * Neither tuples nor complex numbers reach the emitted program: a variable declared as a tuple becomes one for each of
 * its leaves, the members that are not tuples themselves, and a complex one becomes two, for its real and
 * imaginary parts. An array of tuples becomes arrays of leaves, so `x[3].2[1]` is element `[3, 1]`
 * of the leaf `x[*].2`. Rules for other types (activity, transforms, derivatives) thus apply to these as well.
 */
import {
  isComplex,
  numDimensions,
  realPartOf,
  type StanType,
  tupleOf,
} from '../types/stan-type.ts';

/** One step from a tuple, or an array of tuples, to a member. */
export interface MemberStep {
  /** Array dimensions before the tuple. */
  readonly dims: number;
  /** Which member, from 1, of how many. */
  readonly position: number;
  readonly count: number;
}

export type ComplexPart = 'real' | 'imag';

export interface Leaf {
  /** With the array dimensions of all tuples around it. */
  readonly type: StanType;
  /** From the declared variable; empty if that is not a tuple. */
  readonly steps: readonly MemberStep[];
  /** For a complex number, vector or matrix. */
  readonly part?: ComplexPart;
}

/** The leaves in the order of the members. */
export function leavesOf(type: StanType): readonly Leaf[] {
  if (isComplex(type)) {
    const part = { type: realPartOf(type), steps: [] };
    return [
      { ...part, part: 'real' },
      { ...part, part: 'imag' },
    ];
  }
  if (!type.members) return [{ type, steps: [] }];
  const { members, arrayDepth } = type;
  return members.flatMap((member, i) => {
    const step = { dims: arrayDepth, position: i + 1, count: members.length };
    return leavesOf(member).map((leaf) => ({
      ...leaf,
      type: { ...leaf.type, arrayDepth: leaf.type.arrayDepth + arrayDepth },
      steps: [step, ...leaf.steps],
    }));
  });
}

/** Whether a value of this type has several leaves. */
export function isComposite(type: StanType): boolean {
  return type.members !== undefined || isComplex(type);
}

/** The type in the intermediate representation: a complex type is the tuple of its parts. */
export function loweredType(type: StanType): StanType {
  return isComplex(type) ? tupleOf(leavesOf(type).map((leaf) => leaf.type)) : type;
}

/** Where the leaves of a member are among those of its tuple. */
export function rangeOfMember(tuple: StanType, position: number): readonly [number, number] {
  const counts = (tuple.members ?? []).map((member) => leavesOf(member).length);
  const start = counts.slice(0, position - 1).reduce((sum, count) => sum + count, 0);
  return [start, start + counts[position - 1]];
}

/**
 * The name of a leaf: `x.2`, and with `*` for the indexes of arrays of tuples `x[*].2`, for a complex vector `z[*].real`;
 * in output columns, which CmdStan names so, with `:` in place of the dot before a member.
 */
export function leafName(
  name: string,
  { type, steps, part }: Leaf,
  separator: '.' | ':' = '.',
): string {
  const member = steps.reduce(
    (text, { dims, position }) => `${text}${stars(dims)}${separator}${position}`,
    name,
  );
  if (!part) return member;
  const outer = steps.reduce((sum, { dims }) => sum + dims, 0);
  return `${member}${stars(numDimensions(type) - outer)}.${part}`;
}

function stars(count: number): string {
  return count === 0 ? '' : `[${Array.from({ length: count }, () => '*').join(',')}]`;
}

/** The name without indexes: `x:2`, `z.real`. */
export function bareLeafName(name: string, leaf: Leaf): string {
  return leafName(name, leaf, ':').replace(/\[[*,]*\]/g, '');
}
