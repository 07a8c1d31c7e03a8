/**
 * The trajectory of one NUTS transition as a binary tree that doubles until it turns, diverges or is deep enough.
 *
 * Multinomial sampling within the tree, biased progressive sampling between doublings (Betancourt, "A conceptual
 * introduction to Hamiltonian Monte Carlo", appendix A), the generalised U-turn criterion (appendix A.4.2) and the two
 * checks across the seam of joined halves that Stan added in 2.21.
 *
 * Vectors belong to a pool made once per sampler; joining swaps references, so a leapfrog allocates nothing.
 * Letters: q position, p momentum, v = M⁻¹p velocity, rho sum of momenta, H energy.
 */
import type { Rng } from '../../math/random/rng.ts';
import { createPhasePoint, newVector, type PhasePoint, pointVectors } from './phase-point.ts';
import type { TrajectoryMemory } from './trajectory-memory.ts';
import type { StepRequest, TrajectoryStep } from './trajectory-step.ts';

/** How an attempt to build or join trees ended. `one-way`: a step could not be retraced. */
export type TreeOutcome = 'complete' | 'turning' | 'diverging' | 'one-way';

/** A stretch of trajectory. *First* is the end built first, *last* the end that grows. */
export interface Tree {
  pFirst: Float64Array;
  vFirst: Float64Array;
  pLast: Float64Array;
  vLast: Float64Array;
  rho: Float64Array;
  /** log Σ exp(H₀ − H) over the points. */
  logSumWeight: number;
  /** The point drawn from this stretch with multinomial weights (its momentum is not stored), and its energy. */
  proposal: PhasePoint;
  proposalEnergy: number;
  /** Where all its vectors are; null: in arrays of their own. */
  readonly memory: TrajectoryMemory | null;
}

/** Number of vectors of a tree. */
export const treeVectors = 5 + pointVectors;

/** Stan's Δ: an energy error above it is a divergence. */
const maxEnergyError = 1000;

export function createTree(dimension: number, memory: TrajectoryMemory | null = null): Tree {
  const vector = () => newVector(dimension, memory);
  return {
    pFirst: vector(),
    vFirst: vector(),
    pLast: vector(),
    vLast: vector(),
    rho: vector(),
    logSumWeight: Number.NEGATIVE_INFINITY,
    proposal: createPhasePoint(dimension, memory),
    proposalEnergy: Number.POSITIVE_INFINITY,
    memory,
  };
}

/** Where and how a tree is built. */
export interface TreeBuild extends StepRequest {
  readonly step: TrajectoryStep;
  readonly rng: Rng;
  /** `pool[d]` holds the second half while a tree of depth d + 1 is built. */
  readonly pool: readonly Tree[];
  stepSize: number;
}

/** Builds 2^depth points onwards from `z`, which moves to the far end, and writes them to `tree`. */
export function buildTree(build: TreeBuild, depth: number, z: PhasePoint, tree: Tree): TreeOutcome {
  if (depth === 0) return buildLeaf(build, z, tree);
  const firstHalf = buildTree(build, depth - 1, z, tree);
  if (firstHalf !== 'complete') return firstHalf;
  const second = build.pool[depth - 1];
  const secondHalf = buildTree(build, depth - 1, z, second);
  if (secondHalf !== 'complete') return secondHalf;
  const total = logAddExp(tree.logSumWeight, second.logSumWeight);
  const takeSecond = build.rng.uniform() < Math.exp(second.logSumWeight - total);
  return joinTrees(tree, second, takeSecond, total);
}

function buildLeaf(build: TreeBuild, z: PhasePoint, tree: Tree): TreeOutcome {
  const energy = build.step.take(z, tree.vFirst, build);
  if (Number.isNaN(energy)) return 'one-way';
  const energyError = energy - build.initialEnergy;
  takePoint(tree, z);
  tree.logSumWeight = -energyError;
  tree.proposalEnergy = energy;
  return energyError > maxEnergyError ? 'diverging' : 'complete';
}

