/** One NUTS transition: from a position to the next, with everything known about the trajectory. */
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
  treeVectors,
} from './nuts-tree.ts';
import {
  copyPhasePoint,
  createMovingPoint,
  movingPointVectors,
  type PhasePoint,
} from './phase-point.ts';
import { openTrajectoryMemory, type TrajectoryMemory } from './trajectory-memory.ts';
import { leapfrogStep, type TrajectoryStep, type TreeTally } from './trajectory-step.ts';

/** Why the trajectory stopped growing. */
export type TrajectoryEnd = Exclude<TreeOutcome, 'complete'> | 'max-tree-depth';

export interface Transition {
  /** The next position with its density and gradient; belongs to the sampler until its next transition. */
  readonly draw: PhasePoint;
  /** Mean over the trajectory of the statistic that dual averaging controls: see `TrajectoryStep`. */
  readonly acceptStat: number;
  /** Doublings that were completed. */
  readonly treeDepth: number;
  /** Evaluations of the gradient. */
  readonly numLeapfrog: number;
  /** H at the drawn point. */
  readonly energy: number;
  readonly end: TrajectoryEnd;
}

export interface TransitionRequest {
  /** Where to start: position, log density and gradient. Its momentum is not read, and nothing is changed. */
  readonly start: PhasePoint;
  readonly stepSize: number;
  readonly rng: Rng;
}

export type NutsSampler = (request: TransitionRequest) => Transition;

/** Allocates all vectors once. `maxTreeDepth` doublings are at most 2^maxTreeDepth − 1 steps. */
export function createNutsSampler(
  hamiltonian: Hamiltonian,
  maxTreeDepth: number,
  step?: TrajectoryStep,
): NutsSampler {
  // other steps move points of their own
  const memory = step === undefined ? openMemory(hamiltonian, maxTreeDepth) : null;
  const taken = step ?? leapfrogStep(hamiltonian);
  const trajectory = new Trajectory(hamiltonian, maxTreeDepth, taken, memory);
  return (request) => trajectory.grow(request);
}

/** For two moving points, the tree, its extension, and a tree of the pool for each doubling. */
function openMemory({ dimension }: Hamiltonian, maxTreeDepth: number): TrajectoryMemory | null {
  const numTrees = 2 + Math.max(1, maxTreeDepth);
  return openTrajectoryMemory(dimension, 2 * movingPointVectors + numTrees * treeVectors);
}

/** A class for the same reason as the Hamiltonian. */
class Trajectory {
  private readonly tree: Tree;
  private readonly extension: Tree;
  private readonly pool: Tree[];
  /** The phase points at the two ends, `zLast` where the tree's last end is. */
  private zFirst: PhasePoint;
  private zLast: PhasePoint;

  constructor(
    private readonly hamiltonian: Hamiltonian,
    private readonly maxTreeDepth: number,
    private readonly step: TrajectoryStep,
    private readonly memory: TrajectoryMemory | null,
  ) {
    const { dimension } = hamiltonian;
    this.tree = createTree(dimension, memory);
    this.extension = createTree(dimension, memory);
    // not empty: V8 takes an empty array for an array of integers, and then recompiles its readers for each chain
    this.pool = [createTree(dimension, memory)];
    this.zFirst = createMovingPoint(dimension, memory);
    this.zLast = createMovingPoint(dimension, memory);
  }

  /** Grows from one point until it turns, diverges, cannot be retraced or is deep enough. */
  grow({ start, stepSize, rng }: TransitionRequest): Transition {
    const { hamiltonian, step, pool, tree } = this;
    const tally: TreeTally = { numLeapfrog: 0, sumAccept: 0, numAccept: 0 };
    copyPhasePoint(start, this.zLast);
    hamiltonian.sampleMomentum(rng, this.zLast);
    const initialEnergy = startTree(hamiltonian, this.zLast, tree);
    copyPhasePoint(this.zLast, this.zFirst);
    const build: TreeBuild = { step, rng, tally, pool, initialEnergy, stepSize };

    let goesForward = true;
    let treeDepth = 0;
    let end: TrajectoryEnd = 'max-tree-depth';
    while (treeDepth < this.maxTreeDepth) {
      const isForward = rng.uniform() > 0.5;
      if (isForward !== goesForward) {
        goesForward = isForward;
        this.reverse();
      }
      build.stepSize = isForward ? stepSize : -stepSize;
      if (pool.length < treeDepth) pool.push(createTree(hamiltonian.dimension, this.memory));
      const grown = buildTree(build, treeDepth, this.zLast, this.extension);
      if (grown !== 'complete') {
        end = grown;
        break;
      }
      treeDepth += 1;
      const joined = this.join(rng);
      if (joined !== 'complete') {
        end = joined;
        break;
      }
    }
    return {
      draw: tree.proposal,
      acceptStat: tally.numAccept === 0 ? 0 : tally.sumAccept / tally.numAccept,
      treeDepth,
      numLeapfrog: tally.numLeapfrog,
      energy: tree.proposalEnergy,
      end,
    };
  }

  /** Lets the other end grow. The criterion is symmetric in time, so nothing else changes. */
  private reverse(): void {
    const { tree, zFirst } = this;
    const { pFirst, vFirst } = tree;
    tree.pFirst = tree.pLast;
    tree.vFirst = tree.vLast;
    tree.pLast = pFirst;
    tree.vLast = vFirst;
    this.zFirst = this.zLast;
    this.zLast = zFirst;
  }

  private join(rng: Rng): TreeOutcome {
    const { tree, extension } = this;
    // biased towards the new half, so that draws move far
    const odds = Math.exp(extension.logSumWeight - tree.logSumWeight);
    return joinTrees(tree, extension, rng.uniform() < odds);
  }
}
/** A trajectory of one point. Returns its energy. */
function startTree(hamiltonian: Hamiltonian, z: PhasePoint, tree: Tree): number {
  const energy = hamiltonian.energy(z, tree.vFirst);
  takePoint(tree, z);
  tree.logSumWeight = 0;
  tree.proposalEnergy = energy;
  return energy;
}
