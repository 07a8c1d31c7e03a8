/** The complete state of a chain between two iterations, and its conversion to and from a checkpoint. */
import type { Rng } from '../math/random/rng.ts';
import type { DualAveraging } from './adaptation/dual-averaging.ts';
import { createFisherSample, type FisherSample } from './adaptation/fisher.ts';
import { createWelford, type Welford } from './adaptation/welford.ts';
import {
  type ChainTally,
  type CheckpointSettings,
  decodeFloats,
  encodeFloats,
  engineVersion,
  type NutsCheckpoint,
  nothingTallied,
} from './checkpoint.ts';
import { createMetric, type Metric, setInvMetric } from './hmc/metric.ts';
import { createPhasePoint, type PhasePoint } from './hmc/phase-point.ts';
import type { DensityPoint } from './log-density.ts';
import { openStream, restoreStream } from './random-streams.ts';
import type { Algorithm, Settings } from './settings-table.ts';

/** What one chain needs from the settings of its run. */
export interface ChainSettings
  extends Pick<
    Settings,
    'numWarmup' | 'numSamples' | 'thin' | 'initRadius' | 'adaptDelta' | 'maxTreeDepth' | 'metric'
  > {
  readonly seed: number;
  /** Of this chain: constrained values by name. */
  readonly inits: Readonly<Record<string, unknown>> | null;
  /**
   * Whether warmup draws are emitted; `if-small`: only if the model has few columns, since nobody keeps them. Does not
   * affect sampling draws.
   */
  readonly streamWarmup: boolean | 'if-small';
  /** True: warmup minimises the Fisher divergence of draws and gradients, instead of Stan's windows. */
  readonly adaptsByFisher?: boolean;
  /** Absent: NUTS with steps of one size. */
  readonly sampler?: 'walnuts';
  /** True: other chains start from its warmup, so it emits a checkpoint right after it. */
  readonly sharesWarmup?: boolean;
  /** True: starts at a draw of Pathfinder. */
  readonly startsAtPathfinder?: boolean;
  /** How many of its paths are followed and weighted; absent: one. */
  readonly startPaths?: number;
  /** Settings of an algorithm other than NUTS; absent: NUTS. */
  readonly fit?: FitSettings;
  /** The chain simulates its data. */
  readonly calibration?: CalibrationSettings;
  /** The draws that `generate_quantities` reads. */
  readonly source?: SourceDraws;
  /** The log density at a point, instead of draws. */
  readonly density?: DensityPoint;
  /** Leave-one-out by moment matching, instead of draws. */
  readonly matching?: MatchingSettings;
}

/** The draws of a finished run, chain by chain, whose leave-one-out weights are improved. */
export interface MatchingSettings {
  readonly draws: SourceDraws;
  readonly numChains: number;
  /** Names of the pointwise log likelihoods, and their values at the draws, `draws.count` each. */
  readonly observations: readonly string[];
  readonly logLik: Float64Array;
}

/** The draws of one chain of a finished run. */
export interface SourceDraws {
  /** Its own columns (`lp__`, …) and at least the parameters, by flat name. */
  readonly columns: readonly string[];
  readonly count: number;
  /** `count` values each, column by column. */
  readonly values: Float64Array;
  /** Whether all columns other than its own are parameters; otherwise there may be other quantities among them. */
  readonly isParametersOnly: boolean;
}

/** Manual choices; null: found by name. */
export type CalibrationSettings = Pick<Settings, 'simulated' | 'priorFlag'>;

/** Settings on which an approximation, an optimum or fixed parameters depend; checkpoints hold them in this order. */
export const fitSettingNames = [
  'jacobian',
  'iter',
  'historySize',
  'initAlpha',
  'tolObj',
  'tolRelObj',
  'tolGrad',
  'tolRelGrad',
  'tolParam',
  'numPaths',
  'numElboDraws',
  'psisResample',
  'approximation',
  'gradSamples',
  'elboSamples',
  'evalElbo',
  'eta',
  'adaptIter',
] as const satisfies readonly (keyof Settings)[];

