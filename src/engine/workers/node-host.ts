/** Starts a chain in a Node worker thread and watches it: the program can affect the host only by a failure. */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { ChainFailure, FailureReason } from '../events.ts';
import { defaultMemoryCeiling, guardMemory } from './node-memory-guard.ts';
import { keepThread, type ThreadNeeds, takeThread } from './node-threads.ts';
import {
  type ChainEvent,
  type ChainLimits,
  type ChainRequestMessage,
  type ChainTask,
  commands,
  controlBytes,
  controlSlots,
  type WorkerMessage,
} from './protocol.ts';
import { watchChain } from './watchdog.ts';

export interface StartChainRequest extends ChainTask {
  /**
   * Receives events in order. If it returns a promise, the next event waits for it, and the chain waits when too many
   * draws are on their way. A rejection ends the chain as `worker-failed`.
   */
  readonly onEvent: (event: ChainEvent) => void | Promise<void>;
  /** Seconds; null: no limit. */
  readonly timeout?: number | null;
  readonly iterationTimeout?: number;
  /** Bytes for the tape of a program, and the same again for its variables. */
  readonly arrayBytes?: number;
  /** Approximate milliseconds between `advanced` events. */
  readonly flushMs?: number;
  /** MiB of JavaScript heap of the thread. */
  readonly heapMiB?: number;
  /** Milliseconds a chain has to end by itself when asked to stop. */
  readonly stopGraceMs?: number;
  /** Bytes of resident memory of the entire process above which chains are ended. */
  readonly processBytes?: number;
  /** The built worker. */
  readonly workerUrl?: URL;
  /**
   * An id of the run: its chains share program, data, seed and limits. If given, the chain may run in a thread that has
   * run others, and leaves the thread to later ones.
   */
  readonly run?: string;
}

export type ChainOutcome =
  | { readonly status: 'complete' | 'stopped' }
  | { readonly status: 'failed'; readonly failure: ChainFailure; readonly details?: unknown };

export interface ChainHandle {
  readonly chain: number;
  /** Takes effect between or within iterations; a `paused` event follows. */
  pause(): void;
  resume(): void;
  /**
   * Ends with the draws so far; a `finished` event with outcome `stopped` follows. A thread that does not react
   * (inside one long operation, say) is terminated: the draws are then those of the last `advanced` event.
   */
  stop(): void;
  /** Resolves when the thread is gone, or free for another chain, and all events are processed; never rejects. */
  readonly done: Promise<ChainOutcome>;
}

/** Defaults of the limits above. */
const chainLimits = {
  iterationTimeout: 600,
  arrayBytes: 2 ** 30,
  heapMiB: 1024,
  flushMs: 250,
  stopGraceMs: 3000,
};

/** `dist/server/chain-worker.js`, next to the built program or seen from the source tree. */
function builtWorkerUrl(): URL {
  const fromSource = import.meta.url.endsWith('.ts');
  return new URL(
    fromSource ? '../../../dist/server/chain-worker.js' : './chain-worker.js',
    import.meta.url,
  );
}

export const defaultParallelChains = (): number => availableParallelism();

export function startChain(request: StartChainRequest): ChainHandle {
  const { chain, heapMiB = chainLimits.heapMiB } = request;
  const control = new Int32Array(new SharedArrayBuffer(controlBytes));
  const needs = needsOf(request);
  const used = needs === null ? null : takeThread(needs);
  const worker =
    used?.worker ??
    new Worker(request.workerUrl ?? builtWorkerUrl(), {
      name: `chain ${chain}`,
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: heapMiB, stackSizeMb: 4 },
    });
  const { done, endStopped } = follow(request, worker, control);
  let grace: NodeJS.Timeout | undefined;
  const send = (command: number) => {
    if (Atomics.load(control, controlSlots.command) === commands.stop) return;
    Atomics.store(control, controlSlots.command, command);
    Atomics.notify(control, controlSlots.command);
    Atomics.notify(control, controlSlots.pending);
    if (command === commands.stop)
      grace = setTimeout(endStopped, request.stopGraceMs ?? chainLimits.stopGraceMs);
  };
  worker.postMessage(startMessage(request, control, used?.isOfRun === true));
  return {
    chain,
    pause: () => send(commands.pause),
    resume: () => send(commands.run),
    stop: () => send(commands.stop),
    done: done.finally(() => clearTimeout(grace)),
  };
}

