/**
 * One Markov chain as a machine that advances by complete iterations and can be suspended between any two.
 *
 * An iteration is a transaction: whatever it throws, the chain stays as it was before. So a chain can be stopped in the
 * middle of an iteration and still leave an exact checkpoint.
 */
import { DomainError } from '../math/errors.ts';
import { type AdaptationSchedule, adapt } from './adaptation/adapt.ts';
import { startDualAveraging } from './adaptation/dual-averaging.ts';
import { startFisherMetric } from './adaptation/fisher.ts';
import { createFisherSchedule } from './adaptation/fisher-schedule.ts';
import { searchStepSize } from './adaptation/initial-step-size.ts';
import { createWarmupSchedule } from './adaptation/warmup-schedule.ts';
import { ChainEnd, ChainInterrupt, failureOf } from './chain-end.ts';
import {
  type ChainIdentity,
  type ChainSettings,
  type ChainState,
  checkpointMismatch,
  freshState,
  openGeneratedStream,
  readCheckpoint,
  writeCheckpoint,
} from './chain-state.ts';
import type { NutsCheckpoint } from './checkpoint.ts';
import { createDensityChain } from './density-chain.ts';
import { createDrawBuffer, type DrawBuffer } from './draw-buffer.ts';
import { type ChainFailure, type ChainProgress, type Phase, samplerColumns } from './events.ts';
import { createFitChain } from './fit/fit-chain.ts';
import { pathfinderStart } from './fit/pathfinder-start.ts';
import { createHamiltonian, type Hamiltonian } from './hmc/hamiltonian.ts';
import { ownMetricKind } from './hmc/metric.ts';
import { copyPhasePoint, type PhasePoint } from './hmc/phase-point.ts';
import { adaptiveStep } from './hmc/trajectory-step.ts';
import { createNutsSampler, type NutsSampler, type Transition } from './hmc/transition.ts';
import { findStart } from './inits.ts';
import type { Advance, AdvanceLimit, Chain, ChainRequest } from './machine.ts';
import { createMatchingChain } from './matching/matching-chain.ts';
import type { Model } from './model.ts';
import { profiledChain } from './profiled-chain.ts';
import { openStream, restoreStream } from './random-streams.ts';

const maxNotes = 12;

/** Warmup draws of more columns are not worth computing and storing if nobody keeps them: see `ChainSettings`. */
const mostViewedColumns = 5000;

/** Throws `ChainEnd` when the checkpoint belongs to another chain. */
export function createChain(request: ChainRequest): Chain {
  return profiledChain(newChain(request), request.model, request.checkpoint?.profiles);
}

function newChain(request: ChainRequest): Chain {
  const { fit, matching, density } = request.settings;
  if (density !== undefined) return createDensityChain(request, density);
  if (matching !== undefined) return createMatchingChain(request, matching);
  return fit === undefined ? new NutsChain(request) : createFitChain(request);
}

class NutsChain implements Chain {
  readonly columns: readonly string[];
  private readonly model: Model;
  private readonly settings: ChainSettings;
  private readonly identity: ChainIdentity;
  private readonly state: ChainState;
  private readonly schedule: AdaptationSchedule;
  private readonly hamiltonian: Hamiltonian;
  private readonly sampler: NutsSampler;
  private readonly buffer: DrawBuffer;
  private readonly output: Float64Array;
  private readonly log: (line: string) => void;
  private readonly now: () => number;
  private readonly notes = new Set<string>();
  private hasShared = false;

  constructor({ model, settings, chain, checkpoint, onLog, now }: ChainRequest) {
    this.model = model;
    // without parameters there is nothing to tune
    const numWarmup = model.numUnconstrained === 0 ? 0 : settings.numWarmup;
    const streamWarmup =
      settings.streamWarmup === 'if-small'
        ? model.columns.length <= mostViewedColumns
        : settings.streamWarmup;
    this.settings = nutsSettings({ ...settings, streamWarmup }, numWarmup);
    this.columns = [...samplerColumns, ...model.columns];
    this.identity = {
      settings: this.settings,
      chain,
      numUnconstrained: model.numUnconstrained,
      numColumns: this.columns.length,
    };
    if (checkpoint === undefined) {
      this.state = freshState(this.identity);
    } else {
      if ('fitVersion' in checkpoint)
        throw new ChainEnd('bad-checkpoint', 'The checkpoint belongs to another algorithm.');
      const mismatch = checkpointMismatch(checkpoint, this.identity);
      if (mismatch !== null) throw new ChainEnd('bad-checkpoint', mismatch);
      this.state = readCheckpoint(checkpoint, this.identity);
    }
    this.schedule =
      settings.adaptsByFisher === true
        ? { kind: 'fisher', windows: createFisherSchedule(numWarmup) }
        : { kind: 'stan', windows: createWarmupSchedule(numWarmup) };
    this.log = onLog ?? (() => {});
    this.now = now ?? (() => performance.now());
    this.hamiltonian = createHamiltonian({
      model,
      metric: this.state.metric,
      onReject: (reason) => this.noteRejection(reason),
    });
    const step = settings.sampler === 'walnuts' ? adaptiveStep(this.hamiltonian) : undefined;
    this.sampler = createNutsSampler(this.hamiltonian, settings.maxTreeDepth, step);
    this.buffer = createDrawBuffer(chain, this.columns.length, {
      warmup: this.state.warmupDraws,
      sampling: this.state.samplingDraws,
    });
    this.output = this.buffer.row().subarray(samplerColumns.length);
  }

