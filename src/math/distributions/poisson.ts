/** Poisson masses, by rate and by log rate. */

import type { Operand } from '../autodiff/operand.ts';
import { logFactorial } from '../special/gamma.ts';
import { nonnegativeVariable, notNan, rate } from './arguments.ts';
import { type DensityCall, density } from './density.ts';

function logFactorials(call: DensityCall, y: Operand): number {
  let sum = 0;
  for (let i = 0; i < call.n; i++) sum += logFactorial(y.at(i));
  return sum;
}

/** log Poisson(y | lambda) = y log lambda − lambda − log y!. */
export const poissonLpmf = density(
  'poisson_lpmf',
  [nonnegativeVariable, rate],
  (call, y, lambda) => {
    const { n } = call;
    let lp = call.propto ? 0 : -logFactorials(call, y);
    const logLambda = lambda.derive(0, Math.log);
    for (let i = 0; i < n; i++) {
      const k = y.at(i);
      const mean = lambda.at(i);
      if (mean === Infinity || (mean === 0 && k !== 0)) return -Infinity;
      lp -= mean;
      if (k !== 0) lp += k * logLambda[i * lambda.stride];
      if (lambda.active) lambda.add(i, k === 0 ? -1 : k / mean - 1);
    }
    return lp;
  },
);

/** log Poisson(y | exp(alpha)) = y alpha − exp(alpha) − log y!. */
export const poissonLogLpmf = density(
  'poisson_log_lpmf',
  [nonnegativeVariable, ['Log rate parameter', notNan]],
  (call, y, alpha) => {
    const { n } = call;
    let lp = call.propto ? 0 : -logFactorials(call, y);
    const means = alpha.derive(0, Math.exp);
    for (let i = 0; i < n; i++) {
      const k = y.at(i);
      const a = alpha.at(i);
      const r = means[i * alpha.stride];
      if (a === Infinity || (a === -Infinity && k !== 0)) return -Infinity;
      lp -= r;
      if (k !== 0) lp += k * a;
      if (alpha.active) alpha.add(i, k - r);
    }
    return lp;
  },
);
