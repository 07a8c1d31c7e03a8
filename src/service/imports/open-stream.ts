/** Reads files of any size in a separate thread with limited memory, which is ended when it makes no progress. */
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { ImportError } from '../../formats/imported-draws.ts';
import { builtServerFile } from '../built-file.ts';
import type { DrawsHead, FedBatch } from './draws-feed.ts';
import type { StreamMessage, StreamRequest } from './reader-messages.ts';

/** Time without a byte read or a batch accepted. */
const STANDSTILL_MS = 120_000;
const HEAP_MB = 192;
/** Lines and cells are short-lived: more room would only fill up with them. */
const YOUNG_MB = 16;

export interface StreamOptions {
  /** Bytes of the files that have been read. */
  readonly onBytes?: (bytes: number) => void;
  readonly standstillMs?: number;
}

export function openStream(
  request: StreamRequest,
  { onBytes = () => {}, standstillMs = STANDSTILL_MS }: StreamOptions = {},
): Reading {
  const reading = new Reading(startThread(), { onBytes, standstillMs });
  reading.begin(request);
  return reading;
}

function startThread(): Worker {
  return new Worker(pathToFileURL(builtServerFile('node-draws-reader-worker.js')), {
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: YOUNG_MB },
    // Libraries in it write what is wrong with a file to the console.
    stdout: true,
    stderr: true,
    env: {},
  });
}

class Reading {
  /** Resolves when all files have been read. Rejects with {@link ImportError}: what is wrong with them. */
  readonly head: Promise<DrawsHead>;
  /** May be read once, after the head. */
  readonly batches: AsyncIterable<FedBatch>;
  private settleHead: {
    readonly resolve: (head: DrawsHead) => void;
    readonly reject: (error: Error) => void;
  } = { resolve: () => {}, reject: () => {} };
  private readonly arrived: FedBatch[] = [];
  private state: 'reading' | 'done' | Error = 'reading';
  private timer: NodeJS.Timeout | undefined;
  private onChange = () => {};

  constructor(
    private readonly thread: Worker,
    private readonly options: Required<StreamOptions>,
  ) {
    this.head = new Promise<DrawsHead>((resolve, reject) => {
      this.settleHead = { resolve, reject };
    });
    // the code that awaits it gets the error; until then it does not count as unhandled
    this.head.catch(() => {});
    this.batches = this.takeBatches();
    thread.on('message', (message: StreamMessage) => this.take(message));
    thread.on('error', (error: NodeJS.ErrnoException) => this.stop(asImportError(error)));
    thread.once('exit', () =>
      this.stop(new ImportError('Reading the files ended without a result.')),
    );
  }

  begin(request: StreamRequest): void {
    this.expectMore();
    this.thread.postMessage(request);
  }

  /** Stops reading: `head` and `batches` reject with `reason`. */
  stop(reason: Error): void {
    if (this.state !== 'reading') return;
    this.end(reason);
    this.settleHead.reject(reason);
    void this.thread.terminate();
  }

  /** Must be called after the end as well. */
  async close(): Promise<void> {
    this.stop(new Error('closed'));
    await this.thread.terminate();
  }

  private take(message: StreamMessage): void {
    if (message === 'done') {
      this.end('done');
      return;
    }
    this.expectMore();
    if ('bytes' in message) this.options.onBytes(message.bytes);
    else if ('head' in message) this.settleHead.resolve(message.head);
    else if ('problem' in message) this.stop(new ImportError(message.problem));
    else {
      this.arrived.push(message.batch);
      // the writer may take its time
      clearTimeout(this.timer);
      this.onChange();
    }
  }

  private end(state: 'done' | Error): void {
    this.state = state;
    clearTimeout(this.timer);
    this.onChange();
  }

  private expectMore(): void {
    clearTimeout(this.timer);
    if (this.state !== 'reading') return;
    const { standstillMs } = this.options;
    const seconds = Math.round(standstillMs / 1000);
    const text = `Reading the files made no progress for ${seconds} seconds, so it was stopped.`;
    this.timer = setTimeout(() => this.stop(new ImportError(text)), standstillMs);
  }

  private async *takeBatches(): AsyncGenerator<FedBatch> {
    for (;;) {
      const batch = this.arrived.shift();
      if (batch !== undefined) {
        yield batch;
        if (this.arrived.length === 0) this.expectMore();
        this.thread.postMessage('taken');
      } else if (this.state instanceof Error) throw this.state;
      else if (this.state === 'done') return;
      else
        await new Promise<void>((resolve) => {
          this.onChange = resolve;
        });
    }
  }
}

function asImportError(error: NodeJS.ErrnoException): Error {
  if (error.code !== 'ERR_WORKER_OUT_OF_MEMORY') return error;
  return new ImportError(`Reading the files takes more than ${HEAP_MB} MB of memory.`);
}
