/** A chain worker's loop, run in this thread: what it posts, and what it writes to the shared integers. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ChainSettings } from '../../../src/engine/chain-state.ts';
import type { Model } from '../../../src/engine/model.ts';
import {
  type ChainLoopPort,
  type ModelHooks,
  type ModelMaker,
  runChainLoop,
} from '../../../src/engine/workers/chain-loop.ts';
import {
  type ChainEvent,
  commands,
  controlBytes,
  controlSlots,
  type WorkerMessage,
  workerStates,
} from '../../../src/engine/workers/protocol.ts';
import { generatedOnlyModel, normalModel } from '../../support/analytic-models.ts';
import { chainSettings, columnOf } from '../../support/run-model.ts';

const settings: ChainSettings = { ...chainSettings, numWarmup: 20, numSamples: 10 };
const model = normalModel([1], [2]);
const limits = { arrayBytes: 2 ** 20, flushMs: 1e6 };

interface Loop {
  readonly make?: (hooks: ModelHooks, control: Int32Array) => Model;
  readonly settings?: ChainSettings;
  readonly flushMs?: number;
  /** What the host does on an event. */
  readonly on?: (event: ChainEvent, control: Int32Array) => void;
  /** Set before the loop begins. */
  readonly command?: number;
  readonly maker?: ModelMaker;
  /** The host does not acknowledge events; the test does. */
  readonly isSlow?: boolean;
}

function runLoop({ make = () => model, on, command = commands.run, ...more }: Loop = {}) {
  const control = new Int32Array(new SharedArrayBuffer(controlBytes));
  control[controlSlots.command] = command;
  const messages: WorkerMessage[] = [];
  const states: number[] = [];
  const pending: number[] = [];
  const port: ChainLoopPort = {
    post(message) {
      messages.push(message);
      states.push(control[controlSlots.state]);
      if (!('event' in message)) return;
      if (message.event.type === 'advanced') {
        pending.push(control[controlSlots.pending]);
        // a host that takes events in immediately
        if (more.isSlow !== true) Atomics.sub(control, controlSlots.pending, 1);
      }
      on?.(message.event, control);
    },
  };
  const maker: ModelMaker =
    more.maker ?? ((_task, hooks) => ({ ok: true, model: make(hooks, control) }));
  runChainLoop(
    {
      id: 5,
      kind: 'start',
      task: { source: '', data: {}, settings: more.settings ?? settings, chain: 3 },
      limits: { ...limits, flushMs: more.flushMs ?? limits.flushMs },
      control: control.buffer as SharedArrayBuffer,
      keep: false,
      again: false,
    },
    port,
    maker,
  );
  const events = messages.flatMap((message) => ('event' in message ? [message.event] : []));
  return {
    control,
    messages,
    states,
    pending,
    events,
    types: messages.map((message) => ('event' in message ? message.event.type : 'reply')),
    blocks: events.flatMap((event) => (event.type === 'advanced' ? event.blocks : [])),
    lines: events.flatMap((event) => (event.type === 'log' ? [event.line] : [])),
  };
}

const stopped: ChainEvent = { type: 'finished', outcome: 'stopped' };

afterEach(() => {
  vi.restoreAllMocks();
});

