/** Stan programs that loop, grow or fail: each stops with a clear reason, and harms nothing else. */
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { settingsOfChain } from '../../../src/engine/chain-settings.ts';
import { defaultSettings } from '../../../src/engine/settings.ts';
import { type StartChainRequest, startChain } from '../../../src/engine/workers/node-host.ts';
import { countIdleThreads, endThreads } from '../../../src/engine/workers/node-threads.ts';
import {
  type ChainEvent,
  type ChainRequestMessage,
  controlBytes,
  type WorkerMessage,
} from '../../../src/engine/workers/protocol.ts';
import { type BundledWorker, bundleWorker } from '../../support/bundle-worker.ts';
import { chainSettings } from '../../support/run-model.ts';

let worker: BundledWorker;
beforeAll(async () => {
  worker = await bundleWorker();
});
afterAll(() => worker.remove());

async function run(source: string, extra: Partial<StartChainRequest> = {}) {
  const events: ChainEvent[] = [];
  const handle = startChain({
    source,
    data: {},
    settings: { ...chainSettings, numWarmup: 100, numSamples: 100 },
    chain: 1,
    workerUrl: worker.url,
    onEvent: (event) => {
      events.push(event);
      if (extra.onEvent !== undefined) return extra.onEvent(event);
    },
    ...extra,
  });
  return { outcome: await handle.done, events };
}

const normal = 'parameters { real x; } model { x ~ normal(0, 1); }';
/** Several parameters, so that the kernels of linear algebra compute their metric. */
const several =
  'parameters { vector[40] x; } model { x ~ normal(0, 1); x[1] ~ normal(x[2], 0.1); }';

