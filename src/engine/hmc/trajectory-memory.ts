/**
 * The vectors of a trajectory in the memory of the kernels, which pass over them two numbers at a time. For models with
 * many parameters, whose steps otherwise take longer than their gradients.
 */
import { type Kernels, openKernels } from '../../math/kernels/open-kernels.ts';
import { invariant } from '../../shared/invariant.ts';
import type { LowRankValues } from './low-rank.ts';
import type { Motion, PhasePoint } from './phase-point.ts';
import { ScriptMemory } from './script-memory.ts';

export interface TrajectoryMemory {
  /** A vector of zeros. */
  vector(): Float64Array;
  /** Whether there is room for the metric; then {@link multiply} is by it. Its array never changes. */
  holds(metric: LowRankValues): boolean;
  /** `out` = M⁻¹ x; `out` must not be `x`. */
  multiply(x: Float64Array, out: Float64Array): void;
  /** The first half of a leapfrog step, up to the new position. */
  beginMove(z: PhasePoint, motion: Motion, stepSize: number): void;
  /** The second half, with gradient and acceleration at the new position. */
  endMove(z: PhasePoint, motion: Motion, stepSize: number): void;
  /** Copies the velocity to `out`; returns its product with the momentum. */
  copyVelocity(out: Float64Array, velocity: Float64Array, p: Float64Array): number;
  /** As in `nuts-tree.ts`. */
  turnsOver(...operands: readonly [vBegin: Float64Array, vEnd: Float64Array, ...Sum]): boolean;
  /** target += x */
  add(target: Float64Array, x: Float64Array): void;
  copy(target: Float64Array, x: Float64Array): void;
}

export type Sum = [rhoA: Float64Array, rhoB: Float64Array];

/** With fewer parameters, calls and addresses cost what the kernels gain. */
const leastDimension = 32;
/** Values of directions for which there is room; a metric with more is multiplied in JavaScript. */
const mostInDirections = 2 ** 15;
const fewestDirections = 16;
const bytes = 8;

/**
 * Room for `numVectors` vectors and a metric of low rank; null where there are too few parameters. Without kernels the
 * same sums in JavaScript, so that a chain has the same draws wherever it goes on.
 */
export function openTrajectoryMemory(
  dimension: number,
  numVectors: number,
): TrajectoryMemory | null {
  if (dimension < leastDimension) return null;
  const length = dimension + (dimension % 2);
  const rank = Math.max(fewestDirections, Math.floor(mostInDirections / length));
  const open = openKernels((length * (numVectors + rank + 1) + rank) * bytes);
  if (open === null) return new ScriptMemory(dimension);
  return new KernelMemory(open.numbers, open.calls, { dimension, length, numVectors });
}

interface Sizes {
  readonly dimension: number;
  /** Numbers of a vector in memory, an even number; behind the last element is a zero. */
  readonly length: number;
  readonly numVectors: number;
}

/** Scales σ of the metric come after the vectors, then directions, then factors. */
class KernelMemory implements TrajectoryMemory {
  private taken = 0;
  /** The metric that is in memory; its array never changes. */
  private values: LowRankValues | null = null;
  private rank = 0;

  constructor(
    private readonly numbers: Float64Array,
    private readonly calls: Kernels,
    private readonly sizes: Sizes,
  ) {}

  vector(): Float64Array {
    const { dimension, length, numVectors } = this.sizes;
    invariant(this.taken < numVectors, 'a trajectory has no room for another vector');
    const from = this.taken * length;
    this.taken += 1;
    return this.numbers.subarray(from, from + dimension);
  }

  holds(values: LowRankValues): boolean {
    return values === this.values || this.store(values);
  }

  private store(values: LowRankValues): boolean {
    const { numbers, sizes } = this;
    const { dimension, length, numVectors } = sizes;
    const rank = (values.length - dimension) / (dimension + 1);
    const scales = numVectors * length;
    const directions = scales + length;
    if (directions + rank * (length + 1) > numbers.length) return false;
    numbers.set(values.subarray(0, dimension), scales);
    for (let k = 0; k < rank; k++) {
      const from = dimension + rank + k * dimension;
      numbers.set(values.subarray(from, from + dimension), directions + k * length);
      // a metric of another rank has been here
      if (dimension < length) numbers[directions + k * length + dimension] = 0;
      numbers[directions + rank * length + k] = values[dimension + k] - 1;
    }
    this.values = values;
    this.rank = rank;
    return true;
  }

  multiply(x: Float64Array, out: Float64Array): void {
    const { rank } = this;
    const { length, numVectors } = this.sizes;
    const scales = numVectors * length * bytes;
    const directions = scales + length * bytes;
    const factors = directions + rank * length * bytes;
    const [to, from] = [out.byteOffset, x.byteOffset];
    this.calls.multiplyLowRank(to, from, scales, factors, directions, length, rank);
  }

  /** The first half of a leapfrog step, up to the new position. */
  beginMove(
    { q, p, gradient }: PhasePoint,
    { velocity, acceleration }: Motion,
    step: number,
  ): void {
    this.calls.beginMove(
      q.byteOffset,
      p.byteOffset,
      gradient.byteOffset,
      velocity.byteOffset,
      acceleration.byteOffset,
      step,
      this.sizes.length,
    );
  }

  endMove({ p, gradient }: PhasePoint, { velocity, acceleration }: Motion, step: number): void {
    this.calls.endMove(
      p.byteOffset,
      gradient.byteOffset,
      velocity.byteOffset,
      acceleration.byteOffset,
      step,
      this.sizes.length,
    );
  }

  copyVelocity(out: Float64Array, velocity: Float64Array, p: Float64Array): number {
    const { length } = this.sizes;
    return this.calls.copyVelocity(out.byteOffset, velocity.byteOffset, p.byteOffset, length);
  }

  turnsOver(
    begin: Float64Array,
    end: Float64Array,
    rhoA: Float64Array,
    rhoB: Float64Array,
  ): boolean {
    const [b, e] = [begin.byteOffset, end.byteOffset];
    return this.calls.turnsOver(b, e, rhoA.byteOffset, rhoB.byteOffset, this.sizes.length) === 1;
  }

  add(target: Float64Array, x: Float64Array): void {
    this.calls.addVector(target.byteOffset, x.byteOffset, this.sizes.length);
  }

  copy(target: Float64Array, x: Float64Array): void {
    this.calls.copyVector(target.byteOffset, x.byteOffset, this.sizes.length);
  }
}
