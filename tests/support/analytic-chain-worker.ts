/** A chain worker whose "source" names a hand-written model, well behaved or not, for all chains or for one. */

import {
  BroadcastChannel,
  type MessagePort,
  receiveMessageOnPort,
  threadId,
} from 'node:worker_threads';
import type { Model } from '../../src/engine/model.ts';
import type { ModelHooks } from '../../src/engine/workers/chain-loop.ts';
import { serveParentPort } from '../../src/engine/workers/node-parent-port.ts';
import { funnelModel, normalModel, standardNormalModel } from './analytic-models.ts';

const normal = normalModel([1, 2], [1, 10]);

/** A normal that does `misdeed` at its evaluation number `at`. */
function misbehaving(at: number, misdeed: () => unknown): Model {
  let calls = 0;
  return {
    ...normal,
    logDensityGradient(theta, gradient) {
      if (++calls === at) misdeed();
      return normal.logDensityGradient(theta, gradient);
    },
  };
}

/** Recurses without end. */
const recurse = (n = 0): number => 1 + recurse(n + 1);

/** Between the threads of one process. */
const openChannel = (): BroadcastChannel => new BroadcastChannel('analytic chains');

/** Node can read from either kind of channel, but its types allow only one. */
const hasMessage = (channel: BroadcastChannel): boolean =>
  receiveMessageOnPort(channel as unknown as MessagePort) !== undefined;

/** Loops forever, and confirms it to any thread that asks. */
function loopAndAnswer(): never {
  const channel = openChannel();
  for (;;) if (hasMessage(channel)) channel.postMessage('loops');
}

/** Returns when another thread answers. */
function awaitLoop(): void {
  const channel = openChannel();
  const never = new Int32Array(new SharedArrayBuffer(4));
  do {
    channel.postMessage('does one loop?');
    Atomics.wait(never, 0, 0, 5);
  } while (!hasMessage(channel));
  channel.close();
}

const models: Readonly<Record<string, (hooks: ModelHooks) => Model>> = {
  normal: () => normal,
  funnel: () => funnelModel(),
  wide: () => standardNormalModel(200),
  'loops forever': () =>
    misbehaving(300, () => {
      for (;;);
    }),
  'loops forever with ticks': ({ tick }) =>
    misbehaving(300, () => {
      for (;;) tick();
    }),
  'fills the heap': () =>
    misbehaving(300, () => {
      const hoard: number[][] = [];
      for (;;) hoard.push(Array.from({ length: 10_000 }, (_, i) => i + 0.5));
    }),
  'asks for 100 GB': () =>
    misbehaving(300, () => {
      new Float64Array(100e9 / 8).fill(1);
    }),
  'recurses for ever': () => misbehaving(300, recurse),
  'loops and answers': () => misbehaving(300, loopAndAnswer),
  'recurses beside a loop': () =>
    misbehaving(300, () => {
      awaitLoop();
      recurse();
    }),
  'kills its thread': () => misbehaving(300, () => process.exit(3)),
  'says its thread': ({ print }) => {
    print(`thread ${threadId}`);
    return normal;
  },
  'prints twice': ({ print }) =>
    misbehaving(300, () => {
      print('hello');
      print('again');
    }),
};

/** `name`, or `name in chain n, …` for models of single chains; chains not named use the normal. */
function find(source: string, chain: number) {
  if (!source.includes(' in chain ')) return models[source];
  const own = source.split(', ').map((part) => part.split(' in chain '));
  return models[own.find(([, number]) => Number(number) === chain)?.[0] ?? 'normal'];
}

serveParentPort((task, hooks) => {
  // if a service checks the source, the name is in the first comment of a Stan program
  const source = /^\/\/ (.+)$/m.exec(task.source)?.[1] ?? task.source;
  const make = find(source, task.chain);
  if (make !== undefined) return { ok: true, model: make(hooks) };
  const message = `no model ${source}`;
  return { ok: false, error: { code: 'program-invalid', message, details: [1, 2] } };
});