describe('the loop of a chain', () => {
  it('replies, reports draws and progress, and finishes', () => {
    const run = runLoop();
    expect(run.types).toEqual(['reply', 'advanced', 'finished']);
    expect(run.messages[0]).toEqual({
      id: 5,
      ok: true,
      result: {
        columns: expect.arrayContaining(['lp__', 'x1', 'noise']),
        variables: model.variables,
      },
    });
    expect(run.events[0]).toMatchObject({
      checkpoint: { chain: 3, iteration: 30 },
      progress: { chain: 3, iteration: 30, of: 30 },
    });
    expect(columnOf(run.blocks, 0)).toHaveLength(10);
    expect(run.events[1]).toEqual({ type: 'finished', outcome: 'complete' });
    expect(run.states).toEqual([workerStates.starting, workerStates.running, workerStates.running]);
    expect(run.control[controlSlots.state]).toBe(workerStates.ended);
    expect(run.control[controlSlots.heartbeat]).toBe(30);
    expect(run.pending).toEqual([1]);
  });

  it('reports about as often as set, and less often if a checkpoint is large', () => {
    let ms = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => ms++);
    const iterations = (run: ReturnType<typeof runLoop>) =>
      run.events.flatMap((event) => (event.type === 'advanced' ? [event.progress.iteration] : []));
    const none = { ...settings, numWarmup: 0, numSamples: 12 };
    // each iteration reads the clock three times
    expect(iterations(runLoop({ settings: none, flushMs: 10 }))).toEqual([3, 6, 9, 12]);
    const values = Array.from({ length: 320 }, () => 1);
    const large = runLoop({
      make: () => normalModel(values, values),
      settings: { ...none, metric: 'dense', maxTreeDepth: 1 },
      flushMs: 10,
    });
    expect(iterations(large)).toEqual([3, 12]);
  });

  it('sends at most half a million values at once', () => {
    const columns = 2 ** 16;
    const names = Array.from({ length: columns }, (_, i) => `u${i}`);
    const wide: Model = { ...generatedOnlyModel(), columns: names };
    const run = runLoop({ make: () => wide, settings: { ...settings, numSamples: 15 } });
    expect(run.blocks.map((block) => block.count)).toEqual([7, 7, 1]);
  });

  it('stops between two reports when asked', () => {
    let ms = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => ms++);
    const run = runLoop({
      flushMs: 20,
      on(event, control) {
        if (event.type === 'advanced') control[controlSlots.command] = commands.stop;
      },
    });
    expect(run.types).toEqual(['reply', 'advanced', 'finished']);
    expect(run.events.at(-1)).toEqual(stopped);
    expect(run.control[controlSlots.state]).toBe(workerStates.ended);
  });

  it('abandons an iteration before the next gradient when asked to stop', () => {
    let calls = 0;
    const run = runLoop({
      make: (_hooks, control) => ({
        ...model,
        logDensityGradient(theta, gradient, jacobian) {
          calls += 1;
          if (calls === 40) control[controlSlots.command] = commands.stop;
          return model.logDensityGradient(theta, gradient, jacobian);
        },
      }),
    });
    expect(calls).toBe(40);
    expect(run.types).toEqual(['reply', 'advanced', 'finished']);
    expect(run.events.at(-1)).toEqual(stopped);
  });

  it('pauses, reports it and resumes with the same draws', () => {
    const whole = runLoop();
    const run = runLoop({
      command: commands.pause,
      on(event, control) {
        if (event.type === 'paused') control[controlSlots.command] = commands.run;
      },
    });
    expect(run.types).toEqual(['reply', 'advanced', 'paused', 'resumed', 'advanced', 'finished']);
    expect(run.states[2]).toBe(workerStates.waiting);
    expect(run.states[4]).toBe(workerStates.running);
    expect(columnOf(run.blocks, 0)).toEqual(columnOf(whole.blocks, 0));
  });

  it('abandons an iteration before the next gradient when asked to pause', () => {
    let calls = 0;
    let callsAtPause = 0;
    const run = runLoop({
      make: (_hooks, control) => ({
        ...model,
        logDensityGradient(theta, gradient, jacobian) {
          calls += 1;
          if (calls === 40) control[controlSlots.command] = commands.pause;
          return model.logDensityGradient(theta, gradient, jacobian);
        },
      }),
      on(event, control) {
        if (event.type !== 'paused') return;
        callsAtPause = calls;
        control[controlSlots.command] = commands.run;
      },
    });
    expect(callsAtPause).toBe(40);
    expect(columnOf(run.blocks, 0)).toEqual(columnOf(runLoop().blocks, 0));
  });

  it('stops between two draws of a program that has no gradient', () => {
    let draws = 0;
    const run = runLoop({
      make: (_hooks, control) => ({
        ...generatedOnlyModel(),
        constrain() {
          draws += 1;
          if (draws === 3) control[controlSlots.command] = commands.stop;
        },
      }),
    });
    expect(columnOf(run.blocks, 0)).toHaveLength(3);
    expect(run.events.at(-1)).toEqual(stopped);
  });

  it('keeps waiting while it is paused, even if woken', () => {
    let waits = 0;
    const run = runLoop({
      command: commands.pause,
      make(_hooks, control) {
        vi.spyOn(Atomics, 'wait').mockImplementation((_array, place, value) => {
          expect([place, value]).toEqual([controlSlots.command, commands.pause]);
          waits += 1;
          if (waits === 2) control[controlSlots.command] = commands.run;
          return 'ok';
        });
        return model;
      },
    });
    expect(waits).toBe(2);
    expect(run.types).toEqual(['reply', 'advanced', 'paused', 'resumed', 'advanced', 'finished']);
  });

  it('hands inits to the program', () => {
    let seen: unknown;
    runLoop({
      settings: { ...settings, inits: { x1: 3 } },
      make: () => ({
        ...model,
        unconstrain(inits, theta) {
          seen = inits;
          model.unconstrain(inits, theta);
        },
      }),
    });
    expect(seen).toEqual({ x1: 3 });
  });

  it('can be stopped while it is paused', () => {
    const run = runLoop({
      command: commands.pause,
      on(event, control) {
        if (event.type === 'paused') control[controlSlots.command] = commands.stop;
      },
    });
    expect(run.types).toEqual(['reply', 'advanced', 'paused', 'finished']);
    expect(run.events.at(-1)).toEqual(stopped);
  });

  it('reports a failure after the draws that came before it', () => {
    let calls = 0;
    const broken: Model = {
      ...model,
      constrain(theta, rng, out) {
        if (++calls > 4) throw new Error('index 4 is out of range');
        model.constrain(theta, rng, out);
      },
    };
    const run = runLoop({ make: () => broken });
    expect(run.types).toEqual(['reply', 'advanced', 'failed']);
    expect(columnOf(run.blocks, 0)).toHaveLength(4);
    expect(run.events.at(-1)).toEqual({
      type: 'failed',
      failure: { chain: 3, reason: 'program-failed', message: 'index 4 is out of range' },
    });
  });
});

