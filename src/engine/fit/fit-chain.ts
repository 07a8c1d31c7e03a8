/**
 * A chain of an algorithm other than NUTS: it fits once, then each iteration is a draw from the fit.
 *
 * The fit follows from the seed, and the checkpoint contains the stream of the draws: after a kill the chain fits again
 * and continues with the next draw, bit-identically.
 */
import { DomainError } from '../../math/errors.ts';
import type { Rng } from '../../math/random/rng.ts';
import { assertNever } from '../../shared/assert-never.ts';
import { invariant } from '../../shared/invariant.ts';
import { ChainEnd, ChainInterrupt, failureOf } from '../chain-end.ts';
import type { ChainSettings, FitSettings } from '../chain-state.ts';
import { decodeFloats, encodeFloats, type FitCheckpoint, fitVersion } from '../checkpoint.ts';
import { createDrawBuffer, type DrawBuffer } from '../draw-buffer.ts';
import { type ChainFailure, type ChainProgress, fitColumns, type Phase } from '../events.ts';
import type { Advance, AdvanceLimit, Chain, ChainRequest } from '../machine.ts';
import type { Model } from '../model.ts';
import { openStream, restoreStream } from '../random-streams.ts';
import { fitAdvi } from './advi.ts';
import type { Approximation, Fit, FitRequest } from './fit.ts';
import { fitNothing } from './fixed.ts';
import { ownColumnsOf, readDraws } from './generate.ts';
import { fitLaplace } from './laplace.ts';
import { fitOptimum } from './optimize.ts';
import { fitPathfinder } from './pathfinder.ts';

/** Throws `ChainEnd` when the checkpoint belongs to another chain. */
export function createFitChain(request: ChainRequest): Chain {
  const { fit } = request.settings;
  invariant(fit, 'a chain that fits needs the settings of its algorithm');
  return new FitChain(request, fit);
}

/** Where checkpoints of different chains differ. */
const identity = ['fitVersion', 'seed', 'chain', 'numColumns', 'settings'] as const;

class FitChain implements Chain {
  readonly columns: readonly string[];
  private readonly model: Model;
  private readonly settings: ChainSettings;
  private readonly fit: FitSettings;
  private readonly chain: number;
  private readonly bound: string;
  private readonly buffer: DrawBuffer;
  private readonly statistics: Float64Array;
  private readonly output: Float64Array;
  private readonly position: Float64Array;
  private readonly log: (line: string) => void;
  private readonly now: () => number;
  private running: Fit | null = null;
  private fitted: Approximation | null = null;
  private drawRng: Rng;
  private generatedRng: Rng;
  private iteration = 0;
  private warmupDraws = 0;
  private samplingDraws = 0;
  private seconds = { warmup: 0, sampling: 0 };
  private hasNoted = false;

  constructor(request: ChainRequest, fit: FitSettings) {
    const { model, settings, chain, checkpoint, onLog, now } = request;
    this.model = model;
    const most = settings.source?.count ?? settings.numSamples;
    this.settings = { ...settings, numSamples: Math.min(settings.numSamples, most) };
    this.fit = fit;
    this.chain = chain;
    this.bound = boundSettings(settings, fit);
    const own =
      settings.source === undefined ? fitColumns[fit.algorithm] : ownColumnsOf(settings.source);
    this.columns = [...own, ...model.columns];
    this.log = onLog ?? (() => {});
    this.now = now ?? (() => performance.now());
    this.drawRng = openStream(settings.seed, chain, 'fit-draws');
    this.generatedRng = openStream(settings.seed, chain, 'generated');
    if (checkpoint !== undefined) this.restore(checkpoint);
    const { warmupDraws: warmup, samplingDraws: sampling } = this;
    this.buffer = createDrawBuffer(chain, this.columns.length, { warmup, sampling });
    this.statistics = this.buffer.row().subarray(0, own.length);
    this.output = this.buffer.row().subarray(own.length);
    this.position = new Float64Array(model.numUnconstrained);
  }

  advance(limit: AdvanceLimit = {}): Advance {
    const { maxIterations = Number.POSITIVE_INFINITY, shouldPause } = limit;
    const end = this.settings.numSamples;
    const failure = this.guard(() => {
      if (this.iteration >= end) return;
      const fitted = this.timed('warmup', () => this.fitUnlessPaused(shouldPause));
      if (fitted === null) return;
      for (let n = 0; n < maxIterations && this.iteration < end; n++) {
        if (shouldPause?.()) return;
        this.timed('sampling', () => this.iterate(fitted));
      }
    });
    const blocks = this.buffer.take();
    if (failure !== null) return { status: 'failed', blocks, failure };
    return { status: this.iteration < end ? 'running' : 'finished', blocks };
  }

  checkpoint(): FitCheckpoint {
    return {
      fitVersion,
      seed: this.settings.seed,
      chain: this.chain,
      numColumns: this.columns.length,
      settings: this.bound,
      iteration: this.iteration,
      rng: {
        draws: encodeFloats(this.drawRng.state()),
        generated: encodeFloats(this.generatedRng.state()),
      },
      warmupDraws: this.warmupDraws,
      samplingDraws: this.samplingDraws,
      warmupSeconds: this.seconds.warmup,
      samplingSeconds: this.seconds.sampling,
    };
  }

