/**
 * Latent Gaussian models: `name(tape, kinds, system, …likelihood, block size, …covariance, …options)`. Random functions
 * receive the generator in place of the tape. See implementation.ts for what a `system` is.
 */
import { type ActiveMatrix, ActiveVector, Matrix, slotAt } from '../../autodiff/containers.ts';
import type { Tape } from '../../autodiff/tape.ts';
import { splitKinds } from '../../distributions/density.ts';
import { DomainError, ShapeError } from '../../errors.ts';
import { Algebra } from '../../laplace/algebra.ts';
import { type PlainFunction, recordDifferenced } from '../../laplace/differenced.ts';
import type { LaplaceOptions } from '../../laplace/find-mode.ts';
import { termFunctions } from '../../laplace/functions.ts';
import { LatentLikelihood, type RecordLikelihood } from '../../laplace/latent-likelihood.ts';
import { groupedLikelihoods } from '../../laplace/likelihoods.ts';
import {
  laplaceMode,
  logMarginal,
  marginalGradient,
  posteriorFactor,
} from '../../laplace/marginal.ts';
import { close, openOperand } from '../../laplace/operands.ts';
import type { TaylorTape } from '../../laplace/taylor-tape.ts';
import type { Rng } from '../../random/rng.ts';
import { drawNormals, shiftByFactor } from '../../random/structured.ts';
import { HandedArguments, isActiveKind, toData } from '../../user-functions/handed-arguments.ts';
import type { LibraryFunction, LibraryPart } from '../machinery/implementation.ts';
import { deactivate } from '../machinery/memory.ts';

/** What emitted programs pass. */
interface LaplaceSystem {
  /** `log p(y | theta, …)` on a Taylor tape; null if the likelihood is built in. */
  readonly likelihood:
    | ((tape: TaylorTape, theta: ActiveVector, ...handed: unknown[]) => number)
    | null;
  /** Kinds of the arguments that follow theta in the likelihood. */
  readonly handed: readonly string[];
  readonly covariance: {
    data(...args: unknown[]): Matrix;
    active(tape: Tape, ...args: unknown[]): ActiveMatrix | Matrix;
  };
  /** How many arguments the covariance function takes. */
  readonly numCovariance: number;
}

/** Stan's defaults. */
const defaults = {
  tolerance: Math.sqrt(Number.EPSILON),
  maxSteps: 500,
  solver: 1,
  maxHalvings: 1000,
  mayFallBack: true,
};

function readOptions(
  name: string,
  n: number,
  blockSize: number,
  values: readonly unknown[],
): LaplaceOptions {
  if (!(blockSize >= 1 && n % blockSize === 0))
    throw new DomainError(
      `${name}: hessian_block_size is ${blockSize}, but must divide the size of theta, ${n}`,
    );
  if (values.length === 0) return { ...defaults, initial: new Float64Array(n), blockSize };
  const [initial, tolerance, maxSteps, solver, maxHalvings, fallsBack] = values as [
    Float64Array,
    ...number[],
  ];
  if (initial.length !== n)
    throw new ShapeError(
      `${name}: the initial value of theta has ${initial.length} elements, but its covariance has ${n} rows`,
    );
  for (const [what, x, isRight, bound] of [
    ['tol', tolerance, tolerance >= 0, 'nonnegative'],
    ['max_num_steps', maxSteps, maxSteps > 0, 'positive'],
    ['solver', solver, solver >= 1 && solver <= 3, '1, 2 or 3'],
    ['max_steps_linesearch', maxHalvings, maxHalvings >= 0, 'nonnegative'],
    ['allow_fallback', fallsBack, fallsBack === 0 || fallsBack === 1, '0 or 1'],
  ] as const) {
    if (!isRight) throw new DomainError(`${name}: ${what} is ${x}, but must be ${bound}`);
  }
  return {
    initial,
    tolerance,
    maxSteps,
    solver,
    maxHalvings,
    mayFallBack: fallsBack === 1,
    blockSize,
  };
}

/** The name of a built-in likelihood within that of a function. */
function builtInOf(name: string): string {
  return /(?:bernoulli_logit|poisson_log|neg_binomial_2_log)/.exec(name)?.[0] ?? '';
}

function recordOf(
  name: string,
  system: LaplaceSystem,
  handed: readonly unknown[],
): RecordLikelihood {
  const { likelihood, handed: kinds } = system;
  if (likelihood !== null) return (tape, theta) => likelihood(tape, theta, ...handed);
  const grouped = groupedLikelihoods[builtInOf(name)];
  return (tape, theta) => {
    const m = new Algebra(tape);
    const [y, yIndex, ...rest] = handed as [Int32Array, Int32Array, ...unknown[]];
    const operands = rest.map((x, i) => openOperand(m, kinds[i + 2], x));
    return m.slotOf(grouped(m, openOperand(m, 'V', theta), y, yIndex, operands));
  };
}

/** The parts of one call. */
class LaplaceCall {
  readonly k: Matrix;
  /** The covariance on the program's tape; null if it depends on no parameter. */
  readonly activeK: ActiveMatrix | null;
  readonly handed: HandedArguments;
  readonly likelihood: LatentLikelihood;
  readonly options: LaplaceOptions;