describe('a Stan program', () => {
  it('is sampled', async () => {
    const { outcome, events } = await run(normal);
    expect(outcome).toEqual({ status: 'complete' });
    expect(events[0]).toMatchObject({ type: 'started', variables: [{ name: 'x' }] });
  });

  it('leaves a thread that holds little memory, though the kernels have reserved much', async () => {
    const thread = new Worker(worker.url, { env: {} });
    const held = new Promise<number>((resolve) => {
      thread.on('message', (message: WorkerMessage) => {
        if ('idle' in message) resolve(message.bytes);
      });
    });
    const settings = settingsOfChain(
      { ...defaultSettings, numWarmup: 200, numSamples: 100 },
      { seed: 1, chain: 1, streamWarmup: false },
    );
    const request = {
      id: 1,
      kind: 'start',
      task: { source: several, data: {}, settings, chain: 1 },
      limits: { arrayBytes: 2 ** 30, flushMs: 1000 },
      control: new SharedArrayBuffer(controlBytes),
      keep: true,
      again: false,
    } satisfies ChainRequestMessage;
    thread.postMessage(request);
    // with more than 64 MiB it would not wait for long
    expect(await held).toBeLessThan(40 * 2 ** 20);
    await thread.terminate();
  });

  it.each([
    ['does not parse', 'parameters { real x }', 'program-invalid', /./],
    ['lacks data', `data { int N; } ${normal}`, 'program-invalid', /N/],
    [
      'loops for ever in its model',
      'parameters { real x; } model { int n = 1; while (n > 0) { n = 1; } x ~ normal(0, 1); }',
      'budget-exceeded',
      /loop steps/,
    ],
    [
      'loops for ever in transformed data',
      `transformed data { int n = 1; while (n > 0) { n = 1; } } ${normal}`,
      'program-invalid',
      /loop steps/,
    ],
    [
      'declares 10 GB',
      `transformed data { vector[1250000000] big; } ${normal}`,
      'program-invalid',
      /1250000000|larger/,
    ],
    [
      'declares 10 GB of parameters',
      'parameters { vector[1250000000] x; } model { x ~ normal(0, 1); }',
      /budget-exceeded|program-invalid/,
      /./,
    ],
    [
      'records more than its tape may hold',
      'parameters { real x; } model { real y = x; for (i in 1 : 10000000) { y = sin(y) * 1.01 + x; } y ~ normal(0, 1); }',
      'budget-exceeded',
      /64 MiB/,
    ],
    [
      'calls itself for ever',
      'functions { real f(real x); real f(real x) { return 1 + f(x); } } parameters { real x; } model { x ~ normal(f(x), 1); }',
      'program-failed',
      /too deep/,
    ],
    [
      'indexes beyond the end',
      'parameters { vector[2] x; } model { int k = 3; x[k] ~ normal(0, 1); }',
      'program-failed',
      /3/,
    ],
    [
      'rejects everywhere',
      'parameters { real x; } model { reject("x is ", 7, " today"); }',
      'no-start',
      /x is 7 today/,
    ],
  ] as const)('that %s', async (_what, source, reason, text) => {
    const { outcome } = await run(source, { arrayBytes: 2 ** 26 });
    if (outcome.status !== 'failed') throw new Error(outcome.status);
    expect(outcome.failure.reason).toMatch(reason);
    expect(outcome.failure.message).toMatch(text);
  });

  it('that fills memory array by array is ended, while another chain continues', async () => {
    const processBytes = process.memoryUsage.rss() + 2 ** 29;
    const source = `transformed data { array[100] vector[20000000] big; } ${normal}`;
    const endless = { ...chainSettings, numSamples: 1e8 };
    const neighbour = startChain({
      source: normal,
      data: {},
      settings: endless,
      chain: 2,
      workerUrl: worker.url,
      processBytes,
      onEvent: () => {},
    });
    const { outcome } = await run(source, { processBytes });
    expect(outcome).toMatchObject({
      status: 'failed',
      failure: { reason: 'budget-exceeded', message: expect.stringContaining('more memory') },
    });
    neighbour.stop();
    expect(await neighbour.done).toEqual({ status: 'stopped' });
  });

  it('can be stopped during a loop in transformed data', async () => {
    const source = `transformed data { print("here"); int n = 1; while (n > 0) { n = 1; } } ${normal}`;
    const handle = startChain({
      source,
      data: {},
      settings: chainSettings,
      chain: 1,
      workerUrl: worker.url,
      onEvent: (event) => {
        if (event.type === 'log') handle.stop();
      },
    });
    expect(await handle.done).toEqual({ status: 'stopped' });
  });

  it('that prints in every gradient does not flood its host', async () => {
    const source = 'parameters { real x; } model { print("here"); x ~ normal(0, 1); }';
    const { outcome, events } = await run(source, { flushMs: 10_000 });
    expect(outcome).toEqual({ status: 'complete' });
    const lines = events.flatMap((event) => (event.type === 'log' ? [event.line] : []));
    expect(lines.slice(0, -1)).toEqual(Array.from({ length: 200 }, () => 'here'));
    expect(lines.at(-1)).toMatch(/^… and \d+ more lines/);
  });

  describe('in a thread that ran a chain before', () => {
    const source = `transformed data { print("once"); } ${normal} generated quantities { real z = normal_rng(x, 1); }`;
    const blocksOf = ({ events }: Awaited<ReturnType<typeof run>>) =>
      events.flatMap((event) => (event.type === 'advanced' ? event.blocks : []));
    const linesOf = ({ events }: Awaited<ReturnType<typeof run>>) =>
      events.flatMap((event) => (event.type === 'log' ? [event.line] : []));

    it('draws and prints the same as in a thread of its own', async () => {
      await run(source, { chain: 1, run: 'kept', flushMs: 10_000 });
      const second = await run(source, { chain: 2, run: 'kept', flushMs: 10_000 });
      await endThreads();
      const alone = await run(source, { chain: 2, flushMs: 10_000 });
      expect(blocksOf(second)).toEqual(blocksOf(alone));
      expect(linesOf(second)).toEqual(['once']);
      expect(linesOf(alone)).toEqual(['once']);
    });

    it('draws and prints the same if that chain ran another program', async () => {
      const other = 'parameters { vector[3] y; } model { y ~ student_t(4, 0, 1); }';
      await run(other, { run: 'before', flushMs: 10_000 });
      const now = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 1000);
      const after = await run(source, { run: 'after', flushMs: 10_000 });
      now.mockRestore();
      expect(countIdleThreads()).toBe(1);
      await endThreads();
      const alone = await run(source, { flushMs: 10_000 });
      expect(blocksOf(after)).toEqual(blocksOf(alone));
      expect(linesOf(after)).toEqual(['once']);
    });
  });

  it('shares transformed data among chains', async () => {
    const source = `transformed data { real z = normal_rng(0, 1); print(z); } ${normal}`;
    const printed = async (chain: number) => {
      const { events } = await run(source, { chain });
      return events.flatMap((event) => (event.type === 'log' ? [event.line] : []));
    };
    const [first, second] = await Promise.all([printed(1), printed(2)]);
    expect(first).toHaveLength(1);
    expect(second).toEqual(first);
  });
});
