/** A point in phase space with the log density and its gradient there. */

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
  /** Whether they belong to this point: from its momentum on, until a point without them is copied here. */
  isKnown: boolean;
}

export function createPhasePoint(dimension: number): PhasePoint {
  return newPoint(dimension, null);
}

/** A point that is given a momentum and then moves. */
export function createMovingPoint(dimension: number): PhasePoint {
  return newPoint(dimension, {
    velocity: new Float64Array(dimension),
    acceleration: new Float64Array(dimension),
    isKnown: false,
  });
}

const newPoint = (dimension: number, motion: Motion | null): PhasePoint => ({
  q: new Float64Array(dimension),
  p: new Float64Array(dimension),
  gradient: new Float64Array(dimension),
  logDensity: Number.NEGATIVE_INFINITY,
  motion,
});

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
