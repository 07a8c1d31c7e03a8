/** Runs one chain to its end inside a worker, steered by the shared control integers, in any kind of thread. */
import type { DataJson } from '../../language/program.ts';
import type { Rng } from '../../math/random/rng.ts';
import { createChain } from '../chain.ts';
import { ChainInterrupt, failureOf } from '../chain-end.ts';
import type { Chain } from '../machine.ts';
import type { Model } from '../model.ts';
import {
  type ChainError,
  type ChainEvent,
  type ChainLimits,
  type ChainRequestMessage,
  type ChainTask,
  commands,
  controlSlots,
  maxPending,
  type WorkerMessage,
  workerStates,
} from './protocol.ts';

/** Callbacks and limits for a program while it runs. */
export interface ModelHooks {
  readonly limits: ChainLimits;
  readonly print: (text: string) => void;
  /** To be called in every loop of the program; throws when the chain should leave the iteration. */
  readonly tick: () => void;
  /** To be called in each iteration while the model is made; throws like `tick`. */
  readonly beat: () => void;
  readonly log: (line: string) => void;
}

/** Makes the model of a task; `again`: the same as before, for another chain. */
export type ModelMaker = (
  task: ChainTask,
  hooks: ModelHooks,
  again: boolean,
) =>
  | { readonly ok: true; readonly model: Model }
  | { readonly ok: false; readonly error: ChainError };

export interface ChainLoopPort {
  /**
   * Copies what it sends. It must not transfer draws: once a thread has given away a buffer, V8 discards all code
   * compiled there that reads typed arrays, and the new code checks every one of them.
   */
  post(message: WorkerMessage): void;
}

/** Size in characters above which a checkpoint is sent less often, and by what factor. */
const largeCheckpoint = 1 << 20;
const largeCheckpointPause = 8;
/** Log lines between two `advanced` events, and characters per line. */
const maxLines = 200;
const maxLineLength = 4000;
/** Maximum number of values in one `advanced` event. */
const maxBlockValues = 1 << 19;

/** Answers a `start` request, then runs the chain to its end before it returns. */
export function runChainLoop(
  message: ChainRequestMessage,
  port: ChainLoopPort,
  makeModel: ModelMaker,
): void {
  const { id, task, limits } = message;
  const control = new Int32Array(message.control);
  const emit = (event: ChainEvent) => port.post({ event });
  const log = createLog(emit);
  const check = new CommandCheck(control);
  let chain: Chain;
  try {
    const beat = () => {
      Atomics.add(control, controlSlots.heartbeat, 1);
      check.leaveWhenAsked();
    };
    const tick = () => check.leaveWhenAsked();
    const hooks = { limits, print: log.say, log: log.say, tick, beat };
    const made = makeModel(task, hooks, message.again);
    if (!made.ok) {
      if (isAskedToStop(control)) emit({ type: 'finished', outcome: 'stopped' });
      else port.post({ id, ok: false, error: made.error });
      return;
    }
    const model = new InterruptibleModel(made.model, check);
    const { settings, checkpoint } = task;
    chain = createChain({ model, settings, chain: task.chain, checkpoint, onLog: log.say });
    check.hasStarted = true;
    const result = { columns: chain.columns, variables: model.variables };
    port.post({ id, ok: true, result });
  } catch (error) {
    if (isAskedToStop(control)) {
      emit({ type: 'finished', outcome: 'stopped' });
      return;
    }
    const { reason, message: text } = failureOf(error, task.chain);
    port.post({ id, ok: false, error: { code: reason, message: text } });
    return;
  }
  advanceToEnd({ chain, control, emit, log, flushMs: limits.flushMs });
  Atomics.store(control, controlSlots.state, workerStates.ended);
}

function isAskedToStop(control: Int32Array): boolean {
  return Atomics.load(control, controlSlots.command) === commands.stop;
}

type Emit = (event: ChainEvent) => void;

interface Log {
  readonly say: (line: string) => void;
  /** Reports how many lines were left out since the last time, and starts over. */
  readonly flush: () => void;
}

/** A program may print in every gradient: lines that would flood the host are only counted. */
function createLog(emit: Emit): Log {
  let numSaid = 0;
  return {
    say(line) {
      numSaid += 1;
      if (numSaid > maxLines) return;
      const text = line.length > maxLineLength ? `${line.slice(0, maxLineLength)}…` : line;
      emit({ type: 'log', line: text });
    },
    flush() {
      const numLost = numSaid - maxLines;
      if (numLost > 0) emit({ type: 'log', line: `… and ${numLost} more lines were left out.` });
      numSaid = 0;
    },
  };
}

