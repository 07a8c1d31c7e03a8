/** The energy of a model at a phase point, and the leapfrog step that nearly conserves it. */
import { DomainError } from '../../math/errors.ts';
import type { Rng } from '../../math/random/rng.ts';
import type { Model } from '../model.ts';
import { type Metric, multiplyInvMetric, sampleMomentum } from './metric.ts';
import type { Motion, PhasePoint } from './phase-point.ts';

/** What the tree needs from a system; tests replace it with a mock that has a known path. */
export interface Hamiltonian {
  readonly dimension: number;
  /** Gives `z`, whose gradient is known, a momentum. */
  sampleMomentum(rng: Rng, z: PhasePoint): void;
  /** H = −log density + ½ pᵀM⁻¹p; also writes the velocity M⁻¹p. NaN is never returned: it becomes +∞. */
  energy(z: PhasePoint, velocity: Float64Array): number;
  /** Moves `z` by one step; a negative step size goes back in time. */
  leapfrog(z: PhasePoint, stepSize: number): void;
}

export interface HamiltonianOptions {
  readonly model: Pick<Model, 'numUnconstrained' | 'logDensityGradient'>;
  readonly metric: Metric;
  /** Called with the reason why the density was undefined at a point. */
  readonly onReject?: (reason: string) => void;
}

export function createHamiltonian(options: HamiltonianOptions): Hamiltonian {
  return new ModelHamiltonian(options);
}

/** A class, so that V8 compiles its functions once for all chains of a thread; closures are compiled for each. */
class ModelHamiltonian implements Hamiltonian {
  readonly dimension: number;
  private readonly model: HamiltonianOptions['model'];
  private readonly metric: Metric;
  private readonly onReject: HamiltonianOptions['onReject'];
  private readonly velocity: Float64Array;

  constructor({ model, metric, onReject }: HamiltonianOptions) {
    this.dimension = model.numUnconstrained;
    this.model = model;
    this.metric = metric;
    this.onReject = onReject;
    this.velocity = new Float64Array(this.dimension);
  }

  sampleMomentum(rng: Rng, z: PhasePoint): void {
    const { metric } = this;
    sampleMomentum(metric, rng, z.p);
    if (z.motion === null || !isCostly(metric)) return;
    multiply(metric, z.motion, z.p, z.motion.velocity);
    multiply(metric, z.motion, z.gradient, z.motion.acceleration);
    z.motion.isKnown = true;
  }

  energy({ p, logDensity, motion }: PhasePoint, out: Float64Array): number {
    let twiceKinetic = 0;
    if (motion?.isKnown === true) {
      const { memory, velocity } = motion;
      if (memory !== null) twiceKinetic = memory.copyVelocity(out, velocity, p);
      else
        for (let i = 0; i < p.length; i++) {
          out[i] = velocity[i];
          twiceKinetic += p[i] * velocity[i];
        }
    } else {
      multiplyInvMetric(this.metric, p, out);
      for (let i = 0; i < p.length; i++) twiceKinetic += p[i] * out[i];
    }
    const h = 0.5 * twiceKinetic - logDensity;
    return Number.isNaN(h) ? Number.POSITIVE_INFINITY : h;
  }

  leapfrog(z: PhasePoint, stepSize: number): void {
    const { model, metric, onReject, velocity, dimension } = this;
    const { q, p, gradient } = z;
    const half = 0.5 * stepSize;
    if (z.motion?.isKnown === true) {
      this.move(z, z.motion, stepSize);
      return;
    }
    for (let i = 0; i < dimension; i++) p[i] += half * gradient[i];
    multiplyInvMetric(metric, p, velocity);
    for (let i = 0; i < dimension; i++) q[i] += stepSize * velocity[i];
    updateDensity(model, z, onReject);
    for (let i = 0; i < dimension; i++) p[i] += half * gradient[i];
  }

  /** The same, with velocity and acceleration from the last step. */
  private move(z: PhasePoint, motion: Motion, stepSize: number): void {
    const { q, p, gradient } = z;
    const { velocity, acceleration, memory } = motion;
    if (memory !== null) {
      memory.beginMove(z, motion, stepSize);
      updateDensity(this.model, z, this.onReject);
      multiply(this.metric, motion, gradient, acceleration);
      memory.endMove(z, motion, stepSize);
      return;
    }
    const half = 0.5 * stepSize;
    for (let i = 0; i < q.length; i++) {
      p[i] += half * gradient[i];
      velocity[i] += half * acceleration[i];
      q[i] += stepSize * velocity[i];
    }
    updateDensity(this.model, z, this.onReject);
    multiplyInvMetric(this.metric, gradient, acceleration);
    for (let i = 0; i < q.length; i++) {
      p[i] += half * gradient[i];
      velocity[i] += half * acceleration[i];
    }
  }
}

/** `out` = M⁻¹ x for vectors of a moving point. */
function multiply(metric: Metric, { memory }: Motion, x: Float64Array, out: Float64Array): void {
  const isHeld = memory !== null && metric.kind === 'low-rank' && memory.holds(metric.invMetric);
  if (isHeld) memory.multiply(x, out);
  else multiplyInvMetric(metric, x, out);
}

/** Whether a product with the metric costs more than one operation per parameter. */
const isCostly = ({ kind }: Metric) => kind === 'low-rank' || kind === 'dense';

/**
 * Evaluates log density and gradient at `z.q`. A `DomainError`, NaN or +∞ gives −∞ with a zero gradient; any other
 * error passes through and ends the chain.
 */
export function updateDensity(
  model: HamiltonianOptions['model'],
  z: PhasePoint,
  onReject?: (reason: string) => void,
): void {
  let value: number;
  try {
    value = model.logDensityGradient(z.q, z.gradient);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    onReject?.(error.message);
    value = Number.NEGATIVE_INFINITY;
  }
  if (!(value < Number.POSITIVE_INFINITY)) value = Number.NEGATIVE_INFINITY;
  if (value === Number.NEGATIVE_INFINITY) z.gradient.fill(0);
  z.logDensity = value;
}