  advance(limit: AdvanceLimit = {}): Advance {
    const { maxIterations = Number.POSITIVE_INFINITY, shouldPause } = limit;
    const { state } = this;
    const end = this.settings.numWarmup + this.settings.numSamples;
    const failure = this.guard(() => {
      for (let n = 0; n < maxIterations && state.iteration < end; n++) {
        if (shouldPause?.()) return;
        if (this.isToShare()) return;
        this.timed(() => this.iterate());
      }
    });
    const blocks = this.buffer.take();
    if (failure !== null) return { status: 'failed', blocks, failure };
    return { status: state.iteration < end ? 'running' : 'finished', blocks };
  }

  /** True once, when its warmup has ended and others start from there. */
  private isToShare(): boolean {
    const { settings, state } = this;
    if (this.hasShared || settings.sharesWarmup !== true) return false;
    this.hasShared = state.iteration === settings.numWarmup;
    return this.hasShared;
  }

  checkpoint(): NutsCheckpoint {
    return writeCheckpoint(this.state, this.identity);
  }

  progress(): ChainProgress {
    const { iteration, stepSize, tally } = this.state;
    return {
      chain: this.identity.chain,
      phase: this.phase(),
      iteration,
      of: this.settings.numWarmup + this.settings.numSamples,
      stepSize,
      ...tally,
    };
  }

  private guard(run: () => void): ChainFailure | null {
    try {
      run();
      return null;
    } catch (error) {
      if (error instanceof ChainInterrupt) return null;
      return failureOf(error, this.identity.chain);
    }
  }

  private timed(run: () => void): void {
    const { tally } = this.state;
    const isWarmup = this.phase() === 'warmup';
    const began = this.now();
    try {
      run();
    } finally {
      const seconds = (this.now() - began) / 1000;
      if (isWarmup) tally.warmupSeconds += seconds;
      else tally.samplingSeconds += seconds;
    }
  }

  private phase(): Phase {
    return this.state.iteration < this.settings.numWarmup ? 'warmup' : 'sampling';
  }

  /** An exception leaves the chain unchanged: before `commit`, only the random streams have moved. */
  private iterate(): void {
    const { state } = this;
    const before = [state.transitionRng.state(), state.generatedRng.state()];
    try {
      this.ensureStart();
      const stepSize = this.dueStepSize();
      const transition = this.move(stepSize);
      const isSaved = this.fillRow(transition, stepSize);
      this.commit({ transition, stepSize, isSaved });
    } catch (error) {
      state.transitionRng = restoreStream(before[0]);
      state.generatedRng = restoreStream(before[1]);
      throw error;
    }
  }

  private ensureStart(): void {
    const { model, settings, state, identity } = this;
    if (state.hasStart || model.numUnconstrained === 0) return;
    const search = {
      model,
      rng: openStream(settings.seed, identity.chain, 'inits'),
      radius: settings.initRadius,
      inits: settings.inits,
    };
    const found = findStart(search);
    if (!found.ok) throw new ChainEnd('no-start', found.message);
    const start =
      settings.startsAtPathfinder === true
        ? pathfinderStart({
            model,
            settings,
            chain: identity.chain,
            start: found.start,
            nextStart: () => {
              const next = findStart(search);
              return next.ok ? next.start : null;
            },
          })
        : found.start;
    if (start === null) this.log('Pathfinder found no starting point: the chain starts at random.');
    copyPhasePoint(start ?? found.start, state.point);
    if (settings.adaptsByFisher === true) startFisherMetric(state.metric, state.point.gradient);
    state.hasStart = true;
  }

  private dueStepSize(): number {
    const { model, hamiltonian, state } = this;
    if (!state.searchStepSize || model.numUnconstrained === 0) return state.stepSize;
    const { point: start, stepSize, transitionRng: rng } = state;
    const found = searchStepSize({ hamiltonian, start, stepSize, rng });
    if (!found.ok) throw new ChainEnd('no-step-size', found.message);
    return found.stepSize;
  }

