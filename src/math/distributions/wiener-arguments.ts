/** The arguments of the densities and tails of first passage times: time, boundary separation, nondecision time, bias, drift. */
import type { Operand } from '../autodiff/operand.ts';
import type { DensityCall } from './density.ts';

export const wienerLabels = [
  'Random variable',
  'Boundary separation',
  'Nondecision time',
  'A-priori bias',
  'Drift rate',
  'Inter-trial variability in drift rate',
  'Inter-trial variability in A-priori bias',
  'Inter-trial variability in Nondecision time',
];

export function checkWiener(
  call: DensityCall,
  [y, alpha, tau, beta, delta, ...variabilities]: readonly Operand[],
): void {
  call.checkPositiveFinite(y);
  call.checkPositiveFinite(alpha);
  call.checkFinite(tau);
  call.checkNonnegative(tau);
  call.checkBounded(beta, 0, 1);
  call.checkFinite(delta);
  for (const variability of variabilities) {
    call.checkNonnegative(variability);
    call.checkFinite(variability);
  }
  for (let i = 0; i < call.n; i++)
    if (!(y.at(i) > tau.at(i)))
      y.fail(call.name, i, `greater than Nondecision time = ${tau.at(i)}`);
}

/** If the start varies by `range`, the entire range must lie between the boundaries. */
export function checkStartRange(call: DensityCall, beta: Operand, range: Operand): void {
  for (let i = 0; i < call.n; i++) {
    const half = range.at(i) / 2;
    if (!(beta.at(i) - half > 0 && beta.at(i) + half < 1))
      range.fail(call.name, i, `less than ${2 * Math.min(beta.at(i), 1 - beta.at(i))}`);
  }
}