export type FitSettings = { readonly algorithm: FitAlgorithm } & Pick<
  Settings,
  (typeof fitSettingNames)[number]
>;
export type FitAlgorithm = Exclude<Algorithm, 'nuts' | 'calibration'>;

export interface ChainState {
  iteration: number;
  hasStart: boolean;
  /** Position, log density and gradient of the last draw; its momentum is not used. */
  readonly point: PhasePoint;
  stepSize: number;
  searchStepSize: boolean;
  dualAveraging: DualAveraging;
  readonly metric: Metric;
  readonly welford: Welford;
  /** Null with Stan's adaptation. */
  readonly fisher: FisherSample | null;
  transitionRng: Rng;
  generatedRng: Rng;
  warmupDraws: number;
  samplingDraws: number;
  readonly tally: ChainTally;
}

/** What a checkpoint must match. */
export interface ChainIdentity {
  readonly settings: ChainSettings;
  readonly chain: number;
  readonly numUnconstrained: number;
  readonly numColumns: number;
}

/** A class rather than spread copies, whose hidden class varies. */
class Tally implements ChainTally {
  divergences: number;
  treeDepthHits: number;
  leapfrogs: number;
  warmupLeapfrogs: number;
  warmupSeconds: number;
  samplingSeconds: number;

  constructor(tally: Readonly<ChainTally>) {
    this.divergences = tally.divergences;
    this.treeDepthHits = tally.treeDepthHits;
    this.leapfrogs = tally.leapfrogs;
    this.warmupLeapfrogs = tally.warmupLeapfrogs;
    this.warmupSeconds = tally.warmupSeconds;
    this.samplingSeconds = tally.samplingSeconds;
  }
}

export function freshState({ settings, chain, numUnconstrained }: ChainIdentity): ChainState {
  const { seed } = settings;
  const isFisher = settings.adaptsByFisher === true;
  return {
    iteration: 0,
    hasStart: false,
    point: createPhasePoint(numUnconstrained),
    stepSize: 1,
    searchStepSize: true,
    dualAveraging: { mu: 0, counter: 0, sBar: 0, xBar: 0, nearOne: 0 },
    metric: createMetric(settings.metric, numUnconstrained),
    welford: createWelford(isFisher ? 'unit' : settings.metric, numUnconstrained),
    fisher: isFisher ? createFisherSample(settings.metric, numUnconstrained) : null,
    transitionRng: openStream(seed, chain, 'transition'),
    generatedRng: openGeneratedStream(settings, chain, 0),
    warmupDraws: 0,
    samplingDraws: 0,
    tally: new Tally(nothingTallied),
  };
}

/** Generated quantities of warmup have a separate stream, so that saving them or not changes no later draw. */
export function openGeneratedStream(
  settings: ChainSettings,
  chain: number,
  iteration: number,
): Rng {
  const purpose = iteration < settings.numWarmup ? 'generated-warmup' : 'generated';
  return openStream(settings.seed, chain, purpose);
}

export function writeCheckpoint(state: ChainState, identity: ChainIdentity): NutsCheckpoint {
  const { point, dualAveraging: da, metric, welford, fisher } = state;
  return {
    engineVersion,
    seed: identity.settings.seed,
    chain: identity.chain,
    numUnconstrained: identity.numUnconstrained,
    numColumns: identity.numColumns,
    settings: boundSettings(identity.settings),
    iteration: state.iteration,
    position: state.hasStart ? encodeFloats(point.q) : null,
    gradient: encodeFloats(point.gradient),
    logDensity: encodeFloats([point.logDensity]),
    stepSize: encodeFloats([state.stepSize]),
    searchStepSize: state.searchStepSize,
    dualAveraging: encodeFloats([da.mu, da.counter, da.sBar, da.xBar, da.nearOne]),
    invMetric: metric.kind === 'unit' ? '' : encodeFloats(metric.invMetric),
    welford: {
      count: welford.count,
      mean: encodeFloats(welford.mean),
      m2: encodeFloats(welford.m2),
    },
    ...(fisher === null ? {} : { fisher: { ...fisher, values: encodeFloats(fisher.values) } }),
    rng: {
      transition: encodeFloats(state.transitionRng.state()),
      generated: encodeFloats(state.generatedRng.state()),
    },
    warmupDraws: state.warmupDraws,
    samplingDraws: state.samplingDraws,
    tally: { ...state.tally },
  };
}

