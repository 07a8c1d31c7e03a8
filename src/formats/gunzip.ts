/** Unpacks gzip piece by piece, and checks what stands at its end: sum and size of what was packed. */
import { Gunzip } from 'fflate';
import { crc32 } from './crc32.ts';

export interface Unpacker {
  /** Throws when what came so far is damaged, or ends too early. */
  push(bite: Uint8Array, isLast: boolean): void;
}

/** Bytes of sum and size. */
const END_BYTES = 8;

/** `take` is given what comes out of each bite. */
export function createGunzip(take: (chunk: Uint8Array) => void): Unpacker {
  let [sum, size] = [0, 0];
  const stream = new Gunzip((chunk) => {
    sum = crc32(chunk, sum);
    size += chunk.length;
    take(chunk);
  });
  // Several may stand one behind the other: the end is that of the last.
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
