/**
 * The thread that reads files from outside: what hangs, dies or eats memory in it takes nothing else along. It gets
 * one request and ends after the answer.
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
  // What a library threw at a hostile file, a lack of memory among it: the file is to blame.
  return `The files could not be read: ${(error as Error).message.slice(0, 300)}`;
}

function buffersOf(chains: readonly ImportedChain[]): ArrayBuffer[] {
  const buffers = new Set<ArrayBuffer>();
  for (const { draws, warmup } of chains)
    for (const column of [...draws, ...warmup]) buffers.add(column.buffer as ArrayBuffer);
  return [...buffers];
}
