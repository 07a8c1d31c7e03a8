/**
 * Leave-one-out by moment matching as a chain: each iteration is an observation whose Pareto k is too high, and its row
 * contains the result. So threads, limits, stopping and progress are the same as for every other chain.
 */
import { DomainError } from '../../math/errors.ts';
import type { Rng } from '../../math/random/rng.ts';
import { looOf } from '../../posterior/loo.ts';
import { type MatchTarget, matchMoments } from '../../posterior/moment-match.ts';
import { ChainEnd, ChainInterrupt, failureOf } from '../chain-end.ts';
import type { MatchingSettings } from '../chain-state.ts';
import type { FitCheckpoint } from '../checkpoint.ts';
import { createDrawBuffer, type DrawBuffer } from '../draw-buffer.ts';
import type { ChainFailure, ChainProgress } from '../events.ts';
import { createPointReader } from '../fit/source-points.ts';
import type { Advance, AdvanceLimit, Chain, ChainRequest } from '../machine.ts';
import type { Model } from '../model.ts';
import { oneOffCheckpoint, oneOffProgress } from '../one-off-chain.ts';
import { openStream } from '../random-streams.ts';

/** For an observation (its index from 0): k before and after, its elpd, and how often the draws were moved. */
export const matchingColumns = [
  'observation__',
  'pareto_k_before__',
  'pareto_k__',
  'elpd_loo__',
  'moves__',
] as const;

/** Draws at which the log likelihood is recomputed; files may have only six digits. */
const numChecked = 10;

interface Prepared {
  readonly target: MatchTarget;
  /** Indexes of the observations to improve, and the k of each. */
  readonly high: readonly number[];
  readonly k: Float64Array;
  readonly threshold: number;
}

export function createMatchingChain(request: ChainRequest, matching: MatchingSettings): Chain {
  return new MatchingChain(request, matching);
}

class MatchingChain implements Chain {
  readonly columns = matchingColumns;
  private readonly buffer: DrawBuffer;
  private readonly rng: Rng;
  private prepared: Prepared | null = null;
  private done = 0;

  constructor(
    private readonly request: ChainRequest,
    private readonly matching: MatchingSettings,
  ) {
    const { chain, settings } = request;
    this.buffer = createDrawBuffer(chain, matchingColumns.length, { warmup: 0, sampling: 0 });
    this.rng = openStream(settings.seed, chain, 'generated');
  }

  advance({ maxIterations = Number.POSITIVE_INFINITY, shouldPause }: AdvanceLimit = {}): Advance {
    const failure = this.guard(() => {
      if (shouldPause?.()) return;
      this.prepared ??= this.prepare(shouldPause);
      const { high } = this.prepared;
      for (let n = 0; n < maxIterations && this.done < high.length; n++) {
        if (n > 0 && shouldPause?.()) return;
        this.match(this.prepared, high[this.done]);
        this.done += 1;
      }
    });
    const blocks = this.buffer.take();
    if (failure !== null) return { status: 'failed', blocks, failure };
    const isDone = this.prepared !== null && this.done === this.prepared.high.length;
    return { status: isDone ? 'finished' : 'running', blocks };
  }

  /** What a lost thread had found is computed again. */
  checkpoint(): FitCheckpoint {
    const [numColumns, done] = [this.columns.length, this.done];
    return oneOffCheckpoint(this.request, { numColumns, done });
  }

  progress(): ChainProgress {
    return oneOffProgress(this.request.chain, this.done, this.prepared?.high.length ?? 0);
  }

  private guard(run: () => void): ChainFailure | null {
    try {
      run();
      return null;
    } catch (error) {
      return error instanceof ChainInterrupt ? null : failureOf(error, this.request.chain);
    }
  }

  /** The draws on the unconstrained scale, their densities, and which observations need it. `beat` shows progress. */
  private prepare(beat: (() => boolean) | undefined): Prepared {
    const { matching, rng } = this;
    const { model } = this.request;
    const { count } = matching.draws;
    const dimension = model.numUnconstrained;
    const values = new Float64Array(count * dimension);
    const logDensity = new Float64Array(count);
    const points = createPointReader(model, matching.draws);
    const gradient = new Float64Array(dimension);
    for (let s = 0; s < count; s++) {
      const q = values.subarray(s * dimension, (s + 1) * dimension);
      points.read(s, q);
      logDensity[s] = densityAt(model, q, gradient);
      if (s % 100 === 0) beat?.();
    }
    const loo = looOf(this.observations());
    const high = Array.from(loo.pareto_k.keys()).filter((i) => loo.pareto_k[i] > loo.threshold);
    const evaluate = createEvaluate(model, matching.observations, rng);
    if (high.length > 0) this.checkLogLik(values, evaluate, high[0]);
    const draws = { values, count, dimension };
    const target = { draws, numChains: matching.numChains, logDensity, evaluate };
    return { target, high, k: loo.pareto_k, threshold: loo.threshold };
  }

  /** The program must reproduce the run's values at a draw, which it does not if they contain random numbers. */
  private checkLogLik(
    values: Float64Array,
    evaluate: MatchTarget['evaluate'],
    observation: number,
  ): void {
    const { matching } = this;
    const { count } = matching.draws;
    const dimension = this.request.model.numUnconstrained;
    for (let s = 0; s < count; s += Math.max(1, Math.floor(count / numChecked))) {
      const [, now] = evaluate(values.subarray(s * dimension, (s + 1) * dimension), observation);
      const then = matching.logLik[observation * count + s];
      if (Math.abs(now - then) <= 1e-3 * Math.max(1, Math.abs(then))) continue;
      throw new ChainEnd(
        'program-invalid',
        `${matching.observations[observation]} is ${now} where the run has ${then} at the same parameters. It must follow from the parameters and the data alone.`,
      );
    }
  }

  private observations(): Float64Array[][] {
    const { observations, numChains, draws } = this.matching;
    const length = draws.count / numChains;
    return observations.map((_, i) =>
      Array.from({ length: numChains }, (__, chain) => {
        const from = i * draws.count + chain * length;
        return this.matching.logLik.subarray(from, from + length);
      }),
    );
  }

  private match({ target, k, threshold }: Prepared, observation: number): void {
    const { count } = this.matching.draws;
    const logLik = this.matching.logLik.slice(observation * count, (observation + 1) * count);
    const { pareto_k, elpd_loo, moves } = matchMoments(target, observation, logLik, { threshold });
    this.buffer.row().set([observation, k[observation], pareto_k, elpd_loo, moves]);
    this.buffer.keep('sampling');
  }
}

function densityAt(model: Model, q: Float64Array, gradient: Float64Array): number {
  try {
    return model.logDensityGradient(q, gradient);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return Number.NEGATIVE_INFINITY;
  }
}

/** The density at a point and the log likelihood of an observation, which is among the program's quantities. */
function createEvaluate(
  model: Model,
  observations: readonly string[],
  rng: Rng,
): MatchTarget['evaluate'] {
  const places = new Map(model.columns.map((name, c) => [name, c]));
  const columns = observations.map((name) => places.get(name) ?? -1);
  const gradient = new Float64Array(model.numUnconstrained);
  const output = new Float64Array(model.columns.length);
  return (point, observation) => {
    const density = densityAt(model, point, gradient);
    if (!Number.isFinite(density)) return [Number.NEGATIVE_INFINITY, 0];
    output.fill(Number.NaN);
    try {
      model.constrain(point, rng, output);
    } catch (error) {
      // a reject() in generated quantities leaves NaN where nothing was written
      if (!(error instanceof DomainError)) throw error;
    }
    return [density, output[columns[observation]]];
  };
}
