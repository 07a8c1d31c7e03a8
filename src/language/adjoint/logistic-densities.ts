/** Logistic and Gumbel densities as nodes. */
import type { InlineFunction } from '../emit/derivatives.ts';
import { guarded, isFinite, isNumber, isPositiveFinite, standardised } from './density-terms.ts';
import { expOfMinusAbs } from './functions.ts';

/** −|z| − 2 log1p(exp(−|z|)) from z and exp(−|z|); its derivative is −tanh(z/2). */
const logisticKernel: InlineFunction = {
  value: (z, e) => `-(Math.abs(${z}) + 2 * $log1p_unit(${e}))`,
  partials: [(_, z, e) => `Math.sign(${z}) * (${e} - 1) / (1 + ${e})`, () => '0'],
  uses: ['$log1p_unit'],
};

/** −z − 2 log1p(exp(−z)) − log sigma, z = (y − mu)/sigma. */
export const logistic = guarded(
  [isFinite, isFinite, isPositiveFinite],
  (b, [y, mu, sigma], kept) => {
    const z = standardised(b, y, mu, sigma);
    const kernel = b.operation(logisticKernel, [z, b.operation(expOfMinusAbs, [z])]);
    const logSigma = kept([sigma], b.call('log', sigma));
    return b.call('subtract', kernel, logSigma);
  },
);

/** −z − exp(−z) − log beta, z = (y − mu)/beta. */
export const gumbel = guarded([isNumber, isFinite, isPositiveFinite], (b, [y, mu, beta], kept) => {
  const z = standardised(b, y, mu, beta);
  const kernel = b.call('minus', b.call('add', z, b.call('exp', b.call('minus', z))));
  const logBeta = kept([beta], b.call('log', beta));
  return b.call('subtract', kernel, logBeta);
});
