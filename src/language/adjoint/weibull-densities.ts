/** Weibull and Pareto densities as nodes. */
import type { InlineFunction } from '../emit/derivatives.ts';
import type { NodeBuilder } from './build-node.ts';
import {
  guarded,
  isFinite,
  isNegative,
  isNumber,
  isPositiveFinite,
  timesOrZero,
} from './density-terms.ts';
import type { Node } from './node.ts';

const isZero: InlineFunction = { value: (x) => `(${x} === 0 ? 1 : 0)`, partials: [] };
const isBelow: InlineFunction = { value: (x, low) => `(${x} < ${low} ? 1 : 0)`, partials: [] };

/** (y/sigma)^alpha for y > 0, the cumulative hazard. */
export function weibullHazard(b: NodeBuilder, y: Node, alpha: Node, sigma: Node): Node {
  const logRatio = b.call('subtract', b.call('log', y), b.call('log', sigma));
  return b.call('exp', b.call('multiply', alpha, logRatio));
}

/** `yes` at x = 0. */
export function atZero(b: NodeBuilder, x: Node, yes: Node, no: Node): Node {
  return b.choice(b.operation(isZero, [x]), yes, no);
}

/** log alpha + (alpha − 1) log y − alpha log sigma − (y/sigma)^alpha; −∞ at a negative y. */
export const weibull = guarded(
  [isFinite, isPositiveFinite, isPositiveFinite],
  (b, [x, alpha, sigma], kept) => {
    const hazard = atZero(b, x, b.number(0), weibullHazard(b, x, alpha, sigma));
    const logAlpha = kept([alpha], b.call('log', alpha));
    const powers = kept(
      [x, alpha],
      b.operation(timesOrZero, [b.call('subtract', alpha, b.number(1)), b.call('log', x)]),
    );
    const scales = kept([alpha, sigma], b.call('multiply', alpha, b.call('log', sigma)));
    const sum = b.call('subtract', b.call('add', logAlpha, powers), scales);
    const density = b.call('subtract', sum, hazard);
    return b.choice(b.operation(isNegative, [x]), b.number(-Infinity), density);
  },
);

/** log alpha + alpha log y_min − (alpha + 1) log y for y ≥ y_min, −∞ below. */
export const pareto = guarded(
  [isNumber, isPositiveFinite, isPositiveFinite],
  (b, [x, least, alpha], kept) => {
    const logAlpha = kept([alpha], b.call('log', alpha));
    const scales = kept([least, alpha], b.call('multiply', alpha, b.call('log', least)));
    const powers = kept(
      [x, alpha],
      b.call('multiply', b.call('add', alpha, b.number(1)), b.call('log', x)),
    );
    const density = b.call('subtract', b.call('add', logAlpha, scales), powers);
    return b.choice(b.operation(isBelow, [x, least]), b.number(-Infinity), density);
  },
);