/** Makes `tree` the single point `z`, whose velocity is in `vFirst`. */
export function takePoint(tree: Tree, z: PhasePoint): void {
  const { pFirst, vFirst, pLast, vLast, rho, proposal } = tree;
  const { q, gradient } = proposal;
  proposal.logDensity = z.logDensity;
  if (tree.memory !== null) {
    copyPoint(tree.memory, tree, z);
    return;
  }
  // one loop: for the short vectors of most models, seven calls of `set` cost more than the values
  for (let i = 0; i < rho.length; i++) {
    const p = z.p[i];
    pFirst[i] = p;
    pLast[i] = p;
    rho[i] = p;
    vLast[i] = vFirst[i];
    q[i] = z.q[i];
    gradient[i] = z.gradient[i];
  }
}

function copyPoint(memory: TrajectoryMemory, tree: Tree, { q, p, gradient }: PhasePoint): void {
  memory.copy(tree.pFirst, p);
  memory.copy(tree.pLast, p);
  memory.copy(tree.rho, p);
  memory.copy(tree.vLast, tree.vFirst);
  memory.copy(tree.proposal.q, q);
  memory.copy(tree.proposal.gradient, gradient);
}

/**
 * Appends `second` to `first` (its last end meets the first end of `second`) and returns whether the joined tree turns.
 * Swaps vectors between them, so `second` contains garbage afterwards. `logSumWeight`: of both.
 */
export function joinTrees(
  first: Tree,
  second: Tree,
  takeSecond: boolean,
  logSumWeight = logAddExp(first.logSumWeight, second.logSumWeight),
): TreeOutcome {
  const turns = turnsJoined(first, second);
  const { memory, pLast, vLast } = first;
  first.pLast = second.pLast;
  first.vLast = second.vLast;
  second.pLast = pLast;
  second.vLast = vLast;
  const { rho } = first;
  if (memory === null) for (let i = 0; i < rho.length; i++) rho[i] += second.rho[i];
  else memory.add(rho, second.rho);
  first.logSumWeight = logSumWeight;
  if (takeSecond) {
    const { proposal } = first;
    first.proposal = second.proposal;
    first.proposalEnergy = second.proposalEnergy;
    second.proposal = proposal;
  }
  return turns ? 'turning' : 'complete';
}

function turnsJoined(first: Tree, second: Tree): boolean {
  const { memory } = first;
  return (
    // the joined tree, from far end to far end
    turnsOver(memory, first.vFirst, second.vLast, first.rho, second.rho) ||
    // the first half and one point beyond the seam
    turnsOver(memory, first.vFirst, second.vFirst, first.rho, second.pFirst) ||
    // one point before the seam and the second half
    turnsOver(memory, first.vLast, second.vLast, second.rho, first.pLast)
  );
}

/** Whether the summed momentum `rhoA + rhoB` no longer points along the velocity at both ends. */
function turnsOver(
  memory: TrajectoryMemory | null,
  ...[vBegin, vEnd, rhoA, rhoB]: [
    vBegin: Float64Array,
    vEnd: Float64Array,
    rhoA: Float64Array,
    rhoB: Float64Array,
  ]
): boolean {
  if (memory !== null) return memory.turnsOver(vBegin, vEnd, rhoA, rhoB);
  let begin = 0;
  let end = 0;
  for (let i = 0; i < rhoA.length; i++) {
    const rho = rhoA[i] + rhoB[i];
    begin += vBegin[i] * rho;
    end += vEnd[i] * rho;
  }
  return !(begin > 0 && end > 0);
}

/** log(exp(a) + exp(b)) without overflow. */
export function logAddExp(a: number, b: number): number {
  const high = a > b ? a : b;
  if (high === Number.NEGATIVE_INFINITY || high === Number.POSITIVE_INFINITY) return high;
  return high + Math.log1p(Math.exp((a > b ? b : a) - high));
}