function needsOf({ run, workerUrl, heapMiB }: StartChainRequest): ThreadNeeds | null {
  return run === undefined ? null : { run, kind: JSON.stringify([workerUrl, heapMiB]) };
}

function startMessage(
  request: StartChainRequest,
  control: Int32Array,
  again: boolean,
): ChainRequestMessage {
  const { source, files, data, settings, chain, checkpoint } = request;
  const { arrayBytes = chainLimits.arrayBytes, flushMs = chainLimits.flushMs } = request;
  const limits: ChainLimits = { arrayBytes, flushMs };
  const task: ChainTask = { source, files, data, settings, chain, checkpoint };
  return {
    id: 1,
    kind: 'start',
    task,
    limits,
    control: control.buffer as SharedArrayBuffer,
    keep: request.run !== undefined,
    again,
  };
}

interface Following {
  readonly done: Promise<ChainOutcome>;
  /** Terminates the thread as stopped, unless it has ended. */
  readonly endStopped: () => void;
}

function follow(request: StartChainRequest, worker: Worker, control: Int32Array): Following {
  const { chain } = request;
  let outcome: ChainOutcome | null = null;
  let delivered: Promise<void> = Promise.resolve();
  const fail = (reason: FailureReason, message: string, details?: unknown) => {
    if (outcome !== null) return;
    const failure = { chain, reason, message };
    deliver({ type: 'failed', failure, details });
    void worker.terminate();
  };
  const deliver = (event: ChainEvent) => {
    // anything after the end was on its way when a limit was hit
    if (outcome !== null) return;
    if (event.type === 'finished') outcome = { status: event.outcome };
    if (event.type === 'failed') {
      outcome = { status: 'failed', failure: event.failure, details: event.details };
    }
    delivered = delivered
      .then(() => request.onEvent(event))
      .catch((error: unknown) => {
        outcome = {
          status: 'failed',
          failure: {
            chain,
            reason: 'worker-failed',
            message: `An event could not be handled: ${String(error)}`,
          },
        };
        void worker.terminate();
      })
      .then(() => {
        if (event.type !== 'advanced') return;
        Atomics.sub(control, controlSlots.pending, 1);
        Atomics.notify(control, controlSlots.pending);
      });
  };
  const stopWatching = watchChain({
    control,
    iterationSeconds: request.iterationTimeout ?? chainLimits.iterationTimeout,
    runSeconds: request.timeout ?? null,
    onExceeded: fail,
  });
  const stopGuarding = guardMemory({
    control,
    ceilingBytes: request.processBytes ?? defaultMemoryCeiling(),
    onExceeded: (message) => fail('budget-exceeded', message),
  });
  const done = new Promise<ChainOutcome>((resolve) => {
    const onMessage = (message: WorkerMessage) => {
      if ('event' in message) deliver(message.event);
      else if ('idle' in message) onIdle(message.bytes);
      else if (message.ok) deliver({ type: 'started', ...message.result });
      else fail(message.error.code, message.error.message, message.error.details);
    };
    const onError = (error: Error & { code?: string }) => {
      fail(...explainThreadError(error, request.heapMiB ?? chainLimits.heapMiB));
    };
    const leave = () => {
      stopWatching();
      stopGuarding();
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
    };
    const onExit = (code: number) => {
      leave();
      fail(
        'worker-failed',
        `The chain's thread exited without an error message (exit code ${code}).`,
      );
      void delivered.then(() => resolve(outcome as ChainOutcome));
    };
    const onIdle = (bytes: number) => {
      void delivered.then(() => {
        const needs = needsOf(request);
        // the error may have left the thread in any state
        if (needs === null || outcome?.status !== 'complete') {
          void worker.terminate();
          return;
        }
        leave();
        keepThread(needs, worker, bytes);
        resolve(outcome);
      });
    };
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
  });
  const endStopped = () => {
    if (outcome !== null) return;
    deliver({ type: 'finished', outcome: 'stopped' });
    void worker.terminate();
  };
  return { done, endStopped };
}

function explainThreadError(
  error: Error & { code?: string },
  heapMiB: number,
): [reason: FailureReason, message: string] {
  if (error.code !== 'ERR_WORKER_OUT_OF_MEMORY')
    return ['worker-failed', `The chain's thread failed: ${error.message}`];
  const message = `The program needs more than the ${heapMiB} MiB of memory that a chain may use.`;
  return ['budget-exceeded', message];
}
