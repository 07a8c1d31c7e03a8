/** Chains in real threads: what the host sees, and that no program harms it. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createChain } from '../../../src/engine/chain.ts';
import type { ChainSettings } from '../../../src/engine/chain-state.ts';
import type { ChainCheckpoint } from '../../../src/engine/checkpoint.ts';
import type { DrawBlock } from '../../../src/engine/events.ts';
import {
  type ChainHandle,
  type StartChainRequest,
  startChain,
} from '../../../src/engine/workers/node-host.ts';
import { endThreads } from '../../../src/engine/workers/node-threads.ts';
import { type ChainEvent, maxPending } from '../../../src/engine/workers/protocol.ts';
import { normalModel } from '../../support/analytic-models.ts';
import { type BundledWorker, bundleWorker } from '../../support/bundle-worker.ts';
import { chainSettings, columnOf } from '../../support/run-model.ts';

let worker: BundledWorker;
beforeAll(async () => {
  worker = await bundleWorker('tests/support/analytic-chain-worker.ts');
});
afterAll(() => worker.remove());

const settings: ChainSettings = { ...chainSettings, numWarmup: 200, numSamples: 300 };
/** Never finishes within a test. */
const endless: ChainSettings = { ...settings, numSamples: 1e8, streamWarmup: true };

class Recorder {
  readonly events: ChainEvent[] = [];
  handle: ChainHandle | null = null;
  private readonly reactions: ((event: ChainEvent) => void)[] = [];

  start(source: string, extra: Partial<StartChainRequest> = {}): ChainHandle {
    this.handle = startChain({
      source,
      data: {},
      settings,
      chain: 1,
      workerUrl: worker.url,
      onEvent: (event) => {
        this.events.push(event);
        for (const react of this.reactions) react(event);
      },
      ...extra,
    });
    return this.handle;
  }

  /** Resolves at the next event of this type. */
  next(type: ChainEvent['type']): Promise<ChainEvent> {
    return new Promise((resolve) => {
      this.reactions.push((event) => {
        if (event.type === type) resolve(event);
      });
    });
  }

  get blocks(): DrawBlock[] {
    return this.events.flatMap((event) => (event.type === 'advanced' ? event.blocks : []));
  }

  get lastCheckpoint(): ChainCheckpoint | undefined {
    return this.events.findLast((event) => event.type === 'advanced')?.checkpoint;
  }

  get types(): string[] {
    return this.events.map((event) => event.type);
  }
}

const lp = (blocks: readonly DrawBlock[]) => [...columnOf(blocks, 0)];

/** What the same chain draws in this process. */
function drawnHere(length: number): number[] {
  const model = normalModel([1, 2], [1, 10]);
  const chain = createChain({ model, settings: { ...settings, numSamples: length }, chain: 1 });
  return lp(chain.advance().blocks);
}

describe('a chain in a thread', () => {
  it('starts, advances, finishes, and draws the same as outside a thread', async () => {
    const recorder = new Recorder();
    expect(await recorder.start('normal').done).toEqual({ status: 'complete' });
    expect(recorder.types[0]).toBe('started');
    expect(recorder.types.at(-1)).toBe('finished');
    expect(recorder.events[0]).toMatchObject({
      columns: expect.arrayContaining(['lp__', 'energy__', 'x1', 'x2', 'noise']),
      variables: [{ name: 'x1' }, { name: 'x2' }, { name: 'noise' }],
    });
    expect(lp(recorder.blocks)).toEqual(drawnHere(300));
  });

  it('passes on what the program prints', async () => {
    const recorder = new Recorder();
    await recorder.start('prints twice').done;
    const lines = recorder.events.flatMap((event) => (event.type === 'log' ? [event.line] : []));
    expect(lines).toEqual(['hello', 'again']);
  });

  it('reports a program that does not compile', async () => {
    const recorder = new Recorder();
    expect(await recorder.start('no such').done).toEqual({
      status: 'failed',
      failure: { chain: 1, reason: 'program-invalid', message: 'no model no such' },
      details: [1, 2],
    });
    expect(recorder.types).toEqual(['failed']);
  });

  it('stops where it is, and continues from there bit-identically', async () => {
    const recorder = new Recorder();
    const handle = recorder.start('normal', { settings: endless });
    await recorder.next('advanced');
    handle.stop();
    expect(await handle.done).toEqual({ status: 'stopped' });
    const checkpoint = recorder.lastCheckpoint;
    if (checkpoint === undefined) throw new Error('no checkpoint');
    const numDrawn = checkpoint.samplingDraws;
    expect(lp(recorder.blocks).length).toBe(numDrawn);

    const rest = new Recorder();
    const more = { ...settings, numSamples: numDrawn + 50 };
    await rest.start('normal', { settings: more, checkpoint }).done;
    const all = lp([...recorder.blocks, ...rest.blocks]);
    expect(all).toEqual(drawnHere(numDrawn + 50));
  });

  it('pauses and resumes without changing a draw', async () => {
    const recorder = new Recorder();
    const handle = recorder.start('normal', { settings: endless });
    await recorder.next('advanced');
    const paused = recorder.next('paused');
    handle.pause();
    await paused;
    const numAtPause = recorder.events.length;
    const resumed = recorder.next('resumed');
    handle.resume();
    await resumed;
    expect(recorder.types[numAtPause]).toBe('resumed');
    await recorder.next('advanced');
    handle.stop();
    await handle.done;
    const drawn = lp(recorder.blocks);
    expect(drawn).toEqual(drawnHere(drawn.length));
  });

  it('can be stopped while paused, and ignores later commands', async () => {
    const recorder = new Recorder();
    const handle = recorder.start('normal', { settings: endless });
    const paused = recorder.next('paused');
    handle.pause();
    await paused;
    handle.stop();
    handle.resume();
    expect(await handle.done).toEqual({ status: 'stopped' });
    handle.pause();
  });

  it('exits a loop of the program when asked to stop', async () => {
    const recorder = new Recorder();
    const handle = recorder.start('loops forever with ticks', { settings: endless });
    await recorder.next('started');
    handle.stop();
    expect(await handle.done).toEqual({ status: 'stopped' });
  });

  it('waits for a slow host', async () => {
    const { promise: gate, open } = openableGate();
    const slow = new Recorder();
    const handle = slow.start('normal', {
      settings: endless,
      flushMs: 1,
      onEvent(event) {
        slow.events.push(event);
        return gate;
      },
    });
    // for the duration of another chain, the slow host takes nothing in
    await new Recorder().start('normal', { settings: { ...settings, numSamples: 20_000 } }).done;
    handle.stop();
    open();
    expect(await handle.done).toEqual({ status: 'stopped' });
    const numAdvanced = slow.types.filter((type) => type === 'advanced').length;
    expect(numAdvanced).toBeGreaterThan(1);
    // one more reports where it stopped
    expect(numAdvanced).toBeLessThanOrEqual(maxPending + 1);
  });
});