  /** A transition, or null when there is nothing to move. */
  private move(stepSize: number): Transition | null {
    if (this.model.numUnconstrained === 0) return null;
    const { point: start, transitionRng: rng } = this.state;
    return this.sampler({ start, stepSize, rng });
  }

  /** Writes the row of this iteration if it is to be saved. */
  private fillRow(transition: Transition | null, stepSize: number): boolean {
    const { settings, state, model, output } = this;
    const isWarmup = this.phase() === 'warmup';
    if (isWarmup && !settings.streamWarmup) return false;
    const place = isWarmup ? state.iteration : state.iteration - settings.numWarmup;
    if (place % settings.thin !== 0) return false;

    const row = this.buffer.row();
    // without parameters these stay 0
    if (transition !== null) {
      row[0] = transition.draw.logDensity;
      row[1] = transition.acceptStat;
      row[2] = stepSize;
      row[3] = transition.treeDepth;
      row[4] = transition.numLeapfrog;
      row[5] = transition.end === 'diverging' ? 1 : 0;
      row[6] = transition.energy;
    }
    output.fill(Number.NaN);
    try {
      model.constrain((transition?.draw ?? state.point).q, state.generatedRng, output);
    } catch (error) {
      // a reject() in generated quantities leaves NaN where nothing was written
      if (!(error instanceof DomainError)) throw error;
      this.noteOnce(`Some quantities of a draw are undefined: ${error.message}`);
    }
    return true;
  }

  /** Makes the iteration count. Nothing here throws. */
  private commit(done: {
    transition: Transition | null;
    stepSize: number;
    isSaved: boolean;
  }): void {
    const { settings, state } = this;
    const phase = this.phase();
    const { transition, stepSize } = done;
    if (done.isSaved) {
      this.buffer.keep(phase);
      if (phase === 'warmup') state.warmupDraws += 1;
      else state.samplingDraws += 1;
    }
    if (transition !== null) {
      const isInformative = saysMuch(transition, state.point);
      copyPhasePoint(transition.draw, state.point);
      if (state.searchStepSize) state.dualAveraging = startDualAveraging(stepSize);
      state.searchStepSize = false;
      state.stepSize = stepSize;
      this.count(transition, phase);
      if (phase === 'warmup') {
        const { acceptStat } = transition;
        adapt(state, { acceptStat, isInformative }, settings, this.schedule);
      }
    }
    state.iteration += 1;
    if (state.iteration === settings.numWarmup) {
      state.generatedRng = openGeneratedStream(settings, this.identity.chain, state.iteration);
    }
  }

  private count({ end, numLeapfrog, treeDepth }: Transition, phase: Phase): void {
    const { tally } = this.state;
    if (phase === 'warmup') {
      tally.warmupLeapfrogs += numLeapfrog;
      return;
    }
    tally.leapfrogs += numLeapfrog;
    if (end === 'diverging') tally.divergences += 1;
    if (treeDepth >= this.settings.maxTreeDepth) tally.treeDepthHits += 1;
  }

  private noteRejection(reason: string): void {
    this.noteOnce(`A proposal was rejected because the density is undefined there: ${reason}`);
  }

  /** Logs each line once, and stops after a dozen: reasons may contain ever new values. */
  private noteOnce(line: string): void {
    if (this.notes.has(line) || this.notes.size >= maxNotes) return;
    this.notes.add(line);
    this.log(line);
  }
}

/** Settings of chains that NUTS does not sample, or of the model. */
type SettingsOfOthers = 'fit' | 'calibration' | 'source' | 'density' | 'matching';

/**
 * Lists every setting of NUTS by name: V8 sometimes gives spread copies a different hidden class, and then discards the
 * code it compiled for the previous one. Forgetting a setting here is a compile error.
 */
function nutsSettings(settings: ChainSettings, numWarmup: number): ChainSettings {
  const { seed, numSamples, thin, initRadius, adaptDelta, maxTreeDepth, metric } = settings;
  const { inits, streamWarmup, adaptsByFisher, sampler, sharesWarmup } = settings;
  const { startsAtPathfinder, startPaths } = settings;
  return {
    seed,
    numWarmup,
    numSamples,
    thin,
    initRadius,
    adaptDelta,
    maxTreeDepth,
    metric: ownMetricKind(metric),
    inits,
    streamWarmup,
    adaptsByFisher,
    sampler,
    sharesWarmup,
    startsAtPathfinder,
    startPaths,
  } satisfies Record<Exclude<keyof ChainSettings, SettingsOfOthers>, unknown>;
}

/** Deep enough that a diverged trajectory has left the place where it began. */
const deepEnough = 3;

function saysMuch({ draw, end, treeDepth }: Transition, from: PhasePoint): boolean {
  if (end === 'diverging' && treeDepth < deepEnough) return false;
  for (let i = 0; i < from.q.length; i++) if (draw.q[i] !== from.q[i]) return true;
  return false;
}