  progress(): ChainProgress {
    return {
      chain: this.chain,
      phase: 'sampling',
      iteration: this.iteration,
      of: this.settings.numSamples,
      stepSize: Number.NaN,
      divergences: 0,
      treeDepthHits: 0,
      leapfrogs: 0,
      warmupLeapfrogs: 0,
      warmupSeconds: this.seconds.warmup,
      samplingSeconds: this.seconds.sampling,
    };
  }

  private restore(checkpoint: NonNullable<ChainRequest['checkpoint']>): void {
    const own = this.checkpoint();
    if (!('fitVersion' in checkpoint) || identity.some((key) => checkpoint[key] !== own[key]))
      throw new ChainEnd('bad-checkpoint', 'The checkpoint belongs to another run or version.');
    this.iteration = checkpoint.iteration;
    this.warmupDraws = checkpoint.warmupDraws;
    this.samplingDraws = checkpoint.samplingDraws;
    this.drawRng = restoreStream([...decodeFloats(checkpoint.rng.draws)]);
    this.generatedRng = restoreStream([...decodeFloats(checkpoint.rng.generated)]);
    this.seconds = { warmup: checkpoint.warmupSeconds, sampling: checkpoint.samplingSeconds };
  }

  private guard(run: () => void): ChainFailure | null {
    try {
      run();
      return null;
    } catch (error) {
      // an exception ends a generator: the next call restarts the fit from the same seed
      this.running = null;
      return error instanceof ChainInterrupt ? null : failureOf(error, this.chain);
    }
  }

  private timed<T>(phase: Phase, run: () => T): T {
    const began = this.now();
    try {
      return run();
    } finally {
      this.seconds[phase] += (this.now() - began) / 1000;
    }
  }

  /** The fit; null if a pause comes first. */
  private fitUnlessPaused(shouldPause: (() => boolean) | undefined): Approximation | null {
    while (this.fitted === null) {
      if (shouldPause?.()) return null;
      this.running ??= this.begin();
      const step = this.running.next();
      if (step.done) this.fitted = step.value;
      else if (step.value !== null && this.iteration === 0) this.log(step.value);
    }
    return this.fitted;
  }

  private begin(): Fit {
    const { settings, model, chain, fit } = this;
    const { seed } = settings;
    const request: FitRequest = {
      model,
      settings,
      fit,
      startRng: openStream(seed, chain, 'inits'),
      rng: openStream(seed, chain, 'fit'),
    };
    return beginFit(request);
  }

  /** An exception leaves the chain unchanged: only the random streams have moved, and are put back. */
  private iterate(fitted: Approximation): void {
    const before = [this.drawRng.state(), this.generatedRng.state()];
    try {
      this.keepMean(fitted);
      fitted.draw(this.iteration, this.drawRng, this.position, this.statistics);
      const isSaved = this.iteration % this.settings.thin === 0;
      if (isSaved) {
        this.constrain(this.generatedRng);
        fitted.overwrite?.(this.output);
        this.buffer.keep('sampling');
        this.samplingDraws += 1;
      }
      this.iteration += 1;
    } catch (error) {
      this.drawRng = restoreStream(before[0]);
      this.generatedRng = restoreStream(before[1]);
      throw error;
    }
  }

  /** Writes the row before the draws, once. */
  private keepMean({ mean }: Approximation): void {
    if (mean === undefined || this.warmupDraws > 0) return;
    this.position.set(mean);
    this.statistics.fill(0);
    this.constrain(openStream(this.settings.seed, this.chain, 'generated-warmup'));
    this.buffer.keep('warmup');
    this.warmupDraws = 1;
  }

  private constrain(rng: Rng): void {
    this.output.fill(Number.NaN);
    try {
      this.model.constrain(this.position, rng, this.output);
    } catch (error) {
      // a reject() in generated quantities leaves NaN where nothing was written
      if (!(error instanceof DomainError)) throw error;
      if (!this.hasNoted) this.log(`Some quantities of a draw are undefined: ${error.message}`);
      this.hasNoted = true;
    }
  }
}

function beginFit(request: FitRequest): Fit {
  switch (request.fit.algorithm) {
    case 'optimize':
      return fitOptimum(request);
    case 'laplace':
      return fitLaplace(request);
    case 'pathfinder':
      return fitPathfinder(request);
    case 'advi':
      return fitAdvi(request);
    case 'fixed_param':
      return fitNothing(request);
    case 'generate_quantities':
      return readDraws(request);
    default:
      return assertNever(request.fit.algorithm);
  }
}

/** Settings that earlier draws depend on; the number of draws is free, so that a run can be extended. */
function boundSettings({ thin, initRadius, inits }: ChainSettings, fit: FitSettings): string {
  return JSON.stringify({ ...fit, thin, initRadius, inits });
}
