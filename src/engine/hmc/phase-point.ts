/** A point in phase space with the log density and its gradient there. */
import type { TrajectoryMemory } from './trajectory-memory.ts';

export interface PhasePoint {
  /** Position: D values, unconstrained scale. */
  q: Float64Array;
  /** Momentum: D values. */
  p: Float64Array;
  /** Gradient of the log density at `q`. */
  gradient: Float64Array;
  /** −∞ where the density is undefined. */
  logDensity: number;
  /** Null: computed when needed. */
  readonly motion: Motion | null;
}

/**
 * Products of the metric with momentum and gradient, M⁻¹p and M⁻¹∇, while the point moves by leapfrog steps. The end of
 * one step is the beginning of the next, so a step multiplies by the metric once instead of twice.
 */
export interface Motion {
  readonly velocity: Float64Array;
  readonly acceleration: Float64Array;
  /** Where all vectors of the point are; null: in arrays of their own. */
  readonly memory: TrajectoryMemory | null;
  /** Whether they belong to this point: from its momentum on, until a point without them is copied here. */
  isKnown: boolean;
}

export function createPhasePoint(
  dimension: number,
  memory: TrajectoryMemory | null = null,
): PhasePoint {
  return newPoint(dimension, memory, null);
}

/** A point that is given a momentum and then moves. */
export function createMovingPoint(
  dimension: number,
  memory: TrajectoryMemory | null = null,
): PhasePoint {
  return newPoint(dimension, memory, {
    velocity: newVector(dimension, memory),
    acceleration: newVector(dimension, memory),
    memory,
    isKnown: false,
  });
}

/** Numbers of vectors of a point, and of one that moves. */
export const pointVectors = 3;
export const movingPointVectors = 5;

const newPoint = (
  dimension: number,
  memory: TrajectoryMemory | null,
  motion: Motion | null,
): PhasePoint => ({
  q: newVector(dimension, memory),
  p: newVector(dimension, memory),
  gradient: newVector(dimension, memory),
  logDensity: Number.NEGATIVE_INFINITY,
  motion,
});

export const newVector = (dimension: number, memory: TrajectoryMemory | null): Float64Array =>
  memory === null ? new Float64Array(dimension) : memory.vector();

export function copyPhasePoint(from: PhasePoint, to: PhasePoint): void {
  const { q, p, gradient, motion } = to;
  // one loop: for the short vectors of most models, three calls of `set` cost more than the values
  for (let i = 0; i < q.length; i++) {
    q[i] = from.q[i];
    p[i] = from.p[i];
    gradient[i] = from.gradient[i];
  }
  to.logDensity = from.logDensity;
  if (motion === null) return;
  motion.isKnown = from.motion?.isKnown === true;
  if (from.motion !== null) copyMotion(from.motion, motion);
}

function copyMotion(from: Motion, to: Motion): void {
  const { velocity, acceleration } = to;
  for (let i = 0; i < velocity.length; i++) {
    velocity[i] = from.velocity[i];
    acceleration[i] = from.acceleration[i];
  }
}
