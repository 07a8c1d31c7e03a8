/**
 * The mode of log p(y | θ) − θᵀK⁻¹θ/2 by Newton's method (Rasmussen and Williams 2006, algorithm 3.1): steps are taken in
 * a = K⁻¹θ, so that K need not be inverted, and halved until the objective rises.
 */
import { Matrix } from '../autodiff/containers.ts';
import { DomainError } from '../errors.ts';
import { multiply } from '../linalg/products.ts';
import { factorLu, solveLu } from '../linalg/solve.ts';
import { type Blocks, timesBlocks } from './blocks.ts';
import type { LatentLikelihood } from './latent-likelihood.ts';
import { decompose, type NewtonSystem } from './newton-system.ts';

export interface LaplaceOptions {
  readonly initial: Float64Array;
  /** For the change in the objective when the search has to stop; otherwise it continues until θ no longer moves. */
  readonly tolerance: number;
  readonly maxSteps: number;
  readonly solver: number;
  readonly maxHalvings: number;
  readonly mayFallBack: boolean;
  readonly blockSize: number;
}

export interface Mode {
  readonly theta: Float64Array;
  /** K⁻¹θ, which at the mode is the gradient of the log likelihood. */
  readonly a: Float64Array;
  readonly logLikelihood: number;
  readonly objective: number;
  readonly w: Blocks;
  readonly system: NewtonSystem;
}

/** After a step smaller than this fraction of θ, Newton's method has all digits. */
const smallStep = 1e-8;

interface Place {
  readonly theta: Float64Array;
  readonly a: Float64Array;
  readonly logLikelihood: number;
  readonly objective: number;
}

export function findMode(
  name: string,
  k: Matrix,
  likelihood: LatentLikelihood,
  options: LaplaceOptions,
): Mode {
  let place = startingPlace(k, likelihood, options.initial);
  if (!Number.isFinite(place.logLikelihood))
    throw new DomainError(
      `${name}: the log likelihood is not finite at the initial value of theta`,
    );
  for (let step = 1; ; step++) {
    const { w, system } = newtonSystem(name, k, likelihood, options);
    if (step === 1) likelihood.requireBlocks(name, w);
    const next = stepFrom(place, k, likelihood, { w, system, maxHalvings: options.maxHalvings });
    if (next === null) {
      requireStationary(name, place.a, likelihood);
      return { ...place, w, system };
    }
    const change = next.theta.reduce(
      (most, x, i) => Math.max(most, Math.abs(x - place.theta[i])),
      0,
    );
    const size = next.theta.reduce((most, x) => Math.max(most, Math.abs(x)), 1);
    const rise = Math.abs(next.objective - place.objective);
    place = next;
    const isStill = change <= smallStep * size;
    if (!isStill && step < options.maxSteps) continue;
    if (!isStill && !(rise <= options.tolerance))
      throw new DomainError(
        `${name}: the mode of theta was not found in ${options.maxSteps} steps. Increase max_num_steps, or check the likelihood.`,
      );
    return { ...place, ...newtonSystem(name, k, likelihood, options) };
  }
}

function startingPlace(k: Matrix, likelihood: LatentLikelihood, theta: Float64Array): Place {
  const logLikelihood = likelihood.moveTo(theta);
  const isZero = theta.every((x) => x === 0);
  const solved = isZero
    ? theta
    : solveLu(factorLu('laplace', k), new Matrix(theta.length, 1, theta)).data;
  const a = solved.every(Number.isFinite)
    ? Float64Array.from(solved)
    : new Float64Array(theta.length);
  return {
    theta: Float64Array.from(theta),
    a,
    logLikelihood,
    objective: objectiveOf(logLikelihood, a, theta),
  };
}

function objectiveOf(logLikelihood: number, a: Float64Array, theta: Float64Array): number {
  return logLikelihood - 0.5 * a.reduce((sum, x, i) => sum + x * theta[i], 0);
}

/** W at the likelihood's current point, and its decomposition by the requested solver or by those after it. */
function newtonSystem(
  name: string,
  k: Matrix,
  likelihood: LatentLikelihood,
  { solver, mayFallBack, blockSize }: LaplaceOptions,
): { readonly w: Blocks; readonly system: NewtonSystem } {
  const w = likelihood.negativeHessian(blockSize);
  if (!w.data.every(Number.isFinite))
    throw new DomainError(`${name}: the Hessian of the log likelihood is not finite`);
  const last = mayFallBack ? 3 : solver;
  for (let s = solver; s <= last; s++) {
    const system = decompose(s, k, w);
    if (system !== null) return { w, system };
  }
  const remedy = mayFallBack ? '' : ' Choose another solver, or set allow_fallback to 1.';
  throw new DomainError(`${name}: solver ${solver} cannot decompose its matrix.${remedy}`);
}

/** The next place, to which the likelihood has moved; null if no step makes the objective larger. */
function stepFrom(
  from: Place,
  k: Matrix,
  likelihood: LatentLikelihood,
  { w, system, maxHalvings }: Pick<Mode, 'w' | 'system'> & { readonly maxHalvings: number },
): Place | null {
  const gradient = likelihood.gradient();
  const b = timesBlocks(w, from.theta, 1).map((x, i) => x + gradient[i]);
  const taken = system.apply(times(k, b));
  const direction = b.map((x, i) => x - taken[i] - from.a[i]);
  // rounding error of the objective
  const slack = 1e-12 * (1 + Math.abs(from.objective));
  for (let halvings = 0, t = 1; halvings <= maxHalvings; halvings++, t /= 2) {
    const a = from.a.map((x, i) => x + t * direction[i]);
    const theta = times(k, a);
    const place = evaluate(likelihood, theta, a);
    const isUp = place !== null && place.objective >= from.objective - slack;
    if (place !== null && (isUp || maxHalvings === 0)) return place;
    if (t < 2 ** -60) break;
  }
  likelihood.moveTo(from.theta);
  return null;
}

/** When no step rises any further, K⁻¹θ must be the gradient of the log likelihood. */
function requireStationary(name: string, a: Float64Array, likelihood: LatentLikelihood): void {
  const gradient = likelihood.gradient();
  a.forEach((x, i) => {
    if (Math.abs(gradient[i] - x) > 1e-4 * (1 + Math.abs(x)))
      throw new DomainError(
        `${name}: no step from theta raises the density, but theta is not a mode. Choose another solver or initial value.`,
      );
  });
}

const times = (k: Matrix, x: Float64Array) => multiply(k, new Matrix(x.length, 1, x)).data;

/** Null outside the support of the likelihood. */
function evaluate(
  likelihood: LatentLikelihood,
  theta: Float64Array,
  a: Float64Array,
): Place | null {
  try {
    const logLikelihood = likelihood.moveTo(theta);
    const objective = objectiveOf(logLikelihood, a, theta);
    return Number.isFinite(objective) ? { theta, a, logLikelihood, objective } : null;
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}
