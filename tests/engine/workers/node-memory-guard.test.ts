import { totalmem } from 'node:os';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  defaultMemoryCeiling,
  guardMemory,
} from '../../../src/engine/workers/node-memory-guard.ts';
import {
  countIdleThreads,
  endThreads,
  keepThread,
} from '../../../src/engine/workers/node-threads.ts';
import { controlBytes, controlSlots, workerStates } from '../../../src/engine/workers/protocol.ts';
import { idleWorker } from '../../support/idle-worker.ts';

const mebibyte = 2 ** 20;
let resident = 0;
const stops: (() => void)[] = [];

beforeEach(async () => {
  // end threads that other tests left behind
  await endThreads();
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  vi.spyOn(process.memoryUsage, 'rss').mockImplementation(() => resident);
  resident = 0;
});
afterEach(async () => {
  for (const stop of stops.splice(0)) stop();
  await endThreads();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** A chain that may fill the process to 512 MiB. */
function guarded(state: number = workerStates.running) {
  const control = new Int32Array(new SharedArrayBuffer(controlBytes));
  control[controlSlots.state] = state;
  const said: string[] = [];
  const stop = guardMemory({
    control,
    ceilingBytes: 512 * mebibyte,
    onExceeded: (message) => said.push(message),
  });
  stops.push(stop);
  const beat = () => Atomics.add(control, controlSlots.heartbeat, 1);
  return { said, stop, beat };
}

const message = 'The program needs more memory than all chains together may use (512 MiB).';

describe('a process that its chains fill', () => {
  it('ends the chain that has been quiet for longest, and another only if that does not help', () => {
    const [quick, slow, late] = [guarded(), guarded(), guarded()];
    for (let n = 0; n < 5; n++) {
      quick.beat();
      if (n < 3) late.beat();
      vi.advanceTimersByTime(100);
    }
    resident = 512 * mebibyte;
    vi.advanceTimersByTime(100);
    expect([quick.said, slow.said, late.said]).toEqual([[], [], []]);
    resident += 1;
    quick.beat();
    vi.advanceTimersByTime(300);
    expect([quick.said, slow.said, late.said]).toEqual([[], [message], []]);
    slow.stop();
    quick.beat();
    vi.advanceTimersByTime(100);
    expect([quick.said, slow.said, late.said]).toEqual([[], [message], [message]]);
    late.stop();
    resident = 0;
    vi.advanceTimersByTime(300);
    expect(quick.said).toEqual([]);
  });

  it('spares chains that are waiting or have ended', () => {
    const idle = [guarded(workerStates.waiting), guarded(workerStates.ended)];
    resident = 600 * mebibyte;
    vi.advanceTimersByTime(500);
    expect(idle.map(({ said }) => said)).toEqual([[], []]);
    const starting = guarded(workerStates.starting);
    vi.advanceTimersByTime(100);
    expect(starting.said).toEqual([message]);
  });

  it('ends idle threads before any chain', () => {
    const chain = guarded();
    const worker = idleWorker();
    keepThread({ run: 'run', kind: 'kind' }, worker, 0);
    resident = 600 * mebibyte;
    vi.advanceTimersByTime(100);
    expect([worker.isTerminated, countIdleThreads(), chain.said]).toEqual([true, 0, []]);
    vi.advanceTimersByTime(100);
    expect(chain.said).toEqual([message]);
  });

  it('is monitored only while there are chains', () => {
    const [a, b] = [guarded(), guarded()];
    expect(vi.getTimerCount()).toBe(1);
    a.stop();
    expect(vi.getTimerCount()).toBe(1);
    b.stop();
    b.stop();
    expect(vi.getTimerCount()).toBe(0);
    guarded();
    expect(vi.getTimerCount()).toBe(1);
  });
});

it('chains may use seven tenths of the memory of the machine or the container', () => {
  const limit = vi.spyOn(process, 'constrainedMemory');
  const ceilings = [undefined, 0, 1000, 2 * totalmem()].map((bytes) => {
    limit.mockReturnValue(bytes as number);
    return defaultMemoryCeiling();
  });
  const all = 0.7 * totalmem();
  expect(ceilings).toEqual([all, all, 700, all]);
});
