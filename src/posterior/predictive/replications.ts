/** Observed data together with the model's replications: the container that every predictive check starts from. */
import { alignChains, type ChainDraws } from '../draws.ts';
import { createRandom } from '../seeded-random.ts';

export interface Predictive {
  /** One value per observation. */
  readonly y: Float64Array;
  /** One entry per observation: its draws, all chains end to end; entry `s` of each belongs to the same draw. */
  readonly replicated: readonly Float64Array[];
  /** Draws that every observation has. */
  readonly numDraws: number;
}

/** `replicated`: one entry per observation, chains × draws, in the order of `y`. Chains are cut to the shortest. */
export function predictiveOf(y: Float64Array, replicated: readonly ChainDraws[]): Predictive {
  const flat = replicated.map((chains) => alignChains(chains).values);
  const numDraws = flat.reduce((least, { length }) => Math.min(least, length), Infinity);
  return { y, replicated: flat, numDraws: Number.isFinite(numDraws) ? numDraws : 0 };
}

/** The data set of draw `s`, written to `into`. */
export function replicateOf({ replicated }: Predictive, s: number, into: Float64Array): void {
  for (let i = 0; i < replicated.length; i++) into[i] = replicated[i][s];
}

/**
 * At most `most` of `total` draws, ascending: a random sample without replacement from a fixed seed, since an even
 * one would meet draws that repeat. Source: Knuth 1997, The Art of Computer Programming 2, section 3.4.2, algorithm S.
 */
export function chosenDraws(total: number, most: number): number[] {
  const random = createRandom();
  const chosen: number[] = [];
  for (let s = 0; s < total; s++) if (random() * (total - s) < most - chosen.length) chosen.push(s);
  return chosen;
}

/** The kind of outcome, which decides the checks and statistics on offer. */
export const outcomeKinds = ['continuous', 'count', 'binary'] as const;
export type OutcomeKind = (typeof outcomeKinds)[number];

/** Decided by both: integers that the model replicates as fractions are not counts. */
export function guessOutcome(
  y: Float64Array,
  replicated: readonly (readonly Float64Array[])[],
): OutcomeKind {
  const every = (is: (value: number) => boolean) => y.every(is) && y.length > 0;
  const drawn = (is: (value: number) => boolean) =>
    replicated.every((chains) => chains.every((draws) => draws.every(is)));
  if (every((x) => x === 0 || x === 1) && drawn((x) => x >= 0 && x <= 1)) return 'binary';
  const isCount = (x: number) => x >= 0 && Number.isInteger(x);
  return every(isCount) && drawn(isCount) ? 'count' : 'continuous';
}
