/** Runs in the thread: reads files of any size, and sends their draws in batches as fast as they are accepted. */
import fs from 'node:fs';
import type { MessagePort } from 'node:worker_threads';
import { type DrawSource, HEAD_BYTES, sourceOf } from '../../formats/draw-source.ts';
import { prepareHdf5 } from '../../formats/hdf5.ts';
import { storedImportLimits } from '../../formats/imported-draws.ts';
import { readDrawSources } from '../../formats/read-draw-files.ts';
import { batchesOf, headOf } from './draws-feed.ts';
import {
  BATCHES_ON_THE_WAY,
  type PlacedFile,
  type StreamMessage,
  type StreamRequest,
} from './reader-messages.ts';
import { createSpilledColumns } from './spilled-columns.ts';

const PIECE_BYTES = 2 ** 20;

export async function streamDraws(
  port: MessagePort,
  { stream, type, folder }: StreamRequest,
): Promise<void> {
  const send = (message: StreamMessage, transfer: ArrayBuffer[] = []) =>
    port.postMessage(message, transfer);
  let bytes = 0;
  const onBytes = (count: number) => send({ bytes: (bytes += count) });
  const sources = stream.map((file) =>
    'bytes' in file ? sourceOf(file) : placedSource(file, onBytes),
  );
  const store = createSpilledColumns(folder);
  const content = await readDrawSources(sources, store, { type, limits: storedImportLimits });
  send({ head: headOf(content, store) });
  let onTheWay = 0;
  let onTaken = () => {};
  port.on('message', () => {
    onTheWay -= 1;
    onTaken();
  });
  for (const batch of batchesOf(content, store)) {
    while (onTheWay >= BATCHES_ON_THE_WAY)
      await new Promise<void>((resolve) => {
        onTaken = resolve;
      });
    onTheWay += 1;
    send({ batch }, [batch.values.buffer as ArrayBuffer]);
  }
  send('done');
}

/** Synchronous reads: this thread has nothing else to do. */
export function placedSource(
  { name, path, size }: PlacedFile,
  onBytes: (count: number) => void = () => {},
): DrawSource {
  return {
    name,
    size,
    head: () => firstBytes(path, Math.min(size, HEAD_BYTES)),
    *pieces() {
      const file = fs.openSync(path, 'r');
      try {
        const piece = new Uint8Array(PIECE_BYTES);
        for (let at = 0; ; ) {
          const count = fs.readSync(file, piece, 0, piece.length, at);
          if (count === 0) return;
          at += count;
          onBytes(count);
          yield piece.subarray(0, count);
        }
      } finally {
        fs.closeSync(file);
      }
    },
    // this build of the library reads files in place
    hdf5: async () => ({ hdf5: await prepareHdf5(await import('h5wasm/node')), path }),
  };
}

function firstBytes(path: string, count: number): Uint8Array {
  const file = fs.openSync(path, 'r');
  try {
    const bytes = new Uint8Array(count);
    let done = 0;
    while (done < count) {
      const read = fs.readSync(file, bytes, done, count - done, done);
      if (read === 0) break;
      done += read;
    }
    return bytes.subarray(0, done);
  } finally {
    fs.closeSync(file);
  }
}
