/** Incomplete gamma and beta functions on a Taylor tape, with derivatives in their shapes. */
import { type Tail, TailStep } from '../distributions/cumulative.ts';
import { betaTail, gammaTail, vonMisesTail } from '../distributions/tails-continuous.ts';
import { besselRatio, logBesselI0 } from '../special/bessel.ts';
import { digamma, tetragamma, trigamma } from '../special/gamma.ts';
import { logInvLogit } from '../special/log-exp.ts';
import { type Algebra, number, type Term } from './algebra.ts';
import { fromGradient } from './paths.ts';
import type { Derivatives } from './taylor-tape.ts';
import { truncatedCumulants } from './truncated-cumulants.ts';

const step = new TailStep();

/** The library's own logarithm of a tail. */
export function logTailValue(tail: Tail, upper: boolean, y: number, ...p: number[]): number {
  const [a = Number.NaN, b = Number.NaN, c = Number.NaN] = p;
  step.upper = upper;
  tail(step, y, a, b, c);
  return step.logP;
}

/**
 * log P from its value at the edge `at` (with the derivatives in shapes) and the log density: only the edge moves. Works with
 * ratios to the tail itself, so that it stays accurate far out.
 */
export function movedTail(
  m: Algebra,
  upper: boolean,
  shape: Term,
  at: Term,
  logDensity: (y: Term) => Term,
): Term {
  if (at.slot === 0) return shape;
  const change = fromGradient(m, 0, [at], ([y]) => {
    const ratio = m.call('exp', m.subtract(logDensity(y), shape));
    return [upper ? m.scale(-1, ratio) : ratio];
  });
  return m.add(shape, m.call('log1p', change));
}

const none = () => 0;

/** log P(a, x), or log Q(a, x) if `upper`. */
export function logIncompleteGamma(m: Algebra, upper: boolean, a: Term, x: Term): Term {
  const value = logTailValue(gammaTail, upper, x.value, a.value, 1);
  const edge = Math.log(x.value);
  const inShape = (): Derivatives => {
    const peak = Math.log(a.value);
    const { first, second, third } = truncatedCumulants({
      logWeight: (v) => a.value * v - Math.exp(v),
      mode: upper ? Math.max(edge, peak) : Math.min(edge, peak),
      from: upper ? edge : -Infinity,
      to: upper ? Infinity : edge,
      statistics: [(v) => v, none],
    });
    const { value: s } = a;
    return [value, first[0] - digamma(s), second[0] - trigamma(s), third[0] - tetragamma(s)];
  };
  const shape = a.slot === 0 ? number(value) : m.apply(inShape, a);
  return movedTail(m, upper, shape, x, (t) => {
    const powers = m.subtract(m.multiply(m.subtract(a, number(1)), m.call('log', t)), t);
    return m.subtract(powers, m.call('lgamma', a));
  });
}

const logBeta = (m: Algebra, a: Term, b: Term): Term =>
  m.subtract(m.add(m.call('lgamma', a), m.call('lgamma', b)), m.call('lgamma', m.add(a, b)));

/** log I_x(a, b), or log (1 − I_x(a, b)) if `upper`. */
export function logIncompleteBeta(m: Algebra, upper: boolean, a: Term, b: Term, x: Term): Term {
  const value = logTailValue(betaTail, upper, x.value, a.value, b.value);
  const shape =
    a.slot === 0 && b.slot === 0 ? number(value) : betaShape(m, upper, a, b, x.value, value);
  return movedTail(m, upper, shape, x, (t) => {
    const first = m.multiply(m.subtract(a, number(1)), m.call('log', t));
    const second = m.multiply(m.subtract(b, number(1)), m.call('log1m', t));
    return m.subtract(m.add(first, second), logBeta(m, a, b));
  });
}

/** As a function of the shapes alone: the incomplete integral by its cumulants, less the complete one. */
function betaShape(m: Algebra, upper: boolean, a: Term, b: Term, x: number, value: number): Term {
  const edge = Math.log(x) - Math.log1p(-x);
  const peak = Math.log(a.value) - Math.log(b.value);
  const { first, second, third } = truncatedCumulants({
    logWeight: (v) => a.value * logInvLogit(v) + b.value * logInvLogit(-v),
    mode: upper ? Math.max(edge, peak) : Math.min(edge, peak),
    from: upper ? edge : -Infinity,
    to: upper ? Infinity : edge,
    statistics: [logInvLogit, (v) => logInvLogit(-v)],
  });
  const u = m.subtract(a, number(a.value));
  const v = m.subtract(b, number(b.value));
  const [uu, uv, vv] = [m.multiply(u, u), m.multiply(u, v), m.multiply(v, v)];
  const terms = [
    m.scale(first[0], u),
    m.scale(first[1], v),
    m.scale(second[0] / 2, uu),
    m.scale(second[1], uv),
    m.scale(second[2] / 2, vv),
    m.scale(third[0] / 6, m.multiply(uu, u)),
    m.scale(third[1] / 2, m.multiply(uu, v)),
    m.scale(third[2] / 2, m.multiply(u, vv)),
    m.scale(third[3] / 6, m.multiply(vv, v)),
  ];
  const complete = logBeta(m, a, b);
  return m.add(number(value + complete.value), ...terms, m.scale(-1, complete));
}

/** log I₀ with r = I₁ / I₀, r′ = 1 − r / z − r² (DLMF 10.29); by their series near 0, where these forms cancel. */
export function logBesselI0Derivatives(z: number): Derivatives {
  const r = besselRatio(z);
  if (z < 0.02)
    return [logBesselI0(z), r, 0.5 - (3 * z * z) / 16, (-3 * z) / 8 + (5 * z ** 3) / 24];
  const second = 1 - r / z - r * r;
  return [logBesselI0(z), r, second, -second / z + r / (z * z) - 2 * r * second];
}

/** log of a tail of von Mises, from mu − π on. */
export function vonMisesLogTail(m: Algebra, upper: boolean, y: Term, mu: Term, kappa: Term): Term {
  const z = m.subtract(y, mu);
  const value = logTailValue(vonMisesTail, upper, z.value, 0, kappa.value);
  const complete = m.apply(logBesselI0Derivatives, kappa);
  const inShape = (k: number): Derivatives => {
    const [from, to] = upper ? [z.value, Math.PI] : [-Math.PI, z.value];
    const { first, second, third } = truncatedCumulants({
      logWeight: (t) => k * Math.cos(t),
      mode: Math.min(Math.max(0, from), to),
      from,
      to,
      statistics: [Math.cos, none],
    });
    return [value + complete.value, first[0], second[0], third[0]];
  };
  const shape = kappa.slot === 0 ? number(value) : m.subtract(m.apply(inShape, kappa), complete);
  const logDensity = (t: Term) =>
    m.subtract(m.multiply(kappa, m.call('cos', t)), m.add(complete, number(Math.log(2 * Math.PI))));
  return movedTail(m, upper, shape, z, logDensity);
}
