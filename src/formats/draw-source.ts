/** Files of draws as readers see them: the beginning, and the bytes piece by piece; gzip is unpacked on the way. */
import { concat, createGunzip } from './gunzip.ts';
import type { Hdf5 } from './hdf5.ts';
import { ImportError } from './imported-draws.ts';

export interface DrawFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface DrawSource {
  readonly name: string;
  /** Size as stored. */
  readonly size: number;
  /** The first bytes, at most {@link HEAD_BYTES}. */
  head(): Uint8Array;
  /** Starts from the beginning at each call. A piece is valid until the next is requested. */
  pieces(): Iterable<Uint8Array>;
  /** For a file that the HDF5 library can open in place. */
  readonly hdf5?: () => Promise<{ readonly hdf5: Hdf5; readonly path: string }>;
  /** It was unpacked from a gzip file. */
  readonly isUnpacked?: boolean;
}

/** Enough for the comments and the header row of any file. */
export const HEAD_BYTES = 2 ** 20;
/** A string of the entire file would cost as much memory again. */
const PIECE_BYTES = 2 ** 20;

export function sourceOf({ name, bytes }: DrawFile): DrawSource {
  return {
    name,
    size: bytes.length,
    head: () => bytes.subarray(0, HEAD_BYTES),
    *pieces() {
      for (let from = 0; from < bytes.length; from += PIECE_BYTES)
        yield bytes.subarray(from, from + PIECE_BYTES);
    },
  };
}

/** Reads everything. The caller has checked the size. */
export function bytesOf(source: DrawSource): Uint8Array {
  return concat(Array.from(source.pieces(), (piece) => piece.slice()));
}

export const isGzip = (head: Uint8Array): boolean => head[0] === 0x1f && head[1] === 0x8b;

/** Bytes per call of the unpacker: its output is at most a thousand times larger. */
const BITE_BYTES = 2 ** 14;

export interface UnpackLimits {
  /** Bytes that any file may unpack to. */
  readonly free: number;
  /** Output bytes per input byte beyond that. */
  readonly ratio: number;
}

/** Tables of draws unpack to at most ten times their size, constants to more; anything beyond this is not a table. */
export const defaultUnpackLimits: UnpackLimits = { free: 64 * 2 ** 20, ratio: 200 };

/** The content of a gzip file. Its pieces throw {@link ImportError} if it is damaged or unpacks to far too much. */
export function unpackedSource(
  source: DrawSource,
  limits: UnpackLimits = defaultUnpackLimits,
): DrawSource {
  return {
    name: source.name,
    size: source.size,
    isUnpacked: true,
    head() {
      const parts: Uint8Array[] = [];
      let length = 0;
      for (const piece of unpack(source, limits)) {
        parts.push(piece.slice(0, HEAD_BYTES - length));
        length += parts[parts.length - 1].length;
        if (length >= HEAD_BYTES) break;
      }
      return concat(parts);
    },
    pieces: () => unpack(source, limits),
  };
}

function* unpack(source: DrawSource, { free, ratio }: UnpackLimits): Generator<Uint8Array> {
  const out: Uint8Array[] = [];
  const stream = createGunzip((chunk) => out.push(chunk));
  let packed = 0;
  let unpacked = 0;
  const push = (bite: Uint8Array, isLast: boolean) => {
    try {
      stream.push(bite, isLast);
    } catch {
      throw new ImportError('The gzip file is damaged or incomplete; upload it again.');
    }
  };
  const take = function* () {
    for (const chunk of out.splice(0)) {
      unpacked += chunk.length;
      if (unpacked > free + ratio * packed)
        throw new ImportError(
          `The gzip file unpacks to more than ${ratio} times its size, so it was not read.`,
        );
      if (chunk.length > 0) yield chunk;
    }
  };
  for (const piece of source.pieces())
    for (let from = 0; from < piece.length; from += BITE_BYTES) {
      // the unpacker retains input that it cannot use yet
      const bite = piece.slice(from, from + BITE_BYTES);
      packed += bite.length;
      push(bite, false);
      yield* take();
    }
  push(new Uint8Array(0), true);
  yield* take();
}