  constructor(
    readonly name: string,
    tape: Tape | null,
    kindText: string,
    system: LaplaceSystem,
    values: readonly unknown[],
  ) {
    const kinds = splitKinds(kindText);
    const numHanded = system.handed.length;
    const blockSize = values[numHanded] as number;
    const end = numHanded + 1 + system.numCovariance;
    const covarianceArgs = values.slice(numHanded + 1, end);
    const isActive = tape !== null && kinds.slice(numHanded + 1, end).some(isActiveKind);
    const k = isActive
      ? system.covariance.active(tape, ...covarianceArgs)
      : system.covariance.data(...covarianceArgs);
    this.activeK = k instanceof Matrix ? null : k;
    this.k = k instanceof Matrix ? k : (deactivate(tape as Tape, k) as Matrix);
    const n = this.k.rows;
    if (this.k.cols !== n)
      throw new ShapeError(`${name}: the covariance is ${n} × ${this.k.cols}, but must be square`);
    if (!this.k.data.every(Number.isFinite))
      throw new DomainError(`${name}: the covariance has entries that are not finite`);
    const control = values
      .slice(end)
      .map((x, i) => (isActiveKind(kinds[end + i]) ? toData(tape as Tape, kinds[end + i], x) : x));
    this.options = readOptions(name, n, blockSize, control);
    this.handed = new HandedArguments(system.handed, values.slice(0, numHanded), tape, n + 1);
    const record = recordOf(name, system, tape === null ? this.handed.data : this.handed.active);
    this.likelihood = new LatentLikelihood(n, this.handed.values, record);
  }

  mode() {
    return laplaceMode(this.name, this.k, this.likelihood, this.options);
  }
}

/** The log marginal: a number, or a row with edges to the covariance and to the likelihood's arguments. */
function marginal(name: string): LibraryFunction {
  return (tape: Tape | null, kinds: string, system: LaplaceSystem, ...values: unknown[]) => {
    const call = new LaplaceCall(name, tape, kinds, system, values);
    const { k, likelihood, activeK, handed } = call;
    const mode = call.mode();
    const value = logMarginal(mode);
    if (tape === null) return value;
    const gradient = marginalGradient(name, k, likelihood, mode);
    const numK = activeK === null ? 0 : gradient.k.length;
    tape.reserveEdges(numK + handed.slots.length);
    let e = tape.numEdges;
    for (let i = 0; i < numK; i++) {
      tape.edgeSlot[e] = slotAt(activeK as ActiveMatrix, i);
      tape.edgePartial[e++] = gradient.k[i];
    }
    for (const [i, slot] of handed.slots.entries()) {
      tape.edgeSlot[e] = slot;
      tape.edgePartial[e++] = gradient.eta[i];
    }
    return tape.endRow(value, e - tape.numEdges);
  };
}

function latentRng(name: string): LibraryFunction {
  return (rng: Rng, kinds: string, system: LaplaceSystem, ...values: unknown[]) => {
    const call = new LaplaceCall(name, null, kinds, system, values);
    const mode = call.mode();
    const factor = posteriorFactor(name, call.k, mode);
    return shiftByFactor(mode.theta, factor, drawNormals(rng, call.k.rows));
  };
}

function latentMean(_: null, kinds: string, system: LaplaceSystem, ...values: unknown[]) {
  return new LaplaceCall('laplace_latent_solve', null, kinds, system, values).mode().theta;
}

function latentFactor(_: null, kinds: string, system: LaplaceSystem, ...values: unknown[]) {
  const call = new LaplaceCall('laplace_latent_solve', null, kinds, system, values);
  return posteriorFactor(call.name, call.k, call.mode());
}

const families = ['', '_bernoulli_logit', '_poisson_log', '_neg_binomial_2_log'];

function laplaceFunctions(): Record<string, LibraryFunction> {
  const part: Record<string, LibraryFunction> = {
    // the members of laplace_latent_solve
    $laplace_latent_mean: latentMean,
    $laplace_latent_factor: latentFactor,
  };
  for (const family of families) {
    for (const tolerances of ['', '_tol']) {
      const suffix = family === '' ? '' : '_lpmf';
      const density = `laplace_marginal${tolerances}${family}${suffix}`;
      part[density] = marginal(density);
      const rng = `laplace_latent${tolerances}${family}_rng`;
      part[rng] = latentRng(rng);
    }
  }
  return part;
}

/** `$taylor_name(tape, kinds, …operands)`: functions of the language on a Taylor tape. */
function taylorFunctions(): Record<string, LibraryFunction> {
  const part: Record<string, LibraryFunction> = {};
  for (const [name, f] of Object.entries(termFunctions)) {
    part[`$taylor_${name}`] = (tape: TaylorTape, kindText: string, ...values: unknown[]) => {
      const m = new Algebra(tape);
      const kinds = splitKinds(kindText);
      return close(m, f(m, ...values.map((x, i) => openOperand(m, kinds[i], x))));
    };
  }
  return part;
}

/** `$differenced(tape, f, kinds, kind of the result, …operands)`: others, with `f` calling them on a plain tape. */
function differenced(
  tape: TaylorTape,
  f: PlainFunction,
  kinds: string,
  resultKind: string,
  ...operands: unknown[]
): unknown {
  return recordDifferenced(tape, { f, kinds: splitKinds(kinds), resultKind }, operands);
}

export const laplacePart: LibraryPart = {
  ...laplaceFunctions(),
  ...taylorFunctions(),
  $differenced: differenced,
};
