/**
 * How a trajectory grows by one step: a leapfrog step of one size, or, for WALNUTS, as many smaller ones as conserving
 * the energy takes.
 *
 * WALNUTS: Bou-Rabee, Carpenter, Kleppe and Liu, "The within-orbit adaptive leapfrog no-U-turn sampler", arXiv 2506.18746,
 * section 2, with the largest step size that serves instead of one at random: an extension counts only when the same step
 * size would be chosen on the way back, so the trajectory is the same whichever of its points it is built from.
 */
import type { Hamiltonian } from './hamiltonian.ts';
import { copyPhasePoint, createMovingPoint, type PhasePoint } from './phase-point.ts';

/** Counted over all steps of one transition. */
export interface TreeTally {
  /** Gradient evaluations, including those for a step that is not taken. */
  numLeapfrog: number;
  /** Sum over the steps of the statistic that dual averaging controls. */
  sumAccept: number;
  /** Number of steps in `sumAccept`. */
  numAccept: number;
}

export interface StepRequest {
  /** Signed: negative goes back in time. */
  readonly stepSize: number;
  /** H₀, the energy at the start of the transition. */
  readonly initialEnergy: number;
  readonly tally: TreeTally;
}

export interface TrajectoryStep {
  /**
   * Moves `z` on, writes the velocity there, and returns the energy: +∞ if the step diverges, NaN if it could not be
   * retraced, so that the trajectory must end before it.
   */
  take(z: PhasePoint, velocity: Float64Array, request: StepRequest): number;
}

/** One leapfrog step; dual averaging controls min(1, exp(H₀ − H)). */
export function leapfrogStep(hamiltonian: Hamiltonian): TrajectoryStep {
  return new LeapfrogStep(hamiltonian);
}

/** A class for the same reason as the Hamiltonian. */
class LeapfrogStep implements TrajectoryStep {
  constructor(private readonly hamiltonian: Hamiltonian) {}

  take(z: PhasePoint, velocity: Float64Array, request: StepRequest): number {
    const { hamiltonian } = this;
    const { stepSize, initialEnergy, tally } = request;
    hamiltonian.leapfrog(z, stepSize);
    const energy = hamiltonian.energy(z, velocity);
    const energyError = energy - initialEnergy;
    tally.numLeapfrog += 1;
    tally.numAccept += 1;
    tally.sumAccept += energyError < 0 ? 1 : Math.exp(-energyError);
    return energy;
  }
}

/** Largest change of the energy within a step; the paper's δ. */
const maxStepError = 0.5;
/** Maximum number of halvings: 256 small steps in place of one. */
const maxHalvings = 8;

/**
 * A step of WALNUTS: 2^k leapfrog steps of `stepSize` / 2^k, with the smallest k that keeps the energy. Dual averaging
 * controls exp(−|ΔH|) for k = 0, and 0 if the step cannot be retraced: such steps end trajectories too early.
 */
export function adaptiveStep(hamiltonian: Hamiltonian): TrajectoryStep {
  const start = createMovingPoint(hamiltonian.dimension);
  const probe = createMovingPoint(hamiltonian.dimension);
  const unused = new Float64Array(hamiltonian.dimension);

  /** |ΔH| as `z` moves for a time in `count` steps, from an energy; +∞ if the density is 0 on the way. */
  const move = (
    z: PhasePoint,
    from: number,
    { time, count, tally }: { time: number; count: number; tally: TreeTally },
  ): number => {
    for (let n = 0; n < count; n++) {
      tally.numLeapfrog += 1;
      hamiltonian.leapfrog(z, time / count);
      if (z.logDensity === Number.NEGATIVE_INFINITY) return Number.POSITIVE_INFINITY;
    }
    return Math.abs(hamiltonian.energy(z, unused) - from);
  };

  /** Whether no coarser division keeps the energy on the way back from `z`. */
  const isRetraced = (z: PhasePoint, count: number, request: StepRequest): boolean => {
    const { stepSize, tally } = request;
    const energy = hamiltonian.energy(z, unused);
    for (let coarser = 1; coarser < count; coarser *= 2) {
      copyPhasePoint(z, probe);
      const error = move(probe, energy, { time: -stepSize, count: coarser, tally });
      if (error <= maxStepError) return false;
    }
    return true;
  };

  const take: TrajectoryStep['take'] = (z, velocity, request) => {
    const { stepSize, tally } = request;
    copyPhasePoint(z, start);
    const energy = hamiltonian.energy(start, unused);
    tally.numAccept += 1;
    let undivided = 0;
    for (let count = 1; count <= 2 ** maxHalvings; count *= 2) {
      if (count > 1) copyPhasePoint(start, z);
      const error = move(z, energy, { time: stepSize, count, tally });
      if (count === 1) undivided = Math.exp(-error);
      if (error > maxStepError) continue;
      if (!isRetraced(z, count, request)) return Number.NaN;
      tally.sumAccept += undivided;
      return hamiltonian.energy(z, velocity);
    }
    return Number.POSITIVE_INFINITY;
  };
  return { take };
}
