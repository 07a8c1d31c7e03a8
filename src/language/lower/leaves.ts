/**
 * Tuples do not reach the emitted program: what is declared as a tuple becomes one variable for each of its leaves, the
 * members that are not tuples themselves. An array of tuples becomes arrays of leaves, so `x[3].2[1]` is element `[3, 1]`
 * of the leaf `x[*].2`. What holds without tuples (activity, transforms, derivatives) thereby holds with them.
 */
import type { StanType } from '../types/stan-type.ts';

/** One step from a tuple, or an array of tuples, to a member. */
export interface MemberStep {
  /** Array dimensions in front of the tuple. */
  readonly dims: number;
  /** Which member, from 1, of how many. */
  readonly position: number;
  readonly count: number;
}

export interface Leaf {
  /** With the array dimensions of all tuples around it. */
  readonly type: StanType;
  /** From the declared variable; none where that is no tuple. */
  readonly steps: readonly MemberStep[];
}

/** The leaves in the order of the members. */
export function leavesOf(type: StanType): readonly Leaf[] {
  if (!type.members) return [{ type, steps: [] }];
  const { members, arrayDepth } = type;
  return members.flatMap((member, i) => {
    const step = { dims: arrayDepth, position: i + 1, count: members.length };
    return leavesOf(member).map((leaf) => ({
      type: { ...leaf.type, arrayDepth: leaf.type.arrayDepth + arrayDepth },
      steps: [step, ...leaf.steps],
    }));
  });
}

/** Where the leaves of a member stand among those of its tuple. */
export function rangeOfMember(tuple: StanType, position: number): readonly [number, number] {
  const counts = (tuple.members ?? []).map((member) => leavesOf(member).length);
  const start = counts.slice(0, position - 1).reduce((sum, count) => sum + count, 0);
  return [start, start + counts[position - 1]];
}

/**
 * What a leaf is called: `x.2`, and with `*` for the indexes of arrays of tuples `x[*].2`; in columns of output, which
 * CmdStan names so, with `:` in place of the dot.
 */
export function leafName(
  name: string,
  steps: readonly MemberStep[],
  separator: '.' | ':' = '.',
): string {
  return steps.reduce((text, { dims, position }) => {
    const indexes = dims === 0 ? '' : `[${Array.from({ length: dims }, () => '*').join(',')}]`;
    return `${text}${indexes}${separator}${position}`;
  }, name);
}
