/** From the settings of a run to those of one of its chains. */
import type { ChainSettings } from './chain-state.ts';
import type { Settings } from './settings.ts';

export interface ChainPlace {
  readonly seed: number;
  /** 1-based. */
  readonly chain: number;
  /** Whether warmup draws are given out, kept or not. */
  readonly streamWarmup: boolean;
}

export function settingsOfChain(settings: Settings, place: ChainPlace): ChainSettings {
  const { numWarmup, numSamples, thin, initRadius, adaptDelta, maxTreeDepth, metric } = settings;
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
  };
}

/** Of a list, chain c takes element c, and begins again when the list is shorter. A data id must be resolved before. */
function initsOfChain(
  inits: Settings['inits'],
  chain: number,
): Readonly<Record<string, unknown>> | null {
  if (inits === null || typeof inits === 'string') return null;
  if (!Array.isArray(inits)) return inits as Readonly<Record<string, unknown>>;
  return (
    (inits[(chain - 1) % inits.length] as Readonly<Record<string, unknown>> | undefined) ?? null
  );
}

/** A seed for a run that has none: 32 random bits. */
export function drawSeed(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0];
}
