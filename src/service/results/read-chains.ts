/** Draws of some columns, by chain and variable. */
import type { Executor } from '../repositories/database.ts';
import { type DrawLayout, readDraws } from '../repositories/draws.ts';

/** A chain with draws, and the last iteration to use; undefined: all. */
export interface ReadChain {
  readonly name: string;
  readonly to: number | undefined;
}

/** Draws of some columns in one chain, by variable; gaps are closed. */
export async function readChain(
  db: Executor,
  experimentId: number,
  chain: ReadChain,
  variables: readonly string[],
): Promise<Map<string, Float64Array>> {
  return (await readChains(db, experimentId, [chain], variables)).get(chain.name) ?? new Map();
}

/** The same for several chains with the same last iteration, by the name of the chain. */
export async function readChains(
  db: Executor,
  experimentId: number,
  chains: readonly ReadChain[],
  variables: readonly string[],
  layouts?: readonly DrawLayout[],
): Promise<Map<string, Map<string, Float64Array>>> {
  const to = chains[0]?.to;
  const segments = await readDraws(db, {
    experimentId,
    variables,
    chains: chains.map(({ name }) => name),
    ...(to === undefined ? {} : { to }),
    ...(layouts === undefined ? {} : { layouts }),
  });
  const parts = new Map<string, Map<string, Float64Array[]>>();
  for (const { name, variable, values } of segments) {
    const ofChain = parts.get(name) ?? new Map<string, Float64Array[]>();
    parts.set(name, ofChain);
    const list = ofChain.get(variable);
    if (list === undefined) ofChain.set(variable, [values]);
    else list.push(values);
  }
  const joined = (ofChain: ReadonlyMap<string, Float64Array[]>) =>
    new Map([...ofChain].map(([variable, list]) => [variable, join(list)]));
  return new Map([...parts].map(([name, ofChain]) => [name, joined(ofChain)]));
}

/** One after another. */
export function join(parts: readonly Float64Array[]): Float64Array {
  const [first] = parts;
  if (first !== undefined && parts.length === 1) return first;
  const values = new Float64Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    values.set(part, at);
    at += part.length;
  }
  return values;
}
