/**
 * The thread that reads untrusted files: a hang, crash or lack of memory affects only this thread. It receives one
 * request and ends after the answer.
 */
import { type MessagePort, parentPort } from 'node:worker_threads';
import { ImportError, type ImportedChain } from '../../formats/imported-draws.ts';
import { readDrawFiles } from '../../formats/read-draw-files.ts';
import type { ReaderAnswer, ReaderRequest, StreamRequest } from './reader-messages.ts';
import { streamDraws } from './stream-draws.ts';

parentPort?.once('message', (request: ReaderRequest | StreamRequest) => {
  if ('stream' in request) {
    const port = parentPort as MessagePort;
    void streamDraws(port, request)
      .catch((error: unknown) => port.postMessage({ problem: problemOf(error) }))
      .then(() => port.close());
    return;
  }
  void answer(request).then((message) => {
    const transfer = 'content' in message ? buffersOf(message.content.draws.chains) : [];
    parentPort?.postMessage(message, transfer);
    parentPort?.close();
  });
});

async function answer({ files, type }: ReaderRequest): Promise<ReaderAnswer> {
  try {
    return { content: await readDrawFiles(files, { type }) };
  } catch (error) {
    return { problem: problemOf(error) };
  }
}

function problemOf(error: unknown): string {
  if (error instanceof ImportError) return error.message;
  // Errors that a library throws on a hostile file, running out of memory included: the file is at fault.
  return `The files could not be read: ${(error as Error).message.slice(0, 300)}`;
}

function buffersOf(chains: readonly ImportedChain[]): ArrayBuffer[] {
  const buffers = new Set<ArrayBuffer>();
  for (const { draws, warmup } of chains)
    for (const column of [...draws, ...warmup]) buffers.add(column.buffer as ArrayBuffer);
  return [...buffers];
}