/** Why a checkpoint does not belong to this chain, as a message; null when it does. */
export function checkpointMismatch(
  checkpoint: NutsCheckpoint,
  identity: ChainIdentity,
): string | null {
  const pairs: readonly (readonly [string, unknown, unknown])[] = [
    ['the engine version', checkpoint.engineVersion, engineVersion],
    ['the seed', checkpoint.seed, identity.settings.seed],
    ['the chain', checkpoint.chain, identity.chain],
    ['the number of parameters', checkpoint.numUnconstrained, identity.numUnconstrained],
    ['the number of columns', checkpoint.numColumns, identity.numColumns],
    ['the sampler', checkpoint.settings.sampler ?? 'nuts', identity.settings.sampler ?? 'nuts'],
    ['the adaptation', adaptationName(checkpoint.settings), adaptationName(identity.settings)],
    ...Object.entries(boundSettings(identity.settings)).map(
      ([key, value]) => [key, checkpoint.settings[key as keyof CheckpointSettings], value] as const,
    ),
  ];
  const bad = pairs.find(([, stored, now]) => stored !== now);
  return bad === undefined
    ? null
    : `The checkpoint belongs to another run: ${bad[0]} was ${String(bad[1])} and is now ${String(bad[2])}.`;
}

/** A state that continues where `checkpoint`, which must match, was taken. */
export function readCheckpoint(checkpoint: NutsCheckpoint, identity: ChainIdentity): ChainState {
  const state = freshState(identity);
  const { point } = state;
  point.q.set(decodeFloats(checkpoint.position ?? ''));
  point.gradient.set(decodeFloats(checkpoint.gradient));
  point.logDensity = decodeFloats(checkpoint.logDensity)[0];
  setInvMetric(state.metric, decodeFloats(checkpoint.invMetric));
  state.welford.count = checkpoint.welford.count;
  state.welford.mean.set(decodeFloats(checkpoint.welford.mean));
  state.welford.m2.set(decodeFloats(checkpoint.welford.m2));
  const [mu, counter, sBar, xBar, nearOne] = decodeFloats(checkpoint.dualAveraging);
  const { fisher } = checkpoint;
  return {
    ...state,
    fisher: fisher === undefined ? null : { ...fisher, values: decodeFloats(fisher.values) },
    iteration: checkpoint.iteration,
    hasStart: checkpoint.position !== null,
    stepSize: decodeFloats(checkpoint.stepSize)[0],
    searchStepSize: checkpoint.searchStepSize,
    dualAveraging: { mu, counter, sBar, xBar, nearOne },
    transitionRng: restoreStream([...decodeFloats(checkpoint.rng.transition)]),
    generatedRng: restoreStream([...decodeFloats(checkpoint.rng.generated)]),
    warmupDraws: checkpoint.warmupDraws,
    samplingDraws: checkpoint.samplingDraws,
    tally: new Tally(checkpoint.tally),
  };
}

function boundSettings(settings: ChainSettings): CheckpointSettings {
  const { numWarmup, thin, adaptDelta, maxTreeDepth, metric, adaptsByFisher, sampler } = settings;
  return {
    numWarmup,
    thin,
    adaptDelta,
    maxTreeDepth,
    metric,
    ...(adaptsByFisher === true ? { adaptsByFisher } : {}),
    ...(sampler === undefined ? {} : { sampler }),
  };
}

const adaptationName = ({ adaptsByFisher }: Pick<ChainSettings, 'adaptsByFisher'>): string =>
  adaptsByFisher === true ? 'fisher' : 'stan';
