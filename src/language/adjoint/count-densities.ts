/** Negative binomial masses as nodes: the derivative in phi is the library's, whose terms do not cancel. */
import type { InlineFunction } from '../emit/derivatives.ts';
import { guarded, isFinite, isNonnegative, isPositiveFinite } from './density-terms.ts';
import { expOfMinusAbs } from './functions.ts';

/** log Γ(phi + k) − log Γ(phi) − log k!, of which {@link kernelOfLog} and {@link kernel} hold the derivative. */
const rising: InlineFunction = {
  value: (phi, k) => `$log_rising_ratio(${phi}, ${k}) - $log_factorial(${k})`,
  partials: [() => '0', () => '0'],
  uses: ['$log_rising_ratio', '$log_factorial'],
};

const productAlone: InlineFunction = {
  value: (k, x) => `${k} * ${x}`,
  partials: [() => '0', () => '0'],
};

/** −k log phi − (phi + k) log1p(exp d), d = eta − log phi, from exp(−|d|); its derivatives are those of all terms. */
const kernelOfLog: InlineFunction = {
  value: (k, _eta, phi, logPhi, d, e) =>
    `-${k} * ${logPhi} - (${k} + ${phi}) * (Math.max(${d}, 0) + $log1p_unit(${e}))`,
  partials: [
    () => '0',
    (_, k, _eta, phi, _logPhi, d, e) =>
      `(${d} > 0 ? ${k} * ${e} - ${phi} : ${k} - ${phi} * ${e}) / (1 + ${e})`,
    (_, k, eta, phi) => `$neg_binomial_2_dphi(${k}, Math.exp(${eta}), ${phi})`,
    () => '0',
    () => '0',
    () => '0',
  ],
  uses: ['$neg_binomial_2_dphi', '$log1p_unit'],
};

/** −k log phi − (phi + k) log1p(mu/phi); its derivatives are those of all terms. */
const kernel: InlineFunction = {
  value: (k, _mu, phi, logPhi, log1pRatio) => `-${k} * ${logPhi} - (${phi} + ${k}) * ${log1pRatio}`,
  partials: [
    () => '0',
    (_, k, mu, phi) => `(${k} - ${mu}) / (${mu} * (1 + ${mu} / ${phi}))`,
    (_, k, mu, phi) => `$neg_binomial_2_dphi(${k}, ${mu}, ${phi})`,
    () => '0',
    () => '0',
  ],
  uses: ['$neg_binomial_2_dphi'],
};

export const negBinomial2Log = guarded(
  [isNonnegative, isFinite, isPositiveFinite],
  (b, [k, eta, phi], kept) => {
    const logPhi = b.call('log', phi);
    const d = b.call('subtract', eta, logPhi);
    const e = b.operation(expOfMinusAbs, [d]);
    const terms = b.operation(kernelOfLog, [k, eta, phi, logPhi, d, e]);
    const withEta = kept([eta], b.operation(productAlone, [k, eta]));
    const withPhi = kept([phi], b.operation(rising, [phi, k]));
    return b.call('add', b.call('add', terms, withEta), withPhi);
  },
);

export const negBinomial2 = guarded(
  [isNonnegative, isPositiveFinite, isPositiveFinite],
  (b, [k, mu, phi], kept) => {
    const log1pRatio = b.call('log1p', b.call('divide', mu, phi));
    const terms = b.operation(kernel, [k, mu, phi, b.call('log', phi), log1pRatio]);
    const withMu = kept([mu], b.operation(productAlone, [k, b.call('log', mu)]));
    const withPhi = kept([phi], b.operation(rising, [phi, k]));
    return b.call('add', b.call('add', terms, withMu), withPhi);
  },
);
