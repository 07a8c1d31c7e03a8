/** Functions whose first derivatives alone are known, on a Taylor tape: higher ones are finite differences of those. */
import type { Tape } from '../autodiff/tape.ts';
import { DomainError } from '../errors.ts';
import { flattenSlots, HandedArguments, rebuild } from '../user-functions/handed-arguments.ts';
import type { Curvature, TaylorTape } from './taylor-tape.ts';

/** The library's own function, on a plain tape. */
export type PlainFunction = (tape: Tape, ...operands: unknown[]) => unknown;

/** A call to it: the kinds of its operands and of its result (see autodiff/containers.ts). */
interface Call {
  readonly f: PlainFunction;
  readonly kinds: readonly string[];
  readonly resultKind: string;
}

/**
 * Records the call; its operands and its result live on the Taylor tape. Values and gradients are the library's. Second
 * derivatives are accurate to about 1e-10 of their scale, third ones to 1e-8, if the function is analytic that far.
 * Throws what the function throws; a sweep throws {@link DomainError} if no step stays inside the domain.
 */
export function recordDifferenced(
  outer: TaylorTape,
  call: Call,
  operands: readonly unknown[],
): unknown {
  const handed = new HandedArguments(call.kinds, operands, outer, 1);
  const inner = new InnerFunction(outer.inner, call, handed.active, handed.values);
  const { result, outputs } = inner.record(handed.values);
  const values = outputs.map((slot) => outer.inner.value[slot]);
  const jacobian = outputs.map((_, k) =>
    inner.gradient(
      handed.values,
      outputs.map((_, i) => Number(i === k)),
    ),
  );
  const slot = outer.severalOutputs(values, handed.slots, jacobian, inner);
  return rebuild(call.resultKind, result, { slot });
}

/** Central differences of order 8 (Fornberg 1988, tables 1 and 2): weights of the points 0, ±1, … ±4. */
const stencils = {
  1: { weights: [0, 672, -168, 32, -3], divisor: 840, mirror: -1 },
  2: { weights: [-14350, 8064, -1008, 128, -9], divisor: 5040, mirror: 1 },
} as const;
/** The first step moves no operand by more than this fraction of it, or of the scale assumed for small ones. */
const firstStep = 0.01;
const smallScale = 0.1;
/** How often a step that leaves the domain is made ten times shorter. */
const mostShorter = 8;

class InnerFunction implements Curvature {
  constructor(
    private readonly tape: Tape,
    private readonly call: Call,
    private readonly operands: readonly unknown[],
    private readonly at: Float64Array,
  ) {}

  record(theta: Float64Array): { result: unknown; outputs: number[] } {
    this.tape.reset(theta);
    const result = this.call.f(this.tape, ...this.operands);
    return { result, outputs: flattenSlots(this.call.resultKind, result) };
  }

  /** Of Σ weight × output. Recorded each time, since a recording can be swept only once. */
  gradient(theta: Float64Array, weights: ArrayLike<number>): Float64Array {
    const { tape } = this;
    const { outputs } = this.record(theta);
    tape.reserveEdges(outputs.length);
    outputs.forEach((slot, k) => {
      tape.edgeSlot[tape.numEdges + k] = slot;
      tape.edgePartial[tape.numEdges + k] = weights[k];
    });
    const gradient = new Float64Array(theta.length);
    tape.sweep(tape.endRow(0, outputs.length), gradient);
    return gradient;
  }

  /** dᵏ/dtᵏ of the gradient of Σ weight × output at x + t v, k = `order`. */
  along(v: Float64Array, weights: ArrayLike<number>, order: 1 | 2): Float64Array {
    let step = Infinity;
    for (const [i, x] of this.at.entries()) {
      const most = firstStep * Math.max(Math.abs(x), smallScale);
      if (v[i] !== 0) step = Math.min(step, most / Math.abs(v[i]));
    }
    if (step === Infinity) return new Float64Array(v.length);
    for (let shorter = 0; shorter <= mostShorter; shorter++, step /= 10) {
      const found = this.differences(v, weights, order, step);
      if (found !== null) return found;
    }
    throw new DomainError('no second derivatives at the edge of the domain of a likelihood');
  }

  /** Null if a point is outside the domain. */
  private differences(
    v: Float64Array,
    weights: ArrayLike<number>,
    order: 1 | 2,
    step: number,
  ): Float64Array | null {
    const { weights: stencil, divisor, mirror } = stencils[order];
    const sum = new Float64Array(v.length);
    const add = (k: number, factor: number): boolean => {
      const g = this.gradientInside(
        this.at.map((x, i) => x + k * step * v[i]),
        weights,
      );
      if (g === null) return false;
      for (let i = 0; i < sum.length; i++) sum[i] += factor * g[i];
      return true;
    };
    for (const [k, factor] of stencil.entries()) {
      if (factor === 0) continue;
      if (!add(k, factor)) return null;
      if (k > 0 && !add(-k, mirror * factor)) return null;
    }
    return sum.map((x) => x / (divisor * step ** order));
  }

  private gradientInside(theta: Float64Array, weights: ArrayLike<number>): Float64Array | null {
    try {
      const gradient = this.gradient(theta, weights);
      return gradient.every(Number.isFinite) ? gradient : null;
    } catch (error) {
      if (error instanceof DomainError) return null;
      throw error;
    }
  }
}
