/** Reads files of any size in a thread of their own, whose memory is bounded and which is ended when it stands still. */
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { ImportError } from '../../formats/imported-draws.ts';
import { builtServerFile } from '../built-file.ts';
import type { DrawsHead, FedBatch } from './draws-feed.ts';
import type { StreamMessage, StreamRequest } from './reader-messages.ts';

/** Without a byte read or a batch taken. */
const STANDSTILL_MS = 120_000;
const HEAP_MB = 192;
/** Lines and cells live for a moment: more room would only fill up with them. */
const YOUNG_MB = 16;

export interface DrawsStream {
  /** Comes when all files have been read. Rejects with {@link ImportError}: what is wrong with them. */
  readonly head: Promise<DrawsHead>;
  /** To be asked for after the head, once. */
  readonly batches: AsyncIterable<FedBatch>;
  /** Ends it: `head` and `batches` reject with `reason`. */
  stop(reason: Error): void;
  /** Needed after the end as well. */
  close(): Promise<void>;
}

export interface StreamOptions {
  /** Bytes of the files that were read so far. */
  readonly onBytes?: (bytes: number) => void;
  readonly standstillMs?: number;
}

export function openStream(request: StreamRequest, options: StreamOptions = {}): DrawsStream {
  const { onBytes = () => {}, standstillMs = STANDSTILL_MS } = options;
  const thread = new Worker(pathToFileURL(builtServerFile('node-draws-reader-worker.js')), {
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: YOUNG_MB },
    // Libraries in it write what they find wrong to the console.
    stdout: true,
    stderr: true,
    env: {},
  });
  const arrived: FedBatch[] = [];
  let state: 'reading' | 'done' | Error = 'reading';
  let onChange = () => {};
  let settleHead: { resolve: (head: DrawsHead) => void; reject: (error: Error) => void };
  const head = new Promise<DrawsHead>((resolve, reject) => {
    settleHead = { resolve, reject };
  });
  // whoever waits for it gets the error; until then it does not count as unhandled
  head.catch(() => {});
  const fail = (error: Error) => {
    if (state !== 'reading') return;
    state = error;
    clearTimeout(timer);
    settleHead.reject(error);
    onChange();
    void thread.terminate();
  };
  const seconds = Math.round(standstillMs / 1000);
  const late = () =>
    fail(
      new ImportError(`Reading the files stood still for ${seconds} seconds, so it was stopped.`),
    );
  let timer = setTimeout(late, standstillMs);
  const expectMore = () => {
    clearTimeout(timer);
    if (state === 'reading') timer = setTimeout(late, standstillMs);
  };
  thread.on('message', (message: StreamMessage) => {
    expectMore();
    if (message === 'done') {
      state = 'done';
      clearTimeout(timer);
      onChange();
    } else if ('bytes' in message) onBytes(message.bytes);
    else if ('head' in message) settleHead.resolve(message.head);
    else if ('problem' in message) fail(new ImportError(message.problem));
    else {
      arrived.push(message.batch);
      // the writer may take its time
      clearTimeout(timer);
      onChange();
    }
  });
  thread.on('error', (error: NodeJS.ErrnoException) =>
    fail(
      error.code === 'ERR_WORKER_OUT_OF_MEMORY'
        ? new ImportError(`Reading the files takes more than ${HEAP_MB} MB of memory.`)
        : error,
    ),
  );
  thread.once('exit', () => fail(new ImportError('Reading the files ended without a result.')));
  thread.postMessage(request);

  async function* batches(): AsyncGenerator<FedBatch> {
    for (;;) {
      const batch = arrived.shift();
      if (batch !== undefined) {
        yield batch;
        if (arrived.length === 0) expectMore();
        thread.postMessage('taken');
      } else if (state instanceof Error) throw state;
      else if (state === 'done') return;
      else
        await new Promise<void>((resolve) => {
          onChange = resolve;
        });
    }
  }
  return {
    head,
    batches: batches(),
    stop: fail,
    async close() {
      fail(new Error('closed'));
      clearTimeout(timer);
      await thread.terminate();
    },
  };
}
