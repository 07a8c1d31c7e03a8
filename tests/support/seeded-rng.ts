/** Random numbers for tests: the stream a chain would use. */

import { openStream } from '../../src/engine/random-streams.ts';
import type { Rng } from '../../src/math/random/rng.ts';

export const seededRng = (seed: number): Rng => openStream(seed, 1, 'transition');

/** Plays back given uniforms, then fails; its normals are all 1. */
export function scriptedRng(uniforms: readonly number[]): Rng {
  let next = 0;
  return {
    uniform() {
      if (next >= uniforms.length) throw new Error('the script has no more uniforms');
      return uniforms[next++];
    },
    normal: () => 1,
    exponential: () => 1,
    uint32: () => 0,
    state: () => [next],
  };
}

/** Plays back given normals, then fails. */
export function normalsRng(normals: readonly number[]): Rng {
  let next = 0;
  return {
    ...scriptedRng([]),
    normal() {
      if (next >= normals.length) throw new Error('the script has no more normals');
      return normals[next++];
    },
  };
}
