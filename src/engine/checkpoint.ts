/** The state of a chain between two iterations as plain JSON, from which it continues bit-identically. */
import type { ProfileTimes } from './profiler.ts';

/** Incremented when the same state would give other draws. */
export const engineVersion = 15;

/** Little-endian float64 bytes in base64: JSON numbers would lose −0, NaN and infinities. */
export type Floats = string;

export type ChainCheckpoint = (NutsCheckpoint | FitCheckpoint) & {
  /** Time only: no draw depends on it. */
  readonly profiles?: readonly ProfileTimes[];
};

/** Incremented when the same settings would give another approximation. */
export const fitVersion = 2;

/**
 * Checkpoint of an algorithm other than NUTS. The fit takes seconds and follows from the seed, so it is repeated; only
 * the position in the draws is stored.
 */
export interface FitCheckpoint {
  readonly fitVersion: number;
  readonly seed: number;
  readonly chain: number;
  readonly numColumns: number;
  /** Settings that the fit depends on, as JSON. */
  readonly settings: string;
  readonly iteration: number;
  readonly rng: { readonly draws: Floats; readonly generated: Floats };
  readonly warmupDraws: number;
  readonly samplingDraws: number;
  readonly warmupSeconds: number;
  readonly samplingSeconds: number;
}

export interface NutsCheckpoint {
  readonly engineVersion: number;
  readonly seed: number;
  readonly chain: number;
  readonly numUnconstrained: number;
  readonly numColumns: number;
  /** Settings that earlier draws depend on; `numSamples` is free, so that a run can be extended. */
  readonly settings: CheckpointSettings;
  /** Iterations done, warmup included. */
  readonly iteration: number;
  /** Null until a starting point is found. */
  readonly position: Floats | null;
  readonly gradient: Floats;
  readonly logDensity: Floats;
  readonly stepSize: Floats;
  /** Whether the step size heuristic runs before the next transition. */
  readonly searchStepSize: boolean;
  /** mu, counter, sBar, xBar, nearOne. */
  readonly dualAveraging: Floats;
  readonly invMetric: Floats;
  readonly welford: { readonly count: number; readonly mean: Floats; readonly m2: Floats };
  /** Only for a chain that adapts by Fisher divergence. */
  readonly fisher?: {
    readonly count: number;
    readonly youngerCount: number;
    readonly values: Floats;
  };
  readonly rng: { readonly transition: Floats; readonly generated: Floats };
  /** Draws saved so far. */
  readonly warmupDraws: number;
  readonly samplingDraws: number;
  readonly tally: ChainTally;
}

export interface CheckpointSettings {
  readonly numWarmup: number;
  readonly thin: number;
  readonly adaptDelta: number;
  readonly maxTreeDepth: number;
  readonly metric: string;
  /** Absent if Stan's windows adapt the metric. */
  readonly adaptsByFisher?: boolean;
  /** Absent: NUTS with steps of one size. */
  readonly sampler?: string;
}

export interface ChainTally {
  divergences: number;
  treeDepthHits: number;
  leapfrogs: number;
  warmupLeapfrogs: number;
  warmupSeconds: number;
  samplingSeconds: number;
}

export const nothingTallied: Readonly<ChainTally> = {
  divergences: 0,
  treeDepthHits: 0,
  leapfrogs: 0,
  warmupLeapfrogs: 0,
  warmupSeconds: 0,
  samplingSeconds: 0,
};

export function encodeFloats(values: ArrayLike<number>): Floats {
  const view = new DataView(new ArrayBuffer(values.length * 8));
  for (let i = 0; i < values.length; i++) view.setFloat64(i * 8, values[i], true);
  const bytes = new Uint8Array(view.buffer);
  let text = '';
  // in slices, since a call has limited arguments; by `apply`, since a spread iterates over the bytes
  for (let i = 0; i < bytes.length; i += 8192) {
    text += Reflect.apply(String.fromCharCode, null, bytes.subarray(i, i + 8192));
  }
  return btoa(text);
}

export function decodeFloats(floats: Floats): Float64Array {
  const text = atob(floats);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  const view = new DataView(bytes.buffer);
  const values = new Float64Array(Math.floor(text.length / 8));
  for (let i = 0; i < values.length; i++) values[i] = view.getFloat64(i * 8, true);
  return values;
}
