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
}

export function createPhasePoint(dimension: number): PhasePoint {
  return {
    q: new Float64Array(dimension),
    p: new Float64Array(dimension),
    gradient: new Float64Array(dimension),
    logDensity: Number.NEGATIVE_INFINITY,
  };
}

export function copyPhasePoint(from: PhasePoint, to: PhasePoint): void {
  to.q.set(from.q);
  to.p.set(from.p);
  to.gradient.set(from.gradient);
  to.logDensity = from.logDensity;
}
