/** Derives the settings of one chain from those of its run. */
import {
  type ChainSettings,
  type FitSettings,
  fitSettingNames,
  type SourceDraws,
} from './chain-state.ts';
import { defaultSettings } from './settings.ts';
import { isPathfinderInits, multiPathfinderInits, type Settings } from './settings-table.ts';
import { followersOf } from './shared-warmup.ts';

export interface ChainPlace {
  readonly seed: number;
  /** 1-based. */
  readonly chain: number;
  /** See `ChainSettings`. */
  readonly streamWarmup: ChainSettings['streamWarmup'];
}

export function settingsOfChain(settings: Settings, place: ChainPlace): ChainSettings {
  const { numWarmup, numSamples, thin, initRadius, adaptDelta, maxTreeDepth, metric } = settings;
  const isFisher = settings.adaptation === 'fisher' || metric === 'low-rank';
  return {
    seed: place.seed,
    numWarmup,
    numSamples,
    thin,
    initRadius,
    adaptDelta,
    maxTreeDepth,
    metric,
    inits: initsOfChain(settings.inits, place.chain),
    streamWarmup: place.streamWarmup,
    ...(isFisher ? { adaptsByFisher: true } : {}),
    ...(settings.sampler === 'walnuts' ? { sampler: 'walnuts' as const } : {}),
    ...(followersOf(settings, place.chain).length > 0 ? { sharesWarmup: true } : {}),
    ...(isPathfinderInits(settings.inits) ? { startsAtPathfinder: true } : {}),
    ...(settings.inits === multiPathfinderInits ? { startPaths: defaultSettings.numPaths } : {}),
    ...ownSettings(settings),
  };
}

function ownSettings(settings: Settings): Pick<ChainSettings, 'fit' | 'calibration'> {
  const { algorithm, simulated, priorFlag } = settings;
  if (algorithm === 'nuts') return {};
  if (algorithm === 'calibration') return { calibration: { simulated, priorFlag } };
  return { fit: fitSettings(settings) };
}

/** Reads every draw of `source`. */
export function withSource(settings: ChainSettings, source: SourceDraws): ChainSettings {
  return { ...settings, numWarmup: 0, numSamples: source.count, thin: 1, source };
}

/** Settings of Pathfinder if NUTS starts at one of its draws. */
export function fitSettings(settings: Settings): FitSettings {
  const { algorithm } = settings;
  const own = algorithm === 'nuts' || algorithm === 'calibration' ? 'pathfinder' : algorithm;
  const values = fitSettingNames.map((name) => [name, settings[name]]);
  return { algorithm: own, ...Object.fromEntries(values) } as FitSettings;
}

/** From a list, chain c takes element c, starting over if the list is shorter. A data id must be resolved before. */
function initsOfChain(
  inits: Settings['inits'],
  chain: number,
): Readonly<Record<string, unknown>> | null {
  if (typeof inits === 'string') return null;
  if (!Array.isArray(inits)) return inits as Readonly<Record<string, unknown>> | null;
  return (
    (inits[(chain - 1) % inits.length] as Readonly<Record<string, unknown>> | undefined) ?? null
  );
}

/**
 * The `inits` of a run of `numChains` chains once `more` chains are added, which start at random points: with the inits
 * given, a chain would start where an earlier one did. Those of Pathfinder differ by chain anyway.
 */
export function addRandomStarts(
  inits: Settings['inits'],
  { numChains, more }: { readonly numChains: number; readonly more: number },
): Settings['inits'] {
  if (inits === null || typeof inits === 'string') return inits;
  return Array.from({ length: numChains + more }, (_, i) =>
    i < numChains ? (initsOfChain(inits, i + 1) ?? {}) : {},
  );
}

/** A seed for a run that has none: 32 random bits. */
export function drawSeed(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0];
}
