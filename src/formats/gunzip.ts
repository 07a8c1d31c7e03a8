/** Unpacks gzip piece by piece, and checks the trailer: checksum and size of the content. */
import { Gunzip } from 'fflate';
import { crc32 } from './crc32.ts';

export interface Unpacker {
  /** Throws if the data so far are damaged or end too early. */
  push(bite: Uint8Array, isLast: boolean): void;
}

export function concat(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Bytes of checksum and size. */
const END_BYTES = 8;

/** `take` receives the output of each chunk. */
export function createGunzip(take: (chunk: Uint8Array) => void): Unpacker {
  let [sum, size] = [0, 0];
  const stream = new Gunzip((chunk) => {
    sum = crc32(chunk, sum);
    size += chunk.length;
    take(chunk);
  });
  // Several members may follow each other: the trailer is that of the last.
  stream.onmember = () => {
    [sum, size] = [0, 0];
  };
  let tail = new Uint8Array(0);
  return {
    push(bite, isLast) {
      stream.push(bite, isLast);
      tail = Uint8Array.from([...tail, ...bite.subarray(-END_BYTES)]).slice(-END_BYTES);
      if (!isLast) return;
      // too few bytes throw as well
      const end = new DataView(tail.buffer);
      if (end.getUint32(0, true) !== sum || end.getUint32(4, true) !== size % 2 ** 32)
        throw new Error('The checksum or the size does not match.');
    },
  };
}
