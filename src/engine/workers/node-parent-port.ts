/** Serves chain requests that arrive in a Node worker thread. */
import { getHeapStatistics } from 'node:v8';
import { parentPort } from 'node:worker_threads';
import { kernelMemory } from '../../math/linalg/dense.ts';
import { invariant } from '../../shared/invariant.ts';
import { type ModelMaker, runChainLoop } from './chain-loop.ts';
import type { ChainRequestMessage, WorkerMessage } from './protocol.ts';

export function serveParentPort(makeModel: ModelMaker): void {
  const port = parentPort;
  invariant(port, 'a chain worker runs in a worker thread');
  port.on('message', (message: ChainRequestMessage) => {
    runChainLoop(message, { post: (reply) => port.postMessage(reply) }, makeModel);
    if (message.keep) port.postMessage({ idle: true, bytes: bytesHeld() } satisfies WorkerMessage);
    else port.close();
  });
}

/** Memory of this thread: its heap, and arrays outside it. V8 counts all memory that kernels have reserved. */
function bytesHeld(): number {
  const { used_heap_size: heap, external_memory: arrays } = getHeapStatistics();
  const { reserved, used } = kernelMemory();
  return heap + arrays - reserved + used;
}
