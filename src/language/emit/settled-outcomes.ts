/** Multivariate normal densities of vectors that are data, which the library processes only once. */
import type { DensityExpression } from '../lower/ir.ts';
import type { StanType } from '../types/stan-type.ts';
import type { Frame } from './frame.ts';
import { isOfDataOnly } from './invariant.ts';

const names: ReadonlySet<string> = new Set([
  'multi_normal_lpdf',
  'multi_normal_prec_lpdf',
  'multi_normal_cholesky_lpdf',
]);

const isVector = ({ base, arrayDepth }: StanType, depth: number) =>
  base === 'vector' && arrayDepth === depth;

/** Whether the density is of an array of vectors that are data, with one location. Only in the adjoint phase. */
export function hasSettledOutcomes(frame: Frame, e: DensityExpression): boolean {
  if (!frame.caches || frame.adjoint === null || !names.has(e.name)) return false;
  const [y, mu] = e.arguments;
  return (
    isVector(y.type, 1) && isVector(mu.type, 0) && isOfDataOnly(y) && frame.activity.isActive(e)
  );
}
