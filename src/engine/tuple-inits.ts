/**
 * Values of output variables as initial values, in which a tuple is an object, `{"1": 0.5, "2": [1, 2]}`, and a complex number
 * its two parts, `[0.5, -1]`.
 */
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

/** Of a complex number: 0 for its real part, 1 for its imaginary one. */
const parts = ['.real', '.imag'];

/** A step into a tuple member or to a part of a complex number, after this many array dimensions. */
interface Step {
  readonly dims: number;
  readonly member: string | number;
}

/** For `x[*]:2:1`: member 2 after one dimension, then member 1. */
function stepsOf(pattern: string): readonly Step[] {
  const complex = parts.findIndex((part) => pattern.endsWith(part));
  const names = pattern.replace(/\.(?:real|imag)$/, '').split(':');
  const dimsOf = (name: string) => name.split('*').length - 1;
  const members = names.slice(1).map((part, i) => ({
    dims: dimsOf(names[i]),
    member: part.replace(/\[.*$/, ''),
  }));
  if (complex < 0) return members;
  return [...members, { dims: dimsOf(names[names.length - 1]), member: complex }];
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
  if (typeof step.member === 'number') {
    const pair = (into ?? []) as unknown[];
    pair[step.member] = value;
    return pair;
  }
  const members = (into ?? {}) as Exclude<Node, unknown[]>;
  members[step.member] = insert(members[step.member], rest, value);
  return members;
}
