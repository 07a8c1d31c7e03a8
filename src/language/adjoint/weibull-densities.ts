/** Weibull and Pareto densities as nodes. */
import type { InlineFunction } from '../emit/derivatives.ts';
import type { NodeBuilder } from './build-node.ts';
import {
  type DensityForm,
  guarded,
  included,
  isFinite,
  isNegative,
  isPositiveFinite,
  timesOrZero,
} from './density-terms.ts';
import type { Guard, Node } from './node.ts';

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
export const weibull: DensityForm = (b, [y, alpha, sigma], drop) => {
  const guard: Guard = {
    density: 'weibull_lpdf',
    operands: [y, alpha, sigma],
    holds: (x, a, s) => `${isFinite(x)} && ${isPositiveFinite(a)} && ${isPositiveFinite(s)}`,
  };
  const x = guarded(b, y, guard);
  const hazard = atZero(b, x, b.number(0), weibullHazard(b, x, alpha, sigma));
  const logAlpha = included(b, drop, [alpha], () => b.call('log', alpha));
  const powers = included(b, drop, [y, alpha], () =>
    b.operation(timesOrZero, [b.call('subtract', alpha, b.number(1)), b.call('log', x)]),
  );
  const scales = included(b, drop, [alpha, sigma], () =>
    b.call('multiply', alpha, b.call('log', sigma)),
  );
  const sum = b.call('subtract', b.call('add', logAlpha, powers), scales);
  const density = b.call('subtract', sum, hazard);
  return b.choice(b.operation(isNegative, [x]), b.number(-Infinity), density);
};

/** log alpha + alpha log y_min − (alpha + 1) log y for y ≥ y_min, −∞ below. */
export const pareto: DensityForm = (b, [y, least, alpha], drop) => {
  const guard: Guard = {
    density: 'pareto_lpdf',
    operands: [y, least, alpha],
    holds: (x, low, a) => `${x} === ${x} && ${isPositiveFinite(low)} && ${isPositiveFinite(a)}`,
  };
  const x = guarded(b, y, guard);
  const logAlpha = included(b, drop, [alpha], () => b.call('log', alpha));
  const scales = included(b, drop, [least, alpha], () =>
    b.call('multiply', alpha, b.call('log', least)),
  );
  const powers = included(b, drop, [y, alpha], () =>
    b.call('multiply', b.call('add', alpha, b.number(1)), b.call('log', x)),
  );
  const density = b.call('subtract', b.call('add', logAlpha, scales), powers);
  return b.choice(b.operation(isBelow, [x, least]), b.number(-Infinity), density);
};