interface Advancing {
  readonly chain: Chain;
  readonly control: Int32Array;
  readonly emit: Emit;
  readonly log: Log;
  readonly flushMs: number;
}

function advanceToEnd({ chain, control, emit, log, flushMs }: Advancing): void {
  const maxIterations = Math.max(1, Math.floor(maxBlockValues / chain.columns.length));
  let interval = flushMs;
  for (;;) {
    Atomics.store(control, controlSlots.state, workerStates.running);
    const flushAt = performance.now() + interval;
    const advance = chain.advance({
      maxIterations,
      shouldPause: () => {
        Atomics.add(control, controlSlots.heartbeat, 1);
        return (
          Atomics.load(control, controlSlots.command) !== commands.run ||
          performance.now() >= flushAt
        );
      },
    });
    log.flush();
    const checkpoint = chain.checkpoint();
    const isLarge = 'invMetric' in checkpoint && checkpoint.invMetric.length > largeCheckpoint;
    interval = flushMs * (isLarge ? largeCheckpointPause : 1);
    Atomics.add(control, controlSlots.pending, 1);
    emit({ type: 'advanced', blocks: advance.blocks, checkpoint, progress: chain.progress() });

    if (advance.status === 'failed') {
      emit({ type: 'failed', failure: advance.failure });
      return;
    }
    if (advance.status === 'finished') {
      emit({ type: 'finished', outcome: 'complete' });
      return;
    }
    if (waitForCommand(control, emit) === commands.stop) {
      emit({ type: 'finished', outcome: 'stopped' });
      return;
    }
    waitForHost(control);
  }
}

/** Waits while paused. Returns `run` or `stop`. */
function waitForCommand(control: Int32Array, emit: Emit): number {
  const read = () => Atomics.load(control, controlSlots.command);
  if (read() !== commands.pause) return read();
  Atomics.store(control, controlSlots.state, workerStates.waiting);
  emit({ type: 'paused' });
  while (read() === commands.pause) Atomics.wait(control, controlSlots.command, commands.pause);
  if (read() === commands.run) emit({ type: 'resumed' });
  return read();
}

/** Keeps a fast chain from flooding a slow store. */
function waitForHost(control: Int32Array): void {
  Atomics.store(control, controlSlots.state, workerStates.waiting);
  for (;;) {
    const pending = Atomics.load(control, controlSlots.pending);
    if (pending < maxPending) return;
    if (isAskedToStop(control)) return;
    Atomics.wait(control, controlSlots.pending, pending, 1000);
  }
}

/** Leaves the chain with a `ChainInterrupt` if the host has requested a stop or a pause. */
class CommandCheck {
  /** A pause waits until there is a chain to pause. */
  hasStarted = false;

  constructor(private readonly control: Int32Array) {}

  leaveWhenAsked(): void {
    // a plain read: the answer need not be current, and `Atomics.load` would be a call for every gradient
    const command = this.control[controlSlots.command];
    if (command === commands.stop || (command === commands.pause && this.hasStarted)) {
      throw new ChainInterrupt('asked to stop');
    }
  }
}

/** The model, with a check for commands before each gradient. A class, so that V8 compiles it once for all chains. */
class InterruptibleModel implements Model {
  readonly numUnconstrained: number;
  readonly variables: Model['variables'];
  readonly columns: Model['columns'];
  readonly profiles: Model['profiles'];

  constructor(
    private readonly model: Model,
    private readonly check: CommandCheck,
  ) {
    this.numUnconstrained = model.numUnconstrained;
    this.variables = model.variables;
    this.columns = model.columns;
    this.profiles = model.profiles;
  }

  logDensityGradient(theta: Float64Array, gradient: Float64Array, jacobian?: boolean): number {
    this.check.leaveWhenAsked();
    return this.model.logDensityGradient(theta, gradient, jacobian);
  }

  constrain(theta: Float64Array, rng: Rng, out: Float64Array): void {
    this.model.constrain(theta, rng, out);
  }

  unconstrain(inits: DataJson, theta: Float64Array): void {
    this.model.unconstrain(inits, theta);
  }
}
