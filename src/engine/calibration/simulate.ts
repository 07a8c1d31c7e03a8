/** Takes one draw from the prior, and the data that the program replicates from it. */
import { DomainError, ShapeError } from '../../math/errors.ts';
import { createChain } from '../chain.ts';
import { ChainEnd, ChainInterrupt } from '../chain-end.ts';
import type { ChainSettings } from '../chain-state.ts';
import { decodeFloats } from '../checkpoint.ts';
import type { Model } from '../model.ts';
import { openStream } from '../random-streams.ts';
import { placeOf } from './calibration-model.ts';
import type { Replication } from './plan.ts';

/** The prior is sampled under chain numbers that no run uses, so that its random streams are separate. */
const priorChains = 1 << 20;

export interface SimulationRequest {
  /** The model of the prior alone. */
  readonly model: Model;
  readonly settings: ChainSettings;
  readonly chain: number;
  readonly replications: readonly Replication[];
  readonly log: (line: string) => void;
  /** Called before each iteration; throws when the chain should end. */
  readonly beat: () => void;
}

export interface Simulation {
  /** The true values on the unconstrained scale. */
  readonly position: Float64Array;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Throws `ChainEnd`, and whatever `beat` throws. */
export function simulate(request: SimulationRequest): Simulation {
  const { model, settings, chain, replications } = request;
  const position = drawPrior(request);
  const output = new Float64Array(model.columns.length).fill(Number.NaN);
  try {
    model.constrain(position, openStream(settings.seed, chain, 'simulation'), output);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw failed(`the data could not be drawn: ${error.message}`);
  }
  const data = replications.map(({ data: name, source }): [string, unknown] => {
    const { from, count } = placeOf(model, source);
    const values = output.subarray(from, from + count);
    const odd = values.findIndex((value) => !Number.isFinite(value));
    if (odd >= 0) throw failed(`${model.columns[from + odd]} is ${values[odd]}`);
    return [name, nested(values, source.dims)];
  });
  return { position, data: Object.fromEntries(data) };
}

/** The last draw of a chain that samples the prior for as long as the run's chains sample their posteriors. */
function drawPrior({ model, settings, chain, log, beat }: SimulationRequest): Float64Array {
  const { calibration: _, ...plain } = settings;
  const numSamples = Math.max(1, settings.numSamples);
  // Only the end counts: nothing in between is saved.
  const own = { ...plain, numSamples, thin: numSamples, streamWarmup: false };
  const prior = createChain({ model, settings: own, chain: priorChains + chain });
  const advance = prior.advance({
    shouldPause: () => {
      beat();
      return false;
    },
  });
  if (advance.status === 'failed')
    throw failed(`the prior cannot be sampled: ${advance.failure.message}`);
  // the only reason to end early
  if (advance.status === 'running') throw new ChainInterrupt('asked to stop');
  const { divergences } = prior.progress();
  if (divergences > 0)
    log(
      `The prior was sampled with ${divergences} divergent transitions: the true values may miss part of it.`,
    );
  const checkpoint = prior.checkpoint();
  const position = 'position' in checkpoint ? checkpoint.position : null;
  if (position === null) throw failed('the prior has no parameters');
  return decodeFloats(position);
}

/** Turns an error in the simulated data into a failure of the simulation. */
export function asSimulationFailure(error: unknown): unknown {
  if (error instanceof DomainError || error instanceof ShapeError)
    return failed(`the program rejects its data: ${error.message}`);
  return error;
}

function failed(reason: string): ChainEnd {
  return new ChainEnd('no-simulation', `The simulation failed: ${reason}`);
}

/** First index fastest in `values`; outermost dimension first in the result. */
function nested(values: Float64Array, dims: readonly number[], offset = 0, stride = 1): unknown {
  const [size, ...rest] = dims;
  if (size === undefined) return values[offset];
  return Array.from({ length: size }, (_, i) =>
    nested(values, rest, offset + i * stride, stride * size),
  );
}
