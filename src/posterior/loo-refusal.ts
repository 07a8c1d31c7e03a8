/** Which runs have no leave-one-out. It reweights draws, so it takes them for those of the posterior. */
import type { RunMethod } from './run-method.ts';

const approximate =
  'these draws are an approximation, which leave-one-out would take for the posterior';
const refusals: ReadonlyMap<unknown, string> = new Map<RunMethod, string>([
  ['optimize', 'an optimum is one point, not draws from the posterior'],
  ['laplace', approximate],
  ['pathfinder', approximate],
  ['advi', approximate],
  ['fixed_param', 'these draws were made at fixed parameters, not from the posterior'],
  ['calibration', 'each chain has a posterior of its own'],
]);

/**
 * Why draws of a method cannot be used for leave-one-out, as a clause; null: they are from the posterior. `method`: of
 * `methodOf`, or the setting `algorithm`, whose values are the same but for those of Markov chains.
 */
export function looRefusal(method: unknown): string | null {
  return refusals.get(method) ?? null;
}
