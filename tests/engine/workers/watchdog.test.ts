import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { controlBytes, controlSlots, workerStates } from '../../../src/engine/workers/protocol.ts';
import { type WatchRequest, watchChain } from '../../../src/engine/workers/watchdog.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

function watch(limits: Partial<WatchRequest> = {}) {
  const control = new Int32Array(new SharedArrayBuffer(controlBytes));
  control[controlSlots.state] = workerStates.running;
  const exceeded: [string, string][] = [];
  const stop = watchChain({
    control,
    iterationSeconds: 10,
    runSeconds: null,
    onExceeded: (reason, message) => exceeded.push([reason, message]),
    ...limits,
  });
  /** Lets seconds pass, with or without an iteration in each. */
  const pass = (seconds: number, beats = false) => {
    for (let n = 0; n < seconds; n++) {
      if (beats) Atomics.add(control, controlSlots.heartbeat, 1);
      vi.advanceTimersByTime(1000);
    }
  };
  return { control, exceeded, stop, pass };
}

const iteration = [
  'iteration-timeout',
  'One iteration took longer than 10 seconds (iteration_timeout).',
];
const runTime = ['run-timeout', 'The chain took longer than 10 seconds (timeout).'];

describe('a watched chain', () => {
  it('may use its full time for an iteration', () => {
    const { exceeded, pass } = watch();
    // the first check sees a heartbeat that differs from none
    pass(11);
    expect(exceeded).toEqual([]);
    pass(1);
    expect(exceeded).toEqual([iteration]);
  });

  it('has its full time from the first check, even during its first iteration', () => {
    const { control, exceeded, pass } = watch();
    control[controlSlots.heartbeat] = 1;
    pass(11);
    expect(exceeded).toEqual([]);
    pass(1);
    expect(exceeded).toEqual([iteration]);
  });

  it('may run indefinitely while each iteration is quick', () => {
    const { exceeded, pass } = watch();
    pass(30, true);
    expect(exceeded).toEqual([]);
    pass(10);
    expect(exceeded).toEqual([]);
    pass(1);
    expect(exceeded).toEqual([iteration]);
  });

  it('times out with a message when the program does not start', () => {
    const { control, exceeded, pass } = watch();
    control[controlSlots.state] = workerStates.starting;
    pass(12);
    expect(exceeded).toEqual([
      [
        'iteration-timeout',
        'Starting the program took longer than 10 seconds (iteration_timeout).',
      ],
    ]);
  });

  it('has a time limit for the whole run that excludes pauses', () => {
    const { control, exceeded, pass } = watch({ iterationSeconds: 600, runSeconds: 10 });
    pass(6, true);
    for (const state of [workerStates.waiting, workerStates.ended]) {
      control[controlSlots.state] = state;
      pass(60);
    }
    control[controlSlots.state] = workerStates.running;
    pass(4, true);
    expect(exceeded).toEqual([]);
    pass(1, true);
    expect(exceeded).toEqual([runTime]);
  });

  it('restarts its iteration time after a pause', () => {
    const { control, exceeded, pass } = watch();
    pass(8);
    control[controlSlots.state] = workerStates.waiting;
    pass(1);
    control[controlSlots.state] = workerStates.running;
    pass(10);
    expect(exceeded).toEqual([]);
    pass(1);
    expect(exceeded).toEqual([iteration]);
  });

  it('is not blamed for a machine that slept', () => {
    const { exceeded, pass } = watch();
    pass(2);
    const now = performance.now();
    vi.spyOn(performance, 'now').mockReturnValue(now + 3_600_000);
    vi.advanceTimersByTime(1000);
    expect(exceeded).toEqual([]);
  });

  it('is checked ten times within the shortest of its limits', () => {
    const { exceeded } = watch({ iterationSeconds: 0.5, runSeconds: 0.2 });
    vi.advanceTimersByTime(200);
    expect(exceeded).toEqual([]);
    vi.advanceTimersByTime(20);
    expect(exceeded).toEqual([
      ['run-timeout', 'The chain took longer than 0.2 seconds (timeout).'],
    ]);
  });

  it('is no longer checked once it has ended', () => {
    const { exceeded, stop, pass } = watch();
    pass(5);
    stop();
    pass(60);
    expect(exceeded).toEqual([]);
  });
});
