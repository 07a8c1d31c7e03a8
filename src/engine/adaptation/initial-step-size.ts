/**
 * The heuristic that finds a step size of the right order: doubles or halves until one leapfrog step from the current
 * position crosses an acceptance of 0.8 (Hoffman and Gelman 2014, algorithm 4, with Stan's threshold and fresh momenta).
 */
import type { Rng } from '../../math/random/rng.ts';
import type { Hamiltonian } from '../hmc/hamiltonian.ts';
import { copyPhasePoint, createPhasePoint, type PhasePoint } from '../hmc/phase-point.ts';

export type StepSizeSearch =
  | { readonly ok: true; readonly stepSize: number }
  | { readonly ok: false; readonly message: string };

const threshold = Math.log(0.8);
const largest = 1e7;
/** Smaller steps move nothing. */
const smallest = 1e-300;

export interface StepSizeSearchRequest {
  readonly hamiltonian: Hamiltonian;
  /** Position, log density and gradient; not changed. */
  readonly start: PhasePoint;
  /** Where the search begins. */
  readonly stepSize: number;
  readonly rng: Rng;
}

export function searchStepSize(request: StepSizeSearchRequest): StepSizeSearch {
  const { hamiltonian, start, rng } = request;
  const z = createPhasePoint(hamiltonian.dimension);
  const velocity = new Float64Array(hamiltonian.dimension);
  const isAcceptable = (size: number) => {
    copyPhasePoint(start, z);
    hamiltonian.sampleMomentum(rng, z);
    const initialEnergy = hamiltonian.energy(z, velocity);
    hamiltonian.leapfrog(z, size);
    return initialEnergy - hamiltonian.energy(z, velocity) > threshold;
  };

  let stepSize = request.stepSize;
  const isGrowing = isAcceptable(stepSize);
  while (isAcceptable(stepSize) === isGrowing) {
    stepSize *= isGrowing ? 2 : 0.5;
    if (stepSize > largest) {
      return {
        ok: false,
        message:
          'Every step size is accepted, however large: the posterior seems improper. Check that every parameter has a proper prior or is informed by data.',
      };
    }
    if (stepSize < smallest) {
      return {
        ok: false,
        message:
          'No step size is small enough at the starting point: the log density may not be continuous or its gradient may be wrong there. Try other inits.',
      };
    }
  }
  return { ok: true, stepSize };
}
