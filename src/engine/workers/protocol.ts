/**
 * The messages between a chain's host and its worker; the same for worker threads and web workers.
 *
 * The host sends one request, `start`, and gets one reply. Until the chain ends, the worker does not return to its
 * event loop: it sends events, and is steered through a few integers of shared memory that it reads between (and
 * inside) iterations. A thread that is reused runs the next chain of the same run.
 */

import type { OutputVariable } from '../../language/program.ts';
import type { ChainSettings } from '../chain-state.ts';
import type { ChainCheckpoint } from '../checkpoint.ts';
import type { ChainFailure, ChainProgress, DrawBlock } from '../events.ts';

/** A program with its data, and which chain of it to run. */
export interface ChainTask {
  readonly source: string;
  /** Contents of `#include`d files by path. */
  readonly files?: Readonly<Record<string, string>>;
  readonly data: Readonly<Record<string, unknown>>;
  readonly settings: ChainSettings;
  /** 1-based. */
  readonly chain: number;
  readonly checkpoint?: ChainCheckpoint;
}

export interface ChainLimits {
  /** Bytes for the tape, and the same again for the variables. */
  readonly arrayBytes: number;
  /** Approximate milliseconds between `advanced` events. */
  readonly flushMs: number;
}

/** Request → its payload and response. */
export interface ChainRequests {
  start: {
    readonly request: {
      readonly task: ChainTask;
      readonly limits: ChainLimits;
      readonly control: SharedArrayBuffer;
      /** The thread stays after the chain has ended, and reports that it is idle. */
      readonly keep: boolean;
      /** The program, its data and the seed are those of the chain that this thread ran before. */
      readonly again: boolean;
    };
    readonly result: {
      readonly columns: readonly string[];
      readonly variables: readonly OutputVariable[];
    };
  };
}

export type ChainRequestMessage = {
  [K in keyof ChainRequests]: {
    readonly id: number;
    readonly kind: K;
  } & ChainRequests[K]['request'];
}[keyof ChainRequests];

export type ChainReply<K extends keyof ChainRequests> =
  | { readonly id: number; readonly ok: true; readonly result: ChainRequests[K]['result'] }
  | { readonly id: number; readonly ok: false; readonly error: ChainError };

export interface ChainError {
  readonly code: ChainFailure['reason'];
  readonly message: string;
  /** Diagnostics as data, if the program is at fault. */
  readonly details?: unknown;
}

export type ChainEvent =
  /** The program is ready; `columns` of all later draw blocks. */
  | {
      readonly type: 'started';
      readonly columns: readonly string[];
      readonly variables: readonly OutputVariable[];
    }
  /** New draws (perhaps none) and the state right after them: store both or neither. */
  | {
      readonly type: 'advanced';
      readonly blocks: readonly DrawBlock[];
      readonly checkpoint: ChainCheckpoint;
      readonly progress: ChainProgress;
    }
  | { readonly type: 'log'; readonly line: string }
  | { readonly type: 'paused' | 'resumed' }
  /** All draws are made, or `stop` was requested. */
  | { readonly type: 'finished'; readonly outcome: 'complete' | 'stopped' }
  | { readonly type: 'failed'; readonly failure: ChainFailure; readonly details?: unknown };

export type WorkerMessage =
  | ChainReply<'start'>
  | { readonly event: ChainEvent }
  /** Ready for another chain; `bytes`: memory the thread uses. */
  | { readonly idle: true; readonly bytes: number };

/** Places in the shared `Int32Array`. */
export const controlSlots = {
  /** One of `commands`; written by the host. */
  command: 0,
  /** One of `workerStates`; written by the worker. */
  state: 1,
  /** Incremented in each iteration; written by the worker. */
  heartbeat: 2,
  /** Events sent and not yet processed: the worker waits when there are `maxPending`. */
  pending: 3,
} as const;
export const controlBytes = 4 * Int32Array.BYTES_PER_ELEMENT;

export const commands = { run: 0, pause: 1, stop: 2 } as const;

export const workerStates = {
  /** Compiling. */
  starting: 0,
  running: 1,
  /** Paused, or waiting until the host has processed what was sent. */
  waiting: 2,
  ended: 3,
} as const;

/** `advanced` events in transit before the worker waits. */
export const maxPending = 8;