function openableGate() {
  let open = () => {};
  const promise = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { promise, open };
}

describe('chains of a run', () => {
  const oneAfterAnother = async (requests: readonly Partial<StartChainRequest>[]) => {
    const threads: (string | undefined)[] = [];
    for (const request of requests) {
      const recorder = new Recorder();
      await recorder.start('says its thread', request).done;
      const line = recorder.events.find((event) => event.type === 'log');
      threads.push(line?.line);
    }
    return threads;
  };

  it('reuse the thread of the previous chain', async () => {
    const [first, second] = await oneAfterAnother([{ run: 'a' }, { run: 'a', chain: 2 }]);
    expect(first).toMatch(/^thread \d+$/);
    expect(second).toBe(first);
    await endThreads();
    const [after] = await oneAfterAnother([{ run: 'a' }]);
    expect(after).not.toBe(first);
    await endThreads();
  });

  it('leave their thread to other runs with the same limits after a delay', async () => {
    const [first, early] = await oneAfterAnother([{ run: 'e' }, { run: 'f' }]);
    expect(early).not.toBe(first);
    // the test's clock
    const now = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 1000);
    const [later, limited] = await oneAfterAnother([{ run: 'g' }, { run: 'h', heapMiB: 512 }]);
    now.mockRestore();
    expect(later).toBe(early);
    expect([first, early]).not.toContain(limited);
    await endThreads();
  });

  it('do not reuse the thread of a chain that failed or was stopped', async () => {
    const failing = new Recorder();
    const failed = await failing.start('kills its thread', { run: 'c' }).done;
    expect(failed.status).toBe('failed');
    const stopped = new Recorder();
    stopped.start('says its thread', { run: 'c', settings: endless });
    await stopped.next('advanced');
    stopped.handle?.stop();
    expect(await stopped.handle?.done).toEqual({ status: 'stopped' });
    const before = stopped.events.find((event) => event.type === 'log')?.line;
    const [last] = await oneAfterAnother([{ run: 'c' }]);
    expect(last).not.toBe(before);
    await endThreads();
  });

  it('keep no idle thread when memory is short', async () => {
    const [first] = await oneAfterAnother([{ run: 'd' }]);
    const short = { settings: endless, processBytes: 1 };
    expect(await new Recorder().start('normal', short).done).toMatchObject({ status: 'failed' });
    const [next] = await oneAfterAnother([{ run: 'd' }]);
    expect(next).not.toBe(first);
    await endThreads();
  });
});

describe('a host survives', () => {
  it.each([
    ['loops forever', { iterationTimeout: 0.4 }, 'iteration-timeout', 'iteration_timeout'],
    ['normal', { timeout: 0.4, settings: endless }, 'run-timeout', 'timeout'],
    ['fills the heap', { heapMiB: 48 }, 'budget-exceeded', '48 MiB'],
    ['asks for 100 GB', {}, 'budget-exceeded', 'more memory'],
    ['recurses for ever', {}, 'program-failed', 'calls itself too deep'],
    ['kills its thread', {}, 'worker-failed', 'exit code 3'],
  ] as const)('a program that fails: %s', async (source, extra, reason, text) => {
    const recorder = new Recorder();
    const outcome = await recorder.start(source, extra).done;
    expect(outcome).toMatchObject({
      status: 'failed',
      failure: { chain: 1, reason, message: expect.stringContaining(text) },
    });
    expect(recorder.types.at(-1)).toBe('failed');
  });

  it('a store that refuses an event', async () => {
    const recorder = new Recorder();
    const handle = recorder.start('normal', {
      settings: endless,
      onEvent: () => Promise.reject(new Error('disk full')),
    });
    expect(await handle.done).toMatchObject({
      status: 'failed',
      failure: { reason: 'worker-failed', message: expect.stringContaining('disk full') },
    });
  });
});
