/** Collects a body in blocks that can be passed to a thread as they are: joining 60 MB blocks the event loop. */
import type { IncomingMessage } from 'node:http';
import { invalidParameter } from './service-error.ts';

const BLOCK_BYTES = 2 ** 20;

export interface CollectedBody {
  /** Each fills its buffer, except the last. */
  readonly blocks: readonly Uint8Array[];
  readonly size: number;
}

export interface BodyRules {
  readonly limit: number;
  /** Content-Length; null: it was not sent. */
  readonly length: number | null;
  readonly tooLarge: () => Error;
}

/** At least twice the previous block: an unannounced body arriving byte by byte would make millions of blocks. */
const blockBytes = (before: number, rest: number, length: number | null): number =>
  Math.min(BLOCK_BYTES, Math.max(rest, length ?? 0, 2 * before));

/** The output of a stream that was unpacked; `receivedEncodedLength`: bytes before unpacking. */
type Payload = IncomingMessage & { readonly receivedEncodedLength?: number };

/** Rejects when more than `limit` arrives, or a different length than announced. */
export function collectBody(payload: Payload, rules: BodyRules): Promise<CollectedBody> {
  const { limit, length, tooLarge } = rules;
  const blocks: Uint8Array[] = [];
  let last = new Uint8Array(0);
  let filled = 0;
  let size = 0;
  const add = (chunk: Uint8Array) => {
    for (let at = 0; at < chunk.length; ) {
      if (filled === last.length) {
        last = new Uint8Array(blockBytes(last.length, chunk.length - at, length));
        blocks.push(last);
        filled = 0;
      }
      const part = chunk.subarray(at, at + last.length - filled);
      last.set(part, filled);
      filled += part.length;
      at += part.length;
    }
  };
  return new Promise((resolve, reject) => {
    const finish = (settle: () => void) => {
      payload.off('data', onData).off('end', onEnd).off('error', onError).off('close', onClose);
      settle();
    };
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) finish(() => reject(tooLarge()));
      else add(chunk);
    };
    const onEnd = () => {
      const received = payload.receivedEncodedLength ?? size;
      if (length !== null && received !== length)
        finish(() => reject(invalidParameter('The body is not as long as Content-Length says.')));
      else {
        if (blocks.length > 0) blocks[blocks.length - 1] = last.subarray(0, filled);
        finish(() => resolve({ blocks, size }));
      }
    };
    const onError = (error: Error) => finish(() => reject(error));
    const onClose = () => finish(() => reject(new Error('The connection ended before the body.')));
    // a client may disconnect during authentication, and then no more events come
    if (payload.destroyed) {
      onClose();
      return;
    }
    payload.on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose);
    payload.resume();
  });
}
