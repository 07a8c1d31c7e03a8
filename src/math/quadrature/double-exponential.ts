/**
 * Double exponential quadrature (Takahasi & Mori 1974, *Publ. RIMS* 9): the trapezoidal rule after x = φ(t), whose derivative
 * falls so fast at both ends that singularities at the limits are harmless. φ is tanh(π/2 sinh t) between two finite limits,
 * exp(π/2 sinh t) for one infinite limit, sinh(π/2 sinh t) for two.
 */
import { DomainError } from '../errors.ts';
import { type Integrand, requireAccuracy, type Tolerances } from './integrand.ts';

/** Writes x, xc and φ′(t) at t; false where double precision ends. */
type Transform = (t: number, node: Node) => boolean;

interface Node {
  x: number;
  xc: number;
  weight: number;
}

const halfPi = Math.PI / 2;
/** The first step in t. */
const firstStep = 0.5;
/** The sum stops at terms below this fraction of it. */
const negligible = 1e-18;

const betweenLimits =
  (a: number, b: number): Transform =>
  (t, node) => {
    const u = halfPi * Math.sinh(t);
    const e = Math.exp(-2 * Math.abs(u));
    const distance = ((b - a) * e) / (1 + e);
    node.x = u < 0 ? a + distance : b - distance;
    node.xc = u < 0 ? -distance : distance;
    node.weight = ((b - a) * 2 * e * halfPi * Math.cosh(t)) / (1 + e) ** 2;
    return node.weight > 0;
  };

/** `sign` −1: from −∞ to `end`. */
const toInfinity =
  (end: number, sign: number): Transform =>
  (t, node) => {
    const distance = Math.exp(halfPi * Math.sinh(t));
    node.x = end + sign * distance;
    node.xc = Number.NaN;
    node.weight = distance * halfPi * Math.cosh(t);
    return node.weight > 0 && node.weight < Infinity;
  };

const everywhere: Transform = (t, node) => {
  const u = halfPi * Math.sinh(t);
  node.x = Math.sinh(u);
  node.xc = Number.NaN;
  node.weight = Math.cosh(u) * halfPi * Math.cosh(t);
  return node.weight < Infinity;
};

/**
 * The integrals from `a` to `b`, either of which may be infinite. An interval that crosses zero is split there if a limit
 * is finite, as in Stan. Throws DomainError if the tolerance is not reached or the integrand is not finite.
 */
export function integrateDoubleExponential(
  name: string,
  integrand: Integrand,
  [a, b]: readonly [number, number],
  tolerances: Tolerances,
): Float64Array {
  if (!(a <= b)) throw new DomainError(`${name}: lower limit is ${a}, but must be at most ${b}`);
  const total = new Float64Array(integrand.count);
  for (const transform of transformsOf(a, b)) {
    const part = new Rule(name, integrand, transform).integrate(tolerances);
    for (let k = 0; k < total.length; k++) total[k] += part[k];
  }
  return total;
}

function transformsOf(a: number, b: number): Transform[] {
  if (a === b) return [];
  if (a === -Infinity && b === Infinity) return [everywhere];
  if (a < 0 && b > 0) return [...transformsOf(a, 0), ...transformsOf(0, b)];
  if (b === Infinity) return [toInfinity(a, 1)];
  if (a === -Infinity) return [toInfinity(b, -1)];
  return [betweenLimits(a, b)];
}

class Rule {
  private readonly sum: Float64Array;
  /** Sums of absolute values. */
  private readonly norm: Float64Array;
  private readonly values: Float64Array;
  private readonly node: Node = { x: 0, xc: 0, weight: 0 };

  constructor(
    private readonly name: string,
    private readonly integrand: Integrand,
    private readonly transform: Transform,
  ) {
    this.sum = new Float64Array(integrand.count);
    this.norm = new Float64Array(integrand.count);
    this.values = new Float64Array(integrand.count);
  }

  /** Halves the step until two sums agree. */
  integrate(tolerances: Tolerances): Float64Array {
    this.add(0);
    const ends = [this.reach(firstStep), this.reach(-firstStep)];
    let before = this.sum.map((s) => s * firstStep);
    for (let level = 1; ; level++) {
      const h = firstStep / 2 ** level;
      for (const [side, end] of ends.entries()) {
        const sign = side === 0 ? 1 : -1;
        for (let t = h; t <= end; t += 2 * h) if (!this.add(sign * t)) break;
      }
      const now = this.sum.map((s) => s * h);
      const isLast = level >= tolerances.refinements;
      // the first sums may agree by accident
      if (isLast || (level > 1 && this.agrees(now, before, h, tolerances))) {
        if (isLast) this.require(now, before, h, tolerances);
        return now;
      }
      before = now;
    }
  }

  private agrees(
    now: Float64Array,
    before: Float64Array,
    h: number,
    { relative, absolute }: Tolerances,
  ): boolean {
    return now.every(
      (value, k) => Math.abs(value - before[k]) <= Math.max(relative * this.norm[k] * h, absolute),
    );
  }

  private require(now: Float64Array, before: Float64Array, h: number, tolerances: Tolerances) {
    for (let k = 0; k < now.length; k++)
      requireAccuracy(this.name, Math.abs(now[k] - before[k]), this.norm[k] * h, tolerances);
  }

  /** Moves outwards until nothing more is added; returns |t| of the last node. */
  private reach(step: number): number {
    let quiet = 0;
    for (let t = step; ; t += step) {
      const before = this.norm.slice();
      if (!this.add(t)) return Math.abs(t - step);
      const isQuiet = this.norm.every((s, k) => s - before[k] <= negligible * s);
      quiet = isQuiet ? quiet + 1 : 0;
      // before the integrand begins, nothing is added either
      if (quiet >= 3 && this.norm.some((s) => s > 0)) return Math.abs(t);
    }
  }

  /** Adds one node; false beyond the last one that floating point can tell from the limit. */
  private add(t: number): boolean {
    const { node, values } = this;
    if (!this.transform(t, node)) return false;
    values.fill(0);
    this.integrand.evaluate(node.x, node.xc, values);
    for (let k = 0; k < values.length; k++) {
      const term = values[k] === 0 ? 0 : values[k] * node.weight;
      if (Number.isFinite(term)) {
        this.sum[k] += term;
        this.norm[k] += Math.abs(term);
        continue;
      }
      // at the limit itself, a singularity shows up as infinite
      if (Math.abs(t) > 2.5) return false;
      throw new DomainError(`${this.name}: the integrand is ${values[k]} at ${node.x}`);
    }
    return true;
  }
}
