/** A chain as a machine, whatever makes its draws: it advances, can be put away between two iterations, and reports. */
import type { ChainSettings } from './chain-state.ts';
import type { ChainCheckpoint } from './checkpoint.ts';
import type { ChainFailure, ChainProgress, DrawBlock } from './events.ts';
import type { Model } from './model.ts';

export interface ChainRequest {
  readonly model: Model;
  readonly settings: ChainSettings;
  /** 1-based. */
  readonly chain: number;
  /** To go on from; with a larger `numSamples` it extends a finished chain. */
  readonly checkpoint?: ChainCheckpoint;
  readonly onLog?: (line: string) => void;
  /** Milliseconds, for the tally of time only. */
  readonly now?: () => number;
}

export interface AdvanceLimit {
  readonly maxIterations?: number;
  /** Asked before each iteration. */
  readonly shouldPause?: () => boolean;
}

export type Advance =
  | { readonly status: 'running' | 'finished'; readonly blocks: readonly DrawBlock[] }
  | {
      readonly status: 'failed';
      readonly blocks: readonly DrawBlock[];
      readonly failure: ChainFailure;
    };

export interface Chain {
  /** The algorithm's own (`samplerColumns`, `fitColumns`) and the model's. */
  readonly columns: readonly string[];
  /**
   * Runs iterations until a limit or the end. The draws come with it; `checkpoint()` afterwards is the state behind
   * the last of them. A `ChainInterrupt` thrown by the model only ends the call.
   */
  advance(limit?: AdvanceLimit): Advance;
  checkpoint(): ChainCheckpoint;
  progress(): ChainProgress;
}
