/**
 * Automatic differentiation variational inference: a normal on the unconstrained scale, fitted by stochastic gradient
 * ascent on the ELBO. Source: Kucukelbir, Tran, Ranganath, Gelman & Blei 2017, JMLR 18(14), with Stan's step sizes,
 * adaptation of eta and tests of convergence.
 */
import type { Rng } from '../../math/random/rng.ts';
import { ChainEnd } from '../chain-end.ts';
import {
  type Approximation,
  createLogDensity,
  type Fit,
  type FitRequest,
  type LogDensity,
  shortNumber,
  startOf,
} from './fit.ts';
import { createFullRank, createMeanField, type VariationalFamily } from './variational-family.ts';

/** Candidates for the scale of the step sizes, boldest first. */
const etaSequence = [100, 10, 1, 0.1, 0.01];
/** Offset of the step sizes, and how quickly past gradients are forgotten (eq. 10 and 11). */
const tau = 1;
const memory = 0.9;

/** Most parameters whose covariances are fitted. */
const mostFullRank = 5000;

interface Ascent {
  readonly logDensity: LogDensity;
  readonly request: FitRequest;
  readonly start: Float64Array;
}

export function* fitAdvi(request: FitRequest): Fit {
  const { fit } = request;
  const start = startOf(request);
  if (fit.approximation === 'fullrank' && start.length > mostFullRank)
    throw new ChainEnd(
      'no-approximation',
      `ADVI with approximation fullrank fits ${start.length} × ${start.length} covariances, more than it can hold: choose meanfield.`,
    );
  const ascent: Ascent = { request, start, logDensity: createLogDensity(request.model, true) };
  const eta = fit.eta ?? (yield* adaptEta(ascent));
  const family = familyOf(ascent);
  yield* ascend(ascent, family, eta);
  return drawsOf(family, ascent.logDensity);
}

function familyOf({ request, start }: Ascent): VariationalFamily {
  return request.fit.approximation === 'fullrank' ? createFullRank(start) : createMeanField(start);
}

/** Tries each candidate for a few iterations and takes the last before the ELBO gets worse. */
function* adaptEta(ascent: Ascent): Generator<string | null, number> {
  const { request } = ascent;
  const { fit } = request;
  const initial = elboOf(ascent, familyOf(ascent));
  let best = { eta: 0, elbo: Number.NEGATIVE_INFINITY };
  for (const eta of etaSequence) {
    const family = familyOf(ascent);
    const stepper = createStepper(ascent, family, eta);
    for (let n = 1; n <= fit.adaptIter; n++) {
      stepper(n);
      yield null;
    }
    const elbo = elboOf(ascent, family);
    if (elbo < best.elbo && best.elbo > initial) break;
    best = { eta, elbo };
  }
  if (!(best.elbo > initial))
    throw new ChainEnd(
      'no-approximation',
      'ADVI found no step size at which the ELBO rises: the posterior may be too far from normal, or the starting point too far away. Give inits, or try Pathfinder or NUTS.',
    );
  yield `ADVI takes eta = ${best.eta}.`;
  return best.eta;
}

/** Steps until the mean or median relative change of the ELBO over a window is small. */
function* ascend(
  ascent: Ascent,
  family: VariationalFamily,
  eta: number,
): Generator<string | null, void> {
  const { iter, evalElbo, tolRelObj } = ascent.request.fit;
  const stepper = createStepper(ascent, family, eta);
  const window = Math.floor(Math.max((0.1 * iter) / evalElbo, 2));
  const changes: number[] = [];
  let elbo = 0;
  for (let n = 1; n <= iter; n++) {
    stepper(n);
    yield null;
    if (n % evalElbo !== 0) continue;
    const previous = elbo;
    elbo = elboOf(ascent, family);
    changes.push(Math.abs((elbo - previous) / previous));
    if (changes.length > window) changes.shift();
    const by = smallest({ mean: meanOf(changes), median: medianOf(changes) }, tolRelObj);
    if (by === null) continue;
    yield `ADVI converged after ${n} iterations by the ${by} of the ELBO's changes; ELBO ${shortNumber(elbo)}.`;
    return;
  }
  const last = changes.length === 0 ? '' : `; ELBO ${shortNumber(elbo)}`;
  yield `ADVI stopped after ${iter} iterations (iter) before it converged${last}.`;
}

function smallest(changes: Readonly<Record<string, number>>, limit: number): string | null {
  return Object.entries(changes).find(([, value]) => value < limit)?.[0] ?? null;
}

const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

/** A step of the ascent; its size shrinks with its number and with the gradients so far (eq. 10). */
function createStepper({ logDensity, request }: Ascent, family: VariationalFamily, eta: number) {
  const { rng, fit } = request;
  const gradient = new Float64Array(family.parameters.length);
  const squares = new Float64Array(family.parameters.length);
  return (n: number): void => {
    family.elboGradient({ logDensity, rng, count: fit.gradSamples }, gradient);
    const size = eta / Math.sqrt(n);
    for (let i = 0; i < gradient.length; i++) {
      const square = gradient[i] * gradient[i];
      squares[i] = n === 1 ? square : memory * squares[i] + (1 - memory) * square;
      family.parameters[i] += (size * gradient[i]) / (tau + Math.sqrt(squares[i]));
    }
  };
}

/** Estimate of the ELBO; −∞ if more than half of the draws have no density. */
function elboOf({ logDensity, request }: Ascent, family: VariationalFamily): number {
  const { rng, fit } = request;
  const q = new Float64Array(family.size);
  const gradient = new Float64Array(family.size);
  let sum = 0;
  let count = 0;
  for (let i = 0; i < fit.elboSamples; i++) {
    family.draw(rng, q);
    const value = logDensity(q, gradient);
    if (value === Number.NEGATIVE_INFINITY) continue;
    sum += value;
    count += 1;
  }
  if (2 * count < fit.elboSamples) return Number.NEGATIVE_INFINITY;
  const elbo = sum / count + family.entropy();
  return Number.isNaN(elbo) ? Number.NEGATIVE_INFINITY : elbo;
}

function drawsOf(family: VariationalFamily, logDensity: LogDensity): Approximation {
  const gradient = new Float64Array(family.size);
  return {
    mean: family.mean(),
    draw(_index, rng: Rng, q, statistics) {
      const square = family.draw(rng, q);
      statistics[0] = 0;
      statistics[1] = logDensity(q, gradient);
      // without the constant, as CmdStan writes it
      statistics[2] = -0.5 * square;
    },
  };
}
