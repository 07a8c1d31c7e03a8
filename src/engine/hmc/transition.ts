/** One NUTS transition: from a position to the next, with all that is known of the way. */
import type { Rng } from '../../math/random/rng.ts';
import type { Hamiltonian } from './hamiltonian.ts';
import {
  buildTree,
  createTree,
  joinTrees,
  type Tree,
  type TreeBuild,
  type TreeOutcome,
  takePoint,
} from './nuts-tree.ts';
import { copyPhasePoint, createPhasePoint, type PhasePoint } from './phase-point.ts';
import { leapfrogStep, type TrajectoryStep, type TreeTally } from './trajectory-step.ts';

/** Why the trajectory grew no further. */
export type TrajectoryEnd = Exclude<TreeOutcome, 'complete'> | 'max-tree-depth';

export interface Transition {
  /** The next position with its density and gradient; belongs to the sampler until its next transition. */
  readonly draw: PhasePoint;
  /** Mean over the trajectory of what dual averaging steers: see `TrajectoryStep`. */
  readonly acceptStat: number;
  /** Doublings that were kept whole. */
  readonly treeDepth: number;
  /** Evaluations of the gradient. */
  readonly numLeapfrog: number;
  /** H at the drawn point. */
  readonly energy: number;
  readonly end: TrajectoryEnd;
  /** H − H₀ at the divergence; 0 when there was none. */
  readonly energyError: number;
}

export interface TransitionRequest {
  /** Where to start: position, log density and gradient. Its momentum is not read; nothing of it is changed. */
  readonly start: PhasePoint;
  readonly stepSize: number;
  readonly rng: Rng;
}

export type NutsSampler = (request: TransitionRequest) => Transition;

/** Allocates all vectors once. `maxTreeDepth` doublings are at most 2^maxTreeDepth − 1 steps. */
export function createNutsSampler(
  hamiltonian: Hamiltonian,
  maxTreeDepth: number,
  step: TrajectoryStep = leapfrogStep(hamiltonian),
): NutsSampler {
  const { dimension } = hamiltonian;
  const trajectory = createTree(dimension);
  const extension = createTree(dimension);
  const pool: Tree[] = [];
  // The phase points at the trajectory's two ends, `zLast` where the tree's last end is.
  let zFirst = createPhasePoint(dimension);
  let zLast = createPhasePoint(dimension);

  return ({ start, stepSize, rng }) => {
    const tally: TreeTally = { numLeapfrog: 0, sumAccept: 0, numAccept: 0, energyError: 0 };
    copyPhasePoint(start, zLast);
    hamiltonian.sampleMomentum(rng, zLast.p);
    const initialEnergy = startTree(hamiltonian, zLast, trajectory);
    copyPhasePoint(zLast, zFirst);
    const build: TreeBuild = { step, rng, tally, pool, initialEnergy, stepSize };

    let goesForward = true;
    let treeDepth = 0;
    let end: TrajectoryEnd = 'max-tree-depth';
    while (treeDepth < maxTreeDepth) {
      const isForward = rng.uniform() > 0.5;
      if (isForward !== goesForward) {
        goesForward = isForward;
        reverseTree(trajectory);
        [zFirst, zLast] = [zLast, zFirst];
      }
      build.stepSize = isForward ? stepSize : -stepSize;
      if (pool.length < treeDepth) pool.push(createTree(dimension));
      const grown = buildTree(build, treeDepth, zLast, extension);
      if (grown !== 'complete') {
        end = grown;
        break;
      }
      treeDepth += 1;
      // biased towards the new half, so that draws move far
      const odds = Math.exp(extension.logSumWeight - trajectory.logSumWeight);
      const joined = joinTrees(trajectory, extension, rng.uniform() < odds);
      if (joined !== 'complete') {
        end = joined;
        break;
      }
    }
    return {
      draw: trajectory.proposal,
      acceptStat: tally.numAccept === 0 ? 0 : tally.sumAccept / tally.numAccept,
      treeDepth,
      numLeapfrog: tally.numLeapfrog,
      energy: trajectory.proposalEnergy,
      end,
      energyError: tally.energyError,
    };
  };
}

/** A trajectory of one point. Returns its energy. */
function startTree(hamiltonian: Hamiltonian, z: PhasePoint, tree: Tree): number {
  const energy = hamiltonian.energy(z, tree.vFirst);
  takePoint(tree, z);
  tree.logSumWeight = 0;
  tree.proposalEnergy = energy;
  return energy;
}

/** Lets the other end grow. The criterion is symmetric in time, so nothing else changes. */
function reverseTree(tree: Tree): void {
  const { pFirst, vFirst } = tree;
  tree.pFirst = tree.pLast;
  tree.vFirst = tree.vLast;
  tree.pLast = pFirst;
  tree.vLast = vFirst;
}
