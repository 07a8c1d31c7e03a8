/** Values of output variables as initial values, in which a tuple is an object: `{"1": 0.5, "2": [1, 2]}`. */
import type { OutputVariable } from '../language/program.ts';

type Node = Record<string, unknown> | unknown[];

/** Adds the nested arrays of `value` under the variable's name, or as a member of its tuple. */
export function addInit(
  inits: Record<string, unknown>,
  { name, tuple }: OutputVariable,
  value: unknown,
): void {
  if (!tuple) inits[name] = value;
  else inits[tuple.variable] = insert(inits[tuple.variable], stepsOf(tuple.pattern), value);
}

/** One member on the way into a tuple, behind as many dimensions of arrays. */
interface Step {
  readonly dims: number;
  readonly member: string;
}

/** Of `x[*]:2:1`: member 2 behind one dimension, then member 1. */
function stepsOf(pattern: string): readonly Step[] {
  const parts = pattern.split(':');
  return parts.slice(1).map((part, i) => ({
    dims: parts[i].split('*').length - 1,
    member: part.replace(/\[.*$/, ''),
  }));
}

function insert(into: unknown, [step, ...rest]: readonly Step[], value: unknown): unknown {
  if (step === undefined) return value;
  if (step.dims > 0) {
    const array = (into ?? []) as unknown[];
    const inner = [{ ...step, dims: step.dims - 1 }, ...rest];
    (value as readonly unknown[]).forEach((element, i) => {
      array[i] = insert(array[i], inner, element);
    });
    return array;
  }
  const members = (into ?? {}) as Exclude<Node, unknown[]>;
  members[step.member] = insert(members[step.member], rest, value);
  return members;
}
