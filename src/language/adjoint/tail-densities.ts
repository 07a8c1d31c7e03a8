/** Logarithms of the tails of distributions as nodes: what censored and truncated outcomes add. */
import type { InlineFunction } from '../emit/derivatives.ts';
import type { NodeBuilder } from './build-node.ts';
import {
  type DensityForm,
  guarded,
  isFinite,
  isNonnegative,
  isNumber,
  isPositiveFinite,
  standardised,
} from './density-terms.ts';
import { expOfMinusAbs, logInvLogit } from './functions.ts';
import type { Node } from './node.ts';
import { atZero, weibullHazard } from './weibull-densities.ts';

/** The tail of the operands, the first of which has passed its guard. */
type TailForm = (b: NodeBuilder, operands: readonly Node[], isUpper: boolean) => Node;

const logPhi: InlineFunction = {
  value: (z) => `$log_phi(${z})`,
  partials: [(_, z) => `$log_phi_dx(${z})`],
  uses: ['$log_phi', '$log_phi_dx'],
};

/** The argument of a symmetric distribution function whose value is the tail. */
const towards = (b: NodeBuilder, z: Node, isUpper: boolean) => (isUpper ? b.call('minus', z) : z);

function normalTail(b: NodeBuilder, z: Node, isUpper: boolean): Node {
  return b.operation(logPhi, [towards(b, z, isUpper)]);
}

/** A tail that is exp(−t) above and 1 − exp(−t) below. */
function exponentialTail(b: NodeBuilder, t: Node, isUpper: boolean): Node {
  const logUpper = b.call('minus', t);
  return isUpper ? logUpper : b.call('log1m_exp', logUpper);
}

/** At y = 0 everything is above. */
function fromZero(b: NodeBuilder, y: Node, tail: Node, isUpper: boolean): Node {
  return atZero(b, y, b.number(isUpper ? 0 : -Infinity), tail);
}

/** The tail, and what each operand must be. */
const tails: Readonly<Record<string, readonly [TailForm, ...((x: string) => string)[]]>> = {
  normal: [
    (b, [y, mu, sigma], isUpper) => normalTail(b, standardised(b, y, mu, sigma), isUpper),
    isNumber,
    isFinite,
    isPositiveFinite,
  ],
  std_normal: [(b, [y], isUpper) => normalTail(b, y, isUpper), isNumber],
  lognormal: [
    (b, [y, mu, sigma], isUpper) => {
      const z = standardised(b, b.call('log', y), mu, sigma);
      return fromZero(b, y, normalTail(b, z, isUpper), isUpper);
    },
    isNonnegative,
    isFinite,
    isPositiveFinite,
  ],
  logistic: [
    (b, [y, mu, sigma], isUpper) => {
      const z = towards(b, standardised(b, y, mu, sigma), isUpper);
      return b.operation(logInvLogit, [z, b.operation(expOfMinusAbs, [z])]);
    },
    isNumber,
    isFinite,
    isPositiveFinite,
  ],
  exponential: [
    (b, [y, rate], isUpper) => exponentialTail(b, b.call('multiply', rate, y), isUpper),
    isNonnegative,
    isPositiveFinite,
  ],
  weibull: [
    (b, [y, alpha, sigma], isUpper) => {
      const tail = exponentialTail(b, weibullHazard(b, y, alpha, sigma), isUpper);
      return fromZero(b, y, tail, isUpper);
    },
    isNonnegative,
    isPositiveFinite,
    isPositiveFinite,
  ],
};

function formOf(name: string, isUpper: boolean): DensityForm {
  const [tail, ...requirements] = tails[name];
  const density = `${name}_${isUpper ? 'lccdf' : 'lcdf'}`;
  return guarded(requirements, (b, operands) => tail(b, operands, isUpper))(density);
}

export const tailForms: Readonly<Record<string, DensityForm>> = Object.fromEntries(
  Object.keys(tails).flatMap((name) => [
    [`${name}_lcdf`, formOf(name, false)],
    [`${name}_lccdf`, formOf(name, true)],
  ]),
);
