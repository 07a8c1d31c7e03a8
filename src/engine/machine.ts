/** A chain as a machine, however its draws are made: it advances, can be suspended between iterations, and reports. */
import type { ChainSettings } from './chain-state.ts';
import type { ChainCheckpoint } from './checkpoint.ts';
import type { ChainFailure, ChainProgress, DrawBlock } from './events.ts';
import type { Model } from './model.ts';

export interface ChainRequest {
  readonly model: Model;
  readonly settings: ChainSettings;
  /** 1-based. */
  readonly chain: number;
  /** The state to continue from; with a larger `numSamples` it extends a finished chain. */
  readonly checkpoint?: ChainCheckpoint;
  readonly onLog?: (line: string) => void;
  /** Milliseconds, only for counting time. */
  readonly now?: () => number;
}

export interface AdvanceLimit {
  readonly maxIterations?: number;
  /** Called before each iteration. */
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
  /** The algorithm's own columns (`samplerColumns`, `fitColumns`) and the model's. */
  readonly columns: readonly string[];
  /**
   * Runs iterations until a limit or the end, and returns their draws; `checkpoint()` afterwards is the state after the
   * last of them. A `ChainInterrupt` thrown by the model only ends the call.
   */
  advance(limit?: AdvanceLimit): Advance;
  checkpoint(): ChainCheckpoint;
  progress(): ChainProgress;
}