describe('a slow host', () => {
  /** A chain that reports after each iteration; `onWait` is what happens while it waits. */
  function runSlow(onWait: (control: Int32Array) => void) {
    let ms = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => ms++);
    const waits: number[][] = [];
    const run = runLoop({
      isSlow: true,
      flushMs: 2,
      settings: { ...settings, numWarmup: 0, numSamples: 12 },
      make(_hooks, control) {
        vi.spyOn(Atomics, 'wait').mockImplementation(() => {
          waits.push([control[controlSlots.pending], control[controlSlots.state]]);
          onWait(control);
          return 'ok';
        });
        return generatedOnlyModel();
      },
    });
    return { run, waits };
  }

  it('is waited for when eight reports are pending', () => {
    const { run, waits } = runSlow((control) => Atomics.sub(control, controlSlots.pending, 1));
    const full = [8, workerStates.waiting];
    // after the eighth report and each later one but the last
    expect(waits).toEqual([full, full, full, full]);
    expect(columnOf(run.blocks, 0)).toHaveLength(12);
  });

  it('is not waited for when the chain is asked to stop', () => {
    const { run, waits } = runSlow((control) => {
      control[controlSlots.command] = commands.stop;
    });
    expect(waits).toHaveLength(1);
    expect(columnOf(run.blocks, 0)).toHaveLength(8);
    expect(run.events.at(-1)).toEqual(stopped);
  });
});

describe('a program that is not ready', () => {
  const refusal = { code: 'program-invalid', message: 'no such program' } as const;

  it('is reported with its error', () => {
    const run = runLoop({ maker: () => ({ ok: false, error: refusal }) });
    expect(run.messages).toEqual([{ id: 5, ok: false, error: refusal }]);
    const thrown = runLoop({
      make: () => {
        throw new RangeError('Invalid array length');
      },
    });
    expect(thrown.messages).toEqual([
      {
        id: 5,
        ok: false,
        error: {
          code: 'budget-exceeded',
          message: 'The program asks for more memory than is available: Invalid array length.',
        },
      },
    ]);
  });

  it('is stopped without any other event when requested', () => {
    for (const maker of [
      () => ({ ok: false, error: refusal }) as const,
      (() => {
        throw new Error('something');
      }) as ModelMaker,
      (_: unknown, { beat }: ModelHooks) => {
        beat();
        return { ok: true, model } as const;
      },
      (_: unknown, { tick }: ModelHooks) => {
        tick();
        return { ok: true, model } as const;
      },
    ])
      expect(runLoop({ command: commands.stop, maker }).events).toEqual([stopped]);
  });

  it('sends heartbeats, and does not pause before its chain starts', () => {
    const run = runLoop({
      command: commands.pause,
      make({ beat, tick }) {
        beat();
        beat();
        tick();
        return model;
      },
      on(event, control) {
        if (event.type === 'paused') control[controlSlots.command] = commands.stop;
      },
    });
    expect(run.types).toEqual(['reply', 'advanced', 'paused', 'finished']);
    expect(run.control[controlSlots.heartbeat]).toBeGreaterThanOrEqual(2);
  });
});

describe('what a program prints', () => {
  const printing = (lines: readonly string[]) =>
    runLoop({
      make({ print }) {
        for (const line of lines) print(line);
        return model;
      },
    }).lines;

  it('is sent line by line, at most 200 between two reports, and the rest is counted', () => {
    const lines = Array.from({ length: 200 }, (_, i) => `line ${i}`);
    expect(printing(lines)).toEqual(lines);
    expect(printing([...lines, 'one', 'two'])).toEqual([
      ...lines,
      '… and 2 more lines were left out.',
    ]);
  });

  it('is counted from zero after each report', () => {
    let ms = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => ms++);
    const { lines } = runLoop({
      // one iteration per report
      flushMs: 2,
      settings: { ...settings, numWarmup: 0 },
      make: ({ log }) => ({
        ...generatedOnlyModel(),
        constrain() {
          for (let i = 0; i < 150; i++) log('says');
        },
      }),
    });
    expect(lines).toEqual(Array.from({ length: 1500 }, () => 'says'));
  });

  it('is truncated if a line is long', () => {
    expect(printing(['x'.repeat(4000), 'y'.repeat(4001)])).toEqual([
      'x'.repeat(4000),
      `${'y'.repeat(4000)}…`,
    ]);
  });
});
